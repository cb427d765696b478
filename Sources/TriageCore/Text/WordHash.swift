extension TextFolder {
    /// Returns the hash of a word, as in ``Token/hash``.
    ///
    /// It reads eight bytes at a time, so most words cost one multiplication; see ``GrowingHash`` for hashing byte by
    /// byte.
    @inlinable
    package static func hash(_ word: UnsafeBufferPointer<UInt8>) -> UInt64 {
        guard let start = word.baseAddress else { return 0 }
        if word.count > 8 { return WordHash.long(UnsafeRawPointer(start), word.count) }
        var bytes: UInt64 = 0
        for i in 0..<word.count { bytes |= UInt64(word[i]) &<< UInt64(truncatingIfNeeded: 8 &* i) }
        return WordHash.mix(bytes)
    }

    /// Returns the hash of a word, as in ``Token/hash``.
    @inlinable
    package static func hash(_ word: some Sequence<UInt8>) -> UInt64 {
        word.withContiguousStorageIfAvailable { hash($0) } ?? Array(word).withUnsafeBufferPointer { hash($0) }
    }
}

/// The hash function for words.
///
/// Words of up to eight bytes never collide unless they end in zero bytes, which no word does.
@usableFromInline
enum WordHash {
    @inlinable @inline(__always)
    static func mix(_ bytes: UInt64) -> UInt64 {
        let product = bytes &* 0x9E37_79B9_7F4A_7C15
        return product ^ product &>> 32
    }

    @inlinable @inline(__always)
    static func load(_ from: UnsafeRawPointer) -> UInt64 {
        UInt64(littleEndian: from.loadUnaligned(as: UInt64.self))
    }

    /// Returns the hash of a word; eight bytes must be readable even if it has fewer.
    @inline(__always)
    static func of(_ word: UnsafePointer<UInt8>, _ count: Int) -> UInt64 {
        count > 0 ? folded(word, count, 0) : 0
    }

    /// Returns the hash of an unfolded word of ASCII letters and digits; eight bytes must be readable.
    @inline(__always)
    static func ofASCII(_ word: UnsafePointer<UInt8>, _ count: Int) -> UInt64 {
        // Digits already have the bit that marks lower-case letters.
        folded(word, count, 0x2020_2020_2020_2020)
    }

    @inline(__always)
    private static func folded(_ word: UnsafePointer<UInt8>, _ count: Int, _ small: UInt64) -> UInt64 {
        let word = UnsafeRawPointer(word)
        guard count <= 8 else { return long(word, count, small) }
        // Shift counts are taken modulo 64.
        let missing = UInt64(truncatingIfNeeded: -8 &* count)
        return mix(((load(word) | small) &<< missing) &>> missing)
    }

    /// Returns the hash of a word of more than eight bytes.
    ///
    /// Its length is mixed in, because the last eight bytes overlap the bytes before them.
    @inlinable
    static func long(_ word: UnsafeRawPointer, _ count: Int, _ small: UInt64 = 0) -> UInt64 {
        var hash = UInt64(truncatingIfNeeded: count) &* 0xD6E8_FEB8_6659_FD93
        var i = 0
        while i &+ 8 < count {
            hash = mix(hash ^ (load(word + i) | small))
            i &+= 8
        }
        return mix(hash ^ (load(word + (count &- 8)) | small))
    }
}

/// FNV-1a, for what is hashed byte by byte: prefixes of words and runs of letters.
///
/// It equals ``TextFolder/hash(_:)-(UnsafeBufferPointer<UInt8>)`` of the same bytes only by chance.
@frozen
package struct GrowingHash: Sendable {
    /// The hash of the bytes added so far.
    package var value: UInt64 = 0xCBF2_9CE4_8422_2325

    @inlinable @inline(__always)
    package init() {}

    /// The hash of all bytes of a sequence.
    @inlinable
    package static func of(_ bytes: some Sequence<UInt8>) -> UInt64 {
        var hash = GrowingHash()
        for byte in bytes { hash.add(byte) }
        return hash.value
    }

    @inlinable @inline(__always)
    package mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
}
