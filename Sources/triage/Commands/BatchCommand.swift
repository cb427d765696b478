import ArgumentParser
import TriageCore
import TriageFormats
import TriageLLM
import TriageRun

/// Questions to a language model at half the price, for who can wait a day.
struct BatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "batch",
        abstract: "Sends LLM requests in batches: half the price at most providers, answers within a day.",
        discussion: """
            EXAMPLES
              triage batch submit export.zip --config my-inbox/triage.yaml \\
                --state batch.json
              triage batch status --config my-inbox/triage.yaml --state batch.json
              triage batch collect export.zip --config my-inbox/triage.yaml \\
                --state batch.json --wait
              triage run export.zip --config my-inbox/triage.yaml

            submit sends what `triage run` would ask and has no answer yet, packed the same way; collect checks the
            answers and caches them, so that `triage run` pays for none of them. collect needs the same messages and
            configuration again, because the state file holds no text. Drafts are left to `triage run`.
            """,
        subcommands: [BatchSubmitCommand.self, BatchStatusCommand.self, BatchCollectCommand.self])
}

/// Where it is noted what was submitted.
struct BatchStateOptions: ParsableArguments {
    @Option(help: ArgumentHelp("State file that records what was submitted.", valueName: "file"))
    var state: String
}

struct BatchStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Shows the status of the batches; changes nothing.",
        discussion: """
            EXIT CODES
              0 all are done · 69 the server does not know one of them · 75 not ready yet · 78 bad configuration
            """)

    @OptionGroup(title: "Configuration") var options: ModelOptions
    @OptionGroup(title: "Batch") var batch: BatchStateOptions

    func run() async throws {
        let llm = try options.llm()
        let book = try BatchBookFile.read(batch.state)
        let transport = ModelAddress.transport(llm)
        defer { transport.close() }
        let session = try BatchSession(endpoint: try ModelAddress.endpoint(llm), transport: transport)
        var isDone = true
        var rows: [(String, String)] = []
        for batch in book?.batches ?? [] {
            let count = batch.count.of("message")
            guard batch.phase == .submitted, let id = batch.id else {
                if batch.phase == .submitting { isDone = false }
                rows.append((batch.id ?? "(no id yet)", Self.words(batch.phase, count)))
                continue
            }
            let state = try await session.state(of: id)
            switch state.phase {
            case .running:
                isDone = false
                let done = state.done.map { "\(MoneyText.count($0)) of " } ?? ""
                rows.append((id, "running, \(done)\(batch.requests.of("request")) answered, \(count)"))
            case .ended: rows.append((id, "ended, \(count): ready to collect"))
            case .failed: rows.append((id, "the server refused the whole batch, \(count)"))
            }
        }
        if rows.isEmpty { rows.append(("batches", "none")) }
        let width = rows.reduce(0) { max($0, $1.0.count) } + 2
        try CheckedWriter.standardOutput.write(
            rows.map { "\(Terminal.harmless($0.0).padded(to: width))\(Terminal.harmless($0.1))\n" }.joined())
        if !isDone { throw RunEnded(status: .temporary) }
    }

    private static func words(_ phase: BatchBook.Phase, _ count: String) -> String {
        switch phase {
        case .submitting: "interrupted during submission, \(count): run `triage batch submit` again"
        case .submitted: "submitted, \(count)"
        case .collected: "collected, \(count)"
        case .failed: "the server refused the whole batch, \(count)"
        }
    }
}
