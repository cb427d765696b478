public import TriageCore

extension Prediction {
    /// What the stages answered for a record.
    ///
    /// - Parameter entries: numbers of the library's entries in the run's ``Names``.
    public init(_ record: Record, entries: [UInt32]) {
        self.init()
        if let answer = record.category {
            category = answer.label?.rawValue ?? Self.none
            categoryScores = answer.scores
            categoryConfidence = answer.confidence
        }
        if let answer = record.sentiment {
            sentiment = answer.label?.rawValue ?? Self.none
            sentimentConfidence = answer.label == nil ? 0 : answer.confidence
        }
        if let answer = record.urgency {
            urgent = answer.isUrgent ? 1 : 0
            urgentScore = answer.score
        }
        if let answer = record.injection {
            injection = answer.isSuspected ? 1 : 0
            injectionScore = answer.score
        }
        if let answer = record.opportunity {
            func points(_ part: OpportunityAnswer.Part, of standard: Int) -> Float {
                part.maximum > 0 ? Float(part.points) * Float(standard) / Float(part.maximum) : 0
            }
            let standard = OpportunityMaxima()
            opportunity = OpportunityPoints(
                monetary: points(answer.monetary, of: standard.monetary),
                brandFit: points(answer.brandFit, of: standard.brandFit),
                legitimacy: points(answer.legitimacy, of: standard.legitimacy),
                urgency: points(answer.urgency, of: standard.urgency))
        }
        if let answer = record.faq, entries.indices.contains(answer.entry) {
            faq = entries[answer.entry]
            faqIsHigh = answer.isHigh
            faqConfidence = answer.confidence
        }
    }
}
