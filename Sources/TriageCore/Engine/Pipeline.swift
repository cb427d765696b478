import Dispatch
import Synchronization

/// Runs batches through the stages on several workers and emits the results in input order.
///
/// There are three kinds of threads: one reader (blocking), `jobs` workers, and one writer (blocking). The number of
/// batches in flight is bounded, so memory does not grow with the input, and a slow consumer of the output slows down
/// reading.
///
/// The maximum, reached when the output is slowest:
///
/// - 1 in the source, which is filling it or waiting in ``BatchChannel/send(_:)``;
/// - `capacity` in the ``BatchChannel`` that the caller makes;
/// - 1 in each of the `jobs` workers, including a result that the worker is waiting to hand over;
/// - `jobs + 1` results in the ``OrderedOutlet``, including the one being written.
///
/// That is `capacity + 2 · jobs + 2`. A run uses the capacity `jobs + 2`, so `3 · jobs + 4` batches; a stream uses the
/// capacity `min(jobs, 4)`.
package struct Pipeline<Tally: Sendable>: Sendable {
    package let plan: StagePlan
    /// Number of workers.
    package let jobs: Int
    private let read: @Sendable (inout Batch) -> Void
    private let encode: @Sendable (inout Batch) -> BatchResult<Tally>
    /// How the workers' time was spent.
    package let timings: StageTimings

    /// Creates a pipeline.
    ///
    /// - Parameters:
    ///   - plan: the stages in order.
    ///   - jobs: number of workers, at least 1.
    ///   - read: turns the batch's input lines into records.
    ///   - encode: turns the annotated batch into output, without side effects.
    package init(
        plan: StagePlan, jobs: Int, read: @escaping @Sendable (inout Batch) -> Void,
        encode: @escaping @Sendable (inout Batch) -> BatchResult<Tally>
    ) {
        self.plan = plan
        self.jobs = max(1, jobs)
        self.read = read
        self.encode = encode
        timings = StageTimings(names: ["input.read"] + plan.slots.map(\.name) + ["output.encode"])
    }

    /// Pushes every batch that `source` delivers through the stages and into `sink`.
    ///
    /// After ``BatchChannel/abandon()`` it ends as soon as each worker has finished its current stage: results up to
    /// the first gap are written, the rest is dropped.
    ///
    /// - Parameters:
    ///   - channel: where `source` sends its batches; ``BatchChannel/finish()`` is called when `source` returns. To
    ///     stop early without losing what was read, the source simply returns.
    ///   - source: runs on its own thread.
    ///   - sink: runs on its own thread and gets the results in order.
    /// - Throws: the error of the source or the sink; if both failed, that of the sink.
    package func run(
        channel: BatchChannel, source: @escaping @Sendable () throws -> Void,
        sink: @escaping @Sendable (BatchResult<Tally>) throws -> Void
    ) async throws {
        let outlet = OrderedOutlet<Tally>(width: jobs + 1)
        let gates = plan.slots.map { slot -> OrderedGate? in
            if case .ordered = slot { return OrderedGate() }
            return nil
        }
        let sourceFailure = Mutex<(any Error)?>(nil)
        startBlockingThread {
            do { try source() } catch { sourceFailure.withLock { $0 = error } }
            channel.finish()
        }
        startBlockingThread { outlet.drain(sink) }
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<jobs {
                    group.addTask { try await work(channel: channel, gates: gates, outlet: outlet) }
                }
                do {
                    while try await group.next() != nil {}
                } catch {
                    // One worker failed (the output is gone), so the reader and the other workers stop now.
                    channel.stop()
                    outlet.abandon()
                    for gate in gates { gate?.close() }
                    group.cancelAll()
                    throw error
                }
            }
            try await outlet.finish()
        } catch is CancellationError where channel.isAbandoned {
            // Results already handed over are still being written, and nobody may take away the sink's files before
            // that is done.
            try await outlet.finish()
        } catch {
            channel.stop()
            throw error
        }
        if let failure = sourceFailure.withLock({ $0 }), !(failure is CancellationError) { throw failure }
    }

    private func work(channel: BatchChannel, gates: [OrderedGate?], outlet: OrderedOutlet<Tally>) async throws {
        var batch = Batch()
        // The clock is read once per batch and stage, which is negligible next to what a stage costs.
        let clock = ContinuousClock()
        var spent = [Duration](repeating: .zero, count: plan.slots.count + 2)
        defer { timings.add(spent) }
        while let input = await channel.next() {
            try Task.checkCancellation()
            var mark = clock.now
            func lap(_ index: Int) {
                let now = clock.now
                spent[index] += now - mark
                mark = now
            }
            batch.reset(to: input)
            read(&batch)
            lap(0)
            for (index, (slot, gate)) in zip(plan.slots, gates).enumerated() {
                defer { lap(index + 1) }
                if channel.isAbandoned { throw CancellationError() }
                switch slot {
                case .local(let stage): stage.annotate(&batch)
                case .remote(let stage): try await stage.annotate(&batch)
                case .ordered(let stage):
                    guard let gate, await gate.enter(input.sequence) else { throw CancellationError() }
                    mark = clock.now
                    stage.annotate(&batch)
                    gate.leave()
                }
            }
            let result = encode(&batch)
            lap(plan.slots.count + 1)
            try await outlet.submit(result)
        }
    }

    /// Annotates one batch on the calling thread, for `explain` and tests; remote stages do not run.
    package func annotate(_ input: InputBatch) -> Batch {
        var batch = Batch()
        batch.reset(to: input)
        read(&batch)
        for slot in plan.slots {
            switch slot {
            case .local(let stage): stage.annotate(&batch)
            case .ordered(let stage): stage.annotate(&batch)
            case .remote: break
            }
        }
        return batch
    }

    /// Annotates one batch with all stages, including remote ones.
    ///
    /// - Parameter prepare: applied to the records before the first stage sees them.
    /// - Throws: `CancellationError` when the task is cancelled.
    package func annotateAsking(_ input: InputBatch, prepare: (inout Batch) -> Void = { _ in }) async throws -> Batch {
        var batch = Batch()
        batch.reset(to: input)
        read(&batch)
        prepare(&batch)
        for slot in plan.slots {
            switch slot {
            case .local(let stage): stage.annotate(&batch)
            case .ordered(let stage): stage.annotate(&batch)
            case .remote(let stage): try await stage.annotate(&batch)
            }
        }
        return batch
    }
}

