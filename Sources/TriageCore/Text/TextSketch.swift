/// A fingerprint of a text for comparison with the texts of other senders: 96 bytes, none of its words.
///
/// Words and word pairs are distributed over 64 places by their hash, and each place keeps the greatest of eight
/// further hash bits. The share of equal places, among those that either text has, estimates how many words and pairs
/// two texts have in common: almost exactly for short texts, by a sample for longer ones. Eight keys are made in the
/// same way from the pairs alone. Two nearly identical texts almost always share a key, which is used to find one from
/// the other.
package struct TextSketch: Sendable, Equatable {
    /// 64 places of one byte each: 0 for empty, otherwise an odd number.
    package var places = SIMD8<UInt64>(repeating: 0)
    /// 0 for none.
    package var keys = SIMD8<UInt32>(repeating: 0)
    /// Identifies the sender; see ``SenderMark``.
    package var sender: UInt64 = 0
    /// Names the earliest text that this one is nearly identical to, possibly itself; filled by `campaign.senders`.
    package var campaign: UInt64 = 0
    /// Whether the text is so short that a larger share of it must be the same.
    package var isShort = false

    @inlinable
    package init() {}

    /// Fills a sketch.
    ///
    /// It writes to plain memory, because changing one place of a vector would rewrite the whole vector.
    package struct JSONWriter {
        @usableFromInline let places: UnsafeMutablePointer<UInt8>
        @usableFromInline let keys: UnsafeMutablePointer<UInt32>

        @inlinable @inline(__always)
        init(places: UnsafeMutablePointer<UInt8>, keys: UnsafeMutablePointer<UInt32>) {
            self.places = places
            self.keys = keys
        }

        /// Adds a word.
        ///
        /// - Parameter hash: already mixed, as ``Token/hash`` is.
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

    /// Calls `body` with a writer that fills the sketch.
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
        /// The number of equal places, and of places that either text has: 0…64.
        package var same: Int
        package var any: Int

        @inlinable
        @inline(__always)
        init(same: Int, any: Int) {
            self.same = same
            self.any = any
        }

        /// Whether at least this percentage of the places is equal.
        @inlinable
        package func isAtLeast(_ percent: Int) -> Bool { any > 0 && 100 &* same >= percent &* any }
    }

    /// Compares two texts, eight places at a time.
    ///
    /// An occupied place is odd, so the lowest bit of each byte tells whether it is occupied.
    @inlinable
    @inline(__always)
    package static func likeness(_ a: SIMD8<UInt64>, _ b: SIMD8<UInt64>) -> Likeness {
        let ones: UInt64 = 0x0101_0101_0101_0101
        var (same, any): (UInt64, UInt64) = (0, 0)
        for lane in 0..<8 {
            let (a, b) = (a[lane], b[lane])
            let difference = a ^ b
            // Sets the highest bit of each byte of the difference that is not zero.
            let differs = ((difference & ~(ones &<< 7)) &+ (ones &* 0x7F)) | difference
            same &+= ~differs &>> 7 & a & ones
            any &+= (a | b) & ones
        }
        return Likeness(
            same: Int(truncatingIfNeeded: (same &* ones) &>> 56), any: Int(truncatingIfNeeded: (any &* ones) &>> 56))
    }

    /// Returns the hash that names a campaign by the text that came first.
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

/// The stored form of a sketch: 97 bytes.
extension TextSketch {
    package var kept: [UInt8] {
        var bytes: [UInt8] = [isShort ? 1 : 0]
        bytes.reserveCapacity(97)
        withUnsafeBytes(of: places) { bytes.append(contentsOf: $0) }
        for key in keys.indices { withUnsafeBytes(of: keys[key].littleEndian) { bytes.append(contentsOf: $0) } }
        return bytes
    }

    /// Decodes ``kept``; nil when the bytes are invalid.
    package init?(kept bytes: [UInt8]) {
        guard bytes.count == 97, bytes[0] <= 1, bytes[1...64].allSatisfy({ $0 == 0 || $0 & 1 == 1 }) else { return nil }
        isShort = bytes[0] == 1
        withUnsafeMutableBytes(of: &places) { $0.copyBytes(from: bytes[1...64]) }
        for key in keys.indices {
            keys[key] = (0..<4).reduce(0) { $0 | UInt32(bytes[65 + 4 * key + $1]) << UInt32(8 * $1) }
        }
    }
}
