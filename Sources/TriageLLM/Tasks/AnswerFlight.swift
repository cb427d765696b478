import Synchronization

/// One question under way, shared by all who want its answer.
final class AnswerFlight<Answer: Sendable>: Sendable {
    typealias Landing = Result<Answer, CallFailure>

    private struct State {
        var landing: Landing?
        var waiters: [Int: CheckedContinuation<Landing, Never>] = [:]
        var tickets = 0
    }

    private let state = Mutex(State())

    /// Gives the answer to all current and future waiters; the first answer is kept.
    func land(_ landing: Landing) {
        let waiters = state.withLock { state in
            guard state.landing == nil else { return [CheckedContinuation<Landing, Never>]() }
            state.landing = landing
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume(returning: landing) }
    }

    /// Waits for the answer; returns `cancelled` as soon as the waiting task is cancelled, without affecting other
    /// waiters.
    func landing() async -> Landing {
        let ticket = state.withLock { state in
            state.tickets += 1
            return state.tickets
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let known: Landing? = state.withLock { state in
                    if let landing = state.landing { return landing }
                    // A cancellation that came earlier found no waiter, so it is checked here.
                    if Task.isCancelled { return .failure(.cancelled) }
                    state.waiters[ticket] = continuation
                    return nil
                }
                if let known { continuation.resume(returning: known) }
            }
        } onCancel: {
            let waiter = state.withLock { $0.waiters.removeValue(forKey: ticket) }
            waiter?.resume(returning: .failure(.cancelled))
        }
    }
}

/// All questions under way, by the digest of their answer.
final class AnswerFlights<Answer: Sendable>: Sendable {
    enum Claim {
        /// Nobody else is asking: the claimant must land it in every case.
        case own(AnswerFlight<Answer>)
        case others(AnswerFlight<Answer>)
    }

    private let flights = Mutex<[String: AnswerFlight<Answer>]>([:])

    func claim(_ digest: String) -> Claim {
        flights.withLock { flights in
            if let flight = flights[digest] { return .others(flight) }
            let flight = AnswerFlight<Answer>()
            flights[digest] = flight
            return .own(flight)
        }
    }

    /// Ends one's own claim.
    func land(_ digest: String, _ landing: Result<Answer, CallFailure>) {
        flights.withLock { $0.removeValue(forKey: digest) }?.land(landing)
    }
}
