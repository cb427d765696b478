package import TriageCore

/// Tells whether a text looks like a prompt injection, that is, tries to give orders to an automated reader.
///
/// It reads the hits and writes the injection answer. It changes no label, but lowers legitimacy.
package struct InjectionStage: LocalStage {
    package let name = "injection.rules"
    package let reads: Set<Field> = [.hits]
    package let writes: Set<Field> = [.injection]

    private let weights: [Float]
    private let bias: Float
    private let threshold: Float
    private let evidenceLimit: Int

    package init(rules: RuleSet, settings: Settings) {
        weights = rules.signals.map(\.feeds.injection)
        bias = rules.biases.injection
        threshold = settings.thresholds.injection ?? 0.5
        evidenceLimit = settings.evidenceLimit
    }

    package func annotate(_ batch: inout Batch) {
        var collector = EvidenceCollector(limit: evidenceLimit)
        collector.begin(after: batch.evidence.count)
        batch.withAnswerView { view in
            weights.withUnsafeBufferPointer { weights in
                view.forEachAsked { record in
                    let hits = view.hits(of: record)
                    // Most messages have no such signal, and this check is cheap.
                    guard threshold <= 0 || hits.hasWeight(weights) else {
                        record.pointee.injection = InjectionAnswer(isSuspected: false, score: 0, because: 0..<0)
                        return
                    }
                    var sum = bias
                    var fired = false
                    for hit in hits {
                        let weight = weights[Int(hit.signal)]
                        guard weight != 0, !hit.isCovered else { continue }
                        fired = true
                        sum += weight
                        collector.add(hit, weight: weight)
                    }
                    let score = fired ? logistic(sum) : 0
                    let suspected = score >= threshold
                    if !suspected { collector.removeAll() }
                    let because = collector.finish(view.places(of: record))
                    record.pointee.injection = InjectionAnswer(
                        isSuspected: suspected, score: score, because: because)
                }
            }
        }
        collector.end(into: &batch.evidence)
    }
}
