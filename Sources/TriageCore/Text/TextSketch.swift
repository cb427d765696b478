/// What of a text is compared with that of other senders: 96 bytes, no word of it.
///
/// Words and pairs of words are dealt out over 64 places by their hash, and each place keeps the greatest of eight further
/// bits. Of two texts the share of places that are equal, among those that either has, is how much of their words and pairs
/// they have in common; of short texts nearly exactly, of longer ones by a sample. Pairs alone give eight keys in the same
/// way: two texts that are nearly the same have nearly always one of them in common, by which one finds the other.
package struct TextSketch: Sendable, Equatable {
    /// 64 places of a byte each: 0 for none, else an odd number.
    package var places = SIMD8<UInt64>(repeating: 0)
    /// 0 for none.
    package var keys = SIMD8<UInt32>(repeating: 0)
    /// Of the sender; see ``SenderMark``.
    package var sender: UInt64 = 0
    /// The text that came first of those that it is nearly the same as, be it itself; filled by `campaign.senders`.
    package var campaign: UInt64 = 0
    /// Whether the text is so short that more of it has to be the same.
    package var isShort = false

    @inlinable
    package init() {}

    /// Fills a sketch: in plain memory, for a vector of which one place changes is written as a whole.
    package struct JSONWriter {
        @usableFromInline let places: UnsafeMutablePointer<UInt8>
        @usableFromInline let keys: UnsafeMutablePointer<UInt32>

        @inlinable @inline(__always)
        init(places: UnsafeMutablePointer<UInt8>, keys: UnsafeMutablePointer<UInt32>) {
            self.places = places
            self.keys = keys
        }

        /// - Parameter hash: mixed already, as ``Token/hash`` is.
        @inlinable @inline(__always)
        package func add(word hash: UInt64) { place(hash &* 0xBF58_476D_1CE4_E5B9) }

        @inlinable @inline(__always)
        package func add(pair before: UInt64, _ hash: UInt64) {
            let mixed = ((before &+ 0x9E37_79B9) &* 0xD6E8_FEB8_6659_FD93 ^ hash) &* 0xBF58_476D_1CE4_E5B9
            place(mixed)
            let key = Int(truncatingIfNeeded: mixed &>> 47 & 7)
            keys[key] = max(keys[key], UInt32(truncatingIfNeeded: mixed &>> 15) | 1)
        }

        @inlinable @inline(__always)
        func place(_ mixed: UInt64) {
            let place = Int(truncatingIfNeeded: mixed &>> 58)
            places[place] = max(places[place], UInt8(truncatingIfNeeded: mixed &>> 50) | 1)
        }
    }

    /// Calls `body` with what fills the sketch.
    @inlinable
    @inline(__always)
    package mutating func fill<R>(_ body: (JSONWriter) -> R) -> R {
        withUnsafeMutablePointer(to: &places) { places in
            withUnsafeMutablePointer(to: &keys) { keys in
                places.withMemoryRebound(to: UInt8.self, capacity: 64) { places in
                    keys.withMemoryRebound(to: UInt32.self, capacity: 8) { keys in
                        body(JSONWriter(places: places, keys: keys))
                    }
                }
            }
        }
    }

    /// How much two texts have in common.
    package struct Likeness: Sendable, Equatable {
        /// Places that are equal, and places that either has: 0…64.
        package var same: Int
        package var any: Int

        @inlinable
        @inline(__always)
        init(same: Int, any: Int) {
            self.same = same
            self.any = any
        }

        /// Whether so many of a hundred places are equal, or more.
        @inlinable
        package func isAtLeast(_ percent: Int) -> Bool { any > 0 && 100 &* same >= percent &* any }
    }

    /// Compares two texts, eight places at a time.
    ///
    /// A place that a text has is odd, so the lowest bit of each byte tells which ones it has.
    @inlinable
    @inline(__always)
    package static func likeness(_ a: SIMD8<UInt64>, _ b: SIMD8<UInt64>) -> Likeness {
        let ones: UInt64 = 0x0101_0101_0101_0101
        var (same, any): (UInt64, UInt64) = (0, 0)
        for lane in 0..<8 {
            let (a, b) = (a[lane], b[lane])
            let difference = a ^ b
            // The highest bit of each byte of the difference that is not zero.
            let differs = ((difference & ~(ones &<< 7)) &+ (ones &* 0x7F)) | difference
            same &+= ~differs &>> 7 & a & ones
            any &+= (a | b) & ones
        }
        return Likeness(
            same: Int(truncatingIfNeeded: (same &* ones) &>> 56), any: Int(truncatingIfNeeded: (any &* ones) &>> 56))
    }

    /// The hash that names a text which nothing else came before.
    @inlinable
    package static func name(of places: SIMD8<UInt64>) -> UInt64 {
        var hash: UInt64 = 0x9E37_79B9_7F4A_7C15
        for lane in 0..<8 {
            hash = (hash ^ places[lane].littleEndian) &* 0xBF58_476D_1CE4_E5B9
            hash ^= hash &>> 31
        }
        return hash
    }
}

/// How a sketch is kept in a store: 97 bytes.
extension TextSketch {
    package var kept: [UInt8] {
        var bytes: [UInt8] = [isShort ? 1 : 0]
        bytes.reserveCapacity(97)
        withUnsafeBytes(of: places) { bytes.append(contentsOf: $0) }
        for key in keys.indices { withUnsafeBytes(of: keys[key].littleEndian) { bytes.append(contentsOf: $0) } }
        return bytes
    }

    /// Reads ``kept`` back; nil for what is not as it was written.
    package init?(kept bytes: [UInt8]) {
        guard bytes.count == 97, bytes[0] <= 1, bytes[1...64].allSatisfy({ $0 == 0 || $0 & 1 == 1 }) else { return nil }
        isShort = bytes[0] == 1
        withUnsafeMutableBytes(of: &places) { $0.copyBytes(from: bytes[1...64]) }
        for key in keys.indices {
            keys[key] = (0..<4).reduce(0) { $0 | UInt32(bytes[65 + 4 * key + $1]) << UInt32(8 * $1) }
        }
    }
}
