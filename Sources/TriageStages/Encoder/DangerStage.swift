internal import ShippedEncoder
package import TriageCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Looks for people in danger in every part of a message (``DangerHeads``), whatever the rest of it says: also in spam.
///
/// Writes `danger` of each message that has letters. It decides nothing: ``EncoderStage``, which follows, makes messages urgent, and drafts
/// choose their words by the kind. Encoding takes as long again as that of the whole message.
package struct DangerStage: LocalStage {
    package let name = "danger.encoder"
    package let reads: Set<Field> = [.fields, .folded, .category, .sentiment, .urgency]
    package let writes: Set<Field> = [.danger]

    package init() {}

    package func annotate(_ batch: inout Batch) {
        guard let heads = DangerHeads.shipped, let encoder = SentenceEncoder.shipped else { return }
        for index in batch.records.indices {
            let record = batch.records[index]
            guard record.isAsked, record.folded.shape.hasLetters, let found = SentenceHeads.Found(record) else {
                continue
            }
            let text = Array(batch.arena[record.fields.text.range])
            let spans = DangerSpans(text).ranges
            guard !spans.isEmpty else { continue }
            let whole = FAQSpans.whole(of: text)
            let vectors = encoder.vectors(of: ([whole] + spans).map { SentenceText.plain(text[$0]) })
            let ofWhole = heads.read(vectors[0])
            let parts = zip(spans, vectors.dropFirst()).map { $0 == whole ? ofWhole : heads.read($1) }
            let worst = parts.indices.max { parts[$0].odds < parts[$1].odds } ?? 0
            batch.records[index].danger = DangerAnswer(
                kind: parts[worst].kind, odds: heads.odds(parts, whole: ofWhole, found), worst: parts[worst].odds,
                violence: parts.filter { $0.kind == .violence || $0.kind == .stalking }.map(\.odds).max()
                    ?? DangerAnswer.noViolence,
                share: parts[worst].share,
                place: Int32(spans[worst].lowerBound)..<Int32(spans[worst].upperBound))
        }
    }
}

/// Small networks that read from the vector of a part of a message what danger it tells of, and a logistic regression that weighs
/// the worst part, the whole message and what the program found without the encoder.
///
/// `Tests/Benchmarks/model.py danger` fits them on labelled messages. The file: `TDH1`, then little-endian 32-bit floats: the
/// centre of vectors; of each network the weights of the hidden units by number of the vector, their biases, the weights of no danger and
/// of each ``Danger`` by hidden unit, and their biases; then ten weights and the bias of the regression.
struct DangerHeads: Sendable {
    static let shipped: DangerHeads? = {
        let file = shipped_danger_heads
        return DangerHeads(Array(UnsafeRawBufferPointer(start: file.bytes, count: file.count)))
    }()

    /// What a text tells of danger.
    struct Reading {
        /// Log-odds of danger of any kind.
        var odds: Float
        var kind: Danger
        /// Of the kind among all dangers.
        var share: Float
    }

    private struct Network {
        let first: [Float]
        let firstBias: [Float]
        let second: [Float]
        let secondBias: [Float]
    }

    private static let (networkCount, hidden, weightCount) = (3, 128, 10)
    private static let outputs = Danger.allCases.count + 1
    /// Differences of vectors are small: they were learned times this.
    private static let scale: Float = 5
    private static let mostOdds: Float = 12

    private let centre: [Float]
    private let networks: [Network]
    private let weights: [Float]
    private let bias: Float

    /// - Parameter bytes: nil is returned for another file.
    init?(_ bytes: [UInt8]) {
        let size = Batch.sentenceSize
        let network = size * Self.hidden + Self.hidden + Self.hidden * Self.outputs + Self.outputs
        let numbers = size + Self.networkCount * network + Self.weightCount + 1
        guard var file = WeightFile(bytes, magic: "TDH1", numbers: numbers) else { return nil }
        centre = file.next(size)
        var networks: [Network] = []
        for _ in 0..<Self.networkCount {
            networks.append(
                Network(
                    first: file.next(size * Self.hidden), firstBias: file.next(Self.hidden),
                    second: file.next(Self.hidden * Self.outputs), secondBias: file.next(Self.outputs)))
        }
        self.networks = networks
        weights = file.next(Self.weightCount)
        bias = file.next(1)[0]
    }

    func read(_ sentence: [Float]) -> Reading {
        let values = zip(sentence, centre).map { ($0 - $1) * Self.scale }
        var scores = [Float](repeating: 0, count: Self.outputs)
        for network in networks {
            let sums = Self.product(values, network.first, network.firstBias)
            let own = Self.product(sums.map { max(0, $0) }, network.second, network.secondBias)
            for output in scores.indices { scores[output] += own[output] / Float(networks.count) }
        }
        let kinds = scores.dropFirst()
        let top = kinds.max() ?? 0
        let best = kinds.indices.max { kinds[$0] < kinds[$1] } ?? 1
        let total = kinds.reduce(Float(0)) { $0 + expf($1 - top) }
        return Reading(
            odds: logf(total) + top - scores[0], kind: Danger(rawValue: UInt8(best - 1)) ?? .selfHarm, share: 1 / total)
    }

    /// A vector times a table of as many rows, and the biases.
    private static func product(_ values: [Float], _ table: [Float], _ bias: [Float]) -> [Float] {
        var sums = bias
        for (row, value) in values.enumerated() where value != 0 {
            let start = row * sums.count
            for column in sums.indices { sums[column] += value * table[start + column] }
        }
        return sums
    }

    /// Log-odds that somebody is in danger.
    ///
    /// - Parameters:
    ///   - parts: what each part tells; not empty.
    ///   - found: what the program found without the encoder.
    func odds(_ parts: [Reading], whole: Reading, _ found: SentenceHeads.Found) -> Float {
        func bounded(_ odds: Float) -> Float { max(-Self.mostOdds, min(Self.mostOdds, odds)) }
        let worst = parts.map(\.odds).max() ?? -Self.mostOdds
        let total = parts.reduce(Float(0)) { $0 + expf(min($1.odds, 20)) }
        let values =
            [bounded(worst), bounded(whole.odds), logf(Float(parts.count)), logf(total + 1e-6)] + found.forDanger
        return zip(weights, values).reduce(bias) { $0 + $1.0 * $1.1 }
    }
}
