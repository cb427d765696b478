import TriageCore

/// Says whether somebody is in danger: the one place that decides it, for every method that answers urgency.
///
/// Adds up what the signals weigh for danger. What it finds is urgent whatever the category, the statistical model and
/// later a language model say, and carries the mark that the merge, the priority and the draft go by.
struct DangerFinder: Sendable {
    private let weights: [Float]
    private let kinds: [UrgencyAnswer.Kind]
    private let bias: Float

    /// The least score of a message in danger: what the highest band makes of it is well above its beginning.
    private static let least: Float = 0.5

    init(rules: RuleSet) {
        weights = rules.signals.map(\.feeds.danger)
        kinds = rules.signals.map(\.feeds.urgencyKind)
        bias = rules.biases.danger
    }

    /// Marks a record whose urgency was answered, where its signals tell of danger.
    func settle(_ record: UnsafeMutablePointer<Record>, _ view: AnswerView, _ collector: inout EvidenceCollector) {
        guard let answer = record.pointee.urgency else { return }
        weights.withUnsafeBufferPointer { weights in
            let hits = view.hits(of: record)
            if hits.hasWeight(weights), let kind = kind(of: hits, weights) {
                let sum = hits.reduce(bias) { $0 + weights[Int($1.signal)] }
                for hit in hits { collector.add(hit, weight: weights[Int(hit.signal)]) }
                record.pointee.urgency = UrgencyAnswer(
                    isUrgent: true, score: max(answer.score, logistic(sum)), kind: kind, by: .urgencyRules,
                    because: collector.finish(view.places(of: record)), isDanger: true)
            } else if answer.isUrgent, answer.kind == .selfHarm || answer.kind == .threat {
                record.pointee.urgency?.isDanger = true
                record.pointee.urgency?.score = max(answer.score, Self.least)
            }
        }
    }

    /// What kind of danger the hits tell of; nil for none.
    private func kind(
        of hits: UnsafeBufferPointer<SignalHit>, _ weights: UnsafeBufferPointer<Float>
    ) -> UrgencyAnswer.Kind? {
        var kind = UrgencyAnswer.Kind.other
        var strongest: Float = 0
        var sum = bias
        for hit in hits {
            let weight = weights[Int(hit.signal)]
            sum += weight
            if weight > strongest, kinds[Int(hit.signal)] != .none {
                strongest = weight
                kind = kinds[Int(hit.signal)]
            }
        }
        return sum >= 0 ? kind : nil
    }
}
