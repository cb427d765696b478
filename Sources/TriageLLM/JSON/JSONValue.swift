import TriageCore

/// A JSON value; objects keep their order.
package enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    /// The number as written; converted by whoever needs it.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([JSONMember])
    /// JSON that is already encoded, as by ``encoded``, so that text common to all requests is encoded once.
    ///
    /// Parsing never produces it, and it equals only the same bytes.
    case written([UInt8])

    /// The member of an object; nil for other values too.
    ///
    /// Names are compared byte by byte, not as Swift compares strings: U+212A is not `K`.
    package subscript(_ key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key.utf8.elementsEqual(key.utf8) }?.value
    }
}

/// A member of an object.
package struct JSONMember: Sendable, Equatable {
    package var key: String
    package var value: JSONValue

    package init(_ key: String, _ value: JSONValue) {
        self.key = key
        self.value = value
    }
}

extension JSONValue {
    package var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    package var bool: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    package var array: [JSONValue]? {
        guard case .array(let values) = self else { return nil }
        return values
    }

    package var members: [JSONMember]? {
        guard case .object(let members) = self else { return nil }
        return members
    }

    package var isNull: Bool { self == .null }

    /// The number if it is an integer that fits, in any notation: `5`, `5.0`, `1e2`; never rounded.
    package var integer: Int? {
        guard case .number(let text) = self else { return nil }
        return JSONNumber.integer(text)
    }

    /// ``integer``, or a string that contains only an integer, because models write `"5"`.
    package var integerOrItsText: Int? {
        switch self {
        case .number(let text), .string(let text): JSONNumber.integer(text)
        default: nil
        }
    }

    /// The number as the nearest double; nil when it is not finite.
    package var double: Double? {
        guard case .number(let text) = self else { return nil }
        return JSONNumber.double(text)
    }
}

extension JSONValue {
    /// Compact JSON: raw UTF-8, members in their order, the same bytes for equal values.
    package var encoded: [UInt8] {
        var out: [UInt8] = []
        append(to: &out)
        return out
    }

    /// Appends ``encoded``.
    ///
    /// An invalid `number` is written as null, so a server always gets valid JSON.
    package func append(to out: inout [UInt8]) {
        switch self {
        case .null: out.append(contentsOf: "null".utf8)
        case .bool(let value): out.append(contentsOf: (value ? "true" : "false").utf8)
        case .number(let text):
            out.append(contentsOf: (JSONNumber.isNumber(text) ? text : "null").utf8)
        case .string(let text): JSONText.append(text, to: &out)
        case .array(let values):
            out.append(UInt8(ascii: "["))
            for i in values.indices {
                if i > 0 { out.append(UInt8(ascii: ",")) }
                values[i].append(to: &out)
            }
            out.append(UInt8(ascii: "]"))
        case .object(let members):
            out.append(UInt8(ascii: "{"))
            for i in members.indices {
                if i > 0 { out.append(UInt8(ascii: ",")) }
                JSONText.append(members[i].key, to: &out)
                out.append(UInt8(ascii: ":"))
                members[i].value.append(to: &out)
            }
            out.append(UInt8(ascii: "}"))
        case .written(let bytes): out.append(contentsOf: bytes)
        }
    }

    /// The number of bytes in ``encoded``, counted without creating them.
    var encodedCount: Int {
        switch self {
        case .null: 4
        case .bool(let value): value ? 4 : 5
        case .number(let text): JSONNumber.isNumber(text) ? text.utf8.count : 4
        case .string(let text): Self.encodedCount(of: text)
        case .array(let values): values.reduce(2 + max(0, values.count - 1)) { $0 + $1.encodedCount }
        case .object(let members):
            members.reduce(2 + max(0, members.count - 1)) {
                $0 + Self.encodedCount(of: $1.key) + 1 + $1.value.encodedCount
            }
        case .written(let bytes): bytes.count
        }
    }

