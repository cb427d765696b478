import CPatternScan
import TriageCore

/// Finds thousands of whole words and phrases by looking up each word of a text once.
///
/// Measured here: with 21,000 words and phrases the literal matcher of Vectorscan took several microseconds a message and
/// 0.4 s to compile; this takes a few hundred nanoseconds, because the words of a text are hashed anyway, and builds in
/// milliseconds. Linear in the text: each word costs at most two look-ups, and what they find is compared byte by byte
/// with the few phrases that begin with the same two words.
///
/// Everything is flat, so that it loads from a cache as it is.
struct WordIndex: Sendable {
    /// A phrase: where its bytes lie, what stands before its first word, and which pattern it is.
    private struct Entry {
        var offset: UInt32
        var length: UInt16
        /// Bytes before the first word, such as `$` or `#`.
        var prefix: UInt16
        var pattern: UInt32
    }

    private struct Slot {
        /// 0: empty.
        var key: UInt64 = 0
        var first: UInt32 = 0
        var count: UInt16 = 0
        /// Whether longer phrases begin with this word.
        var leadsOn: UInt16 = 0
    }

    private var bytes: [UInt8] = []
    private var entries: [Entry] = []
    private var firsts: [Slot] = []
    private var pairs: [Slot] = []
    /// One bit a key and a few keys a bit: most words of a text begin no phrase, and this says so from the first-level
    /// cache, where the tables do not fit.
    private var firstBits: [UInt64] = []
    private var pairBits: [UInt64] = []
    private static let firstShift = 64 - 17
    private static let pairShift = 64 - 18

    /// - Parameter phrases: folded bytes and the pattern number of each; those without a word in them are not taken.
    init(_ phrases: [(bytes: [UInt8], pattern: Int)]) {
        var singles: [UInt64: [Entry]] = [:]
        var doubles: [UInt64: [Entry]] = [:]
        var leading: Set<UInt64> = []
        for phrase in phrases {
            guard let words = Self.words(of: phrase.bytes) else { continue }
            let entry = Entry(
                offset: UInt32(bytes.count), length: UInt16(phrase.bytes.count), prefix: UInt16(words.prefix),
                pattern: UInt32(phrase.pattern))
            bytes += phrase.bytes
            if let second = words.second {
                leading.insert(words.first)
                doubles[Self.pair(words.first, second), default: []].append(entry)
            } else {
                singles[words.first, default: []].append(entry)
            }
        }
        for word in leading where singles[word] == nil { singles[word] = [] }
        firsts = table(singles, leading: leading)
        pairs = table(doubles, leading: [])
        makeBits()
    }

    private mutating func makeBits() {
        firstBits = Self.bits(of: firsts, shift: Self.firstShift)
        pairBits = Self.bits(of: pairs, shift: Self.pairShift)
    }

    private static func bits(of slots: [Slot], shift: Int) -> [UInt64] {
        var bits = [UInt64](repeating: 0, count: (1 << (64 - shift)) / 64)
        for slot in slots where slot.key != 0 {
            let bit = Int(truncatingIfNeeded: spread(slot.key) >> UInt64(shift))
            bits[bit >> 6] |= 1 << UInt64(bit & 63)
        }
        return bits
    }

    @inline(__always)
    private static func spread(_ key: UInt64) -> UInt64 { key &* 0x9E37_79B9_7F4A_7C15 }

    @inline(__always)
    private static func mayHold(_ key: UInt64, _ bits: UnsafeBufferPointer<UInt64>, _ shift: Int) -> Bool {
        let bit = Int(truncatingIfNeeded: spread(key) >> UInt64(shift))
        return bits[bit >> 6] >> UInt64(bit & 63) & 1 != 0
    }

    /// Whether this index can take a phrase: it has a word, and fits the counts.
    static func takes(_ phrase: [UInt8]) -> Bool { phrase.count <= 4096 && words(of: phrase) != nil }

    private mutating func table(_ buckets: [UInt64: [Entry]], leading: Set<UInt64>) -> [Slot] {
        var size = 16
        while size < buckets.count * 2 { size *= 2 }
        var slots = [Slot](repeating: Slot(), count: size)
        // In order, so that the same rules give the same bytes.
        for key in buckets.keys.sorted() {
            let bucket = buckets[key] ?? []
            var slot = Self.home(key) & (size - 1)
            while slots[slot].key != 0 { slot = (slot + 1) & (size - 1) }
            slots[slot] = Slot(
                key: key, first: UInt32(entries.count), count: UInt16(min(bucket.count, Int(UInt16.max))),
                leadsOn: leading.contains(key) ? 1 : 0)
            entries += bucket.prefix(Int(UInt16.max))
        }
        return slots
    }

