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

    /// Messages that take each step together.
    ///
    /// All steps together are more code than a processor keeps at hand. One message at a time, nearly every step would
    /// have to be fetched again for every message; a few at a time share what was fetched, and what is known of them
    /// is still at hand in the next step.
    private static let groupSize = 16

    public func annotate(_ batch: inout Batch) {
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
                                    inspect(records, buffers, words, raw, &hits)
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
        _ records: UnsafeMutableBufferPointer<Record>, _ buffers: MessageBuffers, _ words: WordIndex,
        _ raw: UnsafeBufferPointer<SignalHit>, _ hits: inout HitList
    ) {
        guard let first = records.baseAddress else { return }
        let group = UnsafeMutablePointer<Inspection>.allocate(capacity: Self.groupSize)
        for i in 0..<Self.groupSize { (group + i).initialize(to: Inspection(first, words: words, masks: masks)) }
        defer {
            group.deinitialize(count: Self.groupSize)
            group.deallocate()
        }
        var scratch = Scratch(program)
        var next = 0
        while next < records.count {
            var count = 0
            while count < Self.groupSize, next < records.count {
                let record = first + next
                next += 1
                guard record.pointee.isAsked else {
                    record.pointee.hits = hits.count..<hits.count
                    continue
                }
                group[count].begin(record, buffers)
                count += 1
            }
            inspect(group, count, buffers.arena, raw, &hits, &scratch)
        }
    }

    /// Takes each step with all messages of a group before the next one.
    private func inspect(
        _ group: UnsafeMutablePointer<Inspection>, _ count: Int, _ arena: UnsafeBufferPointer<UInt8>,
        _ raw: UnsafeBufferPointer<SignalHit>, _ hits: inout HitList, _ scratch: inout Scratch
    ) {
        for i in 0..<count { group[i].scan(&scratch.picked) }
        for i in 0..<count { shape.inspect(group[i].text, raw: group[i].origin.text, into: &group[i].detectors) }
        for i in 0..<count { sender.inspect(group[i].record, arena: arena, into: &group[i].detectors) }
        for i in 0..<count { group[i].findLinks() }
        for i in 0..<count { group[i].findMoney(facts) }
        for i in 0..<count { group[i].findDeadline(facts) }
        for i in 0..<count { group[i].findCreator(creator, &scratch.parts) }
        for i in 0..<count { group[i].runSignals(program, raw, into: &hits, &scratch.program) }
        for i in 0..<count {
            let name = group[i].record.pointee.fields.senderName.range
            group[i].findOfferSigns(name: UnsafeBufferPointer(rebasing: arena[name]))
        }
        for i in 0..<count {
            let record = group[i].record
            facts.gather(
                &record.pointee.facts, &group[i].found, money: group[i].money, places: group[i].origin)
        }
    }

    /// What one call of the stage uses again and again.
    private struct Scratch: ~Copyable {
        var program: SignalProgram.Scratch
        var picked = PlainList<Int32>()
        var parts: [UInt8] = []

        init(_ program: SignalProgram) { self.program = SignalProgram.Scratch(program) }
    }
}
