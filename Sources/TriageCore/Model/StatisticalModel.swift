/// A linear model over hashed words, word pairs and pieces of words, the signals of the rules, and a few facts.
///
/// Made by `triage train`, read by the stages. All heads share the features; a feature's weights for all classes are one
/// vector of ``ModelLane``s. Weights of texts are whole numbers with one scale for each lane, so that sums are exact in
/// any order. Temperatures (see ``TrainingNote``) are multiplied in already: logits are calibrated as they come.
public struct StatisticalModel: Sendable {
    /// Weights of texts by bucket; a power of two of them.
    public var rows: [SIMD8<Int8>]
    /// What a unit of ``rows`` is worth, by lane.
    public var scale: SIMD8<Float>
    public var bias: SIMD8<Float>
    /// Weights of the signals that fired, by name; a name that the rules do not have any more counts nothing.
    public var signals: [String: SIMD8<Float>]
    /// Weights of ``ModelFact``s, by their number.
    public var facts: [SIMD8<Float>]
    /// What the rules' own log-odds weigh: for each lane of theirs, what it adds to each lane of ours.
    public var rules: [SIMD8<Float>]
    /// From which score on a message is urgent: chosen for the best F1 under cross-validation.
    public var urgentThreshold: Float
    public var injectionThreshold: Float
    /// First 12 hex digits of the file's SHA-256, for `provenance`; empty before it was a file.
    public private(set) var digest = ""
    /// What it was made from and how well it did, for people: `key: value` lines.
    public var notes: [TrainingNote]

    /// One thing to know about how a model came to be.
    public struct TrainingNote: Sendable, Equatable {
        public var key: String
        public var value: String

        public init(_ key: String, _ value: String) {
            self.key = key
            self.value = value
        }
    }

    /// The bits of a bucket's number that a model may have.
    public static let bucketBits = 12...22

    /// A model that knows nothing.
    ///
    /// - Parameter bits: buckets as a power of two, one of ``bucketBits``.
    public init(bits: Int) {
        rows = Array(repeating: SIMD8(repeating: 0), count: 1 << bits)
        scale = SIMD8(repeating: 0)
        bias = SIMD8(repeating: 0)
        signals = [:]
        facts = Array(repeating: SIMD8(repeating: 0), count: ModelFact.allCases.count)
        rules = Array(repeating: SIMD8(repeating: 0), count: ModelLane.allCases.count)
        urgentThreshold = 0.5
        injectionThreshold = 0.5
        notes = []
    }

    mutating func name(after checksum: some Sequence<UInt8>) {
        digest = checksum.prefix(6).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Buckets as a power of two.
    public var bits: Int { rows.count.trailingZeroBitCount }

    /// The value of a note; nil when there is none.
    public func note(_ key: String) -> String? { notes.first { $0.key == key }?.value }
}
