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
        table.seal()
        self.table = table
        sender = SenderInspector(profile)
        facts = FactGatherer(profile: profile, settings: settings)
    }

    public func annotate(_ batch: inout Batch) {
        var scratch = InspectionScratch(program)
        // Held apart: the batch's records and hits change while these are read.
        let raw = batch.hits
        let folded = batch.folded
        let tokens = batch.tokens
        let arena = batch.arena
        let marks = batch.marks
        var hits = HitList(capacity: raw.count + batch.records.count * 12)
        folded.withUnsafeBufferPointer { folded in
            tokens.withUnsafeBufferPointer { tokens in
                arena.withUnsafeBufferPointer { arena in
                    marks.withUnsafeBufferPointer { marks in
                        let buffers = MessageBuffers(folded: folded, tokens: tokens, arena: arena, marks: marks)
                        table.withIndex { words in
                            raw.withUnsafeBufferPointer { raw in
                                batch.records.withUnsafeMutableBufferPointer { records in
                                    guard let first = records.baseAddress else { return }
                                    for index in 0..<records.count {
                                        inspect(first + index, buffers, words, raw, &hits, &scratch)
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
        batch.hits = Array(hits.hits)
    }

    private func inspect(
        _ record: UnsafeMutablePointer<Record>, _ buffers: MessageBuffers, _ words: WordIndex,
        _ raw: UnsafeBufferPointer<SignalHit>, _ hits: inout HitList, _ scratch: inout InspectionScratch
    ) {
        guard record.pointee.isAsked else {
            record.pointee.hits = hits.count..<hits.count
            return
        }
        // A copy: finders read the counts while the record is written.
        let counts = record.pointee.folded.shape
        withUnsafePointer(to: counts) { inspect(record, $0, buffers, words, raw, &hits, &scratch) }
    }

    private func inspect(
        _ record: UnsafeMutablePointer<Record>, _ counts: UnsafePointer<TextShape>, _ buffers: MessageBuffers,
        _ words: WordIndex, _ raw: UnsafeBufferPointer<SignalHit>, _ hits: inout HitList,
        _ scratch: inout InspectionScratch
    ) {
        let text = MessageText(
            bytes: UnsafeBufferPointer(rebasing: buffers.folded[record.pointee.folded.span.range]),
            tokens: UnsafeBufferPointer(rebasing: buffers.tokens[record.pointee.folded.tokens]), shape: counts)
        let places = MessagePlaces(
            marks: UnsafeBufferPointer(rebasing: buffers.marks[record.pointee.folded.marks]),
            text: UnsafeBufferPointer(rebasing: buffers.arena[record.pointee.fields.text.range]))
        var inspection = Inspection(
            text: text, words: words, masks: masks, places: DetectorPlaces(scratch.places))

        inspection.scan(&scratch)
        shape.inspect(text, raw: places.text, into: &inspection.detectors)
        sender.inspect(record, arena: buffers.arena, into: &inspection.detectors)
        inspection.findLinks(scratch.candidates.elements)
        if scratch.candidates.count > 0 || text.shape.han > 0 {
            inspection.findMoney(&scratch, facts)
            inspection.findDeadline(scratch.candidates.elements, facts.frame(sentAt: record.pointee.sentAt))
        }
        if scratch.marks.count > 0 {
            let found = creator.findings(scratch.marks.elements, in: text, scratch: &scratch.parts) { token in
                places.isProminent(text.start(token))
            }
            inspection.note(found)
        }

        let first = hits.count
        inspection.found.tags = program.run(
            UnsafeBufferPointer(rebasing: raw[record.pointee.hits]), language: record.pointee.language?.language ?? 0,
            detectors: inspection.detectors, places: inspection.places, into: &hits, &scratch.program)
        record.pointee.hits = first..<hits.count
        inspection.found.detectors = inspection.detectors
        inspection.findOfferSigns(
            scratch, raw: places.text,
            name: UnsafeBufferPointer(rebasing: buffers.arena[record.pointee.fields.senderName.range]))
        facts.gather(&record.pointee.facts, &inspection.found, money: scratch.money, places: places)
    }
}
