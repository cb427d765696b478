internal import TriageCore

/// Weighs what a language model says against what the program found itself.
///
/// The model is one more observer, with a known share of errors, and the offline probabilities are what was believed
/// before: Bayes' rule gives what to believe now. So a label that had next to nothing for it stays unlikely whatever a
/// model (or somebody who speaks through it) says, and a close call is decided.
struct SecondOpinion: Sendable {
    /// Shares of messages on which two careful readers agree (category .99, sentiment .87, urgency .99, FAQ .97 on the
    /// labelled set); a model is taken to be a little worse than they.
    static let categoryReliability: Float = 0.97
    static let sentimentReliability: Float = 0.85
    static let urgencyReliability: Float = 0.95
    /// An offline probability from which on a label has evidence of its own.
    static let evidence: Float = 0.1
    /// The same for the highest band, into which a stranger would most like to talk his way.
    static let urgentEvidence: Float = 0.2

    /// Probabilities of fan, business and spam after the model said `label`.
    static func category(_ before: SIMD4<Float>, says label: Category) -> SIMD4<Float> {
        var after = SIMD4<Float>()
        var sum: Float = 0
        for index in 0..<3 {
            let prior = before[index].isFinite ? max(0, before[index]) : 0
            let likelihood = index == Int(label.rawValue) ? categoryReliability : (1 - categoryReliability) / 2
            after[index] = prior * likelihood
            sum += after[index]
        }
        guard sum > 0 else { return before }
        return after / sum
    }

    /// The label to believe and its probability, after the model said `label`.
    ///
    /// What the offline answer leaves is shared by the two other labels.
    static func sentiment(
        _ before: Sentiment?, confidence: Float, says label: Sentiment
    ) -> (label: Sentiment, confidence: Float) {
        guard let before else { return (label, sentimentReliability) }
        let sure = min(0.999, max(1 / 3, confidence))
        let rest = (1 - sure) / 2
        let (hit, miss) = (sentimentReliability, (1 - sentimentReliability) / 2)
        if label == before {
            let kept = sure * hit
            return (before, kept / (kept + 2 * rest * miss))
        }
        let (kept, moved) = (sure * miss, rest * hit)
        let sum = kept + moved + rest * miss
        return moved > kept ? (label, moved / sum) : (before, kept / sum)
    }

    /// The probability that a message is urgent, after the model said whether it is.
    static func urgency(_ before: Float, says isUrgent: Bool) -> Float {
        let prior = min(0.999, max(0.001, before))
        let (hit, miss) = (urgencyReliability, 1 - urgencyReliability)
        let yes = prior * (isUrgent ? hit : miss)
        return yes / (yes + (1 - prior) * (isUrgent ? miss : hit))
    }

    /// The top of the highest band of priority for which the offline answers have evidence.
    static func priorityCap(_ record: borrowing Record, urgency score: Float) -> UInt8 {
        if record.urgency?.isUrgent == true || score >= Self.urgentEvidence { return 100 }
        if let sentiment = record.sentiment, sentiment.label == .negative, sentiment.intensity >= 0.595 { return 84 }
        let scores = record.category?.scores ?? SIMD4(repeating: 0)
        if scores[Int(Category.business.rawValue)] >= evidence { return 69 }
        if scores[Int(Category.fan.rawValue)] >= evidence { return 30 }
        return 0
    }
}
