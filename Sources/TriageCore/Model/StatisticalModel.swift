/// A linear model over hashed words, word pairs and pieces of words, the signals of the rules, and a few facts.
///
/// Made by `triage train`, read by the stages. All heads share the features; a feature's weights for all classes are one
/// vector of ``ModelLane``s. Weights of texts are whole numbers with one scale for each lane, so that sums are exact in
/// any order. Temperatures (see ``TrainingNote``) are multiplied in already: logits are calibrated as they come.
package struct StatisticalModel: Sendable {
    /// Weights of texts by bucket; a power of two of them.
    package var rows: [SIMD8<Int8>]
    /// What a unit of ``rows`` is worth, by lane.
    package var scale: SIMD8<Float>
    package var bias: SIMD8<Float>
    /// Weights of the signals that fired, by name; a name that the rules do not have any more counts nothing.
    package var signals: [String: SIMD8<Float>]
    /// Weights of ``ModelFact``s, by their number.
    package var facts: [SIMD8<Float>]
    /// What the rules' own log-odds weigh: for each lane of theirs, what it adds to each lane of ours.
    package var rules: [SIMD8<Float>]
    /// From which score on a message is urgent: chosen for the best F1 under cross-validation.
    package var urgentThreshold: Float
    package var injectionThreshold: Float
    /// First 12 hex digits of the file's SHA-256, for `provenance`; empty before it was a file.
    package private(set) var digest = ""
    /// What it was made from and how well it did, for people: `key: value` lines.
    package var notes: [TrainingNote]

    /// One thing to know about how a model came to be.
    package struct TrainingNote: Sendable, Equatable {
        package var key: String
        package var value: String

        package init(_ key: String, _ value: String) {
            self.key = key
            self.value = value
        }
    }

    /// The bits of a bucket's number that a model may have.
    package static let bucketBits = 12...22

    /// A model that knows nothing.
    ///
    /// - Parameter bits: buckets as a power of two, one of ``bucketBits``.
    package init(bits: Int) {
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
    package var bits: Int { rows.count.trailingZeroBitCount }

    /// The value of a note; nil when there is none.
    package func note(_ key: String) -> String? { notes.first { $0.key == key }?.value }
}

/// What the statistical model adds up for a message: one number for each class, side by side in a vector.
package enum ModelLane: Int, Sendable, CaseIterable {
    case fan, business, spam
    case positive, negative, neutral
    case urgent, injection

    /// `category.fan`, `urgent` …, as model files and reports call it.
    package var name: String {
        switch self {
        case .fan, .business, .spam: "category.\(self)"
        case .positive, .negative, .neutral: "sentiment.\(self)"
        case .urgent, .injection: "\(self)"
        }
    }
}

/// The questions that the model answers, each by one or more lanes of its own.
package enum ModelHead: Int, Sendable, CaseIterable {
    case category, sentiment, urgent, injection

    /// Its lanes in ``ModelLane``.
    ///
    /// Of several, the label is the greatest (softmax); of one, whether it is above the threshold (logistic).
    package var lanes: Range<Int> {
        switch self {
        case .category: 0..<3
        case .sentiment: 3..<6
        case .urgent: 6..<7
        case .injection: 7..<8
        }
    }

    package var name: String { "\(self)" }
}

/// What the model knows of a message besides its words and the signals that fired.
package enum ModelFact: Int, Sendable, CaseIterable {
    // How long the text is: twice as long each, in bytes of the folded text.
    case length8, length16, length32, length64, length128, length256, length512, lengthMore
    // Who writes; unknown is a value of its own, because exports often do not say.
    case followersUnknown, followers100, followers1k, followers10k, followers100k, followersMore
    case verified, mailHandle, question, isReply

    package var name: String { "\(self)" }

    /// Whether it tells how many follow the sender, or that nobody said, or that the account is verified.
    package var isOfReach: Bool {
        switch self {
        case .followersUnknown, .followers100, .followers1k, .followers10k, .followers100k, .followersMore, .verified:
            true
        default: false
        }
    }
}

/// What the model reads of one message, before it is weighed: for training.
package struct TextFeatures: Sendable {
    /// A hash for each occurrence of a word, a pair, a piece or a sign; the bucket is its top bits.
    package var hashes: [UInt64] = []
    /// What sums over ``hashes`` are multiplied by.
    package var share: Float = 1
    /// Signals that fired and count, as often as they do: indices into the rule set.
    package var signals: [UInt16] = []
    package var facts: [ModelFact] = []
    /// The rules' own log-odds by lane, without their biases.
    package var rules = SIMD8<Float>(repeating: 0)

    package init() {}
}
