internal import TriageCore

/// Reads strict JSON (RFC 8259) into a tree of values with positions.
struct JSONReader {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let name: String
    private var position = 0
    private var line: Int
    private var lineStart = 0
    private(set) var fault: TriageError?
    private(set) var duplicates: [TriageError] = []

    /// - Parameter line: the line number in the file of the first line of `bytes`.
    init(_ bytes: UnsafeBufferPointer<UInt8>, name: String, line: Int = 1) {
        self.bytes = bytes
        self.name = name
        self.line = line
    }

    /// The value; nil with ``fault`` set when the text is not JSON.
    mutating func read() -> ConfigNode? {
        do throws(TriageError) {
            let node = try value(depth: 0)
            skipBlanks()
            if position < bytes.count { throw broken("unexpected text after the value") }
            return node
        } catch {
            fault = error
            return nil
        }
    }

    private var column: Int { position - lineStart + 1 }

    private func broken(_ what: String) -> TriageError {
        TriageError(
            "config.syntax", "not valid JSON: \(what)", at: "\(name):\(line):\(column)",
            remedy: "check for a missing comma, quote or bracket", exit: .badConfiguration)
    }

    private mutating func skipBlanks() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x0A:
                line += 1
                lineStart = position + 1
            case 0x20, 0x09, 0x0D: break
            default: return
            }
            position += 1
        }
    }

    private mutating func value(depth: Int) throws(TriageError) -> ConfigNode {
        skipBlanks()
        guard position < bytes.count else { throw broken("the text ends where a value should be") }
        let (line, column) = (line, column)
        let first = bytes[position]
        if depth >= ConfigDocument.depthLimit, first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            throw TriageError(
                "config.too-deep", "values are nested more than \(ConfigDocument.depthLimit) deep",
                at: "\(name):\(line):\(column)", remedy: "flatten it", exit: .badConfiguration)
        }
        switch first {
        case UInt8(ascii: "{"): return ConfigNode(.mapping(try entries(depth)), line: line, column: column)
        case UInt8(ascii: "["): return ConfigNode(.sequence(try items(depth)), line: line, column: column)
        case UInt8(ascii: "\""): return ConfigNode(.scalar(try string(), isPlain: false), line: line, column: column)
        default:
            let word = bareWord()
            switch word {
            case "null": return ConfigNode(.null, line: line, column: column)
            case "true", "false": return ConfigNode(.scalar(word, isPlain: true), line: line, column: column)
            default:
                guard first == UInt8(ascii: "-") || (0x30...0x39).contains(first), let number = Double(word),
                    number.isFinite
                else { throw broken("a value must be an object, list, quoted string, number, true, false or null") }
                return ConfigNode(.scalar(word, isPlain: true), line: line, column: column)
            }
        }
    }

    private mutating func entries(_ depth: Int) throws(TriageError) -> [ConfigNode.Entry] {
        var entries: [ConfigNode.Entry] = []
        var keys: Set<String> = []
        position += 1
        skipBlanks()
        if take(UInt8(ascii: "}")) { return entries }
        while true {
            skipBlanks()
            let (line, column) = (line, column)
            guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
                throw broken("a key must be in double quotes")
            }
            let key = try string()
            skipBlanks()
            guard take(UInt8(ascii: ":")) else { throw broken("':' must follow a key") }
            let node = try value(depth: depth + 1)
            if keys.insert(key).inserted {
                entries.append(ConfigNode.Entry(key: key, line: line, column: column, value: node))
            } else {
                let first = entries.first { $0.key == key }?.line ?? line
                duplicates.append(DuplicateKey.fault(key, name, line, column, first: first))
            }
            skipBlanks()
            if take(UInt8(ascii: "}")) { return entries }
            guard take(UInt8(ascii: ",")) else { throw broken("',' or '}' must follow a value") }
        }
    }

    private mutating func items(_ depth: Int) throws(TriageError) -> [ConfigNode] {
        var items: [ConfigNode] = []
        position += 1
        skipBlanks()
        if take(UInt8(ascii: "]")) { return items }
        while true {
            items.append(try value(depth: depth + 1))
            skipBlanks()
            if take(UInt8(ascii: "]")) { return items }
            guard take(UInt8(ascii: ",")) else { throw broken("',' or ']' must follow a value") }
        }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private mutating func bareWord() -> String {
        let start = position
        while position < bytes.count {
            switch bytes[position] {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2D, 0x2E: position += 1
            default: return String(decoding: bytes[start..<position], as: UTF8.self)
            }
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func string() throws(TriageError) -> String {
        position += 1
        var out: [UInt8] = []
        var clean = position
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\"") {
                out.append(contentsOf: bytes[clean..<position])
                position += 1
                return String(decoding: out, as: UTF8.self)
            }
            guard byte >= 0x20 else { throw broken("a quoted string must end on its line; write \\n for a line break") }
            position += 1
            guard byte == UInt8(ascii: "\\") else { continue }
            out.append(contentsOf: bytes[clean..<position - 1])
            try escape(into: &out)
            clean = position
        }
        throw broken("a quoted string is not closed")
    }

    private mutating func escape(into out: inout [UInt8]) throws(TriageError) {
        guard position < bytes.count else { throw broken("a quoted string is not closed") }
        let byte = bytes[position]
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): out.append(byte)
        case UInt8(ascii: "b"): out.append(0x08)
        case UInt8(ascii: "f"): out.append(0x0C)
        case UInt8(ascii: "n"): out.append(0x0A)
        case UInt8(ascii: "r"): out.append(0x0D)
        case UInt8(ascii: "t"): out.append(0x09)
        case UInt8(ascii: "u"):
            var scalar = try hexUnit()
            if (0xD800..<0xDC00).contains(scalar), position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
                bytes[position + 1] == UInt8(ascii: "u")
            {
                let before = position
                position += 2
                let low = try hexUnit()
                if (0xDC00..<0xE000).contains(low) {
                    scalar = 0x10000 + (scalar - 0xD800) << 10 + (low - 0xDC00)
                } else {
                    position = before
                }
            }
            out.append(contentsOf: String(Unicode.Scalar(scalar) ?? "\u{FFFD}").utf8)
        default: throw broken("'\\' must be followed by one of \" \\ / b f n r t u")
        }
    }

    private mutating func hexUnit() throws(TriageError) -> UInt32 {
        guard position + 4 <= bytes.count,
            bytes[position..<position + 4].allSatisfy({
                (0x30...0x39).contains($0) || (0x61...0x66).contains($0 | 0x20)
            }),
            let unit = UInt32(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16)
        else { throw broken("\\u must be followed by four hexadecimal digits") }
        position += 4
        return unit
    }
}
