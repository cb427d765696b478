/// Lets a signal end work that is not a run.
package enum Interruption {
    /// Runs `body` in a task that the first signal cancels; a second one ends the process.
    ///
    /// - Throws: what `body` throws, or ``RunEnded`` with the signal's exit code once a signal came.
    package static func ends(_ body: @escaping @Sendable () async throws -> Void) async throws {
        let signals = await Shutdown.trap()
        let task = Task { try await body() }
        let shutdown = Shutdown { _ in task.cancel() }
        let listening = Task { await shutdown.listen(to: signals) }
        defer { listening.cancel() }
        do {
            try await task.value
        } catch {
            if let status = shutdown.status { throw RunEnded(status: status) }
            throw error
        }
    }
}
