import ArgumentParser

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
