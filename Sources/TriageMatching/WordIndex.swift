import CPatternScan
import CPrefetch
import TriageCore

/// Finds thousands of whole words and phrases by looking up each word of a text once.
///
/// Measured here: with 21,000 words and phrases, Vectorscan's literal matcher took several microseconds per message and
/// 0.4 s to compile. This index takes a few hundred nanoseconds, because the words of a text are hashed anyway, and is
/// built in milliseconds. It takes time linear in the text: each word costs at most two look-ups, whose results are
/// compared with the few phrases that begin with the same two words.
///
/// All tables are flat, so the index loads from a cache without conversion.
struct WordIndex: Sendable {
    /// A phrase: where its bytes lie, where its first word is, and its pattern number.
    fileprivate struct Entry: BitwiseCopyable {
        var offset: UInt32
        /// Number of bytes from the beginning of the first word to the end of the phrase.
        var reach: UInt16
        /// Number of bytes before the first word, such as `$` or `#`.
        var prefix: UInt8
        /// Number of bits of ``tail`` that a phrase of less than four bytes leaves unused; the highest bit marks the
        /// last entry of a bucket.
        var marks: UInt8
        var pattern: UInt32
        /// The last four bytes of the phrase, the very last one highest: most phrases of a bucket differ there.
        var tail: UInt32

        static let last: UInt8 = 0x80

        init(_ phrase: [UInt8], pattern: Int, offset: Int, prefix: Int) {
            self.offset = UInt32(offset)
            reach = UInt16(phrase.count - prefix)
            self.prefix = UInt8(prefix)
            marks = UInt8(8 * max(0, 4 - phrase.count))
            self.pattern = UInt32(pattern)
            tail = phrase.reduce(0) { $0 >> 8 | UInt32($1) << 24 }
        }

        var length: Int { Int(reach) &+ Int(prefix) }
    }

    /// A bucket: the phrases that begin with the same word, or the same two words.
    fileprivate struct Slot: BitwiseCopyable {
        var key: UInt32 = 0
        /// Index of the first entry; the highest number means an empty slot.
        var first = Slot.none

        static let none = UInt32.max
    }

    /// The roles that a word may have in a phrase, four bits per word.
    private enum Part {
        /// The only word of a phrase.
        static let single: UInt8 = 1
        static let first: UInt8 = 2
        static let second: UInt8 = 4

        /// The same bits for sixteen words.
        static let singles: UInt64 = 0x1111_1111_1111_1111
        static let firsts: UInt64 = 0x2222_2222_2222_2222
    }

    private var bytes: [UInt8] = []
    private var entries: [Entry] = []
    private var slots: [Slot] = []
    /// Two filters: the roles that a word may have, by the high bits of its hash; and one bit per key, shared by a few
    /// keys.
    ///
    /// Most words of a text begin no phrase. These filters tell so and fit into CPU caches that are too small for the
    /// slots.
    private var parts: [UInt8] = []
    private var keyBits: [UInt64] = []
    private static let keyBitCount: UInt32 = 18

    /// Builds the index.
    ///
    /// - Parameter phrases: the folded bytes and the pattern number of each phrase; those without a word are left out.
    init(_ phrases: [(bytes: [UInt8], pattern: Int)]) {
        var buckets: [UInt32: [Entry]] = [:]
        var parts = [UInt8](repeating: 0, count: 1 << 16)
        for phrase in phrases {
            guard let words = Self.words(of: phrase.bytes) else { continue }
            let entry = Entry(phrase.bytes, pattern: phrase.pattern, offset: bytes.count, prefix: words.prefix)
            bytes += phrase.bytes
            let first = UInt32(truncatingIfNeeded: words.first)
            if let second = words.second.map({ UInt32(truncatingIfNeeded: $0) }) {
                buckets[Self.key(first, second), default: []].append(entry)
                parts[Self.part(first)] |= Part.first
                parts[Self.part(second)] |= Part.second
            } else {
                buckets[Self.key(first, 0), default: []].append(entry)
                parts[Self.part(first)] |= Part.single
            }
        }
        self.parts = parts
        slots = table(buckets)
        makeBits()
    }

    private mutating func makeBits() {
        keyBits = [UInt64](repeating: 0, count: 1 << Int(Self.keyBitCount - 6))
        for slot in slots where slot.first != Slot.none {
            let bit = slot.key >> (32 - Self.keyBitCount)
            keyBits[Int(bit >> 6)] |= 1 << UInt64(bit & 63)
        }
    }

