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

/// A few messages that take each step of their inspection together.
///
/// All steps together are more code than a processor keeps at hand. One message at a time, nearly every step would have
/// to be fetched again for every message; a few at a time share what was fetched.
struct InspectionGroup: ~Copyable {
    static let size = 16

    let members: UnsafeMutablePointer<Inspection>
    private(set) var count = 0
    private let shapes: UnsafeMutablePointer<TextShape>
    private let places: UnsafeMutablePointer<DetectorPlaces.Place>
    /// Room for as many words as the messages have in one list of each kind.
    private var candidates: UnsafeMutablePointer<Int32>
    private var countables: UnsafeMutablePointer<Int32>
    private var marks: UnsafeMutablePointer<CreatorWords.Mark>
    /// Room for as many numbers as a message has words.
    private(set) var picked: UnsafeMutablePointer<Int32>
    private var capacity = 4096

    init() {
        members = .allocate(capacity: Self.size)
        shapes = .allocate(capacity: Self.size)
        shapes.initialize(repeating: TextShape(), count: Self.size)
        places = .allocate(capacity: Self.size * DetectorPlaces.room)
        places.initialize(repeating: (start: 1, end: 0), count: Self.size * DetectorPlaces.room)
        candidates = .allocate(capacity: capacity)
        countables = .allocate(capacity: capacity)
        marks = .allocate(capacity: capacity)
        picked = .allocate(capacity: capacity)
    }

    deinit {
        members.deinitialize(count: count)
        members.deallocate()
        shapes.deallocate()
        places.deallocate()
        candidates.deallocate()
        countables.deallocate()
        marks.deallocate()
        picked.deallocate()
    }

    /// Takes up the next messages in place of those before.
    ///
    /// - Parameters:
    ///   - records: from which they are taken, those that are asked; the others get no signals.
    ///   - next: the first record that is not taken yet.
    mutating func fill(
        from records: UnsafeMutableBufferPointer<Record>, next: inout Int, _ buffers: MessageBuffers,
        words: WordIndex, masks: InspectionMasks
    ) {
        members.deinitialize(count: count)
        count = 0
        guard let first = records.baseAddress else { return }
        // No list has more elements than words, but the place behind the last one is written as well.
        var room = 0
        var end = next
        var taken = 0
        while end < records.count, taken < Self.size {
            if first[end].isAsked {
                taken += 1
                room += first[end].folded.tokens.count + 1
            } else {
                first[end].hits = 0..<0
            }
            end += 1
        }
        if room > capacity { grow(to: room) }
        var used = 0
        for index in next..<end where first[index].isAsked {
            (members + count).initialize(
                to: Inspection(
                    first + index, buffers,
                    Inspection.Room(
                        shape: shapes + count, places: places + count * DetectorPlaces.room,
                        candidates: candidates + used, countables: countables + used, marks: marks + used),
                    words: words, masks: masks))
            used += first[index].folded.tokens.count + 1
            count += 1
        }
        next = end
    }

    private mutating func grow(to room: Int) {
        capacity = room * 2
        candidates.deallocate()
        countables.deallocate()
        marks.deallocate()
        picked.deallocate()
        candidates = .allocate(capacity: capacity)
        countables = .allocate(capacity: capacity)
        marks = .allocate(capacity: capacity)
        picked = .allocate(capacity: capacity)
    }
}
