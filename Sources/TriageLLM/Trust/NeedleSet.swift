/// Byte strings that are looked for all at once, in one pass over a text.
struct NeedleSet: Sendable {
    /// Needles by a hash of their first bytes.
    private var buckets = [[[UInt8]]](repeating: [], count: 1 << 10)
    /// How many first bytes are hashed: as many as the shortest needle has, at most four.
    private let prefix: Int

    /// - Parameter needles: empty ones are left out, for they stand everywhere.
    init(_ needles: [[UInt8]]) {
        let needles = needles.filter { !$0.isEmpty }
        prefix = min(4, needles.map(\.count).min() ?? 1)
        for needle in needles {
            let bucket = needle.withUnsafeBufferPointer { Self.bucket($0, at: 0, prefix) }
            buckets[bucket].append(needle)
        }
    }

    /// Whether any of them stands in `bytes`.
    func occurs(in bytes: [UInt8]) -> Bool {
        guard bytes.count >= prefix else { return false }
        return bytes.withUnsafeBufferPointer { bytes in
            (0...bytes.count - prefix).contains { place in
                buckets[Self.bucket(bytes, at: place, prefix)].contains { bytes[place...].starts(with: $0) }
            }
        }
    }

    private static func bucket(_ bytes: UnsafeBufferPointer<UInt8>, at place: Int, _ prefix: Int) -> Int {
        var hash: UInt32 = 0
        for index in place..<place + prefix { hash = hash &* 0x0100_0193 ^ UInt32(bytes[index]) }
        return Int((hash ^ hash >> 10 ^ hash >> 20) & 0x3FF)
    }
}
