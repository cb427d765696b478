/// What the model reads of one message, before it is weighed: for training.
public struct TextFeatures: Sendable {
    /// A hash for each occurrence of a word, a pair, a piece or a sign; the bucket is its top bits.
    public var hashes: [UInt64] = []
    /// What sums over ``hashes`` are multiplied by.
    public var share: Float = 1
    /// Signals that fired and count, as often as they do: indices into the rule set.
    public var signals: [UInt16] = []
    public var facts: [ModelFact] = []
    /// The rules' own log-odds by lane, without their biases.
    public var rules = SIMD8<Float>(repeating: 0)

    public init() {}
}
