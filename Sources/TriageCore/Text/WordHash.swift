extension TextFolder {
    /// The hash of a word, as ``Token/hash`` has it.
    ///
    /// Takes eight bytes at a time, so that most words cost one multiplication; see ``GrowingHash`` for what has to be
    /// hashed byte by byte.
    @inlinable
    package static func hash(_ word: UnsafeBufferPointer<UInt8>) -> UInt64 {
        guard let start = word.baseAddress else { return 0 }
        if word.count > 8 { return WordHash.long(UnsafeRawPointer(start), word.count) }
        var bytes: UInt64 = 0
        for i in 0..<word.count { bytes |= UInt64(word[i]) &<< UInt64(truncatingIfNeeded: 8 &* i) }
        return WordHash.mix(bytes)
    }

    /// The hash of a word, as ``Token/hash`` has it.
    @inlinable
    package static func hash(_ word: some Sequence<UInt8>) -> UInt64 {
        word.withContiguousStorageIfAvailable { hash($0) } ?? Array(word).withUnsafeBufferPointer { hash($0) }
    }
}

/// How words are hashed; up to eight bytes no two have the same hash, but for zeros at the end, which no word has.
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

    /// The hash of a word, of which eight bytes may be read even if it has fewer.
    @inline(__always)
    static func of(_ word: UnsafePointer<UInt8>, _ count: Int) -> UInt64 {
        count > 0 ? folded(word, count, 0) : 0
    }

    /// The hash of a word of ASCII letters and digits that are not folded yet, of which eight bytes may be read.
    @inline(__always)
    static func ofASCII(_ word: UnsafePointer<UInt8>, _ count: Int) -> UInt64 {
        // Digits have the bit of small letters.
        folded(word, count, 0x2020_2020_2020_2020)
    }

    @inline(__always)
    private static func folded(_ word: UnsafePointer<UInt8>, _ count: Int, _ small: UInt64) -> UInt64 {
        let word = UnsafeRawPointer(word)
        guard count <= 8 else { return long(word, count, small) }
        // Shifts are by this number modulo 64.
        let missing = UInt64(truncatingIfNeeded: -8 &* count)
        return mix(((load(word) | small) &<< missing) &>> missing)
    }

    /// The hash of a word of more than eight bytes.
    ///
    /// Its length is mixed in, because the last eight bytes overlap the ones before them.
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

/// FNV-1a, for what is hashed byte by byte: beginnings of words and runs of letters.
///
/// Never equal to ``TextFolder/hash(_:)-(UnsafeBufferPointer<UInt8>)`` of the same bytes, but by chance.
@frozen
package struct GrowingHash: Sendable {
    /// Of the bytes so far.
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
