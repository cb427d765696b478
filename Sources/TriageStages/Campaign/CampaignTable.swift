internal import CPrefetch
import Platform
package import TriageCore

/// The most recent texts, indexed by the keys of their sketches; the oldest is evicted when the table is full.
///
/// It uses flat memory whose size is known from the start. A text costs eight look-ups, plus a comparison for each one
/// that leads to another text with the same word pair.
struct CampaignTable: ~Copyable, @unchecked Sendable {
    // Proof: the memory belongs to this table alone, which is not copied; its owner allows one user at a time.

    /// Maximum number of texts kept for comparison.
    static let capacity = 32_768
    /// The percentage of two texts that must be the same; the same for short texts; and the percentage for a text and
    /// the first text of its campaign.
    ///
    /// The last one prevents a chain of small changes from leading to a completely different text.
    static let least = 45
    static let leastOfShort = 75
    static let leastOfFirst = 25

    /// A campaign or the beginning of one: texts of several senders, at least one of which is still in the table.
    private struct Group {
        var first: SIMD8<UInt64>
        var id: UInt64
        /// Number of texts in the table, one per sender.
        var members: Int32
        var senders: UInt32
        /// Number of messages in this run, and whether they have been reported.
        var messages: UInt32
        var isTold = false
    }

    private struct Text {
        var sender: UInt64
        /// −1: no other sender sent it.
        var group: Int32
        var isShort: Bool
        /// Whether it came in this run.
        var isOfRun: Bool
    }

    private let texts: UnsafeMutablePointer<Text>
    private let places: UnsafeMutablePointer<SIMD8<UInt64>>
    /// The last text with each key: the upper 16 bits of the key, and below them the text's slot plus 1; 0: none.
    private let keys: UnsafeMutablePointer<UInt32>
    private let keyMask: UInt32
    /// The text of each sender in a campaign, in a hash table with open addressing: its slot plus 1; 0: none.
    private let members: UnsafeMutablePointer<UInt32>
    private let memberMask: Int
    private let capacity: Int
    /// Number of texts ever inserted.
    private var total = 0
    private var groups: [Group] = []
    /// Free indices in ``groups``.
    private var vacant: [Int32] = []

    /// Creates an empty table.
    ///
    /// - Parameter capacity: number of texts that are remembered, 1…65,535.
    init(capacity: Int = Self.capacity) {
        self.capacity = min(max(1, capacity), 65_535)
        // `calloc` provides zeroed pages lazily, and most runs have few texts.
        func zeros(_ count: Int) -> UnsafeMutablePointer<UInt32> {
            // The size does not depend on the input (1.3 MB with the usual capacity), and the memory is requested once,
            // before the first message. If it is not available, Swift's own allocations end the process in the same
            // way.
            guard let zeros = calloc(count, MemoryLayout<UInt32>.stride) else { fatalError("out of memory") }
            return zeros.bindMemory(to: UInt32.self, capacity: count)
        }
        func size(_ least: Int) -> Int {
            var size = 64
            while size < least { size *= 2 }
            return size
        }
        texts = .allocate(capacity: self.capacity)
        places = .allocate(capacity: self.capacity)
        let keyCount = size(self.capacity * 8)
        keys = zeros(keyCount)
        keyMask = UInt32(keyCount - 1)
        // Twice the maximum number of entries, so that searches are short.
        let memberCount = size(self.capacity * 2)
        members = zeros(memberCount)
        memberMask = memberCount - 1
    }

    deinit {
        texts.deallocate()
        places.deallocate()
        free(keys)
        free(members)
    }

    /// Inserts the texts of earlier runs, the oldest first.
    mutating func restore(_ remembered: [RememberedText]) {
        var known: [UInt64: Int32] = [:]
        for text in remembered.suffix(capacity) {
            let sketch = text.sketch
            guard text.senders > 1 else {
                insert(sketch, group: -1, isOfRun: false)
                continue
            }
            // A campaign whose texts have all been evicted meanwhile is no longer in the table.
            if let number = known[sketch.campaign], groups[Int(number)].id == sketch.campaign,
                groups[Int(number)].members > 0
            {
                if let slot = member(sketch.sender, of: number) {
                    point(sketch.keys, at: slot)
                } else {
                    join(sketch, number, isOfRun: false)
                }
            } else {
                let number = add(
                    Group(
                        first: sketch.places, id: sketch.campaign, members: 0, senders: UInt32(clamping: text.senders),
                        messages: 0))
                join(sketch, number, isOfRun: false)
                known[sketch.campaign] = number
            }
        }
    }

