internal import ShippedEncoder
package import TriageCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Tells whether a short thank-you answers a fan's message (``ThanksHeads``), for drafts.
///
/// Stands before the stages that refine the sentiment, because its weights were fitted so.
package struct ThanksStage: LocalStage {
    package let name = "thanks.encoder"
    package let reads: Set<Field> = [.fields, .category, .sentiment, .sentence]
    package let writes: Set<Field> = [.thanks]

    package init() {}

    package func annotate(_ batch: inout Batch) {
        guard let heads = ThanksHeads.shipped else { return }
        for index in batch.records.indices where batch.records[index].category?.label == .fan {
            let record = batch.records[index]
            guard let sentence = batch.sentence(of: record), let feeling = record.sentiment?.label else { continue }
            batch.records[index].thanks = heads.answer(feeling, batch.arena[record.fields.text.range], sentence)
        }
    }
}

/// A softmax that tells from the vector of a fan's message, and from what the program found, whether a short thank-you answers it.
///
/// `Tests/Benchmarks/thanks.py` fits it on labelled messages. The file: `TTK1`, then little-endian 32-bit floats. For each of praise,
/// good news, sorrow, question, joke, criticism, report and small talk: the bias, five weights of what was found, and the weights of the vector.
struct ThanksHeads: Sendable {
    static let shipped: ThanksHeads? = {
        let file = shipped_thanks_heads
        return ThanksHeads(Array(UnsafeRawBufferPointer(start: file.bytes, count: file.count)))
    }()

    private static let (labels, foundCount) = (8, 5)
    private let rows: [WeightRow]

    /// - Parameter bytes: nil is returned for another file.
    init?(_ bytes: [UInt8]) {
        let numbers = Self.labels * WeightRow.size(found: Self.foundCount)
        guard var file = WeightFile(bytes, magic: "TTK1", numbers: numbers) else { return nil }
        var rows: [WeightRow] = []
        for _ in 0..<Self.labels { rows.append(file.nextRow(found: Self.foundCount)) }
        self.rows = rows
    }

    /// - Parameter text: the message, UTF-8.
    func answer(_ feeling: Sentiment, _ text: ArraySlice<UInt8>, _ sentence: ArraySlice<Float>) -> ThanksAnswer {
        let found: [Float] = [
            feeling == .positive ? 2 : 0, feeling == .negative ? 2 : 0, logf(Float(max(1, text.count))) - 4.5,
            text.contains(UInt8(ascii: "?")) ? 2 : 0, text.contains(UInt8(ascii: "!")) ? 2 : 0,
        ]
        let scores = rows.map { $0.sum(found, sentence) }
        let most = scores.max() ?? 0
        let powers = scores.map { expf($0 - most) }
        let total = powers.reduce(0, +)
        return ThanksAnswer(fits: (powers[0] + powers[1]) / total, sorrow: powers[2] / total)
    }
}
