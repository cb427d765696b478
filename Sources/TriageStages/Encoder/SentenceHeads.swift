internal import ShippedEncoder
import TriageCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Linear models that weigh the vector of a message together with what the program found without the encoder, for sentiment
/// and urgency.
///
/// `Tests/Benchmarks/model.py heads` fits them on labelled messages. The file: `TSH1`, then little-endian 32-bit floats. For each of
/// positive, negative, neutral and urgent: the bias, the weights of what was found, and the weights of the vector.
struct SentenceHeads: Sendable {
    static let shipped: SentenceHeads? = {
        let file = shipped_sentence_heads
        return SentenceHeads(Array(UnsafeRawBufferPointer(start: file.bytes, count: file.count)))
    }()

    /// What the program found of a message before the encoder read it.
    struct Found {
        /// In the order of ``Category``.
        var category: SIMD4<Float>
        var sentiment: Sentiment
        var confidence: Float
        var intensity: Float
        var urgency: Float
        var isUrgent: Bool
        /// Whether the rules overruled the statistical model.
        var isRuled: Bool

        /// nil where a question has no answer.
        init?(_ record: Record) {
            guard let category = record.category, let sentiment = record.sentiment, let label = sentiment.label,
                let urgency = record.urgency
            else { return nil }
            self.category = category.scores
            self.sentiment = label
            (confidence, intensity) = (sentiment.confidence, sentiment.intensity)
            (self.urgency, isUrgent) = (urgency.score, urgency.isUrgent)
            isRuled = urgency.by == .urgencyRules
        }

        private static func odds(_ probability: Float, within bound: Float) -> Float {
            let probability = max(1e-6, min(1 - 1e-6, probability))
            return max(-bound, min(bound, logf(probability / (1 - probability))))
        }

        private var categories: [Float] {
            let logs = (0..<3).map { logf(max(1e-4, category[$0])) }
            let mean = logs.reduce(0, +) / 3
            return logs.map { max(-6, min(6, $0 - mean)) }
        }

        /// A value in the place of the label, 0 in those of the others.
        private func atLabel(_ value: Float) -> [Float] {
            (0..<3).map { $0 == Int(sentiment.rawValue) ? value : 0 }
        }

        private var feeling: [Float] { atLabel(max(-1, min(6, Self.odds(confidence, within: 14)))) }

        fileprivate var forSentiment: [Float] {
            feeling + atLabel(1) + atLabel(intensity) + categories + [Self.odds(urgency, within: 7)]
        }

        fileprivate var forUrgency: [Float] { forDanger + feeling }

        var forDanger: [Float] { [Self.odds(urgency, within: 7), isUrgent ? 1 : 0, isRuled ? 1 : 0] + categories }
    }

    /// Numbers that the program found, by row.
    private static let foundCounts = [13, 13, 13, 9]

    private let rows: [WeightRow]

    /// - Parameter bytes: nil is returned for another file.
    init?(_ bytes: [UInt8]) {
        let numbers = Self.foundCounts.reduce(0) { $0 + WeightRow.size(found: $1) }
        guard var file = WeightFile(bytes, magic: "TSH1", numbers: numbers) else { return nil }
        var rows: [WeightRow] = []
        for count in Self.foundCounts { rows.append(file.nextRow(found: count)) }
        self.rows = rows
    }

    /// Log-odds of the three feelings, in the order of ``Sentiment``; only their differences count.
    func sentiment(_ found: Found, _ sentence: ArraySlice<Float>) -> SIMD4<Float> {
        let values = found.forSentiment
        return SIMD4(rows[0].sum(values, sentence), rows[1].sum(values, sentence), rows[2].sum(values, sentence), 0)
    }

    /// Log-odds that a person should look within a day.
    func urgency(_ found: Found, _ sentence: ArraySlice<Float>) -> Float { rows[3].sum(found.forUrgency, sentence) }

    /// What a sentence by itself speaks for urgency; only differences between sentences count.
    func urgency(of sentence: [Float]) -> Float { rows[3].of(sentence[...]) }
}
