package import TriageCore

/// Detects what patterns cannot express, such as links, addresses, money, dates, properties of the sender, and
/// references to the creator; then completes the signals of every message.
///
/// It reads fields, folded text, raw hits and language. It writes the facts of offers and refines the hits: it drops
/// those of signals restricted to other languages or beyond their repeat limit, and adds those of detectors and
/// composites. The cost is one pass over the words of a text; it looks closer only where that pass finds digits, dates
/// or the creator's words.
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
        // Copied out, because the records and hits of the batch change while these are read.
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

    /// Runs the finders: each step for all messages of a group before the next step.
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

    /// Combines the findings, again step by step.
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

/// A few messages that go through each step of their inspection together.
///
/// The code of all steps exceeds the processor's instruction cache. One message at a time, nearly every step would have
/// to be loaded again for every message; a group shares what was loaded.
struct InspectionGroup: ~Copyable {
    static let size = 16

    let members: UnsafeMutablePointer<Inspection>
    private(set) var count = 0
    private let shapes: UnsafeMutablePointer<TextShape>
    private let places: UnsafeMutablePointer<DetectorPlaces.Place>
    /// One list of each kind, with room for all words of the messages.
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

    /// Replaces the members with the next messages.
    ///
    /// - Parameters:
    ///   - records: the records to choose from; only those to be triaged are taken, the others get no signals.
    ///   - next: the index of the first record that is not taken yet.
    mutating func fill(
        from records: UnsafeMutableBufferPointer<Record>, next: inout Int, _ buffers: MessageBuffers,
        words: WordIndex, masks: InspectionMasks
    ) {
        members.deinitialize(count: count)
        count = 0
        guard let first = records.baseAddress else { return }
        // A list never has more elements than there are words, but the place after the last one is written, too.
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
