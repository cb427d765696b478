/// Decides when a failed attempt is followed by another.
package struct RetryPolicy: Sendable, Equatable {
    /// The maximum number of attempts for one call, the first included.
    package var attempts = 4
    /// The ceiling of the wait after the first failure; it doubles with each failure.
    package var base: Duration = .milliseconds(500)
    /// The maximum of the ceiling.
    package var longestWait: Duration = .seconds(30)

    package init() {}

    /// What to do after a failure.
    package enum Decision: Sendable, Equatable {
        case retry(after: Duration)
        case giveUp
    }

    /// What is known about a failed attempt.
    package struct Failed: Sendable {
        package var failure: CallFailure
        /// The number of attempts so far, this one included.
        package var attempts: Int
        /// The longest wait that is worthwhile.
        package var remaining: Duration
        /// The server's own statement, which takes precedence over ours.
        package var shouldRetry: Bool?
        /// The server's `Retry-After`, which gateways also send with 500, 502 and 504.
        package var retryAfter: Duration?
        /// Whether the call has already had its immediate retry after a lost connection.
        package var hasRetriedLostConnection = false
        /// Whether an earlier attempt ran into its time limit.
        package var hasTimedOut = false

        package init(
            _ failure: CallFailure, attempts: Int, remaining: Duration, shouldRetry: Bool? = nil,
            retryAfter: Duration? = nil, hasRetriedLostConnection: Bool = false, hasTimedOut: Bool = false
        ) {
            self.failure = failure
            self.attempts = attempts
            self.remaining = remaining
            self.shouldRetry = shouldRetry
            self.retryAfter = retryAfter
            self.hasRetriedLostConnection = hasRetriedLostConnection
            self.hasTimedOut = hasTimedOut
        }
    }

    /// The wait with full jitter, and the server's requested wait as its minimum.
    ///
    /// - Parameters:
    ///   - failures: the number of failures so far, at least 1.
    ///   - floor: `Retry-After`.
    ///   - random: uniformly distributed in 0..<1.
    package func wait(afterFailures failures: Int, floor: Duration?, random: Double) -> Duration {
        let doublings = min(max(failures - 1, 0), 16)
        let ceiling = min(longestWait, base * (1 << doublings))
        return max(floor ?? .zero, ceiling * min(max(random, 0), 1))
    }

    /// Whether and when to try again; takes from `budget` only when it returns `retry`.
    ///
    /// The single retry after a stale connection is free, because such a failure says nothing about the server.
    package func decision(on failed: Failed, budget: inout RetryBudget, random: Double) -> Decision {
        guard failed.attempts < attempts, failed.shouldRetry != false else { return .giveUp }
        var floor = failed.retryAfter
        var isLostConnection = false
        var isFree = false
        switch failed.failure {
        case .rateLimited(let after), .overloaded(let after):
            floor = after ?? floor
        case .transient(.transport(let fault)):
            guard fault.isTransient else { return .giveUp }
            // A request that timed out is sent once more; a second timeout ends it.
            if fault.isSlow, failed.hasTimedOut { return .giveUp }
            // A server may close an idle connection at the very moment it is used: that says nothing about its health.
            isLostConnection = [.stale, .emptyReply, .receive, .send].contains(fault.kind)
            isFree = fault.kind == .stale && !failed.hasRetriedLostConnection
        case .transient:
            break
        case .configuration:
            guard failed.shouldRetry == true else { return .giveUp }
        default:
            return .giveUp
        }
        let wait =
            isLostConnection && !failed.hasRetriedLostConnection
            ? .zero : wait(afterFailures: failed.attempts, floor: floor, random: random)
        guard wait < failed.remaining, isFree || budget.take() else { return .giveUp }
        return .retry(after: wait)
    }
}

/// Limits the share of retries, so that a struggling server does not get a multiple of its load.
///
/// A token bucket filled by successes: while failures are few, each is retried; when they are many, retries add at most
/// a tenth to the load (Brooker, "Fixing retries with token buckets and circuit breakers", 2022).
package struct RetryBudget: Sendable, Equatable {
    // In thousandths of a retry, because sums of decimal fractions are not exact.
    private var level: Int
    private let capacity: Int
    private let perSuccess: Int

    /// - Parameters:
    ///   - capacity: the number of retries in a full budget, 0–1,000,000; it starts full.
    ///   - perSuccess: the fraction of a retry that a success earns, 0–1,000.
    package init(capacity: Int = 10, perSuccess: Double = 0.1) {
        self.capacity = min(max(capacity, 0), 1_000_000) * 1000
        self.perSuccess = perSuccess > 0 ? Int(min(perSuccess, 1000) * 1000) : 0
        level = self.capacity
    }

    package mutating func succeeded() { level = min(capacity, level + perSuccess) }

    /// Takes one retry if one is left.
    package mutating func take() -> Bool {
        guard level >= 1000 else { return false }
        level -= 1000
        return true
    }
}
