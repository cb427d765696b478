/// What a method answered for one record, without any text.
package struct Prediction: Sendable, Equatable {
    /// Index of the class; ``none`` for an answer without label, which counts as wrong.
    package var category = none
    /// fan, business, spam; nil where only the label is known.
    package var categoryScores: SIMD4<Float>?
    /// Probability that the label is right; nil where unknown.
    package var categoryConfidence: Float?
    package var sentiment = none
    package var sentimentConfidence: Float?
    package var urgent = none
    /// Probability of urgent.
    package var urgentScore: Float?
    package var injection = none
    /// Probability of an injection.
    package var injectionScore: Float?
    /// nil: the method saw no offer.
    package var opportunity: OpportunityPoints?
    /// Number of the entry in the run's ``Names``; ``Gold/noEntry``: none matched.
    package var faq = Gold.noEntry
    /// Whether the match is `high` and not only `possible`.
    package var faqIsHigh = false
    package var faqConfidence: Float?
    /// Rank of the right entry among the candidates, from 1; 0: not among them; nil: candidates unknown.
    package var faqRank: UInt16?

    package static let none: UInt8 = 255

    package init() {}

    /// The class of a question; nil for an answer without label.
    package func label(_ question: EvaluatedQuestion) -> UInt8? {
        let value =
            switch question {
            case .category: category
            // Spam or not is what a category says besides.
            case .spam: category == Self.none ? Self.none : category == 2 ? 1 : 0
            case .sentiment: sentiment
            case .urgent: urgent
            case .injection: injection
            case .opportunity, .faq: Self.none
            }
        return value == Self.none ? nil : value
    }

    /// Probability that ``label(_:)`` is right; of a question with two classes, that it is the second.
    package func probability(_ question: EvaluatedQuestion) -> Double? {
        switch question {
        case .category: categoryConfidence.map(Double.init)
        case .spam: categoryScores.map { Double($0[2]) }
        case .sentiment: sentimentConfidence.map(Double.init)
        case .urgent: urgentScore.map(Double.init)
        case .injection: injectionScore.map(Double.init)
        case .faq: faqConfidence.map(Double.init)
        case .opportunity: nil
        }
    }

    /// How sure the method is of the answer it gave.
    package func confidence(_ question: EvaluatedQuestion) -> Double? {
        guard question.isBinary else { return probability(question) }
        guard let label = label(question), let probability = probability(question) else { return nil }
        return label == 1 ? probability : 1 - probability
    }
}