    /// Whether this index can hold a phrase: it must contain a word and be within the length limits.
    static func takes(_ phrase: [UInt8]) -> Bool { words(of: phrase) != nil }

    private mutating func table(_ buckets: [UInt32: [Entry]]) -> [Slot] {
        // Three of four slots stay empty, so that most keys are where their search begins.
        var size = 16
        while size < buckets.count * 4 { size *= 2 }
        var slots = [Slot](repeating: Slot(), count: size)
        // Sorted, so that the same rules give the same bytes.
        for (key, bucket) in buckets.sorted(by: { $0.key < $1.key }) {
            var slot = Self.home(key) & (size - 1)
            while slots[slot].first != Slot.none { slot = (slot + 1) & (size - 1) }
            slots[slot] = Slot(key: key, first: UInt32(entries.count))
            entries += bucket
            entries[entries.count - 1].marks |= Entry.last
        }
        return slots
    }

    /// Where the search for a key begins.
    @inline(__always)
    private static func home(_ key: UInt32) -> Int { Int(key >> 12) }

    /// Index in ``parts`` for a word.
    @inline(__always)
    private static func part(_ word: UInt32) -> Int { Int(word >> 16) }

    /// Combines the hashes of two words.
    ///
    /// - Parameter second: 0 for a phrase of one word.
    @inline(__always)
    private static func key(_ first: UInt32, _ second: UInt32) -> UInt32 { (first &* 3) ^ second }

    /// Returns the hashes of the first two words of a folded phrase, as ``TextFolder`` would split it; nil when the
    /// phrase has no word, or is too long for an entry.
    private static func words(of phrase: [UInt8]) -> (prefix: Int, first: UInt64, second: UInt64?)? {
        guard phrase.count <= 4096 else { return nil }
        let text = String(decoding: phrase, as: UTF8.self)
        var folded: [UInt8] = []
        var marks: [FoldMark] = []
        var tokens: [Token] = []
        var copy = text
        _ = copy.withUTF8 { TextFolder.shared.fold($0, folded: &folded, marks: &marks, tokens: &tokens) }
        // A folded phrase must fold to itself, otherwise its offsets would be wrong.
        guard let first = tokens.first, first.start <= UInt8.max, folded.dropLast().elementsEqual(phrase) else {
            return nil
        }
        return (Int(first.start), first.hash, tokens.count > 1 ? tokens[1].hash : nil)
    }

    /// Calls `body` with the tables, for a batch of scans.
    func withTables<R>(_ body: (Tables) -> R) -> R {
        parts.withUnsafeBufferPointer { parts in
            keyBits.withUnsafeBufferPointer { keyBits in
                entries.withUnsafeBufferPointer { entries in
                    bytes.withUnsafeBytes { bytes in
                        slots.withUnsafeBufferPointer { slots in
                            withUnsafeTemporaryAllocation(of: Candidate.self, capacity: Self.candidateLimit) { room in
                                body(
                                    Tables(
                                        parts: parts, keyBits: keyBits, slots: slots, entries: entries, bytes: bytes,
                                        candidates: room))
                            }
                        }
                    }
                }
            }
        }
    }

    /// A word that may begin a phrase, alone or together with the next word.
    fileprivate struct Candidate: BitwiseCopyable {
        var key: UInt32
        var token: UInt32
    }

    /// Number of words examined before the slots of their candidates are read.
    private static let stride = 64
    /// Maximum number of candidates among these: each word alone, and each with the next word.
    private static let candidateLimit = 2 * stride

    /// The tables without their owners, so that a scan does no reference counting.
    struct Tables {
        fileprivate let parts: UnsafeBufferPointer<UInt8>
        fileprivate let keyBits: UnsafeBufferPointer<UInt64>
        fileprivate let slots: UnsafeBufferPointer<Slot>
        fileprivate let entries: UnsafeBufferPointer<Entry>
        fileprivate let bytes: UnsafeRawBufferPointer
        fileprivate let candidates: UnsafeMutableBufferPointer<Candidate>

