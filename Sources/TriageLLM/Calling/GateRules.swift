/// Leave to send one request.
struct GatePermit: Sendable {
    fileprivate var reservation: Spend.Reservation
    fileprivate var ticket: CircuitBreaker.Ticket
    fileprivate var epoch: Int
    fileprivate var startedAt: Duration
    /// What may be asked of the server, as far as is known by now.
    var features: ServerFeatures
    /// Whether no call has succeeded yet.
    var isUnproven: Bool
}

/// What became of one attempt.
struct AttemptEnd: Sendable {
    /// Nil: there is a reply.
    var failure: CallFailure?
    var settlement: Spend.Settlement
    var headers: RateHeaders?
    /// How often the request went out beyond the first time.
    var resent = 0
    /// Nothing is known of what the server saw.
    var isInterrupted = false
}

/// What ``CallGate`` decides by; a value without a clock.
struct GateRules: Sendable {
    enum Decision: Sendable {
        case go(GatePermit)
        case refuse(CallFailure)
        /// Nobody passes before this moment, or, when nil, before somebody leaves.
        case wait(until: Duration?)
    }

    /// Requests in flight while it is not known whether the key and the address are any good.
    private static let unprovenLimit = 2
    /// Refusals in a row that may be the messages' fault and yet are taken for the configuration's.
    private static let suspectRefusals = 3
    /// A pause that is longer was not meant.
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

    /// What the first in the queue may do now.
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
            // A pause that the server asks for is waited for within reason; our own pacing always is.
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

    /// A server that has worked in this run is given a moment, once; one that never did is not, nor one that stays away.
    private var isWorthWaiting: Bool { isProven && breaker.isFirstOpening }

    /// Takes in what became of an attempt.
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

    /// The key and the address are good.
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
            // What was sent before the last refusal came says nothing new.
            let isNew = permit.startedAt >= requestRate.blockedUntil
            if isNew { refusals += 1 }
            let wait =
                after ?? retryAfter
                ?? settings.retry.wait(afterFailures: max(refusals, 1), floor: nil, random: random())
            requestRate.refused(for: min(wait, Self.longestRefusalWait), at: now)
            limit.overloaded(epoch: permit.epoch)
            // A server that only ever refuses is as good as away.
            sign = isNew && refusals > settings.breaker.threshold ? .failing : .none
        case .overloaded:
            limit.overloaded(epoch: permit.epoch)
            sign = .failing
        case .transient(.transport(let fault)):
            switch fault.kind {
            case .firstByteTimeout, .stallTimeout, .totalTimeout:
                limit.overloaded(epoch: permit.epoch)
                // Both that may be in flight at first had all the time that a model takes to load.
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
            // A stranger's message may be what the server chokes on, and must not end the asking for all others.
            let mayBeMessage = [400, 409, 413, 422].contains(status)
            if !mayBeMessage || suspects >= Self.suspectRefusals { breaker.latch(failure) }
        case .cancelled, .budget, .unavailable, .deadline, .queueTimeout:
            sign = .none
        }
        breaker.record(sign, for: permit.ticket, at: now)
    }

    /// What to ask for in place of what the server refused; nil when there is nothing left to leave out.
    ///
    /// Holds for the rest of the run.
    mutating func lessen(_ asked: ServerFeatures, refused: ServerFeatures) -> ServerFeatures? {
        // Another call found out in the meantime.
        if features != asked { return features }
        var refused = refused
        // Where instructions had a turn of their own before, they have it still: the words are likely a sender's.
        if isProven { refused.remove(.foldedSystem) }
        if refused.contains(.completionTokens) {
            // A server that takes neither name cannot be kept from writing for ever.
            guard !hasChangedCap else { return nil }
        }
        guard let less = asked.after(refusal: refused) else { return nil }
        hasChangedCap = hasChangedCap || refused.contains(.completionTokens)
        report.refused.formUnion(refused)
        features = less
        return less
    }

    /// A refusal of something that cannot be left out: the same for every message, unless it is a message's.
    mutating func notLessened() {
        suspects += 1
        if suspects >= Self.suspectRefusals { breaker.latch(.unsupported([])) }
    }

    /// Keeps what the server said about a failure, the first time.
    mutating func note(_ words: ServerWords, for failure: CallFailure) {
        if report.said[failure.code] == nil, report.said.count < 16 { report.said[failure.code] = words }
    }

    /// Counts how calls end.
    mutating func ended(_ failure: CallFailure?) { report.endings[failure?.code ?? "ok", default: 0] += 1 }

    /// Counts replies of no use; enough of them in a row end the asking.
    mutating func note(badOutput: Bool) {
        badOutputs = badOutput ? badOutputs + 1 : 0
        if badOutputs >= max(settings.badOutputsInARow, 1) { breaker.latch(.useless) }
    }

    /// What is known of an attempt's failure, decided with this run's budget and chance.
    mutating func decision(on failed: RetryPolicy.Failed) -> RetryPolicy.Decision {
        settings.retry.decision(on: failed, budget: &retryBudget, random: random())
    }

    /// Everything spent up to now.
    var spending: SpendReport {
        var report = report
        report.requests = spend.requests
        report.usage = spend.usage
        report.cost = spend.cost
        return report
    }
}

/// How many requests may be in flight: additive increase, multiplicative decrease, with a slow start.
///
/// Nobody tells how many slots a server has, and a queue there is a queue of our own making. So the limit grows only
/// while it is used to the full and the median latency stays under twice the best median seen: twofold at first, so that
/// a server of 32 slots is filled within seconds, by one after the first sign of a queue.
package struct ConcurrencyLimit: Sendable, Equatable {
    /// Requests that may be in flight.
    package private(set) var limit: Int
    /// Changes with the limit: only what started under the present limit tells about it.
    package private(set) var epoch = 0

    private let highest: Int
    private var isSlowStart = true
    private var best: Duration?
    private var window: [Duration] = []
    private var wasUsed = false

    /// Windows are at least so long: the median of one or two latencies says little.
    private static let shortestWindow = 4

    /// - Parameters:
    ///   - start: 4 for servers elsewhere, 1 for one on this machine, which as a rule has one slot.
    ///   - highest: 1–1,024.
    package init(start: Int = 4, highest: Int = 8) {
        self.highest = min(max(highest, 1), 1024)
        limit = min(max(start, 1), self.highest)
    }

    /// Tells how many are in flight after one more has started.
    package mutating func started(inFlight: Int) { if inFlight >= limit { wasUsed = true } }

    /// Takes in the latency of an answer to a request that started in `epoch`.
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
            // The last doubling went too far; what was before it is known to be good.
            if isSlowStart { change(to: limit / 2) }
            isSlowStart = false
        } else if isUsed {
            change(to: isSlowStart ? limit * 2 : limit + 1)
        }
    }

    /// Halves the limit, for the server refused or did not answer in time; once for all that started in `epoch`.
    package mutating func overloaded(epoch: Int) {
        guard epoch == self.epoch else { return }
        isSlowStart = false
        change(to: limit / 2)
        // Even at 1, one burst of refusals is one sign.
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
