package import TriageCore

/// Finds what patterns cannot say: links, addresses, money, dates, what the sender is and what the text says of the
/// creator; then completes the signals of every message.
///
/// Reads fields, folded text, raw hits and language. Writes the facts of offers, and refines the hits: those of signals
/// gated to another language or beyond their limit are dropped, those of detectors and composites are added. Costs one
/// pass over the words of a text, and looks closer only where that pass finds digits, dates or the creator's words.
package struct SignalDetectionStage: LocalStage {
    package let name = "signals.detect"
    package let reads: Set<Field> = [.fields, .folded, .hits, .language]
    package let writes: Set<Field> = [.facts, .hits]

    private let program: SignalProgram
    private let table: WordTable
    private let creator: CreatorWords
    private let sender: SenderInspector
    private let shape = ShapeInspector()
    private let facts: FactGatherer
    private let masks = InspectionMasks()

    package init(rules: RuleSet, profile: CreatorProfile, settings: Settings) {
        program = SignalProgram(rules)
        var table = FactWords.makeTable()
        creator = CreatorWords(profile, into: &table)
        table.seal()
        self.table = table
        sender = SenderInspector(profile)
        facts = FactGatherer(rules: rules, profile: profile, settings: settings)
    }

    package func annotate(_ batch: inout Batch) {
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
        var group = InspectionGroup()
        var scratch = SignalProgram.Scratch(program)
        var parts: [UInt8] = []
        var next = 0
        while next < records.count {
            group.fill(from: records, next: &next, buffers, words: words, masks: masks)
            inspect(group.members, group.count, group.picked, buffers.arena, &parts)
            complete(group.members, group.count, buffers.arena, raw, &hits, &scratch)
        }
    }

    /// What the finders see, each step with all messages of a group before the next one.
    private func inspect(
        _ group: UnsafeMutablePointer<Inspection>, _ count: Int, _ picked: UnsafeMutablePointer<Int32>,
        _ arena: UnsafeBufferPointer<UInt8>, _ parts: inout [UInt8]
    ) {
        for i in 0..<count { group[i].scan(picked) }
        for i in 0..<count { shape.inspect(group[i].text, raw: group[i].origin.text, into: &group[i].detectors) }
        for i in 0..<count { sender.inspect(group[i].record, arena: arena, into: &group[i].detectors) }
        for i in 0..<count { group[i].findLinks() }
        for i in 0..<count { group[i].findMoney(facts) }
        for i in 0..<count { group[i].findDeadline(facts) }
        for i in 0..<count { group[i].findCreator(creator, &parts) }
    }

    /// What is made of it, again step by step.
    private func complete(
        _ group: UnsafeMutablePointer<Inspection>, _ count: Int, _ arena: UnsafeBufferPointer<UInt8>,
        _ raw: UnsafeBufferPointer<SignalHit>, _ hits: inout HitList, _ scratch: inout SignalProgram.Scratch
    ) {
        for i in 0..<count { group[i].runSignals(program, raw, into: &hits, &scratch) }
        for i in 0..<count {
            let name = group[i].record.pointee.fields.senderName.range
            group[i].findOfferSigns(name: UnsafeBufferPointer(rebasing: arena[name]))
        }
        for i in 0..<count {
            let record = group[i].record
            facts.gather(
                &record.pointee.facts, &group[i].found, money: group[i].money, places: group[i].origin,
                hits: UnsafeBufferPointer(rebasing: hits.hits[record.pointee.hits]))
        }
    }
}
