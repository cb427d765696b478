public import TriageCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Says what feeling a sender expresses, and how strongly.
///
/// Reads the words and the hits. Writes the sentiment. Hits of lexicons and phrases add up by polarity: a negation
/// within three words before turns a hit, an intensifier scales it, what stands behind a "but" counts more than what
/// stands before; each further hit counts less. Three-way softmax with neutral as the reference.
public struct SentimentStage: LocalStage {
    public let name = "sentiment.rules"
    public let reads: Set<Field> = [.folded, .hits]
    public let writes: Set<Field> = [.sentiment]

    private struct SignalFeed {
        var positive: Float
        var negative: Float
        var modifier: Feeds.Modifier
        var scale: Float
    }

    /// One hit that carries feeling, in text order.
    private struct Charge {
        var hit: SignalHit
        var positive: Float
        var negative: Float
    }

    private let feeds: [SignalFeed]
    private let bias: (positive: Float, negative: Float)
    private let thresholds: Thresholds
    private let evidenceLimit: Int

    public init(rules: RuleSet, settings: Settings) {
        feeds = rules.signals.map {
            SignalFeed(
                positive: $0.feeds.positive, negative: $0.feeds.negative, modifier: $0.feeds.modifier,
                scale: $0.feeds.scale)
        }
        bias = (rules.biases.positive, rules.biases.negative)
        thresholds = settings.thresholds
        evidenceLimit = settings.evidenceLimit
    }

    public func annotate(_ batch: inout Batch) {
        var collector = EvidenceCollector(limit: evidenceLimit)
        var charges: [Charge] = []
        var modifiers: [SignalHit] = []
        for index in batch.records.indices where batch.records[index].isAsked {
            charges.removeAll(keepingCapacity: true)
            modifiers.removeAll(keepingCapacity: true)
            for h in batch.records[index].hits {
                let hit = batch.hits[h]
                let feed = feeds[Int(hit.signal)]
                if feed.modifier != .none {
                    if !hit.isCovered { modifiers.append(hit) }
                } else if feed.positive != 0 || feed.negative != 0, !hit.isCovered {
                    charges.append(Charge(hit: hit, positive: feed.positive, negative: feed.negative))
                }
            }
            decide(index, &charges, modifiers, in: &batch, &collector)
        }
    }

    private func decide(
        _ index: Int, _ charges: inout [Charge], _ modifiers: [SignalHit], in batch: inout Batch,
        _ collector: inout EvidenceCollector
    ) {
        guard !batch.records[index].folded.tokens.isEmpty || !charges.isEmpty else { return }
        if charges.count > 64 { charges.removeLast(charges.count - 64) }
        if !modifiers.isEmpty { apply(modifiers, to: &charges, in: batch, of: batch.records[index].folded) }
        let positive = damped(charges.map(\.positive))
        let negative = damped(charges.map(\.negative))
        let p = bias.positive + positive
        let n = bias.negative + negative
        let top = max(0, max(p, n))
        let e = (expf(p - top), expf(n - top), expf(-top))
        let sum = e.0 + e.1 + e.2
        let (label, share): (Sentiment, Float) =
            e.0 > e.1 && e.0 > e.2
            ? (.positive, e.0 / sum) : e.1 > e.2 ? (.negative, e.1 / sum) : (.neutral, e.2 / sum)
        for charge in charges {
            let weight =
                switch label {
                case .positive: charge.positive - charge.negative
                case .negative: charge.negative - charge.positive
                case .neutral: -max(charge.positive, charge.negative)
                }
            collector.add(charge.hit, weight: weight)
        }
        let because = collector.finish(in: &batch, record: index)
        let dominant = label == .negative ? negative : label == .positive ? positive : max(positive, negative)
        batch.records[index].sentiment = SentimentAnswer(
            label: label, confidence: share,
            level: share >= thresholds.sentimentHigh
                ? .high : share >= thresholds.sentimentMedium ? .medium : .low,
            intensity: 1 - expf(-max(0, dominant) / 3), by: .sentimentRules, because: because)
    }

    /// Σ of the weights with the k-th largest divided by √k.
    private func damped(_ weights: [Float]) -> Float {
        var sum: Float = 0
        var k: Float = 1
        for weight in weights.sorted(by: >) where weight > 0 {
            sum += weight / k.squareRoot()
            k += 1
        }
        return sum
    }

    /// Negation, intensifiers and contrast, by the position of words.
    private func apply(
        _ modifiers: [SignalHit], to charges: inout [Charge], in batch: borrowing Batch, of text: FoldedText
    ) {
        var lastContrast: UInt32?
        for hit in modifiers where feeds[Int(hit.signal)].modifier == .contrast { lastContrast = hit.start }
        for c in charges.indices where charges[c].hit.hasPlace {
            let start = charges[c].hit.start
            for hit in modifiers where hit.end <= start {
                let feed = feeds[Int(hit.signal)]
                switch feed.modifier {
                case .negation:
                    guard wordsBetween(hit.end, start, batch, text, limit: 3) <= 2 else { continue }
                    let (p, n) = (charges[c].positive, charges[c].negative)
                    charges[c].positive = n * 0.7
                    charges[c].negative = p * 0.7
                case .intensifier, .diminisher:
                    guard wordsBetween(hit.end, start, batch, text, limit: 1) == 0 else { continue }
                    charges[c].positive *= feed.scale
                    charges[c].negative *= feed.scale
                case .contrast, .none: break
                }
            }
            if let lastContrast {
                let scale: Float = start > lastContrast ? 1.3 : 0.8
                charges[c].positive *= scale
                charges[c].negative *= scale
            }
        }
    }

    /// Words between two folded offsets, up to `limit`; a sentence end between them counts as `limit`.
    private func wordsBetween(
        _ from: UInt32, _ to: UInt32, _ batch: borrowing Batch, _ text: FoldedText, limit: Int
    ) -> Int {
        guard to > from, to - from < 64 else { return to > from ? limit : 0 }
        var words = 0
        var inWord = false
        let base = Int(text.span.start)
        for i in Int(from)..<Int(to) {
            let byte = batch.folded[base + i]
            if byte == 0x2E || byte == 0x21 || byte == 0x3F || byte == 0x3B || byte == 0x2C { return limit }
            let isWord = byte >= 0x80 || (byte >= 0x61 && byte <= 0x7A) || (byte >= 0x30 && byte <= 0x39)
            if isWord, !inWord {
                words += 1
                if words >= limit { return words }
            }
            inWord = isWord
        }
        return words
    }
}
