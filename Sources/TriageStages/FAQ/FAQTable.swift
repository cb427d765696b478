import TriageCore

/// A hash table from 64-bit keys to terms, eight bytes per entry, with a bit filter in front.
///
/// Entries hold 32 mixed bits of the key. Two keys are confused once in hundreds of thousands of misses that pass the
/// filter; a word then counts that should not.
struct FAQTable: Sendable {
    /// Fingerprint in the upper half, language and term below; 0 is free.
    private var slots: [UInt64]
    private var mask: Int
    private var used = 0
    private var filter: [UInt64]

    /// Binary logarithm of the number of bits in the filter.
    private static let filterBits = 17

    /// Language of entries that apply in all further languages and where the language is unknown.
    static let further: UInt8 = 0xFE
    /// Bit `n` is set if language `n` of ``LanguageTable`` is one of them.
    fileprivate static let furtherLanguages: UInt64 = [
        "nl", "pl", "ro", "sv", "da", "no", "fi", "cs", "hu", "vi", "tl", "sw", "uk", "bg", "sr", "ms", "ca",
    ].reduce(into: 1) { bits, tag in
        if let index = LanguageTable.index(of: tag) { bits |= 1 << UInt64(index) }
    }

    /// Whether a language is a further one: its words count in all further languages, but in no other.
    static func isFurther(_ tag: String) -> Bool {
        guard let index = LanguageTable.index(of: tag), index != LanguageTable.undetermined else { return false }
        return furtherLanguages & (1 << UInt64(index)) != 0
    }

    init(bits: Int) {
        slots = [UInt64](repeating: 0, count: 1 << bits)
        mask = (1 << bits) - 1
        filter = [UInt64](repeating: 0, count: 1 << (Self.filterBits - 6))
    }

    /// Adds a term for one language (0: any); the first one for a key and language stays.
    mutating func insert(_ key: UInt64, _ term: Int, _ language: UInt8) {
        if used * 2 >= slots.count { grow() }
        let mixed = Self.mix(key)
        var slot = Int(truncatingIfNeeded: mixed >> 32) & mask
        let entry = Self.entry(mixed, term, language)
        while slots[slot] != 0 {
            // Compares fingerprint, language and mark.
            if slots[slot] >> 16 == entry >> 16 { return }
            slot = (slot + 1) & mask
        }
        slots[slot] = entry
        used += 1
        let bit = Int(truncatingIfNeeded: mixed >> 20) & ((1 << Self.filterBits) - 1)
        filter[bit >> 6] |= 1 << UInt64(bit & 63)
    }

    /// Fingerprint in 32 bits, language in 8, mark in 8, term in 16; the mark keeps an entry from being 0.
    @inline(__always)
    private static func entry(_ mixed: UInt64, _ term: Int, _ language: UInt8) -> UInt64 {
        mixed & 0xFFFF_FFFF_0000_0000 | UInt64(language) << 24 | 1 << 16 | UInt64(term & 0xFFFF)
    }

    @inline(__always)
    fileprivate static func mix(_ key: UInt64) -> UInt64 {
        let x = (key ^ key >> 32) &* 0x9E37_79B9_7F4A_7C15
        return x ^ x >> 29
    }

    private mutating func grow() {
        let old = slots
        slots = [UInt64](repeating: 0, count: old.count * 2)
        mask = slots.count - 1
        for entry in old where entry != 0 {
            var slot = Int(truncatingIfNeeded: entry >> 32) & mask
            while slots[slot] != 0 { slot = (slot + 1) & mask }
            slots[slot] = entry
        }
    }

    func withView<R>(_ body: (View) -> R) -> R {
        slots.withUnsafeBufferPointer { slots in
            filter.withUnsafeBufferPointer { filter in body(View(slots: slots, filter: filter, mask: mask)) }
        }
    }

    /// Bare pointers for look-ups.
    struct View {
        fileprivate let slots: UnsafeBufferPointer<UInt64>
        fileprivate let filter: UnsafeBufferPointer<UInt64>
        fileprivate let mask: Int

        /// Returns the term of a key, −1 when there is none; an entry for exactly this language takes precedence over
        /// one for any.
        @inline(__always)
        func find(_ key: UInt64, _ language: UInt8) -> Int {
            let mixed = FAQTable.mix(key)
            let bit = Int(truncatingIfNeeded: mixed >> 20) & ((1 << FAQTable.filterBits) - 1)
            guard filter[bit >> 6] & (1 << UInt64(bit & 63)) != 0 else { return -1 }
            return Self.search(slots, mask, mixed, language)
        }

        /// Not an instance method: the view would be copied for each call.
        private static func search(
            _ slots: UnsafeBufferPointer<UInt64>, _ mask: Int, _ mixed: UInt64, _ language: UInt8
        ) -> Int {
            var slot = Int(truncatingIfNeeded: mixed >> 32) & mask
            var found = -1
            while slots[slot] != 0 {
                let entry = slots[slot]
                if (entry ^ mixed) >> 32 == 0 {
                    let only = UInt8(truncatingIfNeeded: entry >> 24)
                    let term = Int(entry & 0xFFFF)
                    if only != 0, only == language { return term }
                    if only == 0 || (language == 0 && found < 0) {
                        found = term
                    } else if only == FAQTable.further, found < 0,
                        FAQTable.furtherLanguages & (1 << UInt64(language & 63)) != 0
                    {
                        found = term
                    }
                }
                slot = (slot &+ 1) & mask
            }
            return found
        }
    }
}

/// A set of hashes with false positives: one bit for each of 32,768 values.
struct FAQFilter: Sendable {
    private var bits = [UInt64](repeating: 0, count: 512)

    mutating func insert(_ hash: UInt64) { bits[Int(hash & 511)] |= 1 << (hash >> 9 & 63) }

    func withView<R>(_ body: (View) -> R) -> R {
        bits.withUnsafeBufferPointer { body(View(bits: $0)) }
    }

    /// A bare pointer for look-ups.
    struct View {
        fileprivate let bits: UnsafeBufferPointer<UInt64>

        @inline(__always)
        func mayContain(_ hash: UInt64) -> Bool { bits[Int(hash & 511)] & (1 << (hash >> 9 & 63)) != 0 }
    }
}
