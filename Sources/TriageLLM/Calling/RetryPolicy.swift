/// When a failed attempt is followed by another.
package struct RetryPolicy: Sendable, Equatable {
    /// Attempts for one call, the first included.
    package var attempts = 4
    /// Ceiling of the wait after the first failure; doubles with each.
    package var base: Duration = .milliseconds(500)
    /// Where the ceiling stops growing.
    package var longestWait: Duration = .seconds(30)

    package init() {}

    /// What follows a failure.
    package enum Decision: Sendable, Equatable {
        case retry(after: Duration)
        case giveUp
    }

    /// What is known of a failed attempt.
    package struct Failed: Sendable {
        package var failure: CallFailure
        /// Attempts so far, this one included.
        package var attempts: Int
        /// The longest wait that is worth it.
        package var remaining: Duration
        /// The server's own word, which outranks ours.
        package var shouldRetry: Bool?
        /// The server's `Retry-After`, which gateways send with 500, 502 and 504 too.
        package var retryAfter: Duration?
        /// Whether the call has had its immediate retry after a lost connection.
        package var hasRetriedLostConnection = false
        /// Whether an attempt before this one was waited for to its end.
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

    /// Full jitter, with what the server asks for as its floor.
    ///
    /// - Parameters:
    ///   - failures: failures so far, at least 1.
    ///   - floor: `Retry-After`.
    ///   - random: evenly distributed in 0..<1.
    package func wait(afterFailures failures: Int, floor: Duration?, random: Double) -> Duration {
        let doublings = min(max(failures - 1, 0), 16)
        let ceiling = min(longestWait, base * (1 << doublings))
        return max(floor ?? .zero, ceiling * min(max(random, 0), 1))
    }

    /// Whether and when to try again; takes from `budget` only when it says `retry`.
    ///
    /// The one retry after a stale connection takes nothing: it says no more of the server than a new connection would.
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
            // A request that was waited for to its end is sent once more: whoever hangs twice hangs.
            if fault.isSlow, failed.hasTimedOut { return .giveUp }
            // A server may close an idle connection at the very moment we use it: that says nothing about its health.
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

/// Bounds the share of retries, so that a server in trouble is not sent a multiple of its load.
///
/// A token bucket that is filled by successes: behaves like "retry each" while failures are few, and adds at most a
/// tenth to the load when they are many (Brooker, "Fixing retries with token buckets and circuit breakers", 2022).
package struct RetryBudget: Sendable, Equatable {
    // In thousandths of a retry: sums of decimal fractions are not exact.
    private var level: Int
    private let capacity: Int
    private let perSuccess: Int

    /// - Parameters:
    ///   - capacity: retries that a full budget allows, 0–1,000,000; it starts full.
    ///   - perSuccess: part of a retry that a success earns, 0–1,000.
    package init(capacity: Int = 10, perSuccess: Double = 0.1) {
        self.capacity = min(max(capacity, 0), 1_000_000) * 1000
        self.perSuccess = perSuccess > 0 ? Int(min(perSuccess, 1000) * 1000) : 0
        level = self.capacity
    }

    package mutating func succeeded() { level = min(capacity, level + perSuccess) }

    /// Takes one retry, if there is one.
    package mutating func take() -> Bool {
        guard level >= 1000 else { return false }
        level -= 1000
        return true
    }
}
