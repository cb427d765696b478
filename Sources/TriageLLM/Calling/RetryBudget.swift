/// Bounds the share of retries, so that a server in trouble is not sent a multiple of its load.
///
/// A token bucket that is filled by successes: behaves like "retry each" while failures are few, and adds at most a
/// tenth to the load when they are many (Brooker, "Fixing retries with token buckets and circuit breakers", 2022).
public struct RetryBudget: Sendable, Equatable {
    // In thousandths of a retry: sums of decimal fractions are not exact.
    private var level: Int
    private let capacity: Int
    private let perSuccess: Int

    /// - Parameters:
    ///   - capacity: retries that a full budget allows, 0–1,000,000; it starts full.
    ///   - perSuccess: part of a retry that a success earns, 0–1,000.
    public init(capacity: Int = 10, perSuccess: Double = 0.1) {
        self.capacity = min(max(capacity, 0), 1_000_000) * 1000
        self.perSuccess = perSuccess > 0 ? Int(min(perSuccess, 1000) * 1000) : 0
        level = self.capacity
    }

    public mutating func succeeded() { level = min(capacity, level + perSuccess) }

    /// Takes one retry, if there is one.
    public mutating func take() -> Bool {
        guard level >= 1000 else { return false }
        level -= 1000
        return true
    }
}
