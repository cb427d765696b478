/// Stops asking a server that fails again and again, and tries it with a single request after a while.
///
/// A value without a clock: moments come in as durations since a common start.
package struct CircuitBreaker: Sendable, Equatable {
    package struct Policy: Sendable, Equatable {
        /// Failures in a row that open it.
        package var threshold = 5
        /// How long it is open first; doubles each time that the probe fails.
        package var open: Duration = .seconds(15)
        package var longestOpen: Duration = .seconds(120)

        package init() {}
    }

    /// Ties what became of a request to the state it was let through in, so that late news changes nothing.
    package struct Ticket: Sendable, Equatable {
        fileprivate var generation: Int
        /// Whether this request alone decides if the breaker closes.
        package fileprivate(set) var isProbe: Bool
    }

    /// What a request meets.
    package enum State: Sendable, Equatable {
        case closed
        /// The next request may go, alone.
        case halfOpen
        case probing
        case open(until: Duration)
        /// For the rest of the run.
        case latched(CallFailure)
    }

    /// What a request says about the server.
    package enum Sign: Sendable {
        /// It answered, whatever it said.
        case alive
        case failing
        /// Nothing: the request was cancelled, or refused for its rate.
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

    /// Whether it opened out of working order, and has not been tried since without success.
    package var isFirstOpening: Bool { openFor == policy.open }

    /// Lets a request through; nil unless ``state(at:)`` is closed or half-open.
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

    /// Takes in what a request said; one that was let through in an earlier state says nothing about this one.
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

    /// Opens for the rest of the run; the first reason stays.
    package mutating func latch(_ failure: CallFailure) {
        if case .latched = phase { return }
        generation += 1
        phase = .latched(failure)
    }

    /// Opens at once, for the server is as good as away.
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
