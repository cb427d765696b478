/// Four-byte pieces of the library's words with the entries that contain them: a similarity in spelling, independent of
/// terms.
///
/// An entry is the mean of its wordings, so they support each other: pieces common to all of them count fully, and
/// pieces of only one count little. A piece counts more, the fewer wordings contain it. A word includes a blank on
/// either side; a word of one letter is a piece of its own. Punctuation counts as a blank.
struct FAQPieces: Sendable {
    /// An occurrence of a piece in an entry.
    struct Posting: Sendable {
        var entry: UInt16
        /// Weight of the piece in the entry's vector, which has length 1.
        var weight: Float
    }

    /// One piece; key 0 is free.
    fileprivate struct Slot: Sendable {
        var key: UInt32 = 0
        var first: UInt32 = 0
        var count: UInt32 = 0
        var weight: Float = 0
    }

    /// Pieces that occur in more entries than this tell too little to be looked up.
    private static let commonLimit = 256
    /// Maximum number of bytes of a wording that are read.
    private static let byteLimit = 1000
    fileprivate static let filterBits = 16

    private var slots: [Slot] = [Slot()]
    private var postings: [Posting] = []
    private var filter = [UInt64](repeating: 0, count: 1 << (filterBits - 6))
    /// Square of the weight of a piece that the library does not contain.
    private var unknown: Float = 0

    /// Builds the index.
    ///
    /// - Parameters:
    ///   - wordings: the folded text of each wording, and the entry it belongs to.
    ///   - entries: number of entries.
    init(wordings: [(text: [UInt8], entry: Int)], entries: Int) {
        var wordingsOf: [UInt32: Int] = [:]
        var countsOf: [[UInt32: Float]] = []
        for wording in wordings {
            var counts: [UInt32: Float] = [:]
            wording.text.prefix(Self.byteLimit).withUnsafeBufferPointer { text in
                Self.forEach(in: text) { counts[$0, default: 0] += 1 }
            }
            for key in counts.keys { wordingsOf[key, default: 0] += 1 }
            countsOf.append(counts)
        }
        let all = Float(wordings.count + 1)
        let weights = wordingsOf.mapValues { 1 + FAQIndex.log(all / Float($0 + 1)) }
        var sums = [[UInt32: Float]](repeating: [:], count: entries)
        for (counts, wording) in zip(countsOf, wordings) {
            var vector = counts
            for (key, count) in counts { vector[key] = count * (weights[key] ?? 0) }
            for (key, weight) in Self.normalized(vector) { sums[wording.entry][key, default: 0] += weight }
        }
        var places: [UInt32: [Posting]] = [:]
        for (entry, sum) in sums.enumerated() {
            for (key, weight) in Self.normalized(sum) {
                places[key, default: []].append(Posting(entry: UInt16(entry), weight: weight))
            }
        }
        // Slightly less than a piece of a single wording, because misspelt words consist of such pieces.
        let most = 0.6 * FAQIndex.log(all)
        unknown = most * most
        var size = 64
        while size < places.count * 2 { size *= 2 }
        slots = [Slot](repeating: Slot(), count: size)
        for (key, entries) in places.sorted(by: { $0.key < $1.key }) {
            let bit = Self.bit(key)
            filter[bit >> 6] |= 1 << UInt64(bit & 63)
            var slot = Self.slot(key) & (size - 1)
            while slots[slot].key != 0 { slot = (slot + 1) & (size - 1) }
            slots[slot] = Slot(key: key, first: UInt32(postings.count), count: 0, weight: weights[key] ?? 0)
            guard entries.count <= Self.commonLimit else { continue }
            slots[slot].count = UInt32(entries.count)
            postings += entries
        }
    }

