import Synchronization

/// Asking that goes on although nobody waits for it any more: its answers go to the cache.
///
/// Bounded by what is under way, for nothing is sent once its deadline has passed.
public final class LateAnswers: Sendable {
    private struct State {
        var isCancelled = false
        var next = 0
        var tasks: [Int: Task<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    /// Runs `body` in a task of its own that nobody has to wait for.
    func start(_ body: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            state.next += 1
            let number = state.next
            let task = Task {
                await body()
                self.state.withLock { $0.tasks[number] = nil }
            }
            state.tasks[number] = task
            if state.isCancelled { task.cancel() }
        }
    }

    /// Ends what is under way and whatever begins later.
    public func cancel() {
        let tasks = state.withLock { state in
            state.isCancelled = true
            return Array(state.tasks.values)
        }
        for task in tasks { task.cancel() }
    }

    /// Waits until nothing is under way; what still is after `grace` is cancelled.
    public func finish(within grace: Duration) async {
        let timer = Task {
            do { try await Task.sleep(for: grace) } catch { return }
            cancel()
        }
        while let task = state.withLock({ $0.tasks.first?.value }) {
            await task.value
            // The task takes itself off the list a moment after its end.
            await Task.yield()
        }
        timer.cancel()
    }
}
