package import TriageCore
package import TriageFormats
import TriageLLM
package import TriageStore

/// What submitting and collecting share: the questions, the cache and the state file.
package enum BatchRun {
    /// Finds the questions that a run would ask, with a dry run that sends nothing.
    ///
    /// - Throws: ``TriageError`` (exit 78) when no language model is configured, ``RunEnded`` when it was interrupted.
    package static func questions(
        input: InputOptions, configuration: ConfigurationOptions, asking: LLMOptions
    ) async throws -> RunForecast.Batchable {
        guard !asking.offline else {
            throw TriageError("batch.offline", "--offline sends no requests", remedy: "remove --offline", exit: .usage)
        }
        if input.paths.isEmpty, Terminal.isTerminal(0) {
            throw TriageError(
                "batch.no-input", "no input is named", remedy: "name the files that `triage run` would read",
                exit: .usage)
        }
        // Checked before anything is read: paid answers need a place to be kept.
        _ = try cachePath(asking)
        let forecast = RunForecast(gathers: true)
        var request = RunRequest(input: input, configuration: configuration) { _, _ in NoRecords() }
        request.asking = asking
        request.forecast = forecast
        request.isSummedUp = false
        let status = try await RunSession(request: request).run()
        // Unreadable records are for `triage run` to report.
        guard status == .success || status == .finding else { throw RunEnded(status: status) }
        guard let batchable = forecast.batchable else {
            throw TriageError(
                "llm.none", "no LLM is configured, so nothing would be sent",
                at: configuration.config ?? "triage.yaml",
                remedy: "add llm: {provider: openai, base_url: …, model: …}", exit: .badConfiguration)
        }
        return batchable
    }

    /// The answer cache that `triage run` uses too.
    package static func cache(_ asking: LLMOptions) throws -> AnswerDatabase {
        AnswerDatabase(
            path: try cachePath(asking),
            notice: { error in
                try? CheckedWriter.standardError.write("triage: \(error.harmless)\n")
            })
    }

    private static func cachePath(_ asking: LLMOptions) throws -> String {
        guard asking.cache != "off", let path = asking.cache ?? LLMSession.standardCache else {
            throw TriageError(
                "batch.no-cache", "a batch needs a cache for its answers", at: "--cache",
                remedy: "name a file with --cache, or set HOME", exit: .usage)
        }
        return path
    }

    /// The state, and how its batches are asked.
    ///
    /// - Throws: ``TriageError`` (exit 78) when another configuration submitted batches that are still under way.
    package static func book(
        of file: BatchBookFile, _ material: BatchMaterial
    ) throws -> (book: BatchBook, asking: MessageBatchAsking) {
        let old = try file.read()
        let secret = old.flatMap { RunSecret(hex: $0.secret) } ?? RunSecret()
        let asking = MessageBatchAsking(script: try material.script(secret: secret), limits: material.askingLimits)
        let endpoint = material.endpoint
        let new = BatchBook(
            provider: endpoint.kind.rawValue, model: endpoint.model, asking: asking.identity, secret: secret.hex)
        guard let old else { return (new, asking) }
        if old.provider == new.provider, old.model == new.model, old.asking == new.asking { return (old, asking) }
        guard old.underWay.isEmpty else {
            throw TriageError(
                "batch.other-configuration",
                "the pending batches were submitted to \(old.provider), model \(old.model), with another configuration",
                at: file.path,
                remedy: "use the same model, prompts, creator, faq and --redact; or name another state file",
                exit: .badConfiguration)
        }
        return (new, asking)
    }
}

/// Writes nothing; for dry runs.
package struct NoRecords: RecordEncoder {

    package init() {
    }
    package func encode(_ batch: inout Batch, into out: inout OutputBuffer) {}
}
