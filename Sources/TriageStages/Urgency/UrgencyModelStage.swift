package import TriageCore

/// Decides with the statistical model whether a person should look at a message within a day.
///
/// It reads the model's result for the text, the hits and the category, and writes the urgency answer. The reasons are
/// the signals of the rules with the model's weights. Spam is never urgent, unless somebody is in danger.
///
/// A person in danger is not left to averages: if the rules find words of self-harm or of a threat and call the message
/// urgent, it is urgent, whatever the model says. On the composed messages the rules were right in 71 of 102 such
/// cases; to a model that weighs all words, a few plain ones count too little. The same applies to explicit words about
/// a hacked account, an impersonator, a lawyer, a fire, a poisoned child or a violent husband, and to despair that is
/// expressed in two ways.
///
/// An urgent message has a reason that can be quoted: a word or a date that the rules count as one, or, where the model
/// finds urgency more likely than not, words that support it. On six held-out authors (305 urgent of 4,560) this gave a
/// precision of .82 and a recall of .67; calling everything urgent that the model scores at .2 or more gave .65 and
/// .78.
package struct UrgencyModelStage: LocalStage {
    package let name = "urgency.model"
    package let reads: Set<Field> = [.hits, .category, .scores]
    package let writes: Set<Field> = [.urgency]

    private let weights: [Float]
    private let kinds: [UrgencyAnswer.Kind]
    private let threshold: Float
    private let evidenceLimit: Int
    /// The rules' weight of each signal, and their bias.
    private let ruled: (weights: [Float], bias: Float)
    /// For each signal: whether it is left to the rules.
    private let isPlain: [Bool]
    /// For each signal: whether a person would accept it as a reason if it has a place in the text.
    private let isReason: [Bool]
    /// For each signal: whether it says that words of danger are a figure of speech, a story or long past.
    private let deniesDanger: [Bool]
    private let ruledThreshold: Float
    private let danger: DangerFinder

    /// Log-odds from which a signal of the rules is a reason rather than a nuance such as "tonight".
    private static let leastReason: Float = 2.4
    /// The same for a signal that names a kind of urgency, such as a date by which an answer is needed.
    private static let leastOfKind: Float = 1

    package init(model: StatisticalModel, rules: RuleSet, settings: Settings) {
        let lane = ModelLane.urgent.rawValue
        weights = ModelScorer.signalWeights(of: model, rules: rules).map { $0[lane] }
        kinds = rules.signals.map(\.feeds.urgencyKind)
        threshold = settings.thresholds.urgent ?? model.urgentThreshold
        evidenceLimit = settings.evidenceLimit
        ruled = (rules.signals.map(\.feeds.urgent), rules.biases.urgent)
        isPlain = rules.signals.map(\.feeds.isUrgentByItself)
        isReason = rules.signals.map {
            $0.feeds.urgent >= ($0.feeds.urgencyKind == .none ? Self.leastReason : Self.leastOfKind)
        }
        deniesDanger = rules.signals.map { $0.feeds.danger <= -6 }
        ruledThreshold = settings.thresholds.urgent ?? 0.5
        danger = DangerFinder(rules: rules)
    }

    package func annotate(_ batch: inout Batch) {
        var collector = EvidenceCollector(limit: evidenceLimit)
        collector.begin(after: batch.evidence.count)
        batch.withAnswerView { view in
            weights.withUnsafeBufferPointer { weights in
                view.forEachAsked { record in
                    guard record.pointee.folded.span.count > 0 else { return }
                    let isSpam = record.pointee.category?.label == .spam
                    var full = logistic(record.pointee.urgentLogit)
                    var isUrgent = !isSpam && full >= threshold
                    let hasReason = isUrgent && hasReason(view.hits(of: record))
                    let words = record.pointee.urgentWords
                    if isUrgent, !hasReason, full < 0.5 || words.isEmpty {
                        isUrgent = false
                        full = min(threshold, 0.5).nextDown
                    }
                    record.pointee.urgency = UrgencyAnswer(
                        isUrgent: isUrgent, score: isSpam ? min(full, 0.1) : full, kind: .none, by: .urgencyModel,
                        because: 0..<0)
                    if isUrgent, !hasReason {
                        record.pointee.urgency?.kind = .other
                        record.pointee.urgency?.because = words
                    } else if isUrgent {
                        explain(record, view, weights, &collector)
                    } else if !isSpam {
                        rescue(record, view, &collector)
                    }
                    danger.settle(record, view, &collector)
                }
            }
        }
        collector.end(into: &batch.evidence)
    }

    /// Whether the text contains a reason of the rules and, for danger, nothing that denies it.
    private func hasReason(_ hits: UnsafeBufferPointer<SignalHit>) -> Bool {
        let isDenied = hits.contains { deniesDanger[Int($0.signal)] && !$0.isCovered }
        return hits.contains {
            let kind = kinds[Int($0.signal)]
            return isReason[Int($0.signal)] && !$0.isCovered && $0.hasPlace
                && !(isDenied && (kind == .selfHarm || kind == .threat))
        }
    }

    /// Makes a message urgent if the rules see somebody in danger, or something else that a person must know.
    private func rescue(
        _ record: UnsafeMutablePointer<Record>, _ view: AnswerView, _ collector: inout EvidenceCollector
    ) {
        let hits = view.hits(of: record)
        guard hits.contains(where: { isPlain[Int($0.signal)] && !$0.isCovered }) || isSaidTwice(hits) else { return }
        let score = logistic(hits.reduce(ruled.bias) { $1.isCovered ? $0 : $0 + ruled.weights[Int($1.signal)] })
        guard score >= ruledThreshold else { return }
        ruled.weights.withUnsafeBufferPointer { explain(record, view, $0, &collector) }
        record.pointee.urgency?.isUrgent = true
        record.pointee.urgency?.score = score
        record.pointee.urgency?.by = .urgencyRules
    }

    /// Whether two different signals indicate self-harm in separate words, and nothing denies it.
    private func isSaidTwice(_ hits: UnsafeBufferPointer<SignalHit>) -> Bool {
        var first: SignalHit?
        for hit in hits where !hit.isCovered {
            if deniesDanger[Int(hit.signal)] { return false }
            guard kinds[Int(hit.signal)] == .selfHarm, isReason[Int(hit.signal)], hit.hasPlace else { continue }
            guard let earlier = first else {
                first = hit
                continue
            }
            if hit.signal != earlier.signal, hit.start >= earlier.end || hit.end <= earlier.start { return true }
        }
        return false
    }

    /// Sets the kind of urgency and the reasons.
    private func explain(
        _ record: UnsafeMutablePointer<Record>, _ view: AnswerView, _ weights: UnsafeBufferPointer<Float>,
        _ collector: inout EvidenceCollector
    ) {
        var kind = UrgencyAnswer.Kind.other
        var strongest: Float = 0
        for hit in view.hits(of: record) where !hit.isCovered && hit.hasPlace {
            // If the model gives a reason no weight, the rules' weight is used; otherwise the answer would have no
            // reason.
            let own = weights[Int(hit.signal)]
            let weight = isReason[Int(hit.signal)] && own <= 0 ? ruled.weights[Int(hit.signal)] : own
            if weight > 0 { collector.add(hit, weight: weight) }
            if weight > strongest, kinds[Int(hit.signal)] != .none {
                strongest = weight
                kind = kinds[Int(hit.signal)]
            }
        }
        record.pointee.urgency?.kind = kind
        record.pointee.urgency?.because = collector.finish(view.places(of: record))
    }
}