    /// Prefetches the places of a text's keys while another text is processed.
    @inline(__always)
    func expect(_ sketch: TextSketch) {
        for index in 0..<8 { prefetch_line(keys + home(sketch.keys[index])) }
    }

    /// Finds the campaign that a text belongs to, and inserts the text.
    ///
    /// - Parameters:
    ///   - sketch: receives the id of the text that it belongs to.
    ///   - isKept: whether it is inserted; a text that was answered before is in the table already.
    mutating func answer(_ sketch: inout TextSketch, isKept: Bool) -> CampaignAnswer? {
        guard let like = alike(sketch) else {
            sketch.campaign = TextSketch.name(of: sketch.places)
            if isKept { insert(sketch, group: -1, isOfRun: true) }
            return nil
        }
        var number = texts[like].group
        if number < 0 {
            let first = texts[like]
            sketch.campaign = TextSketch.name(of: places[like])
            if first.sender == sketch.sender || !isKept {
                if isKept { point(sketch.keys, at: like) }
                return nil
            }
            number = add(
                Group(
                    first: places[like], id: sketch.campaign, members: 1, senders: 1,
                    messages: first.isOfRun ? 1 : 0))
            texts[like].group = number
            addMember(like)
        }
        sketch.campaign = groups[Int(number)].id
        if isKept {
            if let slot = member(sketch.sender, of: number) {
                // A sender who sends it again counts once and takes no room.
                point(sketch.keys, at: slot)
            } else {
                groups[Int(number)].senders &+= 1
                join(sketch, number, isOfRun: true)
            }
            groups[Int(number)].messages &+= 1
        }
        let senders = groups[Int(number)].senders
        guard senders >= UInt32(CampaignAnswer.leastSenders) else { return nil }
        guard isKept else { return CampaignAnswer(id: sketch.campaign, senders: senders, added: 0) }
        if groups[Int(number)].isTold { return CampaignAnswer(id: sketch.campaign, senders: senders) }
        groups[Int(number)].isTold = true
        return CampaignAnswer(
            id: sketch.campaign, senders: senders, added: groups[Int(number)].messages, isFirst: true)
    }

    /// Returns the slot of a nearly identical text: the first one that its keys lead to; nil when none is close enough.
    @inline(__always)
    private func alike(_ sketch: TextSketch) -> Int? {
        var last = -1
        for index in 0..<8 {
            let key = sketch.keys[index]
            let entry = keys[home(key)]
            guard entry != 0, (entry ^ key) &>> 16 == 0, key != 0 else { continue }
            let slot = Int(entry & 0xFFFF) &- 1
            // Usually several keys lead to the same text.
            guard slot != last else { continue }
            last = slot
            guard texts[slot].isShort == sketch.isShort else { continue }
            let likeness = TextSketch.likeness(places[slot], sketch.places)
            guard likeness.isAtLeast(sketch.isShort ? Self.leastOfShort : Self.least) else { continue }
            let group = texts[slot].group
            if group >= 0,
                !TextSketch.likeness(groups[Int(group)].first, sketch.places).isAtLeast(Self.leastOfFirst)
            {
                continue
            }
            return slot
        }
        return nil
    }

    /// Where a key is stored: chosen by its lower bits, because the upper sixteen are stored for comparison.
    @inline(__always)
    private func home(_ key: UInt32) -> Int { Int((key &* 0x9E37_79B1) &>> 7 & keyMask) }

    @inline(__always)
    private func point(_ all: SIMD8<UInt32>, at slot: Int) {
        for index in 0..<8 where all[index] != 0 {
            keys[home(all[index])] = all[index] & 0xFFFF_0000 | UInt32(truncatingIfNeeded: slot &+ 1)
        }
    }

