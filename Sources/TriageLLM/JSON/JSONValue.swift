/// A JSON value; objects keep their order.
public indirect enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    /// As written: numbers are converted by who wants them.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([JSONMember])

    /// The member of an object; nil for other values too.
    public subscript(_ key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }
}

/// A member of an object.
public struct JSONMember: Sendable, Equatable {
    public var key: String
    public var value: JSONValue

    public init(_ key: String, _ value: JSONValue) {
        self.key = key
        self.value = value
    }
}
