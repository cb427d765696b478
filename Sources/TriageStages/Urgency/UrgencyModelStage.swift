public import TriageCore

/// Says by the statistical model whether a person should look within a day.
///
/// Reads what the model made of the text, the hits and the category. Writes the urgency answer. The reasons are the
/// signals of the rules with the model's weights; nothing that is called spam is urgent, but for somebody in danger.
///
/// A person in danger is not left to averages: where the rules find words of self-harm or of a threat and call the
/// message urgent, it is, whatever the model makes of it. Of such finds of the rules 71 of 102 were right on the
/// composed messages; a few plain words say too little to a model that weighs all of them. The same goes for outright
/// words of a hacked account, of somebody who pretends to be the creator, of a lawyer, and of a fire, a poisoned child or
/// a husband who hits.
public struct UrgencyModelStage: LocalStage {
    public let name = "urgency.model"
    public let reads: Set<Field> = [.hits, .category, .scores]
    public let writes: Set<Field> = [.urgency]

    private let weights: [Float]
    private let kinds: [UrgencyAnswer.Kind]
    private let threshold: Float
    private let evidenceLimit: Int
    /// What the rules make of each signal, and of none.
    private let ruled: (weights: [Float], bias: Float)
    /// By signal: whether it is left to the rules.
    private let isPlain: [Bool]
    private let ruledThreshold: Float
    private let danger: DangerFinder

    public init(model: StatisticalModel, rules: RuleSet, settings: Settings) {
        let lane = ModelLane.urgent.rawValue
        weights = ModelScorer.signalWeights(of: model, rules: rules).map { $0[lane] }
        kinds = rules.signals.map(\.feeds.urgencyKind)
        threshold = settings.thresholds.urgent ?? model.urgentThreshold
        evidenceLimit = settings.evidenceLimit
        ruled = (rules.signals.map(\.feeds.urgent), rules.biases.urgent)
        isPlain = rules.signals.map(\.feeds.isUrgentByItself)
        ruledThreshold = settings.thresholds.urgent ?? 0.5
        danger = DangerFinder(rules: rules)
    }

    public func annotate(_ batch: inout Batch) {
        var collector = EvidenceCollector(limit: evidenceLimit)
        collector.begin(after: batch.evidence.count)
        batch.withAnswerView { view in
            weights.withUnsafeBufferPointer { weights in
                view.forEachAsked { record in
                    guard record.pointee.folded.span.count > 0 else { return }
                    let isSpam = record.pointee.category?.label == .spam
                    let full = logistic(record.pointee.urgentLogit)
                    let isUrgent = !isSpam && full >= threshold
                    record.pointee.urgency = UrgencyAnswer(
                        isUrgent: isUrgent, score: isSpam ? min(full, 0.1) : full, kind: .none, by: .urgencyModel,
                        because: 0..<0)
                    if isUrgent {
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

    /// Calls a message urgent in which the rules see somebody in danger, or what else a person must know of.
    private func rescue(
        _ record: UnsafeMutablePointer<Record>, _ view: AnswerView, _ collector: inout EvidenceCollector
    ) {
        let hits = view.hits(of: record)
        guard hits.contains(where: { isPlain[Int($0.signal)] && !$0.isCovered }) else { return }
        let score = logistic(hits.reduce(ruled.bias) { $1.isCovered ? $0 : $0 + ruled.weights[Int($1.signal)] })
        guard score >= ruledThreshold else { return }
        ruled.weights.withUnsafeBufferPointer { explain(record, view, $0, &collector) }
        record.pointee.urgency?.isUrgent = true
        record.pointee.urgency?.score = score
        record.pointee.urgency?.by = .urgencyRules
    }

    /// What kind of urgency it is, and why.
    private func explain(
        _ record: UnsafeMutablePointer<Record>, _ view: AnswerView, _ weights: UnsafeBufferPointer<Float>,
        _ collector: inout EvidenceCollector
    ) {
        var kind = UrgencyAnswer.Kind.other
        var strongest: Float = 0
        for hit in view.hits(of: record) where !hit.isCovered {
            let weight = weights[Int(hit.signal)]
            collector.add(hit, weight: weight)
            if weight > strongest, kinds[Int(hit.signal)] != .none {
                strongest = weight
                kind = kinds[Int(hit.signal)]
            }
        }
        record.pointee.urgency?.kind = kind
        record.pointee.urgency?.because = collector.finish(view.places(of: record))
    }
}
