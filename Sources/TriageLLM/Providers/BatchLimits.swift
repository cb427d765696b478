/// What one batch may hold.
public struct BatchLimits: Sendable, Equatable {
    public var entries: Int
    public var bytes: Int

    public init(entries: Int, bytes: Int) {
        self.entries = entries
        self.bytes = bytes
    }
}
