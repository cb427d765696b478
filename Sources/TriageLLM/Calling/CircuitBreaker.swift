/// Stops sending to a server that fails repeatedly, and probes it with a single request after a while.
///
/// A value without a clock: moments are passed in as durations since a common start.
package struct CircuitBreaker: Sendable, Equatable {
    package struct Policy: Sendable, Equatable {
        /// The number of consecutive failures that opens the breaker.
        package var threshold = 5
        /// How long it stays open at first; the time doubles whenever the probe fails.
        package var open: Duration = .seconds(15)
        package var longestOpen: Duration = .seconds(120)

        package init() {}
    }

    /// Links the outcome of a request to the state in which it was admitted, so that late outcomes change nothing.
    package struct Ticket: Sendable, Equatable {
        fileprivate var generation: Int
        /// Whether this request alone decides if the breaker closes.
        package fileprivate(set) var isProbe: Bool
    }

    /// The state that a request meets.
    package enum State: Sendable, Equatable {
        case closed
        /// The next request may go, alone.
        case halfOpen
        case probing
        case open(until: Duration)
        /// Open for the rest of the run.
        case latched(CallFailure)
    }

    /// What the outcome of a request says about the server.
    package enum Sign: Sendable {
        /// The server answered, whatever the answer.
        case alive
        case failing
        /// Nothing: the request was cancelled, or rate-limited.
        case none
    }

    private let policy: Policy
    private var phase: State = .closed
    private var failures = 0
    private var generation = 0
    private var openFor: Duration

    package init(policy: Policy = Policy()) {
        self.policy = policy
        openFor = policy.open
    }

    package func state(at now: Duration) -> State {
        if case .open(let until) = phase, now >= until { return .halfOpen }
        return phase
    }

    /// Whether the breaker opened while the server was working, and no probe has failed since.
    package var isFirstOpening: Bool { openFor == policy.open }

    /// Admits a request; nil unless ``state(at:)`` is closed or half-open.
    package mutating func admit(at now: Duration) -> Ticket? {
        switch state(at: now) {
        case .closed:
            return Ticket(generation: generation, isProbe: false)
        case .halfOpen:
            generation += 1
            phase = .probing
            return Ticket(generation: generation, isProbe: true)
        case .probing, .open, .latched:
            return nil
        }
    }

    /// Records an outcome; outcomes of requests that were admitted in an earlier state are ignored.
    package mutating func record(_ sign: Sign, for ticket: Ticket, at now: Duration) {
        guard ticket.generation == generation else { return }
        switch (phase, sign) {
        case (.closed, .alive):
            failures = 0
        case (.closed, .failing):
            failures += 1
            if failures >= policy.threshold { open(at: now) }
        case (.probing, .alive):
            generation += 1
            phase = .closed
            failures = 0
            openFor = policy.open
        case (.probing, .failing):
            openFor = min(policy.longestOpen, openFor * 2)
            open(at: now)
        case (.probing, .none):
            phase = .halfOpen
        default:
            break
        }
    }

    /// Opens for the rest of the run; the first reason is kept.
    package mutating func latch(_ failure: CallFailure) {
        if case .latched = phase { return }
        generation += 1
        phase = .latched(failure)
    }

    /// Opens at once, because the server is practically unreachable.
    package mutating func trip(at now: Duration) {
        guard case .closed = phase else { return }
        open(at: now)
    }

    private mutating func open(at now: Duration) {
        generation += 1
        phase = .open(until: now + openFor)
        failures = 0
    }
}
