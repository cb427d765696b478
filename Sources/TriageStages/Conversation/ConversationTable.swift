import TriageCore

/// What is remembered of a conversation: a few bytes, no text.
struct ConversationEntry {
    /// Labels of the last 16 messages of other people, two bits each, the newest lowest.
    ///
    /// 0 means no label; otherwise it is the raw value of the ``Category`` plus 1.
    var labels: UInt32 = 0
    /// The combined points of its offers; nil when there was no offer in the last 16 messages.
    var points: RubricPoints?
    var budget: MoneyAmount?
    /// Number of messages since ``points`` was last renewed.
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

/// Entries of the most recent conversations; the least recently used one is evicted when the table is full.
///
/// The table is in plain memory, because each message touches a handful of places, and with arrays each access would
/// check for unique ownership. Data that is read for many conversations is stored together: keys, and the order of use.
struct ConversationTable: ~Copyable, @unchecked Sendable {
    // Proof: the memory belongs to this table alone, which is not copied.

    /// Hash table with open addressing from keys to slots, never more than half full; −1 for empty.
    private let buckets: UnsafeMutablePointer<Int32>
    private let mask: Int
    /// Odd and random, so that nobody can choose conversations that collide.
    ///
    /// It does not affect the output.
    private let spread = UInt64.random(in: .min ... .max) | 1

    // Indexed by slot; the first ``count`` slots are in use, and memory that is never used costs nothing.
    private let entries: UnsafeMutablePointer<ConversationEntry>
    private let keys: UnsafeMutablePointer<UInt64>
    /// The slots used just after and just before this one; −1: none.
    private let neighbors: UnsafeMutablePointer<(newer: Int32, older: Int32)>
    private(set) var count = 0
    private var newest: Int32 = -1
    private var oldest: Int32 = -1
    private let capacity: Int
    /// The result of ``fetch(_:)``; never read, but keeps the compiler from removing the loads.
    private var fetched: UInt64 = 0

    init(capacity: Int) {
        self.capacity = max(1, capacity)
        var size = 16
        while size < self.capacity * 2 { size *= 2 }
        buckets = .allocate(capacity: size)
        buckets.initialize(repeating: -1, count: size)
        entries = .allocate(capacity: self.capacity)
        keys = .allocate(capacity: self.capacity)
        neighbors = .allocate(capacity: self.capacity)
        mask = size - 1
    }

    deinit {
        buckets.deallocate()
        entries.deallocate()
        keys.deallocate()
        neighbors.deallocate()
    }

    @inline(__always)
    private func home(_ key: UInt64) -> Int { Int(truncatingIfNeeded: (key &* spread) >> 32) & mask }

    /// Returns the bucket of a key, or the empty one where it belongs.
    @inline(__always)
    private func bucket(of key: UInt64) -> Int {
        var i = home(key)
        while buckets[i] >= 0, keys[Int(buckets[i])] != key { i = (i &+ 1) & mask }
        return i
    }

    /// Empties a bucket and moves up the entries behind it that were displaced.
    private func free(_ bucket: Int) {
        var hole = bucket
        var i = bucket
        while true {
            i = (i + 1) & mask
            guard buckets[i] >= 0 else { break }
            // An entry may move if its home is not between the hole and its current bucket.
            let distance = (i - home(keys[Int(buckets[i])])) & mask
            if distance >= (i - hole) & mask {
                buckets[hole] = buckets[i]
                hole = i
            }
        }
        buckets[hole] = -1
    }

    /// Loads the entries for these keys into the CPU caches.
    ///
    /// Conversations are far apart in memory. If each were first read by its message, every message would wait for its
    /// own entry; here the waits overlap.
    mutating func fetch(_ keys: [(index: Int, key: UInt64)]) {
        var sum: UInt64 = 0
        for (_, key) in keys {
            let slot = Int(buckets[home(key)])
            // Usually this is the right slot; if not, nothing is lost.
            guard slot >= 0 else { continue }
            sum &+= self.keys[slot] &+ UInt64(entries[slot].labels) &+ UInt64(entries[slot].age)
            sum &+= UInt64(truncatingIfNeeded: neighbors[slot].newer)
        }
        fetched = sum
    }

    /// Whether there is an entry for `key`.
    func contains(_ key: UInt64) -> Bool { buckets[bucket(of: key)] >= 0 }

