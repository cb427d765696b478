import Synchronization

/// Admits attempts in order of arrival, within slots, rates, budget and circuit breaker, and records their outcomes.
///
/// One lock guards plain values. Each attempt that leaves, and one timer, admit the next ones, so no waiter polls and
/// none wakes in vain.
final class CallGate: Sendable {
    /// What an attempt requires.
    struct Need: Sendable {
        var spend: Spend.Need
        /// The moment after which sending is no longer worthwhile; nil: never.
        var deadline: Duration?
        var isRetry = false

        func isOver(at now: Duration) -> Bool { deadline.map { $0 <= now } ?? false }
    }

    private typealias Passage = Result<GatePermit, CallFailure>

    private struct Waiter {
        var id: Int
        var need: Need
        var continuation: CheckedContinuation<Passage, Never>
    }

    private struct State {
        var rules: GateRules
        var queue: [Waiter] = []
        /// The index where the queue begins; earlier entries have left.
        var head = 0
        var nextID = 0
        var earliestDeadline: Duration?
        var timer: (at: Duration, task: Task<Void, Never>)?
    }

    /// Continuations to resume after the lock is released.
    private typealias Decided = [(continuation: CheckedContinuation<Passage, Never>, passage: Passage)]

    private let clock: CallClock
    private let state: Mutex<State>

    init(rules: GateRules, clock: CallClock) {
        self.clock = clock
        state = Mutex(State(rules: rules))
    }

    deinit { state.withLock { $0.timer?.task.cancel() } }

    /// Reads or changes the state of the rules.
    func withRules<Result: Sendable>(_ body: (inout GateRules) -> sending Result) -> sending Result {
        state.withLock { body(&$0.rules) }
    }

    /// Waits for its turn.
    ///
    /// - Returns: a permit, which must be returned with ``leave(_:as:)``; or why there is none, which is `cancelled` as
    ///   soon as the task is cancelled.
    func enter(_ need: Need) async -> Result<GatePermit, CallFailure> {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                settle { state in
                    state.queue.append(Waiter(id: id, need: need, continuation: continuation))
                    state.earliestDeadline = [state.earliestDeadline, need.deadline].compactMap { $0 }.min()
                }
                // The cancellation handler may have run before there was anything to remove.
                if Task.isCancelled { remove(id) }
            }
        } onCancel: {
            remove(id)
        }
    }

    /// Records the outcome of an attempt.
    func leave(_ permit: GatePermit, as end: AttemptEnd) {
        let now = clock.now
        settle { $0.rules.finish(permit, as: end, at: now) }
    }

    private func remove(_ id: Int) {
        let removed = state.withLock { state -> Waiter? in
            guard let place = state.queue[state.head...].firstIndex(where: { $0.id == id }) else { return nil }
            return state.queue.remove(at: place)
        }
        removed?.continuation.resume(returning: .failure(.cancelled))
        // An attempt behind the removed one may be small enough to be admitted.
        if removed != nil { settle { _ in } }
    }

    /// Changes the state, admits the attempts that the change allows, and sets the timer for those that need time to
    /// pass.
    private func settle(_ change: (inout State) -> Void) {
        let decided = state.withLock { state in
            change(&state)
            let now = clock.now
            let (decided, wake) = Self.advance(&state, to: now)
            setTimer(&state, at: wake)
            return decided
        }
        for (continuation, result) in decided { continuation.resume(returning: result) }
    }

    private static func advance(_ state: inout State, to now: Duration) -> (Decided, wake: Duration?) {
        var decided: Decided = []
        if let earliest = state.earliestDeadline, earliest <= now {
            let waiting = state.queue[state.head...]
            for waiter in waiting where waiter.need.isOver(at: now) {
                decided.append((waiter.continuation, .failure(.deadline)))
            }
            state.queue = waiting.filter { !$0.need.isOver(at: now) }
            state.head = 0
            state.earliestDeadline = state.queue.lazy.compactMap(\.need.deadline).min()
        }
        var wake: Duration?
        waiters: while state.head < state.queue.count {
            let waiter = state.queue[state.head]
            switch state.rules.admit(waiter.need, at: now) {
            case .go(let permit): decided.append((waiter.continuation, .success(permit)))
            case .refuse(let failure): decided.append((waiter.continuation, .failure(failure)))
            case .wait(let moment):
                wake = moment
                break waiters
            }
            state.head += 1
        }
        if state.head == state.queue.count {
            state.queue.removeAll(keepingCapacity: true)
            state.head = 0
            state.earliestDeadline = nil
        } else if state.head > 64, state.head * 2 > state.queue.count {
            state.queue.removeFirst(state.head)
            state.head = 0
        }
        if let earliest = state.earliestDeadline { wake = min(wake ?? earliest, earliest) }
        return (decided, wake)
    }

    private func setTimer(_ state: inout State, at wake: Duration?) {
        // A timer that fires in vain costs less than setting one anew for each request.
        guard let wake, state.timer.map({ wake < $0.at }) ?? true else { return }
        state.timer?.task.cancel()
        let clock = clock
        state.timer = (
            wake,
            Task { [weak self] in
                do { try await clock.sleep(until: wake) } catch { return }
                self?.fired(wake)
            }
        )
    }

    private func fired(_ moment: Duration) {
        settle { state in
            if state.timer?.at == moment { state.timer = nil }
        }
    }
}

/// The clock for calls: it counts from its creation, so moments are plain durations.
package struct CallClock: Sendable {
    private let read: @Sendable () -> Duration
    private let rest: @Sendable (Duration) async throws -> Void

    package init<Base: Clock>(_ clock: Base) where Base.Duration == Duration {
        let start = clock.now
        read = { start.duration(to: clock.now) }
        rest = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
    }

    /// The time since the clock was created.
    package var now: Duration { read() }

    /// Returns at `moment`, or at once if it has passed.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    package func sleep(until moment: Duration) async throws { try await rest(moment) }
}

extension Duration {
    /// The duration in seconds, as closely as a `Double` can represent it.
    var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) * 1e-18
    }

    /// A duration clamped to 0–100 years; any `Double` is accepted, because rates may be tiny.
    init(clampingSeconds seconds: Double) {
        self = seconds > 0 ? .seconds(min(seconds, 3_155_760_000)) : .zero
    }
}
