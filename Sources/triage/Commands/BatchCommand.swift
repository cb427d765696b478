import ArgumentParser

/// Questions to a language model at half the price, for who can wait a day.
struct BatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "batch",
        abstract: "Asks the language model in batches: half the price at most providers, answers within a day.",
        discussion: """
            EXAMPLES
              triage batch submit export.zip --config my-inbox/triage.yaml \\
                --state batch.json
              triage batch status --config my-inbox/triage.yaml --state batch.json
              triage batch collect export.zip --config my-inbox/triage.yaml \\
                --state batch.json --wait
              triage run export.zip --config my-inbox/triage.yaml

            Submit sends what `triage run` would ask and nobody has answered yet, packed as `triage run` packs it; collect
            checks the answers and keeps them where `triage run` finds them, so that it pays for none of them. Collect needs
            the same messages and configuration again, for the state holds no text. Drafts are left to `triage run`.
            """,
        subcommands: [BatchSubmitCommand.self, BatchStatusCommand.self, BatchCollectCommand.self])
}

/// Where it is noted what was submitted.
struct BatchStateOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Where it is noted what was submitted.", valueName: "file"))
    var state: String
}
