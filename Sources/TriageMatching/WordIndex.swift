import CPatternScan
import TriageCore

/// Finds thousands of whole words and phrases by looking up each word of a text once.
///
/// Measured here: with 21,000 words and phrases the literal matcher of Vectorscan took several microseconds a message and
/// 0.4 s to compile; this takes a few hundred nanoseconds, because the words of a text are hashed anyway, and builds in
/// milliseconds. Linear in the text: each word costs at most two look-ups, and what they find is compared with the few
/// phrases that begin with the same two words.
///
/// Everything is flat, so that it loads from a cache as it is.
struct WordIndex: Sendable {
    /// A phrase: where its bytes lie, what stands before its first word, and which pattern it is.
    fileprivate struct Entry: BitwiseCopyable {
        var offset: UInt32
        var length: UInt16
        /// Bytes before the first word, such as `$` or `#`; the highest bit marks the last entry of a bucket.
        var prefix: UInt16
        var pattern: UInt32
        /// The last four bytes of a phrase that has as many: most phrases of a bucket differ there.
        var tail: UInt32

        static let last: UInt16 = 0x8000
    }

    /// A bucket: the phrases that begin with a word, or with two.
    fileprivate struct Slot: BitwiseCopyable {
        var key: UInt32 = 0
        /// The first entry; the highest number: empty.
        var first = Slot.none

        static let none = UInt32.max
    }

    private var bytes: [UInt8] = []
    private var entries: [Entry] = []
    private var singles: [Slot] = []
    private var pairs: [Slot] = []
    /// One bit a key and a few keys a bit: most words of a text begin no phrase, and this says so from the first-level
    /// cache, where the tables do not fit.
    private var singleBits: [UInt64] = []
    private var pairBits: [UInt64] = []
    private static let singleMask: UInt32 = 1 << 17 - 1
    private static let pairMask: UInt32 = 1 << 18 - 1

    /// - Parameter phrases: folded bytes and the pattern number of each; those without a word in them are not taken.
    init(_ phrases: [(bytes: [UInt8], pattern: Int)]) {
        var singles: [UInt32: [Entry]] = [:]
        var pairs: [UInt32: [Entry]] = [:]
        for phrase in phrases {
            guard let words = Self.words(of: phrase.bytes) else { continue }
            let entry = Entry(
                offset: UInt32(bytes.count), length: UInt16(phrase.bytes.count), prefix: UInt16(words.prefix),
                pattern: UInt32(phrase.pattern), tail: phrase.bytes.count >= 4 ? Self.tail(of: phrase.bytes) : 0)
            bytes += phrase.bytes
            let first = UInt32(truncatingIfNeeded: words.first)
            if let second = words.second {
                pairs[Self.pair(first, UInt32(truncatingIfNeeded: second)), default: []].append(entry)
            } else {
                singles[first, default: []].append(entry)
            }
        }
        self.singles = table(singles)
        self.pairs = table(pairs)
        makeBits()
    }

