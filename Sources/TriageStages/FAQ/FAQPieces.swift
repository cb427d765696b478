/// Pieces of four bytes of the library's wordings, with the parts they stand in: what shares many of them with a text is
/// spelled alike, whatever its words are taken for.
///
/// A piece counts by how few entries have it. Punctuation counts as a blank, and blanks in a row as one.
struct FAQPieces: Sendable {
    /// A piece's place in a part.
    struct Posting: Sendable {
        var part: UInt16
        /// Weight of the piece over the length of the part.
        var weight: Float
    }

    /// One piece; key 0 is free.
    fileprivate struct Slot: Sendable {
        var key: UInt32 = 0
        var first: UInt32 = 0
        var count: UInt32 = 0
        var weight: Float = 0
    }

    /// Pieces in more parts than this, or in more than a third of many entries, tell too little to be looked up.
    private static let commonLimit = 64
    /// Bytes of a part that are looked at.
    private static let byteLimit = 1000
    fileprivate static let filterBits = 16

    private var slots: [Slot] = [Slot()]
    private var postings: [Posting] = []
    private var filter = [UInt64](repeating: 0, count: 1 << (filterBits - 6))
    /// Square of the weight of a piece that the library does not have.
    private var unknown: Float = 0

    /// - Parameters:
    ///   - parts: folded text of each part, and the entry it belongs to.
    ///   - entries: how many there are.
    init(parts: [(text: [UInt8], entry: Int)], entries: Int) {
        var places: [UInt32: [UInt16]] = [:]
        var entriesOf: [UInt32: Set<Int>] = [:]
        var keysOf: [Set<UInt32>] = []
        for (number, part) in parts.enumerated() {
            var keys: Set<UInt32> = []
            part.text.prefix(Self.byteLimit).withUnsafeBufferPointer { text in
                Self.forEach(in: text) { keys.insert($0) }
            }
            for key in keys {
                places[key, default: []].append(UInt16(number))
                entriesOf[key, default: []].insert(part.entry)
            }
            keysOf.append(keys)
        }
        let all = FAQIndex.log(Float(entries + 1))
        func weight(_ key: UInt32) -> Float {
            FAQIndex.log(Float(entries + 1) / Float(max(1, entriesOf[key]?.count ?? 1)))
        }
        let lengths = keysOf.map { keys in
            max(0.01, keys.sorted().reduce(Float(0)) { $0 + weight($1) * weight($1) }.squareRoot())
        }
        unknown = 0.36 * all * all
        var size = 64
        while size < places.count * 2 { size *= 2 }
        slots = [Slot](repeating: Slot(), count: size)
        for (key, parts) in places.sorted(by: { $0.key < $1.key }) {
            let bit = Self.bit(key)
            filter[bit >> 6] |= 1 << UInt64(bit & 63)
            var slot = Self.slot(key) & (size - 1)
            while slots[slot].key != 0 { slot = (slot + 1) & (size - 1) }
            let weight = weight(key)
            slots[slot] = Slot(key: key, first: UInt32(postings.count), count: 0, weight: weight)
            let isCommon = entries > 8 && (entriesOf[key]?.count ?? 0) * 3 > entries
            guard parts.count <= Self.commonLimit, !isCommon else { continue }
            slots[slot].count = UInt32(parts.count)
            postings += parts.map { Posting(part: $0, weight: weight / lengths[Int($0)]) }
        }
    }

    @inline(__always)
    fileprivate static func slot(_ key: UInt32) -> Int { Int(truncatingIfNeeded: (key &* 0x9E37_79B1) >> 7) }

    @inline(__always)
    fileprivate static func bit(_ key: UInt32) -> Int {
        Int(truncatingIfNeeded: (key &* 0x85EB_CA6B) >> UInt32(32 - filterBits))
    }

    /// Calls `body` with every piece of a text.
    @inline(__always)
    fileprivate static func forEach(in text: UnsafeBufferPointer<UInt8>, _ body: (UInt32) -> Void) {
        var key: UInt32 = 0x20
        var count = 1
        for i in 0...text.count {
            // Letters and digits of ASCII, and all bytes above.
            var byte: UInt8 = 0x20
            if i < text.count {
                byte = text[i]
                let isLetter = byte >= 0x80 || byte &- 0x61 < 26 || byte &- 0x30 < 10
                if !isLetter { byte = 0x20 }
            }
            if byte == 0x20, key & 0xFF == 0x20 { continue }
            key = key &<< 8 | UInt32(byte)
            count &+= 1
            if count >= 4 { body(key) }
        }
    }

    func withView<R>(_ body: (View) -> R) -> R {
        slots.withUnsafeBufferPointer { slots in
            postings.withUnsafeBufferPointer { postings in
                filter.withUnsafeBufferPointer { filter in
                    body(View(slots: slots, postings: postings, filter: filter, unknown: unknown))
                }
            }
        }
    }

    /// Bare pointers for looking up.
    struct View {
        fileprivate let slots: UnsafeBufferPointer<Slot>
        fileprivate let postings: UnsafeBufferPointer<Posting>
        fileprivate let filter: UnsafeBufferPointer<UInt64>
        fileprivate let unknown: Float

        /// Adds what a text shares with each part to `sums`.
        ///
        /// - Parameters:
        ///   - sums: of all parts, 0 before.
        ///   - touched: parts that share something; room for all.
        /// - Returns: how many parts those are, and the length of the text's own vector.
        func compare(
            _ text: UnsafeBufferPointer<UInt8>, _ sums: UnsafeMutableBufferPointer<Float>,
            _ touched: UnsafeMutableBufferPointer<UInt16>
        ) -> (count: Int, length: Float) {
            var count = 0
            var square: Float = 0
            var unknowns = 0
            FAQPieces.forEach(in: text) { key in
                let bit = FAQPieces.bit(key)
                guard filter[bit >> 6] & (1 << UInt64(bit & 63)) != 0 else {
                    unknowns &+= 1
                    return
                }
                var slot = FAQPieces.slot(key) & (slots.count &- 1)
                while slots[slot].key != 0, slots[slot].key != key { slot = (slot &+ 1) & (slots.count &- 1) }
                let found = slots[slot]
                guard found.key != 0 else {
                    unknowns &+= 1
                    return
                }
                square += found.weight * found.weight
                for p in Int(found.first)..<Int(found.first &+ found.count) {
                    let part = Int(postings[p].part)
                    if sums[part] == 0 {
                        touched[count] = postings[p].part
                        count &+= 1
                    }
                    sums[part] += found.weight * postings[p].weight
                }
            }
            square += unknown * Float(unknowns)
            return (count, max(0.01, square.squareRoot()))
        }
    }
}
