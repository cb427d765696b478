import ArgumentParser
import TriageCore

/// Batch: read exports or records, annotate, exit.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Reads exports or records and annotates every message (the default command).",
        discussion: """
            EXAMPLES
              triage run export.zip --creator creator.yaml --faq faq.yaml --to table
              cat messages.jsonl | triage run \\
                | jq -c 'select(.triage.category.label=="business")'
              triage run dms.csv --map text=body --to csv -o annotated.csv \\
                --rejects bad.jsonl

            Records go to standard output (or -o), words to standard error: a table on a terminal, JSONL everywhere else.
            JSONL comes out in the order and with the bytes it came in, plus a last member "triage".

            EXIT CODES
              0 all well · 1 records were rejected, or files were left out · 64 usage
              65 bad data (--on-error fail, unknown format) · 66 input not readable · 73 output cannot be created · 74 I/O error (disk full)
              75 no more files may be open: try again; with --require-llm also what the model owes · 78 bad configuration
              129 hung up · 130 interrupted · 141 reader went away · 143 terminated

            ENVIRONMENT
              TRIAGE_META_APP_SECRET  app secret that signatures of saved Meta webhooks are checked with
              NO_COLOR                no colors;  XDG_CACHE_HOME  where compiled rules are kept
            """)

    @OptionGroup(title: "Input") var input: InputOptions
    @OptionGroup(title: "Configuration") var configuration: ConfigurationOptions
    @OptionGroup(title: "Language model") var asking: AskingOptions

    @Option(
        name: [.customLong("to")],
        help: ArgumentHelp(
            "jsonl, json, csv or table; default: a table on a terminal, else jsonl.", valueName: "format"))
    var to: OutputFormat?

    @Option(
        name: [.customShort("o"), .long], help: ArgumentHelp("Write to a file, which appears whole.", valueName: "file")
    )
    var output: String?

    @Option(
        help: ArgumentHelp(
            "pass: answer rejected records in place; skip: leave them out; fail: stop.", valueName: "policy"))
    var onError: RejectPolicy = .skip

    @OptionGroup var outcome: OutcomeOptions

    @OptionGroup var selection: QuestionOptions

    @OptionGroup var work: WorkOptions

    @Option(help: "auto, always or never.")
    var color: ColorChoice = .auto

    @Flag(help: ArgumentHelp("What each stage cost, on standard error.", visibility: .hidden))
    var timings = false

    mutating func validate() throws {
        _ = try selection.questions()
    }

    func run() async throws {
        if input.paths.isEmpty, Terminal.isTerminal(0) {
            // Waiting for a person to type JSON helps nobody.
            try? CheckedWriter.standardError.write(Self.helpMessage(columns: min(100, Terminal.width(2))) + "\n")
            throw RunEnded(status: .usage)
        }
        try CommandWords.check(input.paths)
        let (onError, color, output) = (onError, color, output)
        // Forty lines of JSON for a message help nobody who looks at them; programs never have a terminal here.
        let to = to ?? (output == nil && Terminal.isTerminal(1) ? .table : .jsonl)
        var request = RunRequest(input: input, configuration: configuration) { loaded, sources in
            loaded.encoder(to, rejects: onError, sources: sources, color: color, toTerminal: output == nil)
        }
        request.asking = asking
        request.output = output
        request.rejects = outcome.rejects
        request.summary = outcome.summary
        request.onError = onError
        request.questions = try selection.questions()
        request.jobs = work.jobs
        request.batchSize = work.batchSize ?? 2048
        request.isQuiet = work.quiet
        request.showsTimings = timings
        request.writesForPeople = output == nil
        request.hintsAtFiles = true
        let status = try await RunSession(request: request).run()
        if status != .success { throw RunEnded(status: status) }
    }
}
