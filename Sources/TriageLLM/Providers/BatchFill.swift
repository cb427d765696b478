/// Fills batches one entry after the other and says when one is full.
public struct BatchFill: Sendable {
    /// Entries and bytes that a batch may hold.
    public let limits: BatchLimits
    public private(set) var entries: [[UInt8]] = []
    private var bytes = 0

    /// Bytes of the largest batch that is made, below what servers take: a batch is held in memory twice.
    public static let mostBytes = 64_000_000

    /// - Parameter limits: of the server.
    public init(_ limits: BatchLimits) {
        self.limits = BatchLimits(entries: max(1, limits.entries), bytes: min(limits.bytes, Self.mostBytes))
    }

    /// Whether there is room for an entry; always in an empty batch, for an entry cannot be divided.
    public func takes(_ entry: [UInt8]) -> Bool {
        // One byte more for what stands between entries.
        entries.isEmpty || entries.count < limits.entries && bytes + entry.count + 1 <= limits.bytes
    }

    public mutating func add(_ entry: [UInt8]) {
        entries.append(entry)
        bytes += entry.count + 1
    }
}