/// Lets tasks pass one at a time, in the order of their numbers.
///
/// It brings work that ran in parallel back into input order.
package final class OrderedGate: Sendable {
    private struct State {
        var next = 0
        var waiting: [Int: CheckedContinuation<Bool, Never>] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())

    package init() {}

    /// Waits for `turn`; every number from 0 must call ``leave()`` exactly once.
    ///
    /// - Returns: false when the gate was closed; the caller must then stop, without calling ``leave()``.
    package func enter(_ turn: Int) async -> Bool {
        await withCheckedContinuation { continuation in
            let isOpen: Bool? = state.withLock { state in
                if state.isClosed { return false }
                if state.next == turn { return true }
                state.waiting[turn] = continuation
                return nil
            }
            if let isOpen { continuation.resume(returning: isOpen) }
        }
    }

    /// Lets the next number pass.
    package func leave() {
        let next = state.withLock { state in
            state.next += 1
            return state.waiting.removeValue(forKey: state.next)
        }
        next?.resume(returning: true)
    }

    /// Closes the gate for good and turns everyone away.
    package func close() {
        let all = state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in all { continuation.resume(returning: false) }
    }
}

/// Time spent in each stage, summed over the workers.
package final class StageTimings: Sendable {
    /// The stages in order, including reading and encoding.
    package let names: [String]
    private let sums: Mutex<[Duration]>

    init(names: [String]) {
        self.names = names
        sums = Mutex(Array(repeating: .zero, count: names.count))
    }

    func add(_ spent: [Duration]) {
        sums.withLock { sums in
            for index in sums.indices where index < spent.count { sums[index] += spent[index] }
        }
    }

    /// Time spent so far in each of ``names``.
    package var spent: [Duration] { sums.withLock { $0 } }
}

/// Passes batches from one blocking reader thread to async workers; holds at most `capacity` batches.
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
        // The semaphore starts at 0 and is then raised: destroying one whose value is below its initial value crashes
        // the process, and a run that stops early leaves batches behind.
        space = DispatchSemaphore(value: 0)
        for _ in 0..<capacity { space.signal() }
    }

    /// Blocks the calling thread until there is room, then queues the batch.
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

    /// Declares that the reader has no more batches: queued ones are still handed out, then nil.
    package func finish() {
        let waiting = state.withLock { state in
            state.isFinished = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for waiter in waiting { waiter.resume(returning: nil) }
    }

    /// Drops the queued batches and makes further sends fail.
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

    /// Does what ``stop()`` does, and also gives up the batches that workers hold: none of them was promised to anyone.
    package func abandon() {
        state.withLock { $0.isAbandoned = true }
        stop()
    }

    /// Whether ``abandon()`` was called.
    package var isAbandoned: Bool { state.withLock { $0.isAbandoned } }

    /// Returns the next batch in the order sent; nil at the end.
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
