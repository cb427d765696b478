package import TriageCore

/// Thrown to end a command with an exit code other than 0 once everything has been reported.
package struct RunEnded: Error {
    package var status: ExitStatus

    package init(status: ExitStatus) {
        self.status = status
    }
}

/// Reports what checks and tests found, on standard output because findings are the result of the command.
package enum Findings {
    /// Prints findings and a last line that counts them.
    ///
    /// - Throws: ``RunEnded`` with exit 1 when there are any.
    package static func report(_ findings: [TriageError], in scope: String) throws {
        var out = findings.map { $0.harmless + "\n" }.joined()
        out += findings.isEmpty ? "\(scope): no findings\n" : "\(scope): \(findings.count.of("finding"))\n"
        try CheckedWriter.standardOutput.write(Terminal.harmless(out))
        if !findings.isEmpty { throw RunEnded(status: .finding) }
    }
}

extension Int {
    /// The number with its noun: `1 signal`, `2 signals`.
    package func of(_ one: String, _ many: String? = nil) -> String { "\(self) \(self == 1 ? one : many ?? one + "s")" }
}

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
