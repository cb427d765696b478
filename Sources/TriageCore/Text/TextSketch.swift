/// What of a text is compared with that of other senders: 96 bytes, no word of it.
///
/// Words and pairs of words are dealt out over 64 places by their hash, and each place keeps the greatest of eight further
/// bits. Of two texts the share of places that are equal, among those that either has, is how much of their words and pairs
/// they have in common; of short texts nearly exactly, of longer ones by a sample. Pairs alone give eight keys in the same
/// way: two texts that are nearly the same have nearly always one of them in common, by which one finds the other.
public struct TextSketch: Sendable, Equatable {
    /// By place: 0 for none.
    public var places = SIMD64<UInt8>(repeating: 0)
    /// 0 for none.
    public var keys = SIMD8<UInt32>(repeating: 0)
    /// Whether the text is so short that more of it has to be the same.
    public var isShort = false
    /// Of the sender; see ``SenderMark``.
    public var sender: UInt64 = 0
    /// The text that came first of those that it is nearly the same as, be it itself; filled by `campaign.senders`.
    public var campaign: UInt64 = 0

    public init() {}

    /// Fills a sketch: in plain memory, for a vector of which one place changes is written as a whole.
    public struct Pen {
        @usableFromInline let places: UnsafeMutablePointer<UInt8>
        @usableFromInline let keys: UnsafeMutablePointer<UInt32>

        @inlinable @inline(__always)
        init(places: UnsafeMutablePointer<UInt8>, keys: UnsafeMutablePointer<UInt32>) {
            self.places = places
            self.keys = keys
        }

        @inlinable @inline(__always)
        public func add(word hash: UInt64) { place(TextSketch.mix(hash)) }

        @inlinable @inline(__always)
        public func add(pair before: UInt64, _ hash: UInt64) {
            let mixed = TextSketch.mix((before &+ 0x9E37_79B9) &* 0xD6E8_FEB8_6659_FD93 ^ hash)
            place(mixed)
            let key = Int(truncatingIfNeeded: mixed &>> 47 & 7)
            keys[key] = max(keys[key], UInt32(truncatingIfNeeded: mixed) | 1)
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
    public mutating func fill<R>(_ body: (Pen) -> R) -> R {
        withUnsafeMutablePointer(to: &places) { places in
            withUnsafeMutablePointer(to: &keys) { keys in
                places.withMemoryRebound(to: UInt8.self, capacity: 64) { places in
                    keys.withMemoryRebound(to: UInt32.self, capacity: 8) { keys in
                        body(Pen(places: places, keys: keys))
                    }
                }
            }
        }
    }

    @inlinable
    @inline(__always)
    public static func mix(_ value: UInt64) -> UInt64 {
        var mixed = value ^ value &>> 31
        mixed = mixed &* 0xBF58_476D_1CE4_E5B9
        return mixed ^ mixed &>> 29
    }

    /// How much two texts have in common, 0–1.
    public static func likeness(_ a: SIMD64<UInt8>, _ b: SIMD64<UInt8>) -> Float {
        let zero = SIMD64<UInt8>(repeating: 0)
        let one = SIMD64<UInt8>(repeating: 1)
        let some = zero.replacing(with: one, where: (a | b) .!= zero)
        let same = zero.replacing(with: one, where: a .== b .& (a .!= zero))
        let all = some.wrappedSum()
        return all == 0 ? 0 : Float(same.wrappedSum()) / Float(all)
    }

    /// The hash that names a text which nothing else came before.
    public static func name(of places: SIMD64<UInt8>) -> UInt64 {
        var hash = GrowingHash()
        for place in places.indices { hash.add(places[place]) }
        return mix(hash.value)
    }
}

/// How a sketch is kept in a store: 97 bytes.
extension TextSketch {
    public var kept: [UInt8] {
        var bytes: [UInt8] = [isShort ? 1 : 0]
        bytes.reserveCapacity(97)
        for place in places.indices { bytes.append(places[place]) }
        for key in keys.indices { withUnsafeBytes(of: keys[key].littleEndian) { bytes.append(contentsOf: $0) } }
        return bytes
    }

    /// Reads ``kept`` back; nil for what is not as it was written.
    public init?(kept bytes: [UInt8]) {
        guard bytes.count == 97, bytes[0] <= 1 else { return nil }
        isShort = bytes[0] == 1
        for place in places.indices { places[place] = bytes[1 + place] }
        for key in keys.indices {
            keys[key] = (0..<4).reduce(0) { $0 | UInt32(bytes[65 + 4 * key + $1]) << UInt32(8 * $1) }
        }
    }
}
