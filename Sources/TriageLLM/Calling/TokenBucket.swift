/// A store that fills evenly and is taken from; may go into debt, so that a need beyond its capacity is not for ever.
struct TokenBucket: Sendable, Equatable {
    /// Per second; positive.
    var rate: Double
    let capacity: Double
    private(set) var level: Double
    private var updated: Duration

    init(rate: Double, capacity: Double, level: Double, at now: Duration) {
        self.rate = max(rate, 1e-9)
        self.capacity = max(capacity, 1)
        self.level = min(level, self.capacity)
        updated = now
    }

    mutating func refill(at now: Duration) {
        guard now > updated else { return }
        level = min(capacity, level + (now - updated).inSeconds * rate)
        updated = now
    }

    /// When so much, or all that it can hold, will be there.
    mutating func ready(for need: Double, at now: Duration) -> Duration {
        refill(at: now)
        // A hair less than needed will do: sums of fractions are not exact, and waiting for the hair is a busy loop.
        let missing = min(need, capacity) - level
        if missing <= 1e-6 { return max(now, updated) }
        return max(now, updated) + max(Duration(clampingSeconds: missing / rate), .milliseconds(1))
    }

    mutating func take(_ amount: Double) { level -= amount }

    mutating func give(back amount: Double) { level = min(capacity, level + amount) }
}
