import Synchronization

/// One question under way, for all who want its answer.
final class AnswerFlight<Answer: Sendable>: Sendable {
    typealias Landing = Result<Answer, CallFailure>

    private struct State {
        var landing: Landing?
        var waiters: [Int: CheckedContinuation<Landing, Never>] = [:]
        var tickets = 0
    }

    private let state = Mutex(State())

    /// Gives the answer to all who wait and will ask; the first one stays.
    func land(_ landing: Landing) {
        let waiters = state.withLock { state in
            guard state.landing == nil else { return [CheckedContinuation<Landing, Never>]() }
            state.landing = landing
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume(returning: landing) }
    }

    /// The answer, once it is there; `cancelled` as soon as the waiting task is cancelled, which disturbs nobody else.
    func landing() async -> Landing {
        let ticket = state.withLock { state in
            state.tickets += 1
            return state.tickets
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let known: Landing? = state.withLock { state in
                    if let landing = state.landing { return landing }
                    // A cancellation that found no waiter came before this, so it shows here.
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
        /// Nobody else asks: who claimed must land it, come what may.
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

    /// Ends a claim of one's own.
    func land(_ digest: String, _ landing: Result<Answer, CallFailure>) {
        flights.withLock { $0.removeValue(forKey: digest) }?.land(landing)
    }
}
