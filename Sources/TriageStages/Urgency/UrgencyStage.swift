package import TriageCore

/// Says whether a person should look within a day: danger, harassment, lost accounts, fraud, law, a genuine deadline.
///
/// Reads the hits and the category. Writes the urgency answer. Marketing urgency is not urgent: nothing that is called
/// spam is, but for somebody in danger, which no category hides. Who the sender is never forces it; only signals with a place in the text or a deadline count as its kind.
package struct UrgencyStage: LocalStage {
    package let name = "urgency.rules"
    package let reads: Set<Field> = [.hits, .category]
    package let writes: Set<Field> = [.urgency]

    private let weights: [Float]
    private let kinds: [UrgencyAnswer.Kind]
    private let bias: Float
    /// The score of a message in which nothing speaks for it.
    private let calm: Float
    private let threshold: Float
    private let danger: DangerFinder
    private let evidenceLimit: Int

    package init(rules: RuleSet, settings: Settings) {
        weights = rules.signals.map(\.feeds.urgent)
        kinds = rules.signals.map(\.feeds.urgencyKind)
        bias = rules.biases.urgent
        calm = logistic(rules.biases.urgent)
        threshold = settings.thresholds.urgent ?? 0.5
        danger = DangerFinder(rules: rules)
        evidenceLimit = settings.evidenceLimit
    }

    package func annotate(_ batch: inout Batch) {
        var collector = EvidenceCollector(limit: evidenceLimit)
        collector.begin(after: batch.evidence.count)
        batch.withAnswerView { view in
            weights.withUnsafeBufferPointer { weights in
                view.forEachAsked { record in
                    let isSpam = record.pointee.category?.label == .spam
                    let hits = view.hits(of: record)
                    // Most messages have nothing of the kind, which is soon seen.
                    guard hits.hasWeight(weights) else {
                        record.pointee.urgency = answer(calm, isSpam: isSpam, .none)
                        danger.settle(record, view, &collector)
                        return
                    }
                    var sum = bias
                    var fired = false
                    var kind = UrgencyAnswer.Kind.none
                    var strongest: Float = 0
                    for hit in hits {
                        let weight = weights[Int(hit.signal)]
                        guard weight != 0, !hit.isCovered else { continue }
                        fired = true
                        sum += weight
                        collector.add(hit, weight: weight)
                        if weight > strongest, kinds[Int(hit.signal)] != .none {
                            strongest = weight
                            kind = kinds[Int(hit.signal)]
                        }
                    }
                    var answer = answer(fired ? logistic(sum) : calm, isSpam: isSpam, kind)
                    if !answer.isUrgent { collector.removeAll() }
                    answer.because = collector.finish(view.places(of: record))
                    record.pointee.urgency = answer
                    danger.settle(record, view, &collector)
                }
            }
        }
        collector.end(into: &batch.evidence)
    }
    /// The answer without its reasons.
    ///
    /// - Parameter full: the score, were it no spam.
    @inline(__always)
    private func answer(_ full: Float, isSpam: Bool, _ kind: UrgencyAnswer.Kind) -> UrgencyAnswer {
        let score = isSpam ? min(full, 0.1) : full
        let isUrgent = !isSpam && score >= threshold
        return UrgencyAnswer(
            isUrgent: isUrgent, score: score, kind: isUrgent ? (kind == .none ? .other : kind) : .none,
            by: .urgencyRules, because: 0..<0)
    }
}

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