        /// Calls `body` with the pattern, start and end of every phrase in a text, in the order of their first words.
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
                let to = min(from &+ WordIndex.stride, tokens.count)
                var count = 0
                while from < to {
                    gather(may(tokens, from), tokens, from, &count)
                    from &+= 16
                }
                // Slots are usually not cached. All are prefetched before the first is read, so that the waiting times
                // overlap.
                for c in 0..<count { prefetch(candidates[c].key) }
                for c in 0..<count {
                    let first = find(candidates[c].key)
                    if first != Slot.none {
                        check(Int(first), at: Int(tokens[Int(candidates[c].token)].start), text, body)
                    }
                }
            }
        }

        /// Returns which of sixteen words may be a phrase (lowest of the four bits per word), and which may begin one
        /// together with the next word (second bit).
        @inline(__always)
        private func may(_ tokens: UnsafeBufferPointer<Token>, _ from: Int) -> UInt64 {
            let left = tokens.count &- from
            var words: UInt64 = 0
            // Most texts have at least sixteen words, and a fixed count makes the loop faster.
            var i = 16
            if left < 16 {
                i = left
                while i > 0 {
                    i &-= 1
                    words = words &<< 4 | part(tokens, from &+ i)
                }
            } else {
                while i > 0 {
                    i &-= 1
                    words = words &<< 4 | part(tokens, from &+ i)
                }
            }
            // Includes the seventeenth word, if there is one, as the one after the sixteenth.
            let behind = words &>> 4 | (left > 16 ? part(tokens, from &+ 16) &<< 60 : 0)
            return words & Part.singles | words & (behind &>> 1) & Part.firsts
        }

        /// Collects the candidates that pass the filter, without branches.
        @inline(__always)
        private func gather(
            _ may: UInt64, _ tokens: UnsafeBufferPointer<Token>, _ from: Int, _ count: inout Int
        ) {
            var rest = may
            while rest != 0 {
                let place = Int(truncatingIfNeeded: tps_lowest(rest))
                rest &= rest &- 1
                let i = from &+ place &>> 2
                let isPair = place & 1
                let second = hash(tokens, i &+ isPair) & (0 &- UInt32(truncatingIfNeeded: isPair))
                let key = WordIndex.key(hash(tokens, i), second)
                candidates[count] = Candidate(key: key, token: UInt32(truncatingIfNeeded: i))
                let bit = key &>> (32 &- WordIndex.keyBitCount)
                count &+= Int(truncatingIfNeeded: keyBits[Int(bit &>> 6)] &>> UInt64(bit) & 1)
            }
        }

        @inline(__always)
        private func hash(_ tokens: UnsafeBufferPointer<Token>, _ i: Int) -> UInt32 {
            UInt32(truncatingIfNeeded: tokens[i].hash)
        }

        @inline(__always)
        private func part(_ tokens: UnsafeBufferPointer<Token>, _ i: Int) -> UInt64 {
            UInt64(parts[WordIndex.part(hash(tokens, i))])
        }

        @inline(__always)
        private func prefetch(_ key: UInt32) {
            guard let slots = slots.baseAddress else { return }
            prefetch_line(slots + (WordIndex.home(key) & (self.slots.count &- 1)))
        }

        /// Returns the first entry of a key's bucket; ``Slot/none`` when there is none.
        @inline(__always)
        private func find(_ key: UInt32) -> UInt32 {
            let mask = slots.count &- 1
            var index = WordIndex.home(key) & mask
            while slots[index].key != key, slots[index].first != Slot.none { index = (index &+ 1) & mask }
            return slots[index].first
        }

        /// Reports the phrases of a bucket that occur at a place in a text.
        ///
        /// - Parameters:
        ///   - first: the bucket's first entry.
        ///   - wordStart: where the phrase's first word begins.
        @inline(__always)
        private func check(
            _ first: Int, at wordStart: Int, _ text: UnsafeBufferPointer<UInt8>, _ body: (Int, Int, Int) -> Void
        ) {
            guard var entry = entries.baseAddress.map({ $0 + first }) else { return }
            let left = text.count &- wordStart
            while true {
                let reach = Int(entry.pointee.reach)
                if reach <= left {
                    let end = wordStart &+ reach
                    let difference = (tail(of: text, end) ^ entry.pointee.tail) &>> UInt32(entry.pointee.marks & 31)
                    if difference == 0 { compare(entry.pointee, end, text, body) }
                }
                if entry.pointee.marks & Entry.last != 0 { return }
                entry += 1
            }
        }

        /// Reports a phrase if the text contains it completely, ending at a given place.
        @inline(__always)
        private func compare(
            _ entry: Entry, _ end: Int, _ text: UnsafeBufferPointer<UInt8>, _ body: (Int, Int, Int) -> Void
        ) {
            let start = end &- entry.length
            if start >= 0, isSame(entry, UnsafeRawBufferPointer(text), start, end),
                !WordBoundary.isInsideWord(text, at: end),
                entry.prefix == 0 || !WordBoundary.isInsideWord(text, at: start)
            {
                body(Int(entry.pattern), start, end)
            }
        }

        /// Returns the four bytes before a place in a text, the last one highest.
        @inline(__always)
        private func tail(of text: UnsafeBufferPointer<UInt8>, _ end: Int) -> UInt32 {
            if end >= 4 { return load(UnsafeRawBufferPointer(text), end &- 4) }
            var tail: UInt32 = 0
            for i in 0..<end { tail = tail &>> 8 | UInt32(text[i]) &<< 24 }
            return tail
        }

        /// Whether a phrase occurs in a text, given that its last four bytes match.
        ///
        /// Compares the rest in steps of eight or four bytes; the last step may overlap the one before.
        @inline(__always)
        private func isSame(_ entry: Entry, _ text: UnsafeRawBufferPointer, _ start: Int, _ end: Int) -> Bool {
            let length = end &- start
            let offset = Int(entry.offset)
            if length < 8 {
                return length <= 4 || load(bytes, offset) as UInt32 == load(text, start)
            }
            var k = length &- 8
            while true {
                if load(bytes, offset &+ k) as UInt64 != load(text, start &+ k) { return false }
                if k == 0 { return true }
                k = max(0, k &- 8)
            }
        }

        @inline(__always)
        private func load<Number: FixedWidthInteger & BitwiseCopyable>(
            _ bytes: UnsafeRawBufferPointer, _ offset: Int
        ) -> Number {
            Number(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Number.self))
        }
    }
}

