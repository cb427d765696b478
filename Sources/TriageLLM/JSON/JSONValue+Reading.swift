extension JSONValue {
    public var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    public var bool: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    public var array: [JSONValue]? {
        guard case .array(let values) = self else { return nil }
        return values
    }

    public var members: [JSONMember]? {
        guard case .object(let members) = self else { return nil }
        return members
    }

    public var isNull: Bool { self == .null }

    /// The number if it is whole and fits, however it is written: `5`, `5.0`, `1e2`; never rounded.
    public var integer: Int? {
        guard case .number(let text) = self else { return nil }
        return JSONNumber.integer(text)
    }

    /// ``integer``, or a string that holds nothing else: models write `"5"`.
    public var integerOrItsText: Int? {
        switch self {
        case .number(let text), .string(let text): JSONNumber.integer(text)
        default: nil
        }
    }

    /// The number as the nearest double; nil when it is not finite.
    public var double: Double? {
        guard case .number(let text) = self else { return nil }
        return JSONNumber.double(text)
    }

    /// ``double``, or a string that holds nothing else.
    public var doubleOrItsText: Double? {
        switch self {
        case .number(let text), .string(let text): JSONNumber.double(text)
        default: nil
        }
    }
}
