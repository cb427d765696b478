/// A JSON value; objects keep their order.
public enum JSONValue: Sendable, Equatable {
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
    public subscript(_ key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key.utf8.elementsEqual(key.utf8) }?.value
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
