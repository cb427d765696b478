package import TriageCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Says what feeling a sender expresses, and how strongly.
///
/// Reads the words and the hits. Writes the sentiment. Three-way softmax with neutral as the reference: each side is its
/// bias, the damped sum of its hits (``SentimentScope`` says what turns and scales a hit) and what the context adds.
/// The constants were chosen, and the weights in the rule files fitted, by cross-validation.
package struct SentimentStage: LocalStage {
    package let name = "sentiment.rules"
    package let reads: Set<Field> = [.folded, .hits]
    package let writes: Set<Field> = [.sentiment, .feelings]

    /// Hits of one message that are weighed; the damping leaves nothing of later ones.
    private static let chargeLimit = 48
    /// How often the same words count.
    private static let repeatLimit = 2

    private let scope: SentimentScope
    private let bias: SIMD2<Float>
    private let thresholds: Thresholds
    private let evidenceLimit: Int
    private let isExplained: Bool
    /// The answer of a message in which nothing carries feeling.
    private let silent: (share: Float, level: Level)

    /// - Parameter isExplained: whether the answer gets its reasons; a later stage that answers in its place only reads
    ///   the sums.
    package init(rules: RuleSet, settings: Settings, isExplained: Bool = true) {
        self.isExplained = isExplained
        scope = SentimentScope(rules: rules)
        bias = SIMD2(rules.biases.positive, rules.biases.negative)
        thresholds = settings.thresholds
        evidenceLimit = settings.evidenceLimit
        let (_, share) = Self.decide(SIMD2(rules.biases.positive, rules.biases.negative))
        silent = (share, Self.level(share, settings.thresholds))
    }

    package func annotate(_ batch: inout Batch) {
        var collector = EvidenceCollector(limit: evidenceLimit)
        collector.begin(after: batch.evidence.count)
        batch.withAnswerView { view in
            scope.withTable { table in
                var charges = SentimentCharges(limit: Self.chargeLimit)
                var modifiers: [SignalHit] = []
                view.forEachAsked { record in
                    guard record.pointee.folded.span.count > 0 else { return }
                    record.pointee.sentiment = answer(record, view, table, &charges, &modifiers, &collector)
                }
            }
        }
        collector.end(into: &batch.evidence)
    }

    @inline(__always)
    private func answer(
        _ record: UnsafeMutablePointer<Record>, _ view: AnswerView, _ table: SentimentScope.Table,
        _ charges: inout SentimentCharges, _ modifiers: inout [SignalHit], _ collector: inout EvidenceCollector
    ) -> SentimentAnswer {
        let hits = view.hits(of: record)
        charges.removeAll()
        if !modifiers.isEmpty { modifiers.removeAll(keepingCapacity: true) }
        var context = SIMD2<Float>(0, 0)
        for hit in hits {
            let effect = table[hit.signal]
            context += effect.context
            // Most signals neither carry feeling nor change it.
            guard effect.role == .charge || effect.role == .modifier, !hit.isCovered else { continue }
            if effect.role == .charge { charges.add(hit, effect.sides) } else { modifiers.append(hit) }
        }
        if charges.isEmpty, context == SIMD2(0, 0) {
            return SentimentAnswer(
                label: .neutral, confidence: silent.share, level: silent.level, intensity: 0, by: .sentimentRules,
                because: 0..<0)
        }
        var sides = SIMD2<Float>(0, 0)
        if !charges.isEmpty {
            let text = UnsafeBufferPointer(rebasing: view.folded[record.pointee.folded.span.range])
            charges.drop(repeatsBeyond: Self.repeatLimit, of: text)
            let asks = record.pointee.folded.shape.questionMarks > 0
            if asks || !modifiers.isEmpty { table.apply(modifiers, to: charges, of: text, asks: asks) }
            sides = charges.damped()
        }
        record.pointee.feelings = Feelings(positive: sides[0] + context[0], negative: sides[1] + context[1])
        let (label, share) = Self.decide(bias + sides + context)
        if isExplained {
            for hit in hits where table[hit.signal].role == .context {
                collector.add(hit, weight: Self.weight(table[hit.signal].sides, for: label))
            }
            for k in 0..<charges.count {
                collector.add(charges[k].hit, weight: Self.weight(charges[k].weights, for: label))
            }
        }
        let because = collector.finish(view.places(of: record))
        let strength =
            switch label {
            case .positive: sides[0]
            case .negative: sides[1]
            case .neutral: max(sides[0], sides[1]) * 0.5
            }
        return SentimentAnswer(
            label: label, confidence: share, level: Self.level(share, thresholds),
            intensity: strength > 0 ? 1 - expf(-strength / 3) : 0, by: .sentimentRules, because: because)
    }

    /// The label with the most, ties to neutral, and its probability.
    @inline(__always)
    private static func decide(_ logits: SIMD2<Float>) -> (Sentiment, Float) {
        let top = max(0, max(logits[0], logits[1]))
        let positive = power(logits[0] - top)
        let negative = power(logits[1] - top)
        let neutral = power(-top)
        let sum = positive + negative + neutral
        if neutral >= positive, neutral >= negative { return (.neutral, neutral / sum) }
        return positive >= negative ? (.positive, positive / sum) : (.negative, negative / sum)
    }

    private static func level(_ share: Float, _ thresholds: Thresholds) -> Level {
        share >= thresholds.sentimentHigh ? .high : share >= thresholds.sentimentMedium ? .medium : .low
    }

    /// What a hit speaks for a label, in log-odds against the other side or, for neutral, against both.
    @inline(__always)
    private static func weight(_ sides: SIMD2<Float>, for label: Sentiment) -> Float {
        switch label {
        case .positive: sides[0] - sides[1]
        case .negative: sides[1] - sides[0]
        case .neutral: -max(sides[0], sides[1])
        }
    }
}