    /// Must match the output of `JSONText`.
    private static func encodedCount(of text: String) -> Int {
        text.utf8.reduce(2) { count, byte in
            switch byte {
            case 0x22, 0x5C, 0x09, 0x0A, 0x0D: count + 2
            case 0..<0x20: count + 6
            default: count + 1
            }
        }
    }

    static func integer(_ value: Int) -> JSONValue { .number(String(value)) }
}

/// Reads numbers in the syntax of RFC 8259.
package enum JSONNumber {
    /// The number if it is an integer that fits, in any notation; nil for anything but one number.
    ///
    /// Never rounds, and takes time linear in the text, whatever the exponent.
    package static func integer(_ text: String) -> Int? {
        let bytes = Array(text.utf8)
        guard let parts = bytes.withUnsafeBufferPointer({ parts(of: $0, from: 0) }), parts.end == bytes.count else {
            return nil
        }
        var digits = bytes[parts.whole] + bytes[parts.fraction]
        var power = exponent(bytes[parts.exponent]) - parts.fraction.count
        while let last = digits.last, last == 0x30 {
            digits.removeLast()
            power += 1
        }
        let significant = digits.drop { $0 == 0x30 }
        if significant.isEmpty { return 0 }
        // Int.max has 19 digits.
        guard power >= 0, power <= 18, significant.count + power <= 19 else { return nil }
        var magnitude: UInt64 = 0
        for digit in significant { magnitude = magnitude * 10 + UInt64(digit - 0x30) }
        for _ in 0..<power { magnitude *= 10 }
        if bytes.first == 0x2D {
            return magnitude <= UInt64(Int.max) + 1 ? Int(truncatingIfNeeded: 0 &- magnitude) : nil
        }
        return Int(exactly: magnitude)
    }

    /// The nearest double; nil when it is not finite, or for anything but one number.
    package static func double(_ text: String) -> Double? {
        guard isNumber(text), let value = Double(text), value.isFinite else { return nil }
        return value
    }

    /// Whether a text is one number and nothing else.
    package static func isNumber(_ text: String) -> Bool {
        var copy = text
        return copy.withUTF8 { parts(of: $0, from: 0)?.end == $0.count }
    }

    struct Parts {
        var whole: Range<Int>
        var fraction: Range<Int>
        /// The digits of the exponent with their sign, without the letter.
        var exponent: Range<Int>
        var end: Int
    }

    /// The parts of the number at `start`; nil if there is none.
    static func parts(of bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Parts? {
        var at = start
        func run() -> Range<Int> {
            let first = at
            while at < bytes.count, (0x30...0x39).contains(bytes[at]) { at += 1 }
            return first..<at
        }
        if at < bytes.count, bytes[at] == 0x2D { at += 1 }
        let whole = run()
        guard !whole.isEmpty, whole.count == 1 || bytes[whole.lowerBound] != 0x30 else { return nil }
        var fraction = at..<at
        if at < bytes.count, bytes[at] == 0x2E {
            at += 1
            fraction = run()
            if fraction.isEmpty { return nil }
        }
        var exponent = at..<at
        if at < bytes.count, bytes[at] | 0x20 == 0x65 {
            at += 1
            let sign = at
            if at < bytes.count, bytes[at] == 0x2B || bytes[at] == 0x2D { at += 1 }
            if run().isEmpty { return nil }
            exponent = sign..<at
        }
        return Parts(whole: whole, fraction: fraction, exponent: exponent, end: at)
    }

    /// The exponent, limited to a range beyond which no digits of a text can make the number fit.
    private static func exponent(_ bytes: ArraySlice<UInt8>) -> Int {
        let most = 1 << 40
        var value = 0
        for byte in bytes where (0x30...0x39).contains(byte) { value = min(most, value * 10 + Int(byte - 0x30)) }
        return bytes.first == 0x2D ? -value : value
    }
}
