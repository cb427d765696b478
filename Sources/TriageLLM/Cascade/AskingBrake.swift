import Synchronization

/// Ends all asking of a run at once, while the run itself goes on to its end with offline answers.
public final class AskingBrake: Sendable {
    private struct State {
        var isPulled = false
        var next = 0
        var cancels: [Int: @Sendable () -> Void] = [:]
    }

    private let state = Mutex(State())

    public init() {}

    /// Cancels what is under way and whatever begins later.
    public func pull() {
        let cancels = state.withLock { state in
            defer { state.cancels = [:] }
            state.isPulled = true
            return Array(state.cancels.values)
        }
        for cancel in cancels { cancel() }
    }

    /// Runs `body` in a task of its own, which is cancelled by ``pull()`` and with the calling task.
    func run<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value {
        let task = Task { await body() }
        let number = state.withLock { state -> Int? in
            guard !state.isPulled else { return nil }
            state.next += 1
            state.cancels[state.next] = { task.cancel() }
            return state.next
        }
        if number == nil { task.cancel() }
        defer { if let number { state.withLock { state in state.cancels[number] = nil } } }
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
