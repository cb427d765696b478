internal import Synchronization
internal import TriageCore

/// Stops all requests of a run at once, while the run itself finishes with offline answers.
package final class LLMCancellation: Sendable {
    private struct State {
        var isCancelled = false
        var next = 0
        var cancels: [Int: @Sendable () -> Void] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    /// Cancels everything under way and everything started later.
    package func cancelAll() {
        let cancels = state.withLock { state in
            defer { state.cancels = [:] }
            state.isCancelled = true
            return Array(state.cancels.values)
        }
        for cancel in cancels { cancel() }
    }

    /// Like ``run(_:)``, but returns `fallback` at the deadline; `body` then continues until it ends or all is
    /// cancelled.
    func run<Value: Sendable>(
        until deadline: ContinuousClock.Instant?, else fallback: Value, _ body: @escaping @Sendable () async -> Value
    ) async -> Value {
        guard let deadline else { return await run(body) }
        let flight = AnswerFlight<Value>()
        let task = Task { flight.land(.success(await run(body))) }
        let timer = Task {
            try? await Task.sleep(until: deadline, clock: .continuous)
            flight.land(.success(fallback))
        }
        defer { timer.cancel() }
        return await withTaskCancellationHandler {
            guard case .success(let value) = await flight.landing() else { return fallback }
            return value
        } onCancel: {
            task.cancel()
        }
    }

    /// Runs `body` in a task of its own, which ``pull()`` and the calling task's cancellation cancel.
    func run<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value {
        let task = Task { await body() }
        let number = state.withLock { state -> Int? in
            guard !state.isCancelled else { return nil }
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

extension LLMCancellation {
    /// Asks one question about each chosen record, until the batch's deadline.
    ///
    /// - Parameters:
    ///   - name: the name of the stage, for the problem that replaces a missing answer.
    ///   - use: receives an answer with the index of its record.
    /// - Throws: `CancellationError`.
    func ask<Question: Sendable, Answer: Sendable>(
        _ questions: [Question], of source: any AnswerSource<Question, Answer>, for name: String, about chosen: [Int],
        in batch: inout Batch, use: (Answer, Int, inout Batch) -> Void
    ) async throws {
        let deadline = batch.input.deadline?.instant
        let results = await run { await source.ask(questions, until: deadline) }
        try Task.checkCancellation()
        for (index, result) in zip(chosen, results) {
            switch result {
            case .success(let answer): use(answer, index, &batch)
            case .failure(let failure):
                batch.report(Problem(stage: name, code: failure.code, message: failure.explanation), at: index)
            }
        }
    }
}
