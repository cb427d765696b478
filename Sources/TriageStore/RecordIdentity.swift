import TriageCore

/// The key that identifies a record: 16 bytes of a hash over platform, conversation and id.
package struct RecordKey: Hashable, Comparable, Sendable {
    package var high: UInt64
    package var low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Takes the first 16 bytes of a hash; nil when there are fewer.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count >= 16 else { return nil }
        var words: (UInt64, UInt64) = (0, 0)
        for (place, byte) in bytes.prefix(16).enumerated() {
            if place < 8 { words.0 = words.0 << 8 | UInt64(byte) } else { words.1 = words.1 << 8 | UInt64(byte) }
        }
        (high, low) = words
    }

    /// The 16 bytes of the key.
    package var bytes: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 16) { bytes, count in
            for place in 0..<8 {
                let shift = 56 - 8 * UInt64(place)
                bytes[place] = UInt8(truncatingIfNeeded: high >> shift)
                bytes[place + 8] = UInt8(truncatingIfNeeded: low >> shift)
            }
            count = 16
        }
    }

    /// 32 lower-case hex digits.
    package var hex: String { high.hex + low.hex }

    /// Compares byte by byte, which is the store's order.
    package static func < (a: RecordKey, b: RecordKey) -> Bool { (a.high, a.low) < (b.high, b.low) }
}

/// A record's key and a digest of its content.
///
/// Two records with the same key and different digests are one message before and after an edit.
package struct RecordIdentity: Hashable, Sendable {
    package var key: RecordKey
    /// The first 8 bytes of a hash over the content.
    package var digest: UInt64

    package init(key: RecordKey, digest: UInt64) {
        self.key = key
        self.digest = digest
    }
}

/// What a store knows about a record.
package enum SeenState: Hashable, Sendable {
    /// It was never committed.
    case new
    /// It was committed with the same content.
    case known
    /// It was committed with other content; committed now, it becomes this revision (2 or higher).
    case edited(revision: Int)
}
