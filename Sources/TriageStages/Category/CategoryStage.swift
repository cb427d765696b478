import Platform
package import TriageCore

/// Classifies a message as fan, business or spam: softmax over the biases and the weights of the signals that fired.
///
/// It reads the hits and writes the category. A text in which no signal fired gets no label.
package struct CategoryStage: LocalStage {
    package let name = "category.rules"
    package let reads: Set<Field> = [.folded, .hits]
    package let writes: Set<Field> = [.category]

    /// The weights of each signal for fan, business and spam, then 0; all 0 for signals that feed something else.
    private let weights: [SIMD4<Float>]
    private let bias: SIMD4<Float>
    private let thresholds: Thresholds
    private let evidenceLimit: Int

    package init(rules: RuleSet, settings: Settings) {
        weights = rules.signals.map { $0.feeds.feedsCategory ? $0.feeds.category : SIMD4(repeating: 0) }
        bias = rules.biases.category
        thresholds = settings.thresholds
        evidenceLimit = settings.evidenceLimit
    }

    package func annotate(_ batch: inout Batch) {
        var collector = EvidenceCollector(limit: evidenceLimit)
        collector.begin(after: batch.evidence.count)
        batch.withAnswerView { view in
            weights.withUnsafeBufferPointer { weights in
                view.forEachAsked { record in decide(record, in: view, weights, &collector, extra: []) }
            }
        }
        collector.end(into: &batch.evidence)
    }

    func decide(
        _ index: Int, in batch: inout Batch, _ collector: inout EvidenceCollector, extra: [SignalHit]
    ) {
        collector.begin(after: batch.evidence.count)
        batch.withAnswerView { view in
            weights.withUnsafeBufferPointer { weights in
                guard let first = view.records.baseAddress else { return }
                decide(first + index, in: view, weights, &collector, extra: extra)
            }
        }
        collector.end(into: &batch.evidence)
    }

    @inline(__always)
    private func decide(
        _ record: UnsafeMutablePointer<Record>, in view: AnswerView, _ weights: UnsafeBufferPointer<SIMD4<Float>>,
        _ collector: inout EvidenceCollector, extra: [SignalHit]
    ) {
        // A text of blanks and hidden characters alone says nothing, whatever its shape.
        guard record.pointee.folded.span.count > 0 else { return }
        let hits = view.hits(of: record)
        var logits = bias
        for hit in hits where !hit.isCovered { logits += weights[Int(hit.signal)] }
        for hit in extra { logits += weights[Int(hit.signal)] }
        let scores = CategoryMath.softmax(logits)
        let (best, second) = CategoryMath.topTwo(scores)
        // Read lane by lane, because only two lanes of each vector are needed.
        weights.withMemoryRebound(to: Float.self) { lanes in
            for hit in hits where !hit.isCovered {
                let first = 4 &* Int(hit.signal)
                collector.add(hit, weight: lanes[first &+ best] - lanes[first &+ second])
            }
            for hit in extra {
                let first = 4 &* Int(hit.signal)
                collector.add(hit, weight: lanes[first &+ best] - lanes[first &+ second])
            }
        }
        let because = collector.finish(view.places(of: record))
        record.pointee.category = CategoryAnswer(
            label: Category(rawValue: UInt8(best)), scores: scores, level: level(scores[best]), by: .categoryRules,
            because: because)
    }

    let method = Decider.categoryRules

    func weights(of signal: UInt16) -> SIMD4<Float> { weights[Int(signal)] }

    func level(_ confidence: Float) -> Level {
        confidence >= thresholds.categoryHigh ? .high : confidence >= thresholds.categoryMedium ? .medium : .low
    }
}

/// Classifies a message again when something is known from outside its text.
protocol CategoryDecider: Sendable {
    /// Decides one record again.
    ///
    /// - Parameter extra: hits from outside its text, such as those of the conversation.
    func decide(_ index: Int, in batch: inout Batch, _ collector: inout EvidenceCollector, extra: [SignalHit])
}

/// A decider that also tells how much a signal from outside the text adds, which can save deciding again.
protocol CategoryWeigher: CategoryDecider {
    /// The method named in its answers.
    var method: Decider { get }

    /// Returns how much a hit of a signal adds to fan, business and spam, in log-odds; the last lane is 0.
    func weights(of signal: UInt16) -> SIMD4<Float>

    /// Returns the level for a confidence.
    ///
    /// - Parameter confidence: 0–1.
    func level(_ confidence: Float) -> Level
}

extension CategoryStage: CategoryWeigher {}

/// The arithmetic of the three-way answer.
enum CategoryMath {
    /// Probabilities of the first three lanes; lane 3 is 0.
    static func softmax(_ logits: SIMD4<Float>) -> SIMD4<Float> {
        let top = max(logits[0], max(logits[1], logits[2]))
        let e = SIMD4<Float>(
            power(logits[0] - top), power(logits[1] - top), power(logits[2] - top), 0)
        return e / (e[0] + e[1] + e[2])
    }

    /// Returns the probabilities after adding `weights` to the log-odds.
    static func moved(_ scores: SIMD4<Float>, by weights: SIMD4<Float>) -> SIMD4<Float> {
        let top = max(weights[0], max(weights[1], weights[2]))
        let e = scores * SIMD4(power(weights[0] - top), power(weights[1] - top), power(weights[2] - top), 0)
        let sum = e[0] + e[1] + e[2]
        return sum > 0 ? e / sum : scores
    }

    /// Indices of the largest and the second largest of the first three lanes; ties go to the lower index.
    static func topTwo(_ scores: SIMD4<Float>) -> (Int, Int) {
        var best = 0
        if scores[1] > scores[best] { best = 1 }
        if scores[2] > scores[best] { best = 2 }
        var second = best == 0 ? 1 : 0
        for i in 0..<3 where i != best && scores[i] > scores[second] { second = i }
        return (best, second)
    }
}

/// e^x; one of the terms of a softmax is always e^0, which needs no call.
@inline(__always)
func power(_ x: Float) -> Float { x == 0 ? 1 : expf(x) }

/// The logistic function.
@inline(__always)
func logistic(_ x: Float) -> Float { 1 / (1 + expf(-x)) }