    @inline(__always)
    private static func home(_ key: UInt64) -> Int {
        Int(truncatingIfNeeded: spread(key) >> 32)
    }

    @inline(__always)
    private static func pair(_ first: UInt64, _ second: UInt64) -> UInt64 {
        ((first &* 0x100_0000_01B3) ^ second) | 1
    }

    /// Hashes of the first two words of a folded phrase, as ``TextFolder`` would split it; nil when it has none.
    private static func words(of phrase: [UInt8]) -> (prefix: Int, first: UInt64, second: UInt64?)? {
        let text = String(decoding: phrase, as: UTF8.self)
        var folded: [UInt8] = []
        var marks: [FoldMark] = []
        var tokens: [Token] = []
        var copy = text
        _ = copy.withUTF8 { TextFolder.shared.fold($0, folded: &folded, marks: &marks, tokens: &tokens) }
        // A folded phrase folds to itself, or its offsets would not fit.
        guard let first = tokens.first, folded.dropLast().elementsEqual(phrase), first.hash != 0 else { return nil }
        return (Int(first.start), first.hash, tokens.count > 1 ? tokens[1].hash : nil)
    }

    /// Calls `body` with pattern, start and end of every phrase in a text, in order of their first words.
    ///
    /// - Parameters:
    ///   - text: the folded bytes of one message.
    ///   - tokens: its words.
    @inline(__always)
    func scan(
        _ text: UnsafeBufferPointer<UInt8>, _ tokens: UnsafeBufferPointer<Token>,
        _ body: (_ pattern: Int, _ start: Int, _ end: Int) -> Void
    ) {
        guard !entries.isEmpty else { return }
        firstBits.withUnsafeBufferPointer { firstBits in
            pairBits.withUnsafeBufferPointer { pairBits in
                entries.withUnsafeBufferPointer { entries in
                    bytes.withUnsafeBufferPointer { bytes in
                        firsts.withUnsafeBufferPointer { firsts in
                            pairs.withUnsafeBufferPointer { pairs in
                                let tables = Tables(
                                    firstBits: firstBits, pairBits: pairBits, firsts: firsts, pairs: pairs,
                                    entries: entries, bytes: bytes)
                                var from = 0
                                while from < tokens.count {
                                    tables.scan(text, tokens, from, body)
                                    from += 64
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    /// The tables without their owners, so that a scan retains nothing.
    private struct Tables {
        let firstBits: UnsafeBufferPointer<UInt64>
        let pairBits: UnsafeBufferPointer<UInt64>
        let firsts: UnsafeBufferPointer<Slot>
        let pairs: UnsafeBufferPointer<Slot>
        let entries: UnsafeBufferPointer<Entry>
        let bytes: UnsafeBufferPointer<UInt8>

        /// Scans from 64 words on: asks for the slots of those that may begin a phrase, and of their pairs, and then
        /// reads them, because the tables lie far away and the waits should overlap.
        @inline(__always)
        func scan(
            _ text: UnsafeBufferPointer<UInt8>, _ tokens: UnsafeBufferPointer<Token>, _ from: Int,
            _ body: (Int, Int, Int) -> Void
        ) {
            let to = min(from + 64, tokens.count)
            let firstMask = firsts.count - 1
            let pairMask = pairs.count - 1
            var mayBegin: UInt64 = 0
            var mayPair: UInt64 = 0
            for i in from..<to {
                let hash = tokens[i].hash
                guard WordIndex.mayHold(hash, firstBits, WordIndex.firstShift) else { continue }
                mayBegin |= 1 << UInt64(i - from)
                tps_prefetch(firsts.baseAddress! + (WordIndex.home(hash) & firstMask))
                guard i + 1 < tokens.count else { continue }
                let pair = WordIndex.pair(hash, tokens[i + 1].hash)
                guard WordIndex.mayHold(pair, pairBits, WordIndex.pairShift) else { continue }
                mayPair |= 1 << UInt64(i - from)
                tps_prefetch(pairs.baseAddress! + (WordIndex.home(pair) & pairMask))
            }
            while mayBegin != 0 {
                let bit = mayBegin.trailingZeroBitCount
                mayBegin &= mayBegin &- 1
                let i = from + bit
                guard let slot = WordIndex.find(tokens[i].hash, in: firsts) else { continue }
                let start = Int(tokens[i].start)
                WordIndex.check(slot, at: start, text, entries, bytes, body)
                guard slot.leadsOn != 0, mayPair >> UInt64(bit) & 1 != 0 else { continue }
                let pair = WordIndex.pair(tokens[i].hash, tokens[i + 1].hash)
                if let slot = WordIndex.find(pair, in: pairs) {
                    WordIndex.check(slot, at: start, text, entries, bytes, body)
                }
            }
        }
    }

    @inline(__always)
    private static func find(_ key: UInt64, in slots: UnsafeBufferPointer<Slot>) -> Slot? {
        let mask = slots.count - 1
        var index = home(key) & mask
        while true {
            let slot = slots[index]
            if slot.key == key { return slot }
            if slot.key == 0 { return nil }
            index = (index + 1) & mask
        }
    }

    @inline(__always)
    private static func check(
        _ slot: Slot, at wordStart: Int, _ text: UnsafeBufferPointer<UInt8>, _ entries: UnsafeBufferPointer<Entry>,
        _ bytes: UnsafeBufferPointer<UInt8>, _ body: (Int, Int, Int) -> Void
    ) {
        for e in Int(slot.first)..<Int(slot.first) + Int(slot.count) {
            let entry = entries[e]
            let start = wordStart - Int(entry.prefix)
            let end = start + Int(entry.length)
            guard start >= 0, end <= text.count else { continue }
            var isSame = true
            var i = Int(entry.length) - 1
            let from = Int(entry.offset)
            // From the end: phrases of a bucket share their beginning.
            while i >= 0 {
                if bytes[from + i] != text[start + i] {
                    isSame = false
                    break
                }
                i -= 1
            }
            guard isSame else { continue }
            if WordBoundary.isInsideWord(text, at: end) { continue }
            if entry.prefix > 0, WordBoundary.isInsideWord(text, at: start) { continue }
            body(Int(entry.pattern), start, end)
        }
    }
}

extension WordIndex {
    /// The index as flat bytes; see ``init(encoded:)``.
    func encoded() -> [[UInt8]] {
        func raw<T>(_ array: [T]) -> [UInt8] { array.withUnsafeBytes { Array($0) } }
        return [bytes, raw(entries), raw(firsts), raw(pairs)]
    }

    /// - Parameter encoded: of ``encoded()`` on the same machine; nil comes of anything that does not fit together.
    init?(encoded: ArraySlice<[UInt8]>) {
        guard encoded.count == 4 else { return nil }
        let parts = Array(encoded)
        func array<T: BitwiseCopyable>(_ raw: [UInt8], of type: T.Type) -> [T]? {
            guard raw.count % MemoryLayout<T>.stride == 0 else { return nil }
            return raw.withUnsafeBytes { source in
                [T](unsafeUninitializedCapacity: raw.count / MemoryLayout<T>.stride) { buffer, count in
                    UnsafeMutableRawBufferPointer(buffer).copyMemory(from: source)
                    count = raw.count / MemoryLayout<T>.stride
                }
            }
        }
        guard let entries = array(parts[1], of: Entry.self), let firsts = array(parts[2], of: Slot.self),
            let pairs = array(parts[3], of: Slot.self)
        else { return nil }
        self.init([])
        bytes = parts[0]
        self.entries = entries
        self.firsts = firsts
        self.pairs = pairs
        // A slot that points outside, or a table without an empty slot, would make a scan read wild or not end.
        for table in [firsts, pairs] {
            guard table.count.nonzeroBitCount == 1, table.contains(where: { $0.key == 0 }),
                table.allSatisfy({ Int($0.first) + Int($0.count) <= entries.count })
            else { return nil }
        }
        guard entries.allSatisfy({ Int($0.offset) + Int($0.length) <= bytes.count }) else { return nil }
        makeBits()
    }
}

extension WordIndex {
    /// The highest pattern number; −1 when empty.
    var highestPattern: Int { entries.map { Int($0.pattern) }.max() ?? -1 }
}

extension TextFolder {
    static let shared = TextFolder()
}
