/// A query in a batch.
public struct BatchQuestion: Sendable, Equatable {
    /// `[A-Za-z0-9_-]`, 1 to 64, unique in its batch: Anthropic takes no other.
    public var id: String
    public var query: ChatQuery

    public init(id: String, query: ChatQuery) {
        self.id = id
        self.query = query
    }
}
