/// Permission to send one request.
struct GatePermit: Sendable {
    fileprivate var reservation: Spend.Reservation
    fileprivate var ticket: CircuitBreaker.Ticket
    fileprivate var epoch: Int
    fileprivate var startedAt: Duration
    /// The features that the server may be asked for, as far as is known.
    var features: ServerFeatures
    /// Whether no call has succeeded yet.
    var isUnproven: Bool
}

/// The outcome of one attempt.
struct AttemptEnd: Sendable {
    /// Nil: there is a reply.
    var failure: CallFailure?
    var settlement: Spend.Settlement
    var headers: RateHeaders?
    /// How often the request was sent again beyond the first time.
    var resent = 0
    /// Nobody knows what the server received.
    var isInterrupted = false
}

/// The decisions of ``CallGate``; a value without a clock.
struct GateRules: Sendable {
    enum Decision: Sendable {
        case go(GatePermit)
        case refuse(CallFailure)
        /// Nobody is admitted before this moment or, if nil, before an attempt leaves.
        case wait(until: Duration?)
    }

    /// The limit for requests in flight while it is unknown whether the key and the address work.
    private static let unprovenLimit = 2
    /// The number of consecutive refusals, possibly caused by messages, after which the configuration is blamed.
    private static let suspectRefusals = 3
    /// The longest pause that is taken seriously.
    private static let longestRefusalWait: Duration = .seconds(86_400)

    private let settings: CallerSettings
    private(set) var breaker: CircuitBreaker
    private(set) var limit: ConcurrencyLimit
    private(set) var spend: Spend
    private(set) var report = SpendReport()
    private(set) var isProven = false
    var retryBudget: RetryBudget
    var features: ServerFeatures
    private var requestRate: RateBucket
    private var tokenRate: RateBucket
    private var inFlight = 0
    private var tokensInFlight = 0
    private var refusals = 0
    private var suspects = 0
    private var badOutputs = 0
    private var timeoutsUnproven = 0
    private var hasChangedCap = false
    private let random: @Sendable () -> Double

    init(settings: CallerSettings, features: ServerFeatures, random: @escaping @Sendable () -> Double) {
        self.settings = settings
        self.features = features
        self.random = random
        breaker = CircuitBreaker(policy: settings.breaker)
        limit = ConcurrencyLimit(
            start: settings.startConcurrency ?? (settings.isLocal ? 1 : 4), highest: settings.maxConcurrency)
        spend = Spend(limits: settings.limits, price: settings.price)
        retryBudget = settings.retryBudget
        requestRate = RateBucket(perMinute: settings.requestsPerMinute)
        tokenRate = RateBucket(perMinute: settings.tokensPerMinute)
    }

    /// Decides what happens to the first attempt in the queue.
    mutating func admit(_ need: CallGate.Need, at now: Duration) -> Decision {
        switch breaker.state(at: now) {
        case .latched(let failure):
            return .refuse(failure)
        case .open(let until):
            guard isWorthWaiting, until - now <= settings.patience, !need.isOver(at: until) else {
                return .refuse(.unavailable)
            }
            return .wait(until: until)
        case .probing:
            return isWorthWaiting ? .wait(until: nil) : .refuse(.unavailable)
        case .closed, .halfOpen:
            break
        }
        guard inFlight < (isProven ? limit.limit : min(limit.limit, Self.unprovenLimit)) else {
            return .wait(until: nil)
        }
        switch spend.room(for: need.spend) {
        case .now: break
        case .later: return .wait(until: nil)
        case .never:
            report.isExhausted = true
            return .refuse(.budget)
        }
        let ready = max(
            requestRate.ready(for: 1, at: now), tokenRate.ready(for: need.spend.tokens, at: now))
        guard ready <= now else {
            // A pause that the server requests is accepted up to a limit; a wait for our own rate limit always is.
            let isPaused = max(requestRate.blockedUntil, tokenRate.blockedUntil) - now > settings.longestPause
            return isPaused || need.isOver(at: ready) ? .refuse(.rateLimited(after: ready - now)) : .wait(until: ready)
        }
        guard let ticket = breaker.admit(at: now), let reservation = spend.reserve(need.spend) else {
            return .wait(until: nil)
        }
        requestRate.take(1, at: now)
        tokenRate.take(need.spend.tokens, at: now)
        inFlight += 1
        tokensInFlight += need.spend.tokens
        limit.started(inFlight: inFlight)
        report.attempts += 1
        if need.isRetry { report.retries += 1 }
        return .go(
            GatePermit(
                reservation: reservation, ticket: ticket, epoch: limit.epoch, startedAt: now, features: features,
                isUnproven: !isProven))
    }

