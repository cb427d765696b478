import TriageCore

/// A JSON value; objects keep their order.
package enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    /// As written: numbers are converted by who wants them.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([JSONMember])
    /// JSON that is written already, as ``encoded`` gave it: what is the same in every request is written once.
    ///
    /// Never read from anywhere, and equal only to the same bytes.
    case written([UInt8])

    /// The member of an object; nil for other values too.
    ///
    /// Names are compared byte by byte, not as Swift compares strings: U+212A is no `K`.
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

    /// The number if it is whole and fits, however it is written: `5`, `5.0`, `1e2`; never rounded.
    package var integer: Int? {
        guard case .number(let text) = self else { return nil }
        return JSONNumber.integer(text)
    }

    /// ``integer``, or a string that holds nothing else: models write `"5"`.
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

    /// ``double``, or a string that holds nothing else.
    package var doubleOrItsText: Double? {
        switch self {
        case .number(let text), .string(let text): JSONNumber.double(text)
        default: nil
        }
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
    /// A `number` that is none is written as null: what reaches a server is always JSON.
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

    /// Bytes of ``encoded``, counted without making them.
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

    /// As `JSONText` writes it.
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