extension WordIndex {
    /// Returns the index as flat bytes; see ``init(encoded:)``.
    func encoded() -> [[UInt8]] {
        func raw<T>(_ array: [T]) -> [UInt8] { array.withUnsafeBytes { Array($0) } }
        return [bytes, raw(entries), raw(slots), parts]
    }

    /// Restores an index; nil when the blocks are inconsistent.
    ///
    /// - Parameter encoded: as returned by ``encoded()`` on the same machine.
    init?(encoded: ArraySlice<ArraySlice<UInt8>>) {
        guard encoded.count == 4 else { return nil }
        let blocks = Array(encoded)
        func array<T: BitwiseCopyable>(_ raw: ArraySlice<UInt8>, of type: T.Type) -> [T]? {
            guard raw.count % MemoryLayout<T>.stride == 0 else { return nil }
            return raw.withUnsafeBytes { source in
                [T](unsafeUninitializedCapacity: raw.count / MemoryLayout<T>.stride) { buffer, count in
                    UnsafeMutableRawBufferPointer(buffer).copyMemory(from: source)
                    count = raw.count / MemoryLayout<T>.stride
                }
            }
        }
        guard let entries = array(blocks[1], of: Entry.self), let slots = array(blocks[2], of: Slot.self),
            blocks[3].count == 1 << 16, blocks[3].allSatisfy({ $0 < 1 << 4 })
        else { return nil }
        self.init([])
        bytes = Array(blocks[0])
        self.entries = entries
        self.slots = slots
        parts = Array(blocks[3])
        // A slot that points outside, a bucket without an end, or a table without an empty slot would make a scan read
        // invalid memory or run forever.
        guard slots.count.nonzeroBitCount == 1, slots.contains(where: { $0.first == Slot.none }),
            slots.allSatisfy({ $0.first == Slot.none || Int($0.first) < entries.count })
        else { return nil }
        guard entries.last.map({ $0.marks & Entry.last != 0 }) ?? true,
            entries.allSatisfy({ Int($0.offset) + $0.length <= bytes.count })
        else { return nil }
        makeBits()
    }
}

extension WordIndex {
    /// The highest pattern number; −1 when the index is empty.
    var highestPattern: Int { entries.map { Int($0.pattern) }.max() ?? -1 }
}

extension TextFolder {
    static let shared = TextFolder()
}

/// Tests whether an offset lies inside a word.
enum WordBoundary {
    /// Whether there are letters or digits on both sides of an offset.
    @inline(__always)
    static func isInsideWord(_ text: UnsafeBufferPointer<UInt8>, at offset: Int) -> Bool {
        guard offset > 0, offset < text.count else { return false }
        let after = text[offset]
        // Usually it is a blank.
        if after < 0x80, !isASCIIWord(after) { return false }
        let before = text[offset &- 1]
        if before < 0x80, after < 0x80 { return isASCIIWord(before) }
        return tps_word_before(text.baseAddress, 0, offset) != 0
            && tps_word_at(text.baseAddress, text.count, offset) != 0
    }

    @inline(__always)
    private static func isASCIIWord(_ byte: UInt8) -> Bool {
        byte &- 0x61 < 26 || byte &- 0x30 < 10
    }
}
