import Dispatch
import Synchronization

/// What a worker produced from one batch.
///
/// `Tally` is what the run counts and shows at its end; tallies are merged in input order.
package struct BatchResult<Tally: Sendable>: Sendable {
    /// Position in the run.
    package var sequence: Int
    /// Records, encoded by the chosen writer.
    package var output: ByteBlock
    /// Lines for `--rejects`.
    package var rejects: [UInt8]
    package var tally: Tally
    /// Number of input bytes that it was made from, for progress.
    package var inputBytes: Int

    package init(
        sequence: Int, output: ByteBlock, rejects: [UInt8], tally: Tally, inputBytes: Int = 0
    ) {
        self.inputBytes = inputBytes
        self.sequence = sequence
        self.output = output
        self.rejects = rejects
        self.tally = tally
    }
}

/// Accepts results in any order and passes them to a writer thread in sequence order.
///
/// Writing has its own thread because `write(2)` blocks on a slow pipe and must not hold a worker.
package final class OrderedOutlet<Tally: Sendable>: Sendable {
    private struct State {
        var next = 0
        var ready: [Int: BatchResult<Tally>] = [:]
        var isFinished = false
        /// Set when some results will never come; results behind the gap are not written.
        var isAbandoned = false
        var failure: (any Error)?
        var blocked: [(turn: Int, continuation: CheckedContinuation<Void, any Error>)] = []
        var done: [CheckedContinuation<Void, any Error>] = []
        var hasEnded = false
    }

    private let state = Mutex(State())
    private let wake = DispatchSemaphore(value: 0)
    private let width: Int

    /// Creates an outlet.
    ///
    /// - Parameter width: how many results may be ahead of the one being written.
    package init(width: Int) { self.width = max(1, width) }

    /// Waits until `result` is at most `width` ahead of the one being written, then hands it over.
    ///
    /// - Throws: the error that the writer failed with.
    package func submit(_ result: BatchResult<Tally>) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            let outcome: Result<Void, any Error>? = state.withLock { state in
                if let failure = state.failure { return .failure(failure) }
                if state.isAbandoned { return .failure(CancellationError()) }
                state.ready[result.sequence] = result
                if result.sequence < state.next + width { return .success(()) }
                state.blocked.append((result.sequence, continuation))
                return nil
            }
            wake.signal()
            if let outcome { continuation.resume(with: outcome) }
        }
    }

    /// Turns away everyone who waits to submit a result: an earlier result will never come.
    package func abandon() {
        let blocked = state.withLock { state in
            state.isAbandoned = true
            defer { state.blocked = [] }
            return state.blocked
        }
        for waiter in blocked { waiter.continuation.resume(throwing: CancellationError()) }
    }

    /// Declares that no more results will come and waits until all are written, or after ``abandon()`` those before the
    /// first gap.
    package func finish() async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            let outcome: Result<Void, any Error>? = state.withLock { state in
                state.isFinished = true
                if let failure = state.failure { return .failure(failure) }
                if state.hasEnded { return .success(()) }
                state.done.append(continuation)
                return nil
            }
            wake.signal()
            if let outcome { continuation.resume(with: outcome) }
        }
    }

    /// The writer's loop; runs on its own thread until everything is written or `write` throws.
    package func drain(_ write: (BatchResult<Tally>) throws -> Void) {
        while true {
            wake.wait()
            while let result = state.withLock({ $0.ready.removeValue(forKey: $0.next) }) {
                do {
                    try write(result)
                } catch {
                    end(with: error)
                    return
                }
                let freed = state.withLock { state in
                    state.next += 1
                    let limit = state.next + width
                    let freed = state.blocked.filter { $0.turn < limit }
                    state.blocked.removeAll { $0.turn < limit }
                    return freed
                }
                for waiter in freed { waiter.continuation.resume() }
            }
            let isDone = state.withLock { $0.isFinished && ($0.ready.isEmpty || $0.isAbandoned) }
            if isDone {
                end(with: nil)
                return
            }
        }
    }

    private func end(with failure: (any Error)?) {
        let (blocked, done) = state.withLock { state in
            state.failure = failure
            state.hasEnded = true
            defer {
                state.blocked = []
                state.done = []
                if failure != nil { state.ready = [:] }
            }
            return (state.blocked, state.done)
        }
        for continuation in blocked.map(\.continuation) + done {
            if let failure { continuation.resume(throwing: failure) } else { continuation.resume() }
        }
    }
}