    /// Calls `body` with the entry for `key`, creating it if needed; `isKnown` tells whether it existed.
    @inline(__always)
    mutating func withEntry<R>(_ key: UInt64, _ body: (inout ConversationEntry, _ isKnown: Bool) -> R) -> R {
        var bucket = bucket(of: key)
        let known = buckets[bucket]
        if known >= 0 {
            if known != newest {
                unlink(known)
                linkNewest(known)
            }
            return body(&entries[Int(known)], true)
        }
        let slot: Int32
        if count < capacity {
            slot = Int32(count)
            count += 1
        } else {
            slot = oldest
            unlink(slot)
            free(self.bucket(of: keys[Int(slot)]))
            bucket = self.bucket(of: key)
        }
        (entries + Int(slot)).initialize(to: ConversationEntry())
        keys[Int(slot)] = key
        buckets[bucket] = slot
        linkNewest(slot)
        return body(&entries[Int(slot)], false)
    }

    @inline(__always)
    private mutating func unlink(_ slot: Int32) {
        let (newer, older) = neighbors[Int(slot)]
        if newer >= 0 { neighbors[Int(newer)].older = older } else { newest = older }
        if older >= 0 { neighbors[Int(older)].newer = newer } else { oldest = newer }
    }

    @inline(__always)
    private mutating func linkNewest(_ slot: Int32) {
        neighbors[Int(slot)] = (newer: -1, older: newest)
        if newest >= 0 { neighbors[Int(newest)].newer = slot }
        newest = slot
        if oldest < 0 { oldest = slot }
    }
}

/// The stored form of an entry: a version, then numbers of fixed size, little-endian.
extension ConversationEntry {
    private static let version: UInt8 = 1

    /// 7 bytes, or 35 with the points of an offer and its budget.
    var kept: [UInt8] {
        var bytes = [Self.version]
        bytes.reserveCapacity(40)
        Self.add(labels, to: &bytes)
        bytes.append(age)
        bytes.append((points == nil ? 0 : 1) | (budget == nil ? 0 : 2))
        if let points {
            for part in [points.monetary, points.brandFit, points.legitimacy, points.urgency] {
                bytes.append(UInt8(bitPattern: part))
            }
        }
        if let budget {
            Self.add(budget.amount.bitPattern, to: &bytes)
            Self.add(budget.currency?.packed ?? 0, to: &bytes)
            Self.add(budget.usd.bitPattern, to: &bytes)
            Self.add(UInt32(bitPattern: budget.start), to: &bytes)
            Self.add(UInt32(bitPattern: budget.end), to: &bytes)
        }
        return bytes
    }

    /// Decodes ``kept``; nil unless the bytes are exactly as written, in which case the conversation starts anew.
    init?(kept bytes: [UInt8]) {
        var rest = bytes[...]
        guard rest.popFirst() == Self.version, let labels: UInt32 = Self.take(&rest), let age = rest.popFirst(),
            let parts = rest.popFirst(), parts <= 3, age <= 16
        else { return nil }
        self.labels = labels
        self.age = age
        if parts & 1 != 0 {
            guard let packed: UInt32 = Self.take(&rest) else { return nil }
            var points = RubricPoints()
            points.monetary = Int8(truncatingIfNeeded: packed)
            points.brandFit = Int8(truncatingIfNeeded: packed >> 8)
            points.legitimacy = Int8(truncatingIfNeeded: packed >> 16)
            points.urgency = Int8(truncatingIfNeeded: packed >> 24)
            let all = [points.monetary, points.brandFit, points.legitimacy, points.urgency]
            guard all.allSatisfy({ (0...100).contains($0) }) else { return nil }
            self.points = points
        }
        if parts & 2 != 0 {
            guard let amount: UInt64 = Self.take(&rest), let code: UInt32 = Self.take(&rest),
                let usd: UInt64 = Self.take(&rest), let start: UInt32 = Self.take(&rest),
                let end: UInt32 = Self.take(&rest)
            else { return nil }
            let (value, dollars) = (Double(bitPattern: amount), Double(bitPattern: usd))
            let letters = [UInt8(code >> 16 & 0xFF), UInt8(code >> 8 & 0xFF), UInt8(code & 0xFF)]
            let currency = code == 0 ? nil : Currency(parsing: String(decoding: letters, as: UTF8.self))
            guard value.isFinite, dollars.isFinite, code == 0 || currency?.packed == code else { return nil }
            budget = MoneyAmount(
                amount: value, currency: currency, usd: dollars, start: Int32(bitPattern: start),
                end: Int32(bitPattern: end))
        }
        guard rest.isEmpty else { return nil }
    }

    private static func add(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    private static func take<Number: FixedWidthInteger>(_ bytes: inout ArraySlice<UInt8>) -> Number? {
        let size = Number.bitWidth / 8
        guard bytes.count >= size else { return nil }
        defer { bytes.removeFirst(size) }
        return bytes.prefix(size).reversed().reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }
}