    /// Scales a vector to length 1; summed in a fixed order, so that the same library gives the same bits.
    private static func normalized(_ vector: [UInt32: Float]) -> [UInt32: Float] {
        let square = vector.sorted { $0.key < $1.key }.reduce(Float(0)) { $0 + $1.value * $1.value }
        let length = max(0.01, square.squareRoot())
        return vector.mapValues { $0 / length }
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
        /// Number of bytes of the word so far.
        var count = 0
        for i in 0...text.count {
            // ASCII letters and digits, and all non-ASCII bytes.
            var byte: UInt8 = 0x20
            if i < text.count {
                byte = text[i]
                let isLetter = byte >= 0x80 || byte &- 0x61 < 26 || byte &- 0x30 < 10
                if !isLetter { byte = 0x20 }
            }
            if byte == 0x20 {
                if count > 0 { body(key &<< 8 | 0x20) }
                key = 0x20
                count = 0
            } else {
                key = key &<< 8 | UInt32(byte)
                count &+= 1
                if count >= 3 { body(key) }
            }
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

    /// Bare pointers for look-ups.
    struct View {
        fileprivate let slots: UnsafeBufferPointer<Slot>
        fileprivate let postings: UnsafeBufferPointer<Posting>
        fileprivate let filter: UnsafeBufferPointer<UInt64>
        fileprivate let unknown: Float

        /// Adds what a text shares with each entry to `found`.
        fileprivate func add(_ text: UnsafeBufferPointer<UInt8>, to found: inout Likeness) {
            var count = found.count
            var square: Float = 0
            var unknowns = 0
            let (sums, touched) = (found.sums, found.touched)
            FAQPieces.forEach(in: text) { key in
                let bit = FAQPieces.bit(key)
                guard filter[bit >> 6] & (1 << UInt64(bit & 63)) != 0 else {
                    unknowns &+= 1
                    return
                }
                var slot = FAQPieces.slot(key) & (slots.count &- 1)
                while slots[slot].key != 0, slots[slot].key != key { slot = (slot &+ 1) & (slots.count &- 1) }
                let known = slots[slot]
                guard known.key != 0 else {
                    unknowns &+= 1
                    return
                }
                square += known.weight * known.weight
                for p in Int(known.first)..<Int(known.first &+ known.count) {
                    let entry = Int(postings[p].entry)
                    if sums[entry] == 0 {
                        touched[count] = postings[p].entry
                        count &+= 1
                    }
                    sums[entry] += known.weight * postings[p].weight
                }
            }
            found.count = count
            found.square += square + unknown * Float(unknowns)
        }
    }

    /// What a stretch of a text shares with each entry; can be extended with the stretch.
    struct Likeness {
        /// One sum per entry.
        let sums: UnsafeMutableBufferPointer<Float>
        /// Entries that share something; room for all.
        let touched: UnsafeMutableBufferPointer<UInt16>
        fileprivate(set) var count = 0
        fileprivate var square: Float = 0
        /// The bytes of the text that are included.
        private var bytes = 0..<0

        init(entries: Int) {
            sums = .allocate(capacity: entries)
            sums.initialize(repeating: 0)
            touched = .allocate(capacity: entries)
            touched.initialize(repeating: 0)
        }

        func deallocate() {
            sums.deallocate()
            touched.deallocate()
        }

        /// Length of the stretch's own vector.
        var length: Float { max(0.01, square.squareRoot()) }

        mutating func clear() {
            for k in 0..<count { sums[Int(touched[k])] = 0 }
            count = 0
            square = 0
            bytes = 0..<0
        }

        /// Moves to another stretch.
        ///
        /// If the new stretch extends the previous one, as a sentence extends its last clause, only the new part is
        /// looked up; this works because no piece crosses the end of a word.
        mutating func move(to stretch: Range<Int>, of text: UnsafeBufferPointer<UInt8>, _ pieces: View) {
            if bytes.isEmpty || bytes.lowerBound < stretch.lowerBound || bytes.upperBound > stretch.upperBound {
                clear()
                bytes = stretch.lowerBound..<stretch.lowerBound
            }
            if stretch.lowerBound < bytes.lowerBound {
                pieces.add(UnsafeBufferPointer(rebasing: text[stretch.lowerBound..<bytes.lowerBound]), to: &self)
            }
            if bytes.upperBound < stretch.upperBound {
                pieces.add(UnsafeBufferPointer(rebasing: text[bytes.upperBound..<stretch.upperBound]), to: &self)
            }
            bytes = stretch
        }
    }
}