    /// A server that has worked in this run gets one short wait; one that never worked, or that stays away, gets none.
    private var isWorthWaiting: Bool { isProven && breaker.isFirstOpening }

    /// Records the outcome of an attempt.
    mutating func finish(_ permit: GatePermit, as end: AttemptEnd, at now: Duration) {
        let need = permit.reservation.need
        inFlight -= 1
        tokensInFlight -= need.tokens
        spend.settle(permit.reservation, as: end.settlement, resent: end.resent)
        report.outcomes[end.failure?.code ?? "ok", default: 0] += 1
        report.resent += max(end.resent, 0)
        if end.isInterrupted { report.interrupted += 1 }
        if case .answered(let usage) = end.settlement, !usage.isEstimated, end.failure == nil {
            tokenRate.give(back: need.tokens - min(usage.input.plusClamped(usage.output), 1 << 40))
        }
        if let requests = end.headers?.requests { requestRate.learn(requests, inFlight: inFlight, at: now) }
        if let tokens = end.headers?.tokens { tokenRate.learn(tokens, inFlight: tokensInFlight, at: now) }
        if let failure = end.failure {
            failed(failure, permit, retryAfter: end.headers?.retryAfter, at: now)
        } else {
            answered()
            suspects = 0
            retryBudget.succeeded()
            limit.succeeded(after: now - permit.startedAt, epoch: permit.epoch)
            breaker.record(.alive, for: permit.ticket, at: now)
        }
    }

    /// The key and the address work.
    private mutating func answered() {
        isProven = true
        refusals = 0
    }

    private mutating func failed(
        _ failure: CallFailure, _ permit: GatePermit, retryAfter: Duration?, at now: Duration
    ) {
        var sign = CircuitBreaker.Sign.alive
        switch failure {
        case .badOutput, .refused:
            answered()
            suspects = 0
        case .tooLong, .unsupported:
            break
        case .rateLimited(let after):
            // Requests sent before the latest refusal add no information.
            let isNew = permit.startedAt >= requestRate.blockedUntil
            if isNew { refusals += 1 }
            let wait =
                after ?? retryAfter
                ?? settings.retry.wait(afterFailures: max(refusals, 1), floor: nil, random: random())
            requestRate.refused(for: min(wait, Self.longestRefusalWait), at: now)
            limit.overloaded(epoch: permit.epoch)
            // A server that only refuses is practically unreachable.
            sign = isNew && refusals > settings.breaker.threshold ? .failing : .none
        case .overloaded:
            limit.overloaded(epoch: permit.epoch)
            sign = .failing
        case .transient(.transport(let fault)):
            switch fault.kind {
            case .firstByteTimeout, .stallTimeout, .totalTimeout:
                limit.overloaded(epoch: permit.epoch)
                // Both requests that may be in flight at first had all the time that loading a model takes.
                if !isProven {
                    timeoutsUnproven += 1
                    if timeoutsUnproven >= Self.unprovenLimit { breaker.trip(at: now) }
                }
            case .certificate, .unusable: if !isProven { breaker.latch(failure) }
            default: break
            }
            switch fault.kind {
            case .tooLarge: sign = .alive
            case .stale: sign = .none
            default: sign = .failing
            }
        case .transient:
            sign = .failing
        case .authentication, .quota, .useless, .overthinking:
            breaker.latch(failure)
        case .configuration(let status):
            suspects += 1
            // The server may fail on one stranger's message, which must not end the requests for all others.
            let mayBeMessage = [400, 409, 413, 422].contains(status)
            if !mayBeMessage || suspects >= Self.suspectRefusals { breaker.latch(failure) }
        case .cancelled, .budget, .unavailable, .deadline, .queueTimeout:
            sign = .none
        }
        breaker.record(sign, for: permit.ticket, at: now)
    }

