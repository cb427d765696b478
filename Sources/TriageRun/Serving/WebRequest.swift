import Platform

/// Parses one HTTP request strictly: anything that two parsers could read differently is refused.
///
/// A pure value over bytes. Each connection carries one request, so any bytes after it are ignored.
package struct WebRequest {
    /// The result of parsing: a request, or the status to refuse it with.
    package enum Outcome: Equatable {
        /// The head is complete and valid; the body is still to come.
        case head
        case whole
        case refused(Int)
    }

    package struct Header: Equatable {
        /// In lower case.
        package var name: [UInt8]
        package var value: [UInt8]
    }

    /// The size limit of the request line and headers, in bytes.
    package static let headLimit = 16 << 10
    package static let headerLimit = 100

    package private(set) var method: [UInt8] = []
    package private(set) var target: [UInt8] = []
    package private(set) var headers: [Header] = []
    package private(set) var body: [UInt8] = []
    package private(set) var length = 0
    private var isHeadDone = false
    private var held: [UInt8] = []
    private let bodyLimit: Int
    private let methodsWithBody: [String]

    /// - Parameter methodsWithBody: methods that must declare the length of their body; no other method may have one.
    package init(bodyLimit: Int, methodsWithBody: [String] = ["POST"]) {
        self.bodyLimit = bodyLimit
        self.methodsWithBody = methodsWithBody
    }

    /// Whether any bytes have arrived.
    package var hasBegun: Bool { isHeadDone || !held.isEmpty }
    /// The number of bytes held.
    package var weight: Int { held.count + body.count }
    /// Whether the client waits for `100 Continue` before it sends the body.
    package var wantsContinue: Bool {
        values(of: "expect").contains { String(decoding: $0, as: UTF8.self).lowercased() == "100-continue" }
    }

    /// All values of a header, in order.
    package func values(of name: String) -> [[UInt8]] {
        headers.filter { $0.name.elementsEqual(name.utf8) }.map(\.value)
    }

    /// Feeds the parser with bytes.
    ///
    /// - Returns: nil while more bytes are needed.
    package mutating func feed(_ bytes: some Collection<UInt8>) -> Outcome? {
        if isHeadDone {
            body.append(contentsOf: bytes.prefix(length - body.count))
            return body.count == length ? .whole : nil
        }
        // The last bytes that were searched before may be the start of the end mark.
        let start = max(0, held.count - 3)
        held.append(contentsOf: bytes)
        guard let end = Self.end(of: held, from: start) else {
            if held.count > Self.headLimit { return .refused(431) }
            // Bytes that cannot become a valid head are refused at once: it must begin with an upper-case letter, and
            // its lines end in CR LF.
            if let first = held.first, !(0x41...0x5A).contains(first) { return .refused(400) }
            return Self.hasLoneBreak(held, from: start) ? .refused(400) : nil
        }
        if end > Self.headLimit { return .refused(431) }
        isHeadDone = true
        let rest = held[end...]
        if let code = readHead(held[..<(end - 2)]) ?? judgeHead() {
            held = []
            return .refused(code)
        }
        body.append(contentsOf: rest.prefix(length))
        held = []
        return body.count == length ? .whole : .head
    }

    private static func end(of bytes: [UInt8], from start: Int) -> Int? {
        var i = start
        while i + 3 < bytes.count {
            if bytes[i] == 0x0D, bytes[i + 1] == 0x0A, bytes[i + 2] == 0x0D, bytes[i + 3] == 0x0A { return i + 4 }
            i += 1
        }
        return nil
    }

    /// Whether there is a CR without LF or an LF without CR; a CR at the very end may still get its LF.
    private static func hasLoneBreak(_ bytes: [UInt8], from start: Int) -> Bool {
        (start..<bytes.count).contains { i in
            switch bytes[i] {
            case 0x0A: i == 0 || bytes[i - 1] != 0x0D
            case 0x0D: i + 1 < bytes.count && bytes[i + 1] != 0x0A
            default: false
            }
        }
    }

    /// - Parameter head: lines, each ending in CR LF.
    /// - Returns: the status when the head is refused.
    private mutating func readHead(_ head: ArraySlice<UInt8>) -> Int? {
        var lines: [ArraySlice<UInt8>] = []
        var start = head.startIndex
        for i in head.indices where head[i] == 0x0A || head[i] == 0x0D {
            if head[i] == 0x0D {
                // A CR is allowed only before an LF.
                guard i + 1 < head.endIndex, head[i + 1] == 0x0A else { return 400 }
                continue
            }
            guard i > head.startIndex, head[i - 1] == 0x0D else { return 400 }
            lines.append(head[start..<(i - 1)])
            start = i + 1
        }
        guard let first = lines.first, lines.count <= Self.headerLimit + 1 else { return lines.isEmpty ? 400 : 431 }
        let words = first.split(separator: 0x20, omittingEmptySubsequences: false)
        guard words.count == 3, !words[0].isEmpty, words[0].allSatisfy({ (0x41...0x5A).contains($0) }),
            words[1].first == 0x2F, words[1].allSatisfy({ (0x21...0x7E).contains($0) })
        else { return 400 }
        guard words[2].elementsEqual("HTTP/1.1".utf8) || words[2].elementsEqual("HTTP/1.0".utf8) else {
            return words[2].starts(with: "HTTP/".utf8) ? 505 : 400
        }
        method = Array(words[0])
        target = Array(words[1])
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: 0x3A), colon > line.startIndex,
                line[..<colon].allSatisfy(Self.isToken),
                line[(colon + 1)...].allSatisfy({ $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) })
            else { return 400 }
            var value = line[(colon + 1)...]
            while let last = value.last, last == 0x20 || last == 0x09 { value.removeLast() }
            while let first = value.first, first == 0x20 || first == 0x09 { value.removeFirst() }
            let name = line[..<colon].map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
            headers.append(Header(name: name, value: Array(value)))
        }
        return nil
    }

    /// Determines the length of the body.
    private mutating func judgeHead() -> Int? {
        let lengths = values(of: "content-length")
        let codings = values(of: "transfer-encoding")
        if !codings.isEmpty { return lengths.isEmpty ? 411 : 400 }
        guard lengths.count <= 1 else { return 400 }
        let mayHaveBody = methodsWithBody.contains { method.elementsEqual($0.utf8) }
        guard let digits = lengths.first else { return mayHaveBody ? 411 : nil }
        guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return 400 }
        // A number with more digits exceeds every allowed length.
        guard digits.count <= 12, let number = Int(String(decoding: digits, as: UTF8.self)) else { return 413 }
        if number > bodyLimit { return 413 }
        if number > 0, !mayHaveBody { return 400 }
        length = number
        return nil
    }

    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    /// The query parameters of the target, decoded; nil when they are malformed or one is repeated.
    package var parameters: [String: [UInt8]]? {
        guard let mark = target.firstIndex(of: 0x3F) else { return [:] }
        var found: [String: [UInt8]] = [:]
        for pair in target[(mark + 1)...].split(separator: 0x26) {
            let equals = pair.firstIndex(of: 0x3D) ?? pair.endIndex
            let value = equals < pair.endIndex ? pair[(equals + 1)...] : []
            guard let name = Self.decoded(pair[..<equals]), let decoded = Self.decoded(value),
                found.updateValue(decoded, forKey: String(decoding: name, as: UTF8.self)) == nil
            else { return nil }
        }
        return found
    }

    private static func decoded(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        var out: [UInt8] = []
        var rest = bytes
        while let byte = rest.popFirst() {
            switch byte {
            case 0x2B: out.append(0x20)
            case 0x25:
                guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                    return nil
                }
                out.append(high << 4 | low)
            default: out.append(byte)
            }
        }
        return out
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}

/// The result of accepting a connection on a listening socket.
package enum Arrival {
    /// A non-blocking descriptor that child processes do not inherit; the caller has to close it.
    case connection(Int32)
    /// A connection is waiting, but no descriptor is left; closing one makes room for it.
    case noRoom
    case nobody

    package init(at listener: Int32) {
        while true {
            #if canImport(Glibc)
                let descriptor = Glibc.accept(listener, nil, nil)
            #else
                let descriptor = Darwin.accept(listener, nil, nil)
            #endif
            if descriptor < 0 {
                if errno == EINTR || errno == ECONNABORTED { continue }
                self = errno == EMFILE || errno == ENFILE ? .noRoom : .nobody
                return
            }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            #if canImport(Darwin)
                var yes: Int32 = 1
                setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
            #endif
            self = .connection(descriptor)
            return
        }
    }
}
