package import TriageCore

/// The program's own answers for a message, before a model is asked.
///
/// It is never sent and does not affect the key under which an answer is stored. It only decides whether an answer that
/// came in a pack is accepted at once.
package struct OfflineView: Sendable, Equatable {
    /// The probabilities of fan, business and spam.
    package var scores: SIMD4<Float>
    package var category: Category
    package var sentiment: Sentiment?
    package var sentimentConfidence: Float
    package var isUrgent: Bool
    package var urgency: Float
    /// The score from which a message is urgent.
    package var urgentThreshold: Float
    /// The id of the library entry that answers it.
    package var faq: String?

    /// A change that a verdict would make.
    struct Change: Hashable, Sendable {
        enum Kind: Hashable, Sendable { case category(Category), sentiment(Sentiment), urgent(Bool), faq(String) }
        var kind: Kind
        /// Whether the program was sure of the answer that would change.
        var isAgainstStrong: Bool
        /// Whether the new answer had little evidence before; deciding a close call is no surprise.
        var isSurprising = true
    }

    /// The probability from which a category counts as certain; two in a hundred answers of a good model contradict it.
    static let strongCategory: Float = 0.7
    /// The probability of a category from which a model choosing it is no surprise.
    static let likelyCategory: Float = 0.35
    static let strongSentiment: Float = 0.85
    /// Distances of a score from its threshold.
    static let strongUrgency: Float = 0.3
    static let likelyUrgency: Float = 0.2

    func changes(by verdict: MessageVerdict) -> [Change] {
        var changes: [Change] = []
        let after = SecondOpinion.category(scores, says: verdict.category)
        if verdict.category != category, after[Int(verdict.category.rawValue)] > after[Int(category.rawValue)] {
            let sure = scores[Int(category.rawValue)] >= Self.strongCategory
            let surprises = scores[Int(verdict.category.rawValue)] < Self.likelyCategory
            changes.append(
                Change(kind: .category(verdict.category), isAgainstStrong: sure, isSurprising: surprises))
        }
        let felt = SecondOpinion.sentiment(sentiment, confidence: sentimentConfidence, says: verdict.sentiment).label
        if let sentiment, felt != sentiment {
            changes.append(
                Change(kind: .sentiment(felt), isAgainstStrong: sentimentConfidence >= Self.strongSentiment))
        }
        let urgent =
            verdict.category != .spam
            && SecondOpinion.urgency(urgency, says: verdict.isUrgent) >= max(urgentThreshold, 0.5)
        if urgent != isUrgent {
            let distance = abs(urgency - urgentThreshold)
            changes.append(
                Change(
                    kind: .urgent(urgent), isAgainstStrong: distance >= Self.strongUrgency,
                    isSurprising: distance >= Self.likelyUrgency))
        }
        if let named = verdict.faq, named != faq { changes.append(Change(kind: .faq(named), isAgainstStrong: false)) }
        return changes
    }

    /// The verdict without the changes that it would make.
    func without(changesBy verdict: MessageVerdict) -> MessageVerdict {
        var kept = verdict
        for change in changes(by: verdict) {
            switch change.kind {
            case .category:
                kept.category = category
                if category != .business { kept.offer = nil }
            case .sentiment: kept.sentiment = sentiment ?? verdict.sentiment
            case .urgent:
                kept.isUrgent = isUrgent
                kept.urgencyKind = isUrgent ? (verdict.urgencyKind == .none ? .other : verdict.urgencyKind) : .none
            case .faq: kept.faq = faq
            }
        }
        return kept
    }
}

/// Decides which answers of a pack are accepted only after the message was asked about alone.
enum PackDoubt {
    /// Whether equal changes in one pack are frequent enough to look like an order rather than separate opinions.
    ///
    /// That takes two surprising changes, or three of any kind. For sentiment and FAQ, on which readers disagree more,
    /// it takes four.
    private static func isInStep(_ count: (all: Int, surprising: Int), _ kind: OfflineView.Change.Kind) -> Bool {
        switch kind {
        case .category, .urgent: count.surprising >= 2 || count.all >= 3
        case .sentiment, .faq: count.all >= 4
        }
    }

    /// The indices of answers that contradict something certain, or that change in the same way as their neighbors.
    static func doubtful(_ answers: [(view: OfflineView?, verdict: MessageVerdict)]) -> [Int] {
        let changes = answers.map { $0.view?.changes(by: $0.verdict) ?? [] }
        var counts: [OfflineView.Change.Kind: (all: Int, surprising: Int)] = [:]
        for change in changes.joined() {
            counts[change.kind, default: (0, 0)].all += 1
            if change.isSurprising { counts[change.kind, default: (0, 0)].surprising += 1 }
        }
        return changes.indices.filter { index in
            changes[index].contains { $0.isAgainstStrong || isInStep(counts[$0.kind] ?? (0, 0), $0.kind) }
        }
    }
}

/// Combines a language model's answer with the program's own.
///
/// The model is treated as one more observer with a known error rate, and the offline probabilities are the prior:
/// Bayes' rule gives the posterior. So a label with almost no evidence stays unlikely whatever a model (or somebody who
/// manipulates it) says, while a close call gets decided.
struct SecondOpinion: Sendable {
    /// The assumed accuracy of a model, slightly below the agreement of two careful readers.
    ///
    /// On the labelled set, readers agree on this share of messages: category .99, sentiment .87, urgency .99, FAQ .97.
    static let categoryReliability: Float = 0.97
    static let sentimentReliability: Float = 0.85
    static let urgencyReliability: Float = 0.95
    /// The offline probability from which a label has evidence of its own.
    static let evidence: Float = 0.1
    /// The same for the highest priority band, the one that a stranger would most like to reach.
    static let urgentEvidence: Float = 0.2

    /// The probabilities of fan, business and spam after the model said `label`.
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

    /// The most probable label after the model said `label`, and its probability.
    ///
    /// The two other labels share the rest of the offline probability.
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

    /// The upper end of the highest priority band for which the offline answers have evidence.
    static func priorityCap(_ record: borrowing Record, urgency score: Float) -> UInt8 {
        if record.urgency?.isUrgent == true || score >= Self.urgentEvidence { return 100 }
        if let sentiment = record.sentiment, sentiment.label == .negative, sentiment.intensity >= 0.595 { return 84 }
        let scores = record.category?.scores ?? SIMD4(repeating: 0)
        if scores[Int(Category.business.rawValue)] >= evidence { return 69 }
        if scores[Int(Category.fan.rawValue)] >= evidence { return 30 }
        return 0
    }
}