    /// The features to ask for after the server refused some; nil when nothing is left to leave out.
    ///
    /// The result applies to the rest of the run.
    mutating func lessen(_ asked: ServerFeatures, refused: ServerFeatures) -> ServerFeatures? {
        // Another call has reduced the features in the meantime.
        if features != asked { return features }
        var refused = refused
        // Separate instructions worked before, so they still do; the words of the refusal probably come from a sender.
        if isProven { refused.remove(.foldedSystem) }
        if refused.contains(.completionTokens) {
            // Without either name of the output cap, the server's output cannot be limited.
            guard !hasChangedCap else { return nil }
        }
        guard let less = asked.after(refusal: refused) else { return nil }
        hasChangedCap = hasChangedCap || refused.contains(.completionTokens)
        report.refused.formUnion(refused)
        features = less
        return less
    }

    /// Records a refusal of something that cannot be left out: it affects every message, unless one message caused it.
    mutating func notLessened() {
        suspects += 1
        if suspects >= Self.suspectRefusals { breaker.latch(.unsupported([])) }
    }

    /// Keeps the first words that the server said about each kind of failure.
    mutating func note(_ words: ServerWords, for failure: CallFailure) {
        if report.said[failure.code] == nil, report.said.count < 16 { report.said[failure.code] = words }
    }

    /// Counts how calls end.
    mutating func ended(_ failure: CallFailure?) { report.endings[failure?.code ?? "ok", default: 0] += 1 }

    /// Counts consecutive useless replies; enough of them end the requests.
    mutating func note(badOutput: Bool) {
        badOutputs = badOutput ? badOutputs + 1 : 0
        if badOutputs >= max(settings.badOutputsInARow, 1) { breaker.latch(.useless) }
    }

    /// Decides about a failed attempt with this run's retry budget and random source.
    mutating func decision(on failed: RetryPolicy.Failed) -> RetryPolicy.Decision {
        settings.retry.decision(on: failed, budget: &retryBudget, random: random())
    }

    /// Everything spent so far.
    var spending: SpendReport {
        var report = report
        report.requests = spend.requests
        report.usage = spend.usage
        report.cost = spend.cost
        return report
    }
}

/// An adaptive limit on requests in flight: additive increase, multiplicative decrease, with a slow start.
///
/// Servers do not tell how many slots they have, and excess requests would queue there. So the limit grows only while
/// it is fully used and the median latency stays under twice the best median seen. At first it doubles, so that a
/// server with 32 slots is filled within seconds; after the first sign of a queue, it grows by one.
package struct ConcurrencyLimit: Sendable, Equatable {
    /// The number of requests that may be in flight.
    package private(set) var limit: Int
    /// Changes with the limit: only requests that started under the current limit say anything about it.
    package private(set) var epoch = 0

    private let highest: Int
    private var isSlowStart = true
    private var best: Duration?
    private var window: [Duration] = []
    private var wasUsed = false

    /// The minimum window size: the median of one or two latencies says little.
    private static let shortestWindow = 4

    /// - Parameters:
    ///   - start: 4 for remote servers, 1 for one on this machine, which usually has one slot.
    ///   - highest: 1–1,024.
    package init(start: Int = 4, highest: Int = 8) {
        self.highest = min(max(highest, 1), 1024)
        limit = min(max(start, 1), self.highest)
    }

    /// Records how many requests are in flight after another one has started.
    package mutating func started(inFlight: Int) { if inFlight >= limit { wasUsed = true } }

    /// Records the latency of an answer to a request that started in `epoch`.
    package mutating func succeeded(after latency: Duration, epoch: Int) {
        guard epoch == self.epoch else { return }
        window.append(latency)
        guard window.count >= max(limit, Self.shortestWindow) else { return }
        window.sort()
        let median = window[window.count / 2]
        window.removeAll(keepingCapacity: true)
        let least = min(best ?? median, median)
        best = least
        let isWaiting = median >= least * 2
        let isUsed = wasUsed
        wasUsed = false
        if isWaiting {
            // The last doubling went too far; the limit before it is known to be good.
            if isSlowStart { change(to: limit / 2) }
            isSlowStart = false
        } else if isUsed {
            change(to: isSlowStart ? limit * 2 : limit + 1)
        }
    }

    /// Halves the limit because the server refused or timed out; only once for all requests of the same `epoch`.
    package mutating func overloaded(epoch: Int) {
        guard epoch == self.epoch else { return }
        isSlowStart = false
        change(to: limit / 2)
        // Even at a limit of 1, a burst of refusals counts once.
        self.epoch = epoch + 1
    }

    private mutating func change(to wanted: Int) {
        let next = min(max(wanted, 1), highest)
        guard next != limit else { return }
        limit = next
        epoch += 1
        window.removeAll(keepingCapacity: true)
        wasUsed = false
    }
}
