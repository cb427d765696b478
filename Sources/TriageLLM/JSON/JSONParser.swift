/// The JSON parser: a single pass without backtracking.
struct JSONParser {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let limits: JSONLimits
    private let surrogates: StrictJSON.Surrogates
    private var at = 0
    private var values = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>, limits: JSONLimits, surrogates: StrictJSON.Surrogates) {
        self.bytes = bytes
        self.limits = limits
        self.surrogates = surrogates
    }

    mutating func document() throws(JSONFault) -> JSONValue {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { throw JSONFault(.byteOrderMark, at: 0) }
        let value = try value(depth: 0)
        skipSpace()
        if at < bytes.count { throw JSONFault(.trailingBytes, at: at) }
        return value
    }

    private mutating func skipSpace() {
        while at < bytes.count {
            switch bytes[at] {
            case 0x20, 0x09, 0x0A, 0x0D: at += 1
            default: return
            }
        }
    }

    /// The next byte that is not white space, without consuming it.
    private mutating func peek() throws(JSONFault) -> UInt8 {
        skipSpace()
        guard at < bytes.count else { throw JSONFault(.unexpectedEnd, at: at) }
        return bytes[at]
    }

    private mutating func value(depth: Int) throws(JSONFault) -> JSONValue {
        let first = try peek()
        values += 1
        if values > limits.values { throw JSONFault(.tooManyValues, at: at) }
        switch first {
        case UInt8(ascii: "{"): return try object(depth: depth + 1)
        case UInt8(ascii: "["): return try array(depth: depth + 1)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        case UInt8(ascii: "-"), 0x30...0x39: return try number()
        default: throw JSONFault(.unexpectedByte, at: at)
        }
    }

    private mutating func literal(_ word: StaticString, _ value: JSONValue) throws(JSONFault) -> JSONValue {
        for i in 0..<word.utf8CodeUnitCount {
            guard at < bytes.count else { throw JSONFault(.unexpectedEnd, at: at) }
            guard bytes[at] == word.utf8Start[i] else { throw JSONFault(.unexpectedByte, at: at) }
            at += 1
        }
        return value
    }

    private mutating func number() throws(JSONFault) -> JSONValue {
        guard let parts = JSONNumber.parts(of: bytes, from: at) else {
            // The number is cut off if one more digit would make it valid: `-`, `1.`, `1e-`.
            let whole = Array(bytes[at...]) + [0x30]
            let isCut = whole.withUnsafeBufferPointer { JSONNumber.parts(of: $0, from: 0)?.end == $0.count }
            throw JSONFault(isCut ? .unexpectedEnd : .badNumber, at: isCut ? bytes.count : at)
        }
        let text = String(decoding: UnsafeBufferPointer(rebasing: bytes[at..<parts.end]), as: UTF8.self)
        at = parts.end
        return .number(text)
    }

    private mutating func array(depth: Int) throws(JSONFault) -> JSONValue {
        if depth > limits.depth { throw JSONFault(.tooDeep, at: at) }
        at += 1
        var elements: [JSONValue] = []
        if try peek() == UInt8(ascii: "]") {
            at += 1
            return .array(elements)
        }
        while true {
            elements.append(try value(depth: depth))
            switch try peek() {
            case UInt8(ascii: ","): at += 1
            case UInt8(ascii: "]"):
                at += 1
                return .array(elements)
            default: throw JSONFault(.unexpectedByte, at: at)
            }
        }
    }

    private mutating func object(depth: Int) throws(JSONFault) -> JSONValue {
        if depth > limits.depth { throw JSONFault(.tooDeep, at: at) }
        at += 1
        var members: [JSONMember] = []
        var names = JSONNames()
        if try peek() == UInt8(ascii: "}") {
            at += 1
            return .object(members)
        }
        while true {
            guard try peek() == UInt8(ascii: "\"") else { throw JSONFault(.unexpectedByte, at: at) }
            let start = at
            let key = try string()
            guard names.insert(key, beside: members) else { throw JSONFault(.duplicateKey, at: start) }
            guard try peek() == UInt8(ascii: ":") else { throw JSONFault(.unexpectedByte, at: at) }
            at += 1
            members.append(JSONMember(key, try value(depth: depth)))
            switch try peek() {
            case UInt8(ascii: ","): at += 1
            case UInt8(ascii: "}"):
                at += 1
                return .object(members)
            default: throw JSONFault(.unexpectedByte, at: at)
            }
        }
    }

    private mutating func string() throws(JSONFault) -> String {
        let quote = at
        at += 1
        var start = at
        var unescaped: [UInt8]?
        while true {
            guard at < bytes.count else { throw JSONFault(.unexpectedEnd, at: at) }
            switch bytes[at] {
            case UInt8(ascii: "\""):
                let run = UnsafeBufferPointer(rebasing: bytes[start..<at])
                at += 1
                let text =
                    if let before = unescaped {
                        String(validating: before + run, as: UTF8.self)
                    } else {
                        String(validating: run, as: UTF8.self)
                    }
                guard let text else { throw JSONFault(.invalidUTF8, at: quote) }
                return text
            case UInt8(ascii: "\\"):
                // Moved out and back, so that the array is never shared and copied.
                var text = unescaped.take() ?? []
                text.append(contentsOf: bytes[start..<at])
                try escape(into: &text)
                unescaped = text
                start = at
            case 0..<0x20: throw JSONFault(.controlCharacter, at: at)
            default: at += 1
            }
        }
    }

    private mutating func escape(into out: inout [UInt8]) throws(JSONFault) {
        let start = at
        guard at + 1 < bytes.count else { throw JSONFault(.unexpectedEnd, at: bytes.count) }
        let letter = bytes[at + 1]
        at += 2
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): out.append(letter)
        case UInt8(ascii: "b"): out.append(0x08)
        case UInt8(ascii: "f"): out.append(0x0C)
        case UInt8(ascii: "n"): out.append(0x0A)
        case UInt8(ascii: "r"): out.append(0x0D)
        case UInt8(ascii: "t"): out.append(0x09)
        case UInt8(ascii: "u"):
            let unit = try hexUnit()
            if let scalar = Unicode.Scalar(unit) {
                out.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            } else if let scalar = try pair(high: unit) {
                out.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            } else if surrogates == .replace {
                out.append(contentsOf: UTF8.encodedReplacementCharacter)
            } else {
                throw JSONFault(.loneSurrogate, at: start)
            }
        default: throw JSONFault(.badEscape, at: start)
        }
    }

    /// The scalar of a surrogate pair whose first half was read; the second half is consumed only if it is valid.
    private mutating func pair(high: UInt32) throws(JSONFault) -> Unicode.Scalar? {
        guard (0xD800..<0xDC00).contains(high), at + 1 < bytes.count, bytes[at] == UInt8(ascii: "\\"),
            bytes[at + 1] == UInt8(ascii: "u")
        else { return nil }
        let back = at
        at += 2
        let low = try hexUnit()
        guard (0xDC00..<0xE000).contains(low) else {
            at = back
            return nil
        }
        return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
    }

    private mutating func hexUnit() throws(JSONFault) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard at < bytes.count else { throw JSONFault(.unexpectedEnd, at: at) }
            switch bytes[at] {
            case 0x30...0x39: unit = unit << 4 + UInt32(bytes[at] - 0x30)
            case 0x41...0x46: unit = unit << 4 + UInt32(bytes[at] - 0x37)
            case 0x61...0x66: unit = unit << 4 + UInt32(bytes[at] - 0x57)
            default: throw JSONFault(.badEscape, at: at)
            }
            at += 1
        }
        return unit
    }
}

/// The names in one object so far, compared byte by byte; uses a hash table only for many names.
private struct JSONNames {
    private var table: Set<[UInt8]> = []

    mutating func insert(_ key: String, beside members: [JSONMember]) -> Bool {
        if members.count < 8 { return !members.contains { $0.key.utf8.elementsEqual(key.utf8) } }
        if table.isEmpty { table = Set(members.map { Array($0.key.utf8) }) }
        return table.insert(Array(key.utf8)).inserted
    }
}
