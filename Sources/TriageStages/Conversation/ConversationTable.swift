import TriageCore

/// What is remembered of a conversation: a few bytes, no text.
struct ConversationEntry {
    /// Labels of the last 16 messages of other people, two bits each, newest lowest: 0 none, else ``Category`` + 1.
    var labels: UInt32 = 0
    /// The merged points of its offers; nil when there was none in the last 16 messages.
    var points: RubricPoints?
    var budget: MoneyAmount?
    /// Messages since ``points`` was last renewed.
    var age: UInt8 = 0

    mutating func push(_ label: Category?) {
        labels = labels << 2 | (label.map { UInt32($0.rawValue) + 1 } ?? 0)
        if points != nil {
            age &+= 1
            if age >= 16 {
                points = nil
                budget = nil
            }
        }
    }

    func count(_ label: Category) -> UInt8 {
        var n: UInt8 = 0
        var rest = labels
        while rest != 0 {
            if rest & 3 == UInt32(label.rawValue) + 1 { n += 1 }
            rest >>= 2
        }
        return n
    }
}

/// Entries of the conversations seen last; the one not seen for longest makes room.
struct ConversationTable {
    /// Slots by key: open addressing, never more than half full; −1 where there is none.
    private var buckets: [Int32]
    private let mask: Int
    /// Odd and random, so that nobody can choose conversations that fall on one place.
    ///
    /// It does not show in what comes out.
    private let spread = UInt64.random(in: .min ... .max) | 1
    private var entries: [ConversationEntry] = []
    private var keys: [UInt64] = []
    // A doubly linked list through the slots, most recently used first.
    private var previous: [Int32] = []
    private var next: [Int32] = []
    private var first: Int32 = -1
    private var last: Int32 = -1
    private let capacity: Int

    init(capacity: Int) {
        self.capacity = max(1, capacity)
        var size = 16
        while size < self.capacity * 2 { size *= 2 }
        buckets = [Int32](repeating: -1, count: size)
        mask = size - 1
    }

    @inline(__always)
    private func home(_ key: UInt64) -> Int { Int(truncatingIfNeeded: (key &* spread) >> 32) & mask }

    /// The bucket of a key, or the empty one where it belongs.
    private func bucket(of key: UInt64) -> Int {
        var i = home(key)
        while buckets[i] >= 0, keys[Int(buckets[i])] != key { i = (i + 1) & mask }
        return i
    }

    /// Empties a bucket and moves up what was put behind it for want of its place.
    private mutating func free(_ bucket: Int) {
        var hole = bucket
        var i = bucket
        while true {
            i = (i + 1) & mask
            guard buckets[i] >= 0 else { break }
            // It may move when its home is not between the hole and where it is.
            let distance = (i - home(keys[Int(buckets[i])])) & mask
            if distance >= (i - hole) & mask {
                buckets[hole] = buckets[i]
                hole = i
            }
        }
        buckets[hole] = -1
    }

    /// Calls `body` with the entry of `key`, made if need be; `isKnown` tells whether it was there.
    mutating func withEntry<R>(_ key: UInt64, _ body: (inout ConversationEntry, _ isKnown: Bool) -> R) -> R {
        let known = buckets[bucket(of: key)]
        if known >= 0 {
            moveToFront(known)
            return body(&entries[Int(known)], true)
        }
        let slot: Int32
        if entries.count < capacity {
            slot = Int32(entries.count)
            entries.append(ConversationEntry())
            keys.append(key)
            previous.append(-1)
            next.append(-1)
        } else {
            slot = last
            unlink(slot)
            free(bucket(of: keys[Int(slot)]))
            entries[Int(slot)] = ConversationEntry()
            keys[Int(slot)] = key
        }
        buckets[bucket(of: key)] = slot
        linkFront(slot)
        return body(&entries[Int(slot)], false)
    }

    var count: Int { entries.count }

    private mutating func moveToFront(_ slot: Int32) {
        guard slot != first else { return }
        unlink(slot)
        linkFront(slot)
    }

    private mutating func unlink(_ slot: Int32) {
        let p = previous[Int(slot)]
        let n = next[Int(slot)]
        if p >= 0 { next[Int(p)] = n } else { first = n }
        if n >= 0 { previous[Int(n)] = p } else { last = p }
    }

    private mutating func linkFront(_ slot: Int32) {
        previous[Int(slot)] = -1
        next[Int(slot)] = first
        if first >= 0 { previous[Int(first)] = slot }
        first = slot
        if last < 0 { last = slot }
    }
}
