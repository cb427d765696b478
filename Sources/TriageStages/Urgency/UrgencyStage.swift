public import TriageCore

/// Says whether a person should look within a day: danger, harassment, lost accounts, fraud, law, a genuine deadline.
///
/// Reads the hits and the category. Writes the urgency answer. Marketing urgency is not urgent: nothing that is called
/// spam is. Who the sender is never forces it; only signals with a place in the text or a deadline count as its kind.
public struct UrgencyStage: LocalStage {
    public let name = "urgency.rules"
    public let reads: Set<Field> = [.hits, .category]
    public let writes: Set<Field> = [.urgency]

    private let weights: [Float]
    private let kinds: [UrgencyAnswer.Kind]
    private let bias: Float
    private let threshold: Float
    private let evidenceLimit: Int

    public init(rules: RuleSet, settings: Settings) {
        weights = rules.signals.map(\.feeds.urgent)
        kinds = rules.signals.map(\.feeds.urgencyKind)
        bias = rules.biases.urgent
        threshold = settings.thresholds.urgent
        evidenceLimit = settings.evidenceLimit
    }

    public func annotate(_ batch: inout Batch) {
        var collector = EvidenceCollector(limit: evidenceLimit)
        for index in batch.records.indices where batch.records[index].isAsked {
            var sum = bias
            var kind = UrgencyAnswer.Kind.none
            var strongest: Float = 0
            for h in batch.records[index].hits {
                let hit = batch.hits[h]
                let weight = weights[Int(hit.signal)]
                guard weight != 0, !hit.isCovered else { continue }
                sum += weight
                collector.add(hit, weight: weight)
                if kinds[Int(hit.signal)] != .none, weight > strongest {
                    strongest = weight
                    kind = kinds[Int(hit.signal)]
                }
            }
            let isSpam = batch.records[index].category?.label == .spam
            let score = isSpam ? min(logistic(sum), 0.1) : logistic(sum)
            let isUrgent = !isSpam && score >= threshold
            if !isUrgent { collector.removeAll() }
            let because = collector.finish(in: &batch, record: index)
            batch.records[index].urgency = UrgencyAnswer(
                isUrgent: isUrgent, score: score, kind: isUrgent ? (kind == .none ? .other : kind) : .none,
                by: .urgencyRules, because: because)
        }
    }
}