    /// Inserts a text from a sender who is not in its campaign yet.
    private mutating func join(_ sketch: TextSketch, _ number: Int32, isOfRun: Bool) {
        // Counted before the oldest text is evicted, which may be the last one of this campaign.
        groups[Int(number)].members += 1
        addMember(insert(sketch, group: number, isOfRun: isOfRun))
    }

    @discardableResult
    private mutating func insert(_ sketch: TextSketch, group: Int32, isOfRun: Bool) -> Int {
        let slot = total % capacity
        if total >= capacity { release(slot) }
        total += 1
        (texts + slot).initialize(
            to: Text(sender: sketch.sender, group: group, isShort: sketch.isShort, isOfRun: isOfRun))
        (places + slot).initialize(to: sketch.places)
        point(sketch.keys, at: slot)
        return slot
    }

    /// Evicts the text in a slot, and its campaign if it was the last one.
    private mutating func release(_ slot: Int) {
        let number = texts[slot].group
        guard number >= 0 else { return }
        removeMember(slot)
        groups[Int(number)].members -= 1
        if groups[Int(number)].members == 0 { vacant.append(number) }
    }

    private mutating func add(_ group: Group) -> Int32 {
        guard let number = vacant.popLast() else {
            groups.append(group)
            return Int32(truncatingIfNeeded: groups.count - 1)
        }
        groups[Int(number)] = group
        return number
    }

    // MARK: - Members

    @inline(__always)
    private func home(of sender: UInt64, in group: Int32) -> Int {
        let mixed = (sender ^ UInt64(truncatingIfNeeded: group) &* 0x9E37_79B9_7F4A_7C15) &* 0xD6E8_FEB8_6659_FD93
        return Int(truncatingIfNeeded: mixed &>> 32) & memberMask
    }

    /// Returns the slot of a sender's text in a campaign.
    @inline(__always)
    private func member(_ sender: UInt64, of group: Int32) -> Int? {
        var place = home(of: sender, in: group)
        while members[place] != 0 {
            let slot = Int(members[place]) &- 1
            if texts[slot].sender == sender, texts[slot].group == group { return slot }
            place = (place &+ 1) & memberMask
        }
        return nil
    }

    @inline(__always)
    private func addMember(_ slot: Int) {
        var place = home(of: texts[slot].sender, in: texts[slot].group)
        while members[place] != 0 { place = (place &+ 1) & memberMask }
        members[place] = UInt32(truncatingIfNeeded: slot &+ 1)
    }

    /// Removes a text and moves up the entries behind it that its presence had displaced.
    private func removeMember(_ slot: Int) {
        var place = home(of: texts[slot].sender, in: texts[slot].group)
        while members[place] != 0, Int(members[place]) &- 1 != slot { place = (place &+ 1) & memberMask }
        guard members[place] != 0 else { return }
        var next = (place &+ 1) & memberMask
        while members[next] != 0 {
            let other = Int(members[next]) &- 1
            let wanted = home(of: texts[other].sender, in: texts[other].group)
            // An entry may move to the free place unless that is before the place where its search begins.
            if (next &- wanted) & memberMask >= (next &- place) & memberMask {
                members[place] = members[next]
                place = next
            }
            next = (next &+ 1) & memberMask
        }
        members[place] = 0
    }
}

/// Where texts of earlier runs are remembered.
///
/// Called only by ``CampaignStage``, for one batch at a time and in input order.
package protocol CampaignMemory: AnyObject, Sendable {
    /// Returns the most recent texts, the oldest first; called once, before the first text of a run is compared.
    ///
    /// - Parameter limit: maximum number of texts.
    func recallTexts(limit: Int) -> [RememberedText]

    /// Whether a record is answered again; its text is then remembered already.
    func isRepeated(_ index: Int, of sequence: Int) -> Bool
}

/// A text of an earlier run.
package struct RememberedText: Sendable, Equatable {
    package var sketch: TextSketch
    /// Number of senders that its campaign had.
    package var senders: Int

    package init(sketch: TextSketch, senders: Int) {
        self.sketch = sketch
        self.senders = senders
    }
}
