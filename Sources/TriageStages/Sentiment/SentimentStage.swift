public import TriageCore

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
public struct SentimentStage: LocalStage {
    public let name = "sentiment.rules"
    public let reads: Set<Field> = [.folded, .hits]
    public let writes: Set<Field> = [.sentiment]

    /// Hits of one message that are weighed; the damping leaves nothing of later ones.
    private static let chargeLimit = 48
    /// How often the same words count.
    private static let repeatLimit = 2

    private let scope: SentimentScope
    private let bias: SIMD2<Float>
    private let thresholds: Thresholds
    private let evidenceLimit: Int
    /// The answer of a message in which nothing carries feeling.
    private let silent: (share: Float, level: Level)

    public init(rules: RuleSet, settings: Settings) {
        scope = SentimentScope(rules: rules)
        bias = SIMD2(rules.biases.positive, rules.biases.negative)
        thresholds = settings.thresholds
        evidenceLimit = settings.evidenceLimit
        let (_, share) = Self.decide(SIMD2(rules.biases.positive, rules.biases.negative))
        silent = (share, Self.level(share, settings.thresholds))
    }

    public func annotate(_ batch: inout Batch) {
        var collector = EvidenceCollector(limit: evidenceLimit)
        var charges: [SentimentScope.Charge] = []
        var modifiers: [SignalHit] = []
        charges.reserveCapacity(Self.chargeLimit)
        for index in batch.records.indices where batch.records[index].isAsked {
            guard batch.records[index].folded.span.count > 0 else { continue }
            charges.removeAll(keepingCapacity: true)
            modifiers.removeAll(keepingCapacity: true)
            var context = SIMD2<Float>(0, 0)
            for h in batch.records[index].hits {
                let hit = batch.hits[h]
                switch scope.role(of: hit.signal) {
                case .none: break
                case .context: context += scope.weights(of: hit.signal)
                case .modifier: if !hit.isCovered { modifiers.append(hit) }
                case .charge:
                    if !hit.isCovered, charges.count < Self.chargeLimit {
                        charges.append(SentimentScope.Charge(hit: hit, weights: scope.weights(of: hit.signal)))
                    }
                }
            }
            if charges.isEmpty, context == SIMD2(0, 0) {
                batch.records[index].sentiment = SentimentAnswer(
                    label: .neutral, confidence: silent.share, level: silent.level, intensity: 0, by: .sentimentRules,
                    because: 0..<0)
                continue
            }
            drop(repeatsIn: &charges, of: batch, index)
            scope.apply(modifiers, to: &charges, in: batch, of: batch.records[index].folded)
            let sides = damped(charges)
            let (label, share) = Self.decide(bias + sides + context)
            for h in batch.records[index].hits where scope.role(of: batch.hits[h].signal) == .context {
                collector.add(batch.hits[h], weight: Self.weight(scope.weights(of: batch.hits[h].signal), for: label))
            }
            for charge in charges { collector.add(charge.hit, weight: Self.weight(charge.weights, for: label)) }
            let because = collector.finish(in: &batch, record: index)
            let strength =
                switch label {
                case .positive: sides[0]
                case .negative: sides[1]
                case .neutral: max(sides[0], sides[1]) * 0.5
                }
            batch.records[index].sentiment = SentimentAnswer(
                label: label, confidence: share, level: Self.level(share, thresholds),
                intensity: 1 - expf(-max(0, strength) / 3), by: .sentimentRules, because: because)
        }
    }

    /// The label with the most, ties to neutral, and its probability.
    private static func decide(_ logits: SIMD2<Float>) -> (Sentiment, Float) {
        let top = max(0, max(logits[0], logits[1]))
        let positive = expf(logits[0] - top)
        let negative = expf(logits[1] - top)
        let neutral = expf(-top)
        let sum = positive + negative + neutral
        if neutral >= positive, neutral >= negative { return (.neutral, neutral / sum) }
        return positive >= negative ? (.positive, positive / sum) : (.negative, negative / sum)
    }

    private static func level(_ share: Float, _ thresholds: Thresholds) -> Level {
        share >= thresholds.sentimentHigh ? .high : share >= thresholds.sentimentMedium ? .medium : .low
    }

    /// What a hit speaks for a label, in log-odds against the other side or, for neutral, against both.
    private static func weight(_ sides: SIMD2<Float>, for label: Sentiment) -> Float {
        switch label {
        case .positive: sides[0] - sides[1]
        case .negative: sides[1] - sides[0]
        case .neutral: -max(sides[0], sides[1])
        }
    }

    /// The same signal by the same length of words counts twice at most.
    private func drop(repeatsIn charges: inout [SentimentScope.Charge], of batch: borrowing Batch, _ index: Int) {
        guard charges.count > Self.repeatLimit else { return }
        let base = Int(batch.records[index].folded.span.start)
        func isSame(_ a: SignalHit, _ b: SignalHit) -> Bool {
            guard a.signal == b.signal, a.end - a.start == b.end - b.start else { return false }
            for i in 0..<Int(a.end - a.start)
            where batch.folded[base + Int(a.start) + i] != batch.folded[base + Int(b.start) + i] {
                return false
            }
            return true
        }
        var kept = 0
        for i in charges.indices {
            var same = 0
            for j in 0..<kept where isSame(charges[i].hit, charges[j].hit) { same += 1 }
            if same < Self.repeatLimit {
                charges[kept] = charges[i]
                kept += 1
            }
        }
        charges.removeLast(charges.count - kept)
    }

    /// Σ of each side with the k-th largest divided by √k.
    private func damped(_ charges: [SentimentScope.Charge]) -> SIMD2<Float> {
        var sums = SIMD2<Float>(0, 0)
        for side in 0..<2 {
            var below = Float.infinity
            var taken = 0
            var k: Float = 1
            // Selection by size: there are few, and nothing is allocated.
            while taken < charges.count {
                var next: Float = 0
                var count = 0
                for charge in charges {
                    let weight = charge.weights[side]
                    guard weight < below else { continue }
                    if weight > next {
                        next = weight
                        count = 1
                    } else if weight == next {
                        count += 1
                    }
                }
                guard next > 0 else { break }
                for _ in 0..<count {
                    sums[side] += next / k.squareRoot()
                    k += 1
                }
                taken += count
                below = next
            }
        }
        return sums
    }
}
