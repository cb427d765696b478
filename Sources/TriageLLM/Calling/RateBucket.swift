/// A limit on requests or tokens per minute: the lower of what the user configured and what the server reports.
///
/// A value without a clock: moments are passed in as durations since a common start.
package struct RateBucket: Sendable, Equatable {
    private var configured: TokenBucket?
    private var learned: TokenBucket?
    private var learnedAt: Duration = .zero
    private var slowed: TokenBucket?
    /// The rate, per second, to which ``slowed`` returns.
    private var fullRate = 0.0
    private var slowedAt: Duration = .zero
    /// No request is sent before this moment.
    package private(set) var blockedUntil: Duration = .zero

    /// How long headers are believed.
    ///
    /// Their `reset` says when a bucket is *full*. One that is days away must not stop the run; only the `Retry-After` of
    /// a refusal may do that.
    private static let longestBelief: Duration = .seconds(60)

    /// - Parameter perMinute: nil, or below 1: not configured. Requests are paced by the second, because servers may
    ///   enforce 60 a minute as one a second.
    package init(perMinute: Int? = nil) {
        guard let perMinute, perMinute > 0 else { return }
        let rate = Double(perMinute) / 60
        configured = TokenBucket(rate: rate, capacity: rate, level: rate, at: .zero)
    }

    /// The earliest moment at which a need can be met; `now` or earlier: at once.
    package mutating func ready(for need: Int, at now: Duration) -> Duration {
        let need = Double(max(need, 0))
        advance(to: now)
        var ready = max(now, blockedUntil)
        if let moment = configured?.ready(for: need, at: now) { ready = max(ready, moment) }
        if let moment = slowed?.ready(for: need, at: now) { ready = max(ready, moment) }
        if let moment = learned?.ready(for: need, at: now) {
            ready = max(ready, min(moment, learnedAt + Self.longestBelief))
        }
        return ready
    }

    package mutating func take(_ amount: Int, at now: Duration) {
        advance(to: now)
        let amount = Double(max(amount, 0))
        configured?.take(amount)
        learned?.take(amount)
        slowed?.take(amount)
    }

    /// Corrects an estimate by the difference to the actual use; negative if more was used.
    package mutating func give(back amount: Int) {
        configured?.give(back: Double(amount))
        learned?.give(back: Double(amount))
    }

    /// Learns from the headers of an answer.
    ///
    /// - Parameter inFlight: the amount in flight, which the server may not have counted yet.
    package mutating func learn(_ header: RateHeaders.Bucket, inFlight: Int, at now: Duration) {
        guard let limit = header.limit, limit > 0, let remaining = header.remaining, remaining >= 0 else { return }
        let left = Double(min(remaining, limit))
        let missing = Double(limit) - left
        // Full again after `reset`: this always holds for token buckets, and on average for fixed windows.
        let reset = (header.resetAfter ?? .seconds(60)).inSeconds
        let rate = missing > 0 && reset > 0 ? missing / max(reset, 0.001) : Double(limit) / 60
        learned = TokenBucket(
            rate: rate, capacity: Double(limit), level: max(0, left - Double(max(inFlight, 0))), at: now)
        learnedAt = now
    }

    /// Slows down after a refusal: nothing for `wait`, then half the known rate, and a tenth of it more each minute.
    ///
    /// If no rate is known, halving ``ConcurrencyLimit`` halves the rate. Guessing the server's limit from past traffic
    /// would lower it with every refusal, even those that have nothing to do with our rate.
    package mutating func refused(for wait: Duration, at now: Duration) {
        blockedUntil = max(blockedUntil, now + wait)
        let rates = [configured?.rate, learned?.rate].compactMap { $0 }
        guard let rate = rates.min() else { return }
        // A second refusal restarts the recovery, but does not halve the rate again.
        if slowed == nil { fullRate = rate }
        slowedAt = blockedUntil
        slowed = TokenBucket(rate: fullRate / 2, capacity: 1, level: 1, at: blockedUntil)
    }

    private mutating func advance(to now: Duration) {
        guard slowed != nil, now > slowedAt else { return }
        let share = 0.5 + 0.1 * (now - slowedAt).inSeconds / 60
        if share >= 1 {
            slowed = nil
        } else {
            slowed?.refill(at: now)
            slowed?.rate = fullRate * share
        }
    }
}

/// A token bucket that refills evenly; it may go into debt, so that a need beyond its capacity does not wait for ever.
private struct TokenBucket: Sendable, Equatable {
    /// Tokens per second; positive.
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

    /// The moment at which the amount, or the full capacity, will be available.
    mutating func ready(for need: Double, at now: Duration) -> Duration {
        refill(at: now)
        // Slightly less than needed is accepted: sums of fractions are not exact, and waiting for the rest would be a
        // busy loop.
        let missing = min(need, capacity) - level
        if missing <= 1e-6 { return max(now, updated) }
        return max(now, updated) + max(Duration(clampingSeconds: missing / rate), .milliseconds(1))
    }

    mutating func take(_ amount: Double) { level -= amount }

    mutating func give(back amount: Double) { level = min(capacity, level + amount) }
}
