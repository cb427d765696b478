/// What a text of JSON may cost; beyond it the text is refused.
public struct JSONLimits: Sendable, Equatable {
    public var bytes: Int
    /// Arrays and objects inside each other.
    public var depth: Int
    /// Values of all kinds, which bounds the memory that a text of brackets takes.
    public var values: Int

    public init(bytes: Int = 8 << 20, depth: Int = 32, values: Int = 1 << 20) {
        self.bytes = bytes
        self.depth = depth
        self.values = values
    }

    /// What a server's envelope may be: the size of ``HTTPLimits/bodyBytes``.
    public static let envelope = JSONLimits()
    /// What a model's answer may be; far above the longest that is asked for.
    public static let answer = JSONLimits(bytes: 1 << 20, values: 1 << 16)
}
