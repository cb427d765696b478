public import TriageCore

/// Finds what patterns cannot say: links, addresses, money, dates, what the sender is and what the text says of the
/// creator; then completes the signals of every message.
///
/// Reads fields, folded text, raw hits and language. Writes the facts of offers, and refines the hits: those of signals
/// gated to another language or beyond their limit are dropped, those of detectors and composites are added. Costs one
/// pass over the words of a text, and looks closer only where that pass finds digits, dates or the creator's words.
public struct SignalDetectionStage: LocalStage {
    public let name = "signals.detect"
    public let reads: Set<Field> = [.fields, .folded, .hits, .language]
    public let writes: Set<Field> = [.facts, .hits]

    private let program: SignalProgram
    private let table: WordTable
    private let creator: CreatorWords
    private let sender: SenderInspector
    private let shape = ShapeInspector()
    private let facts: FactGatherer
    private let masks = InspectionMasks()

    public init(rules: RuleSet, profile: CreatorProfile, settings: Settings) {
        program = SignalProgram(rules)
        var table = FactWords.makeTable()
        creator = CreatorWords(profile, into: &table)
        self.table = table
        sender = SenderInspector(profile)
        facts = FactGatherer(profile: profile, settings: settings)
    }

    public func annotate(_ batch: inout Batch) {
        var scratch = InspectionScratch(program: SignalProgram.Scratch(program))
        // Held apart: the batch's records and hits change while these are read.
        let raw = batch.hits
        let folded = batch.folded
        let tokens = batch.tokens
        let arena = batch.arena
        var hits: [SignalHit] = []
        hits.reserveCapacity(raw.count + batch.records.count * 12)
        folded.withUnsafeBufferPointer { folded in
            tokens.withUnsafeBufferPointer { tokens in
                arena.withUnsafeBufferPointer { arena in
                    table.withIndex { words in
                        let buffers = Buffers(folded: folded, tokens: tokens, arena: arena, words: words)
                        for index in batch.records.indices {
                            guard batch.records[index].isAsked else {
                                batch.records[index].hits = hits.count..<hits.count
                                continue
                            }
                            inspect(index, in: &batch, buffers, raw, &hits, &scratch)
                        }
                    }
                }
            }
        }
        batch.hits = hits
    }

    private struct Buffers {
        let folded: UnsafeBufferPointer<UInt8>
        let tokens: UnsafeBufferPointer<Token>
        let arena: UnsafeBufferPointer<UInt8>
        let words: WordIndex
    }

    private func inspect(
        _ index: Int, in batch: inout Batch, _ buffers: Buffers, _ raw: [SignalHit], _ hits: inout [SignalHit],
        _ scratch: inout InspectionScratch
    ) {
        // A copy: finders read the counts while the record is written.
        let counts = batch.records[index].folded.shape
        withUnsafePointer(to: counts) { inspect(index, $0, in: &batch, buffers, raw, &hits, &scratch) }
    }

    private func inspect(
        _ index: Int, _ counts: UnsafePointer<TextShape>, in batch: inout Batch, _ buffers: Buffers,
        _ raw: [SignalHit], _ hits: inout [SignalHit], _ scratch: inout InspectionScratch
    ) {
        let span = batch.records[index].folded.span
        let text = MessageText(
            bytes: UnsafeBufferPointer(rebasing: buffers.folded[span.range]),
            tokens: UnsafeBufferPointer(rebasing: buffers.tokens[batch.records[index].folded.tokens]), shape: counts)
        var inspection = Inspection(text: text, words: buffers.words, masks: masks)
        scratch.marks.removeAll(keepingCapacity: true)
        scratch.money.removeAll(keepingCapacity: true)
        scratch.candidates.removeAll(keepingCapacity: true)
        scratch.places.removeAll()
        swap(&inspection.places, &scratch.places)

        inspection.scan(&scratch)
        let rawText = UnsafeBufferPointer(rebasing: buffers.arena[batch.records[index].fields.text.range])
        shape.inspect(text, raw: rawText, into: &inspection.detectors)
        sender.inspect(batch.records[index].fields, arena: buffers.arena, into: &inspection.detectors)
        inspection.findLinks()
        let sentAt = batch.records[index].sentAt
        if !scratch.candidates.isEmpty || text.shape.han > 0 {
            inspection.findMoney(&scratch, facts)
            inspection.findDeadline(scratch.candidates, facts.frame(sentAt: sentAt))
        }
        if !scratch.marks.isEmpty {
            let base = batch.records[index].folded
            let marks = batch.marks
            let found = creator.findings(scratch.marks, in: text, scratch: &scratch.parts) { token in
                Self.isProminent(Self.decodedOffset(text.start(token), base, marks), in: rawText)
            }
            inspection.note(found)
        }

        let first = hits.count
        inspection.found.tags = program.run(
            raw[batch.records[index].hits], language: batch.records[index].language?.language ?? 0,
            detectors: inspection.detectors, places: inspection.places, into: &hits, &scratch.program)
        batch.records[index].hits = first..<hits.count
        inspection.found.detectors = inspection.detectors
        batch.records[index].facts = facts.facts(inspection.found, money: scratch.money, sentAt: sentAt) { start, end in
            batch.decodedRange(UInt32(start), UInt32(end), of: batch.records[index])
        }
        swap(&inspection.places, &scratch.places)
    }

    /// Whether a word begins with a capital letter or behind a quotation mark.
    private static func isProminent(_ at: Int, in raw: UnsafeBufferPointer<UInt8>) -> Bool {
        guard at >= 0, at < raw.count else { return false }
        if raw[at] &- 0x41 < 26 { return true }
        let before = at > 0 ? raw[at - 1] : 0
        // A straight quotation mark, or the last byte of a curly or angular one.
        return before == 0x22 || before == 0x9C || before == 0x9E || before == 0xAB
    }

    /// As ``Batch/decodedOffset(_:in:)``, on marks that are held apart from the batch.
    private static func decodedOffset(_ folded: Int, _ text: FoldedText, _ marks: [FoldMark]) -> Int {
        var low = text.marks.lowerBound
        var high = text.marks.upperBound
        while low < high {
            let middle = (low + high) / 2
            if Int(marks[middle].folded) <= folded { low = middle + 1 } else { high = middle }
        }
        return low == text.marks.lowerBound ? folded : folded + Int(marks[low - 1].delta)
    }
}
