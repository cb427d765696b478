import Synchronization

/// Lets attempts through one after the other in the order of their coming, as far as slots, rates, money and the breaker
/// allow, and takes in what became of them.
///
/// One lock around values: whoever leaves, and one timer, let the next ones in, so no waiter polls and none wakes in vain.
final class CallGate: Sendable {
    /// What an attempt needs.
    struct Need: Sendable {
        var spend: Spend.Need
        /// When it is no longer worth sending; nil: never.
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
        /// Where the queue begins; what is before has left.
        var head = 0
        var nextID = 0
        var earliestDeadline: Duration?
        var timer: (at: Duration, task: Task<Void, Never>)?
    }

    /// Resumed after the lock is given back.
    private typealias Decided = [(continuation: CheckedContinuation<Passage, Never>, passage: Passage)]

    private let clock: CallClock
    private let state: Mutex<State>

    init(rules: GateRules, clock: CallClock) {
        self.clock = clock
        state = Mutex(State(rules: rules))
    }

    deinit { state.withLock { $0.timer?.task.cancel() } }

    /// Reads or changes the rules' values.
    func withRules<Result: Sendable>(_ body: (inout GateRules) -> sending Result) -> sending Result {
        state.withLock { body(&$0.rules) }
    }

    /// Waits for its turn.
    ///
    /// - Returns: a permit, which must be handed to ``leave(_:as:)``; or why there is none, `cancelled` as soon as the task
    ///   is.
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
                // The handler may have run before there was anything to remove.
                if Task.isCancelled { remove(id) }
            }
        } onCancel: {
            remove(id)
        }
    }

    /// Takes in what became of an attempt.
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
        // Who stood behind it may be small enough to pass.
        if removed != nil { settle { _ in } }
    }

    /// Changes the state, lets in whom the change allows, and sets the timer for whom time will.
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
        // A timer that fires in vain costs less than one that is set anew with each request.
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

/// Time as calls see it: since the clock was made, so that moments are plain durations.
package struct CallClock: Sendable {
    private let read: @Sendable () -> Duration
    private let rest: @Sendable (Duration) async throws -> Void

    package init<Base: Clock>(_ clock: Base) where Base.Duration == Duration {
        let start = clock.now
        read = { start.duration(to: clock.now) }
        rest = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
    }

    /// Since the clock was made.
    package var now: Duration { read() }

    /// Returns at `moment`, at once if it has passed.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    package func sleep(until moment: Duration) async throws { try await rest(moment) }
}

extension Duration {
    /// In seconds, as near as a `Double` comes.
    var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) * 1e-18
    }

    /// A duration of so many seconds between nothing and a hundred years; any `Double` is taken, for rates may be tiny.
    init(clampingSeconds seconds: Double) {
        self = seconds > 0 ? .seconds(min(seconds, 3_155_760_000)) : .zero
    }
}
