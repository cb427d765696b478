import Dispatch
import Synchronization

/// Runs batches through the stages on several workers and lets the results out in the order of the input.
///
/// Three kinds of threads: one that reads (blocking), `jobs` workers, one that writes (blocking). The batches in flight
/// are bounded, so memory never grows with the input, and a slow reader of the output slows the reading.
///
/// How many they are at most, when the output is slowest:
///
/// - 1 with the source, which fills it or waits in ``BatchChannel/send(_:)``;
/// - `capacity` in the ``BatchChannel`` that the caller makes;
/// - 1 with each of the `jobs` workers; the result that a worker waits to hand over is of that batch;
/// - `jobs + 1` results in the ``OrderedOutlet`` that no worker waits for, the one being written among them.
///
/// That is `capacity + 2 · jobs + 2`. A run has the capacity `jobs + 2`, so `3 · jobs + 4` batches; a stream has the
/// capacity `min(jobs, 4)`.
package struct Pipeline<Tally: Sendable>: Sendable {
    package let plan: StagePlan
    /// Workers.
    package let jobs: Int
    private let read: @Sendable (inout Batch) -> Void
    private let encode: @Sendable (inout Batch) -> BatchResult<Tally>
    /// Where the workers' time went.
    package let timings: StageTimings

    /// - Parameters:
    ///   - plan: the stages in order.
    ///   - jobs: workers, at least 1.
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

    /// Pushes everything that `source` delivers through the stages and into `sink`.
    ///
    /// After ``BatchChannel/abandon()`` it ends as soon as each worker is done with the stage that it is in: results
    /// that follow each other from the first one on are written, the rest is dropped.
    ///
    /// - Parameters:
    ///   - channel: where `source` sends its batches; ``BatchChannel/finish()`` is called when it returns. Stopping
    ///     early without losing what was read is the source's business: it returns.
    ///   - source: runs on a thread of its own.
    ///   - sink: runs on a thread of its own, gets results in order.
    /// - Throws: what the source or the sink threw, the sink's first.
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
                    // One worker failed (the output is gone): the reader and the others stop now.
                    channel.stop()
                    outlet.abandon()
                    for gate in gates { gate?.close() }
                    group.cancelAll()
                    throw error
                }
            }
            try await outlet.finish()
        } catch is CancellationError where channel.isAbandoned {
            // What was handed over is being written: nobody may take the sink's files away before it is done.
            try await outlet.finish()
        } catch {
            channel.stop()
            throw error
        }
        if let failure = sourceFailure.withLock({ $0 }), !(failure is CancellationError) { throw failure }
    }

    private func work(channel: BatchChannel, gates: [OrderedGate?], outlet: OrderedOutlet<Tally>) async throws {
        var batch = Batch()
        // Clock reads are per batch and stage: nothing next to what a stage costs.
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

    /// Annotates one batch on the calling thread, for `explain` and tests; remote stages are not run.
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

    /// Annotates one batch with all stages, those that ask outside too.
    ///
    /// - Parameter prepare: what is done to the records before the first stage sees them.
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

/// Lets tasks through one at a time, in the order of their numbers.
///
/// Used where work that ran in parallel has to come back into the order of the input.
package final class OrderedGate: Sendable {
    private struct State {
        var next = 0
        var waiting: [Int: CheckedContinuation<Bool, Never>] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())

    package init() {}

    /// Waits for `turn`; every number from 0 has to ``leave()`` once.
    ///
    /// - Returns: false when the gate was closed: stop, without leaving.
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

    /// Lets the next number through.
    package func leave() {
        let next = state.withLock { state in
            state.next += 1
            return state.waiting.removeValue(forKey: state.next)
        }
        next?.resume(returning: true)
    }

    /// Turns everybody away, for good.
    package func close() {
        let all = state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in all { continuation.resume(returning: false) }
    }
}

/// What each stage cost, summed over workers.
package final class StageTimings: Sendable {
    /// Stages in order, reading and encoding included.
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

    /// Time of each of ``names`` so far.
    package var spent: [Duration] { sums.withLock { $0 } }
}

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
