/// Stops asking a server that fails again and again, and tries it with a single request after a while.
///
/// A value without a clock: moments come in as durations since a common start.
public struct CircuitBreaker: Sendable, Equatable {
    public struct Policy: Sendable, Equatable {
        /// Failures in a row that open it.
        public var threshold = 5
        /// How long it is open first; doubles each time that the probe fails.
        public var open: Duration = .seconds(15)
        public var longestOpen: Duration = .seconds(120)

        public init() {}
    }

    /// Ties what became of a request to the state it was let through in, so that late news changes nothing.
    public struct Ticket: Sendable, Equatable {
        fileprivate var generation: Int
        /// Whether this request alone decides if the breaker closes.
        public fileprivate(set) var isProbe: Bool
    }

    /// What a request meets.
    public enum State: Sendable, Equatable {
        case closed
        /// The next request may go, alone.
        case halfOpen
        case probing
        case open(until: Duration)
        /// For the rest of the run.
        case latched(CallFailure)
    }

    /// What a request says about the server.
    public enum Sign: Sendable {
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

    public init(policy: Policy = Policy()) {
        self.policy = policy
        openFor = policy.open
    }

    public func state(at now: Duration) -> State {
        if case .open(let until) = phase, now >= until { return .halfOpen }
        return phase
    }

    /// Whether it opened out of working order, and has not been tried since without success.
    public var isFirstOpening: Bool { openFor == policy.open }

    /// Lets a request through; nil unless ``state(at:)`` is closed or half-open.
    public mutating func admit(at now: Duration) -> Ticket? {
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
    public mutating func record(_ sign: Sign, for ticket: Ticket, at now: Duration) {
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
    public mutating func latch(_ failure: CallFailure) {
        if case .latched = phase { return }
        generation += 1
        phase = .latched(failure)
    }

    /// Opens at once, for the server is as good as away.
    public mutating func trip(at now: Duration) {
        guard case .closed = phase else { return }
        open(at: now)
    }

    private mutating func open(at now: Duration) {
        generation += 1
        phase = .open(until: now + openFor)
        failures = 0
    }
}
