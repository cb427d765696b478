import TriageCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The texts seen last, by what they have in common; the oldest makes room.
struct CampaignTable: ~Copyable, @unchecked Sendable {
    // Proof: the memory belongs to this table alone, which is not copied; who holds it lets one in at a time.

    /// Texts that are compared.
    static let capacity = 32_768
    /// How much of two texts has to be the same, 0–1; of short ones; and of a text and the first of its campaign, so that
    /// no chain of small steps leads from one text to quite another.
    static let least: Float = 0.45
    static let leastOfShort: Float = 0.75
    static let leastOfFirst: Float = 0.25

    /// A campaign, or the beginning of one: texts of several senders, of which one at least is still here.
    private struct Group {
        var id: UInt64
        var first: SIMD64<UInt8>
        /// The text of each sender that is here.
        var members: [UInt64: Int32]
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
    private let places: UnsafeMutablePointer<SIMD64<UInt8>>
    /// The text that had a key last: the key above, the text's slot and 1 below; 0: none.
    private let keys: UnsafeMutablePointer<UInt64>
    private let mask: UInt32
    private let capacity: Int
    /// Of texts that were ever put in.
    private var total = 0
    private var groups: [Group?] = []
    private var vacant: [Int32] = []

    init(capacity: Int = Self.capacity) {
        self.capacity = max(1, capacity)
        var size = 64
        while size < self.capacity * 8 { size *= 2 }
        texts = .allocate(capacity: self.capacity)
        places = .allocate(capacity: self.capacity)
        // Zeros that are not written before they are wanted: most runs have few texts.
        guard let zeros = calloc(size, MemoryLayout<UInt64>.stride) else { fatalError("out of memory") }
        keys = zeros.bindMemory(to: UInt64.self, capacity: size)
        mask = UInt32(size - 1)
    }

    deinit {
        texts.deallocate()
        places.deallocate()
        free(keys)
    }

    /// Takes in texts of earlier runs, the oldest first.
    mutating func restore(_ remembered: [RememberedText]) {
        var known: [UInt64: Int32] = [:]
        for text in remembered.suffix(capacity) {
            let sketch = text.sketch
            guard text.senders > 1 else {
                insert(sketch, isOfRun: false)
                continue
            }
            if let number = known[sketch.campaign] {
                if let slot = groups[Int(number)]?.members[sketch.sender] {
                    point(sketch.keys, at: Int(slot))
                    continue
                }
                let slot = insert(sketch, isOfRun: false)
                texts[slot].group = number
                groups[Int(number)]?.members[sketch.sender] = Int32(slot)
            } else {
                let slot = insert(sketch, isOfRun: false)
                let number = add(
                    Group(
                        id: sketch.campaign, first: sketch.places, members: [sketch.sender: Int32(slot)],
                        senders: UInt32(clamping: text.senders), messages: 0))
                texts[slot].group = number
                known[sketch.campaign] = number
            }
        }
    }

    /// Says which campaign a text belongs to, and takes it in.
    ///
    /// - Parameters:
    ///   - sketch: gets the id of the text that it belongs to.
    ///   - isKept: whether it is taken in; one that was answered before is there already.
    mutating func answer(_ sketch: inout TextSketch, isKept: Bool) -> CampaignAnswer? {
        guard let like = nearest(to: sketch) else {
            sketch.campaign = TextSketch.name(of: sketch.places)
            if isKept { insert(sketch, isOfRun: true) }
            return nil
        }
        var number = texts[like].group
        if number < 0 {
            let first = texts[like]
            let id = TextSketch.name(of: places[like])
            sketch.campaign = id
            if first.sender == sketch.sender || !isKept {
                if isKept { point(sketch.keys, at: like) }
                return nil
            }
            number = add(
                Group(
                    id: id, first: places[like], members: [first.sender: Int32(like)], senders: 1,
                    messages: first.isOfRun ? 1 : 0))
            texts[like].group = number
        }
        sketch.campaign = groups[Int(number)]?.id ?? 0
        if isKept {
            if let slot = groups[Int(number)]?.members[sketch.sender] {
                // Whoever sends it again counts once, and takes no room.
                point(sketch.keys, at: Int(slot))
            } else {
                // Held by its members, of which the oldest may make room for this one.
                groups[Int(number)]?.members[sketch.sender] = -1
                groups[Int(number)]?.senders += 1
                let slot = insert(sketch, isOfRun: true)
                texts[slot].group = number
                groups[Int(number)]?.members[sketch.sender] = Int32(slot)
            }
            groups[Int(number)]?.messages += 1
        }
        guard let group = groups[Int(number)], group.senders >= UInt32(CampaignAnswer.leastSenders) else { return nil }
        guard isKept else { return CampaignAnswer(id: group.id, senders: group.senders, added: 0) }
        if group.isTold { return CampaignAnswer(id: group.id, senders: group.senders) }
        groups[Int(number)]?.isTold = true
        return CampaignAnswer(id: group.id, senders: group.senders, added: group.messages, isFirst: true)
    }

    /// The text that is most like another, of equal ones the first by its slot; nil: none is near enough.
    @inline(__always)
    private func nearest(to sketch: TextSketch) -> Int? {
        var found = -1
        var best: Float = 0
        for index in 0..<8 {
            let key = sketch.keys[index]
            guard key != 0 else { continue }
            let entry = keys[home(key)]
            guard UInt32(truncatingIfNeeded: entry >> 32) == key else { continue }
            let slot = Int(UInt32(truncatingIfNeeded: entry)) - 1
            guard slot >= 0, slot != found, texts[slot].isShort == sketch.isShort else { continue }
            let likeness = TextSketch.likeness(places[slot], sketch.places)
            guard likeness >= (sketch.isShort ? Self.leastOfShort : Self.least) else { continue }
            guard likeness > best || likeness == best && slot < found else { continue }
            let group = texts[slot].group
            if group >= 0, let first = groups[Int(group)]?.first,
                TextSketch.likeness(first, sketch.places) < Self.leastOfFirst
            {
                continue
            }
            (found, best) = (slot, likeness)
        }
        return found < 0 ? nil : found
    }

    @inline(__always)
    private func home(_ key: UInt32) -> Int { Int((key &* 0x9E37_79B1) &>> 7 & mask) }

    @inline(__always)
    private func point(_ all: SIMD8<UInt32>, at slot: Int) {
        for index in 0..<8 where all[index] != 0 {
            keys[home(all[index])] = UInt64(all[index]) << 32 | UInt64(slot + 1)
        }
    }

    @discardableResult
    private mutating func insert(_ sketch: TextSketch, isOfRun: Bool) -> Int {
        let slot = total % capacity
        if total >= capacity { release(slot) }
        total += 1
        (texts + slot).initialize(
            to: Text(sender: sketch.sender, group: -1, isShort: sketch.isShort, isOfRun: isOfRun))
        (places + slot).initialize(to: sketch.places)
        point(sketch.keys, at: slot)
        return slot
    }

    /// The oldest text goes, and with its last one the campaign.
    private mutating func release(_ slot: Int) {
        let number = Int(texts[slot].group)
        guard number >= 0, groups[number] != nil else { return }
        groups[number]?.members[texts[slot].sender] = nil
        guard groups[number]?.members.isEmpty == true else { return }
        groups[number] = nil
        vacant.append(Int32(number))
    }

    private mutating func add(_ group: Group) -> Int32 {
        guard let number = vacant.popLast() else {
            groups.append(group)
            return Int32(groups.count - 1)
        }
        groups[Int(number)] = group
        return number
    }
}