    private static func tail(of phrase: [UInt8]) -> UInt32 {
        phrase.suffix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    private mutating func makeBits() {
        singleBits = Self.bits(of: singles, mask: Self.singleMask)
        pairBits = Self.bits(of: pairs, mask: Self.pairMask)
    }

    private static func bits(of slots: [Slot], mask: UInt32) -> [UInt64] {
        var bits = [UInt64](repeating: 0, count: (Int(mask) + 1) / 64)
        for slot in slots where slot.first != Slot.none {
            let bit = slot.key & mask
            bits[Int(bit >> 6)] |= 1 << UInt64(bit & 63)
        }
        return bits
    }

    /// Whether this index can take a phrase: it has a word, and fits the counts.
    static func takes(_ phrase: [UInt8]) -> Bool { phrase.count <= 4096 && words(of: phrase) != nil }

    private mutating func table(_ buckets: [UInt32: [Entry]]) -> [Slot] {
        var size = 16
        while size < buckets.count * 2 { size *= 2 }
        var slots = [Slot](repeating: Slot(), count: size)
        // In order, so that the same rules give the same bytes.
        for (key, bucket) in buckets.sorted(by: { $0.key < $1.key }) {
            var slot = Self.home(key) & (size - 1)
            while slots[slot].first != Slot.none { slot = (slot + 1) & (size - 1) }
            slots[slot] = Slot(key: key, first: UInt32(entries.count))
            entries += bucket
            entries[entries.count - 1].prefix |= Entry.last
        }
        return slots
    }

    /// Other bits of a key than most of those that the filters go by.
    @inline(__always)
    private static func home(_ key: UInt32) -> Int { Int(key >> 12) }

    @inline(__always)
    private static func pair(_ first: UInt32, _ second: UInt32) -> UInt32 { (first &* 3) ^ second }

    /// Hashes of the first two words of a folded phrase, as ``TextFolder`` would split it; nil when it has none.
    private static func words(of phrase: [UInt8]) -> (prefix: Int, first: UInt64, second: UInt64?)? {
        let text = String(decoding: phrase, as: UTF8.self)
        var folded: [UInt8] = []
        var marks: [FoldMark] = []
        var tokens: [Token] = []
        var copy = text
        _ = copy.withUTF8 { TextFolder.shared.fold($0, folded: &folded, marks: &marks, tokens: &tokens) }
        // A folded phrase folds to itself, or its offsets would not fit.
        guard let first = tokens.first, folded.dropLast().elementsEqual(phrase) else { return nil }
        return (Int(first.start), first.hash, tokens.count > 1 ? tokens[1].hash : nil)
    }

    /// Gives `body` the tables for a batch of scans.
    func withTables<R>(_ body: (Tables) -> R) -> R {
        singleBits.withUnsafeBufferPointer { singleBits in
            pairBits.withUnsafeBufferPointer { pairBits in
                entries.withUnsafeBufferPointer { entries in
                    bytes.withUnsafeBytes { bytes in
                        singles.withUnsafeBufferPointer { singles in
                            pairs.withUnsafeBufferPointer { pairs in
                                body(
                                    Tables(
                                        singleBits: singleBits, pairBits: pairBits, singles: singles, pairs: pairs,
                                        entries: entries, bytes: bytes))
                            }
                        }
                    }
                }
            }
        }
    }

    /// The tables without their owners, so that a scan retains nothing.
    struct Tables {
        fileprivate let singleBits: UnsafeBufferPointer<UInt64>
        fileprivate let pairBits: UnsafeBufferPointer<UInt64>
        fileprivate let singles: UnsafeBufferPointer<Slot>
        fileprivate let pairs: UnsafeBufferPointer<Slot>
        fileprivate let entries: UnsafeBufferPointer<Entry>
        fileprivate let bytes: UnsafeRawBufferPointer

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
            var from = 0
            while from < tokens.count {
                scan(text, tokens, from, body)
                from += 64
            }
        }

        /// Scans from 64 words on: sorts out those that may begin a phrase, alone or with the word behind them, without
        /// a branch; asks for their slots, because the tables lie far away and the waits should overlap; and reads them.
        @inline(__always)
        private func scan(
            _ text: UnsafeBufferPointer<UInt8>, _ tokens: UnsafeBufferPointer<Token>, _ from: Int,
            _ body: (Int, Int, Int) -> Void
        ) {
            let to = min(from + 64, tokens.count)
            var maySingle: UInt64 = 0
            var mayPair: UInt64 = 0
            var next = to < tokens.count ? key(tokens, to) : 0
            var i = to
            while i > from {
                i &-= 1
                let word = key(tokens, i)
                let pair = WordIndex.pair(word, next)
                maySingle = maySingle &<< 1 | bit(word & WordIndex.singleMask, of: singleBits)
                mayPair = mayPair &<< 1 | bit(pair & WordIndex.pairMask, of: pairBits)
                next = word
            }
            // The last word of the text has none behind it.
            if to == tokens.count { mayPair &= ~(1 &<< UInt64(to &- 1 &- from)) }
            prefetch(maySingle, mayPair, tokens, from)
            var rest = maySingle | mayPair
            while rest != 0 {
                let place = UInt64(truncatingIfNeeded: rest.trailingZeroBitCount)
                rest &= rest &- 1
                let i = from &+ Int(truncatingIfNeeded: place)
                let start = Int(tokens[i].start)
                if maySingle &>> place & 1 != 0, let first = WordIndex.find(key(tokens, i), in: singles) {
                    check(first, at: start, text, body)
                }
                if mayPair &>> place & 1 != 0 {
                    let pair = WordIndex.pair(key(tokens, i), key(tokens, i &+ 1))
                    if let first = WordIndex.find(pair, in: pairs) { check(first, at: start, text, body) }
                }
            }
        }

        @inline(__always)
        private func key(_ tokens: UnsafeBufferPointer<Token>, _ i: Int) -> UInt32 {
            UInt32(truncatingIfNeeded: tokens[i].hash)
        }

        @inline(__always)
        private func bit(_ place: UInt32, of bits: UnsafeBufferPointer<UInt64>) -> UInt64 {
            bits[Int(place >> 6)] &>> UInt64(place) & 1
        }

        @inline(__always)
        private func prefetch(
            _ maySingle: UInt64, _ mayPair: UInt64, _ tokens: UnsafeBufferPointer<Token>, _ from: Int
        ) {
            guard let singles = singles.baseAddress, let pairs = pairs.baseAddress else { return }
            let singleMask = self.singles.count &- 1
            let pairMask = self.pairs.count &- 1
            var rest = maySingle
            while rest != 0 {
                let word = key(tokens, from &+ rest.trailingZeroBitCount)
                tps_prefetch(singles + (WordIndex.home(word) & singleMask))
                rest &= rest &- 1
            }
            rest = mayPair
            while rest != 0 {
                let i = from &+ rest.trailingZeroBitCount
                let pair = WordIndex.pair(key(tokens, i), key(tokens, i &+ 1))
                tps_prefetch(pairs + (WordIndex.home(pair) & pairMask))
                rest &= rest &- 1
            }
        }

        /// Tells of the phrases of a bucket that stand in a text.
        ///
        /// - Parameters:
        ///   - first: the bucket's first entry.
        ///   - wordStart: where the phrase's first word begins.
        @inline(__always)
        private func check(
            _ first: Int, at wordStart: Int, _ text: UnsafeBufferPointer<UInt8>, _ body: (Int, Int, Int) -> Void
        ) {
            var e = first
            while true {
                let entry = entries[e]
                e &+= 1
                let prefix = Int(entry.prefix & ~Entry.last)
                let start = wordStart &- prefix
                let end = start &+ Int(entry.length)
                if start >= 0, end <= text.count, isSame(entry, UnsafeRawBufferPointer(text), end),
                    !WordBoundary.isInsideWord(text, at: end),
                    prefix == 0 || !WordBoundary.isInsideWord(text, at: start)
                {
                    body(Int(entry.pattern), start, end)
                }
                if entry.prefix & Entry.last != 0 { return }
            }
        }

        /// Whether a phrase's bytes end at `end` of the text, which has as many.
        @inline(__always)
        private func isSame(_ entry: Entry, _ text: UnsafeRawBufferPointer, _ end: Int) -> Bool {
            var rest = Int(entry.length)
            if rest >= 4 {
                let tail = text.loadUnaligned(fromByteOffset: end &- 4, as: UInt32.self)
                guard UInt32(littleEndian: tail) == entry.tail else { return false }
                rest &-= 4
            }
            let place = end &- Int(entry.length)
            let offset = Int(entry.offset)
            // From the end: phrases of a bucket share their beginning.
            while rest >= 8 {
                rest &-= 8
                let mine = bytes.loadUnaligned(fromByteOffset: offset &+ rest, as: UInt64.self)
                if mine != text.loadUnaligned(fromByteOffset: place &+ rest, as: UInt64.self) { return false }
            }
            while rest > 0 {
                rest &-= 1
                if bytes[offset &+ rest] != text[place &+ rest] { return false }
            }
            return true
        }
    }

