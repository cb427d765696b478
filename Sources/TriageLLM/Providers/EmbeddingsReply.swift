/// Vectors for texts.
public struct EmbeddingsReply: Sendable, Equatable {
    /// One for each text, in order; of length 1, so that the dot product is the cosine.
    public var vectors: [[Float]]
    public var usage: TokenUsage
    /// The model that answered, as the server names it: kept with vectors, for those of two models do not compare.
    public var model: String?

    public init(vectors: [[Float]], usage: TokenUsage, model: String? = nil) {
        self.vectors = vectors
        self.usage = usage
        self.model = model
    }

    /// Numbers in each vector; nil when there is none.
    public var dimension: Int? { vectors.first?.count }
}
