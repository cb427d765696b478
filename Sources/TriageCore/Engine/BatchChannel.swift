import Dispatch
import Synchronization

/// Hands batches from one blocking reader thread to async workers; holds at most `capacity`.
package final class BatchChannel: Sendable {
    private struct State {
        var queue: [InputBatch] = []
        var waiting: [CheckedContinuation<InputBatch?, Never>] = []
        var isFinished = false
        var isStopped = false
        var isAbandoned = false
    }

    private let state = Mutex(State())
    private let space: DispatchSemaphore

    package init(capacity: Int) {
        // Starting from 0: a semaphore that dies with a lower value than it began with brings the process down, and a
        // run that stops early leaves batches behind.
        space = DispatchSemaphore(value: 0)
        for _ in 0..<capacity { space.signal() }
    }

    /// Blocks the calling thread until there is room.
    ///
    /// - Throws: `CancellationError` once ``stop()`` was called.
    package func send(_ batch: InputBatch) throws {
        space.wait()
        let outcome: (CheckedContinuation<InputBatch?, Never>?, Bool) = state.withLock { state in
            if state.isStopped { return (nil, true) }
            if !state.waiting.isEmpty { return (state.waiting.removeFirst(), false) }
            state.queue.append(batch)
            return (nil, false)
        }
        if outcome.1 {
            space.signal()
            throw CancellationError()
        }
        if let waiter = outcome.0 {
            space.signal()
            waiter.resume(returning: batch)
        }
    }

    /// The reader has no more: what is queued still goes out, then nil.
    package func finish() {
        let waiting = state.withLock { state in
            state.isFinished = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for waiter in waiting { waiter.resume(returning: nil) }
    }

    /// Drops what is queued and turns the reader away.
    package func stop() {
        let waiting = state.withLock { state in
            state.isStopped = true
            state.isFinished = true
            state.queue = []
            defer { state.waiting = [] }
            return state.waiting
        }
        for waiter in waiting { waiter.resume(returning: nil) }
        space.signal()
    }

    /// As ``stop()``, and what workers hold is not wanted any more either: nobody was promised it.
    package func abandon() {
        state.withLock { $0.isAbandoned = true }
        stop()
    }

    /// Whether ``abandon()`` was called.
    package var isAbandoned: Bool { state.withLock { $0.isAbandoned } }

    /// The next batch in the order sent; nil at the end.
    package func next() async -> InputBatch? {
        await withCheckedContinuation { continuation in
            let outcome: InputBatch?? = state.withLock { state in
                if !state.queue.isEmpty { return .some(state.queue.removeFirst()) }
                if state.isFinished { return .some(nil) }
                state.waiting.append(continuation)
                return nil
            }
            if let outcome {
                if case .some = outcome { space.signal() }
                continuation.resume(returning: outcome)
            }
        }
    }
}