    /// The first entry of a key's bucket.
    @inline(__always)
    private static func find(_ key: UInt32, in slots: UnsafeBufferPointer<Slot>) -> Int? {
        let mask = slots.count - 1
        var index = home(key) & mask
        while slots[index].first != Slot.none {
            if slots[index].key == key { return Int(slots[index].first) }
            index = (index &+ 1) & mask
        }
        return nil
    }
}

extension WordIndex {
    /// The index as flat bytes; see ``init(encoded:)``.
    func encoded() -> [[UInt8]] {
        func raw<T>(_ array: [T]) -> [UInt8] { array.withUnsafeBytes { Array($0) } }
        return [bytes, raw(entries), raw(singles), raw(pairs)]
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
        guard let entries = array(parts[1], of: Entry.self), let singles = array(parts[2], of: Slot.self),
            let pairs = array(parts[3], of: Slot.self)
        else { return nil }
        self.init([])
        bytes = parts[0]
        self.entries = entries
        self.singles = singles
        self.pairs = pairs
        // A slot that points outside, a bucket without an end, or a table without an empty slot would make a scan read
        // wild or not end.
        for table in [singles, pairs] {
            guard table.count.nonzeroBitCount == 1, table.contains(where: { $0.first == Slot.none }),
                table.allSatisfy({ $0.first == Slot.none || Int($0.first) < entries.count })
            else { return nil }
        }
        guard entries.last.map({ $0.prefix & Entry.last != 0 }) ?? true,
            entries.allSatisfy({ Int($0.offset) + Int($0.length) <= bytes.count })
        else { return nil }
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
