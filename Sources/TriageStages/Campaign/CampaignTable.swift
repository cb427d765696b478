internal import CPrefetch
package import TriageCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The texts seen last, by what they have in common; the oldest makes room.
///
/// All in flat memory of a size that is known from the start: a text costs eight places looked up, and a comparison for
/// each of them that holds another text with the same pair of words.
struct CampaignTable: ~Copyable, @unchecked Sendable {
    // Proof: the memory belongs to this table alone, which is not copied; who holds it lets one in at a time.

    /// Texts that are compared.
    static let capacity = 32_768
    /// How much of two texts has to be the same, in percent; of short ones; and of a text and the first of its campaign, so
    /// that no chain of small steps leads from one text to quite another.
    static let least = 45
    static let leastOfShort = 75
    static let leastOfFirst = 25

    /// A campaign, or the beginning of one: texts of several senders, of which one at least is still here.
    private struct Group {
        var first: SIMD8<UInt64>
        var id: UInt64
        /// Texts that are here, one a sender.
        var members: Int32
        var senders: UInt32
        /// Messages of this run, and whether they were told of.
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
    /// The text that had a key last: sixteen bits of the key above, the text's slot and 1 below; 0: none.
    private let keys: UnsafeMutablePointer<UInt32>
    private let keyMask: UInt32
    /// The text of each sender in a campaign, in open addressing: its slot and 1; 0: none.
    private let members: UnsafeMutablePointer<UInt32>
    private let memberMask: Int
    private let capacity: Int
    /// Of texts that were ever put in.
    private var total = 0
    private var groups: [Group] = []
    /// Numbers in ``groups`` that are free again.
    private var vacant: [Int32] = []

    /// - Parameter capacity: texts that are remembered, 1…65,535.
    init(capacity: Int = Self.capacity) {
        self.capacity = min(max(1, capacity), 65_535)
        // Zeros that are not written before they are wanted: most runs have few texts.
        func zeros(_ count: Int) -> UnsafeMutablePointer<UInt32> {
            // No input chooses the size (1.3 MB with the usual capacity), and it is asked for once, before the first message:
            // where that is not to be had, Swift's own allocations end the process in the same way.
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
        // Twice as many as there can be: a search ends soon.
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

    /// Takes in texts of earlier runs, the oldest first.
    mutating func restore(_ remembered: [RememberedText]) {
        var known: [UInt64: Int32] = [:]
        for text in remembered.suffix(capacity) {
            let sketch = text.sketch
            guard text.senders > 1 else {
                insert(sketch, group: -1, isOfRun: false)
                continue
            }
            // One whose texts have all made room meanwhile is not here any more.
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

    /// Asks for the places where a text's keys are, while another text is answered.
    @inline(__always)
    func expect(_ sketch: TextSketch) {
        for index in 0..<8 { prefetch_line(keys + home(sketch.keys[index])) }
    }

    /// Says which campaign a text belongs to, and takes it in.
    ///
    /// - Parameters:
    ///   - sketch: gets the id of the text that it belongs to.
    ///   - isKept: whether it is taken in; one that was answered before is there already.
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
                // Whoever sends it again counts once, and takes no room.
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

    /// A text that is nearly the same: the first one that its keys lead to; nil: none is near enough.
    @inline(__always)
    private func alike(_ sketch: TextSketch) -> Int? {
        var last = -1
        for index in 0..<8 {
            let key = sketch.keys[index]
            let entry = keys[home(key)]
            guard entry != 0, (entry ^ key) &>> 16 == 0, key != 0 else { continue }
            let slot = Int(entry & 0xFFFF) &- 1
            // Most often several keys lead to the same one.
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

    /// Where a key is looked up: by other bits than the sixteen that are kept.
    @inline(__always)
    private func home(_ key: UInt32) -> Int { Int((key &* 0x9E37_79B1) &>> 7 & keyMask) }

    @inline(__always)
    private func point(_ all: SIMD8<UInt32>, at slot: Int) {
        for index in 0..<8 where all[index] != 0 {
            keys[home(all[index])] = all[index] & 0xFFFF_0000 | UInt32(truncatingIfNeeded: slot &+ 1)
        }
    }

    /// Takes in a text of a sender whom its campaign does not have.
    private mutating func join(_ sketch: TextSketch, _ number: Int32, isOfRun: Bool) {
        // Before the oldest text makes room: it may be the last one of this campaign.
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

    /// The oldest text goes, and with its last one the campaign.
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

    /// The text of a sender in a campaign.
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

    /// Takes a text out, and moves up whatever stands behind it only because it was there.
    private func removeMember(_ slot: Int) {
        var place = home(of: texts[slot].sender, in: texts[slot].group)
        while members[place] != 0, Int(members[place]) &- 1 != slot { place = (place &+ 1) & memberMask }
        guard members[place] != 0 else { return }
        var next = (place &+ 1) & memberMask
        while members[next] != 0 {
            let other = Int(members[next]) &- 1
            let wanted = home(of: texts[other].sender, in: texts[other].group)
            // Whether it may stand at the free place: not before the one it wants.
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
/// Called by ``CampaignStage`` alone, for one batch at a time and in the order of the input.
package protocol CampaignMemory: AnyObject, Sendable {
    /// The texts that came last, the oldest first; asked once, before the first text of a run is compared.
    ///
    /// - Parameter limit: so many at most.
    func recallTexts(limit: Int) -> [RememberedText]

    /// Whether a record is answered again: its text is remembered already.
    func isRepeated(_ index: Int, of sequence: Int) -> Bool
}

/// A text of an earlier run.
package struct RememberedText: Sendable, Equatable {
    package var sketch: TextSketch
    /// How many senders its campaign had.
    package var senders: Int

    package init(sketch: TextSketch, senders: Int) {
        self.sketch = sketch
        self.senders = senders
    }
}
