package import TriageCore

/// Decides by rules whether a person should look within a day: danger, harassment, lost accounts, fraud, law, a genuine
/// deadline.
///
/// It reads the hits and the category and writes the urgency answer. Marketing urgency does not count: spam is never
/// urgent, except when somebody is in danger, which no category hides. Who the sender is never makes a message urgent;
/// the kind comes only from signals with a place in the text or from a deadline.
package struct UrgencyStage: LocalStage {
    package let name = "urgency.rules"
    package let reads: Set<Field> = [.hits, .category]
    package let writes: Set<Field> = [.urgency]

    private let weights: [Float]
    private let kinds: [UrgencyAnswer.Kind]
    private let bias: Float
    /// The score of a message without any evidence of urgency.
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
                    // Most messages have no such signal, and this check is cheap.
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
    /// Returns the answer without its reasons.
    ///
    /// - Parameter full: the score before it is reduced for spam.
    @inline(__always)
    private func answer(_ full: Float, isSpam: Bool, _ kind: UrgencyAnswer.Kind) -> UrgencyAnswer {
        let score = isSpam ? min(full, 0.1) : full
        let isUrgent = !isSpam && score >= threshold
        return UrgencyAnswer(
            isUrgent: isUrgent, score: score, kind: isUrgent ? (kind == .none ? .other : kind) : .none,
            by: .urgencyRules, because: 0..<0)
    }
}

/// Decides whether somebody is in danger: the single place for this decision, used by every urgency method.
///
/// It adds up the danger weights of the signals. A message that it finds is urgent whatever the category, the
/// statistical model and later a language model say; it is marked, and the merge, the priority and the draft respect
/// that mark.
struct DangerFinder: Sendable {
    private let weights: [Float]
    private let kinds: [UrgencyAnswer.Kind]
    private let bias: Float

    /// Minimum score of a message in danger, which puts it well above the start of the highest band.
    private static let least: Float = 0.5

    init(rules: RuleSet) {
        weights = rules.signals.map(\.feeds.danger)
        kinds = rules.signals.map(\.feeds.urgencyKind)
        bias = rules.biases.danger
    }

    /// Marks a record with an urgency answer if its signals indicate danger.
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

    /// Returns the kind of danger that the hits indicate; nil for none.
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
