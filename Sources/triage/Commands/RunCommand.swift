import ArgumentParser
import TriageCore
import TriageRun

/// Batch mode: reads exports or records, annotates them, and exits.
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

            Records go to stdout (or -o); notices go to stderr. The default is a table on
            a terminal, else JSONL. JSONL keeps the input's order and bytes, and adds a
            last member "triage".

            EXIT CODES
              0 success · 1 records were rejected, or files were skipped · 64 usage
              65 bad data (--on-error fail, unknown format) · 66 input not readable
              73 output cannot be created · 74 I/O error (disk full)
              75 too many open files: try again; with --require-llm also missing LLM
                  answers · 78 bad configuration · 129 hangup · 130 interrupted
              141 reader went away · 143 terminated

            ENVIRONMENT
              TRIAGE_META_APP_SECRET  app secret to verify signatures of saved Meta webhooks
              NO_COLOR                no colors;  XDG_CACHE_HOME  folder for compiled rules
            """)

    @OptionGroup(title: "Input") var input: InputOptions
    @OptionGroup(title: "Configuration") var configuration: ConfigurationOptions
    @OptionGroup(title: "LLM") var asking: LLMOptions

    @Option(
        name: [.customLong("to")],
        help: ArgumentHelp(
            "jsonl, json, csv or table; default: a table on a terminal, else jsonl.", valueName: "format"))
    var to: OutputFormat?

    @Option(
        name: [.customShort("o"), .long], help: ArgumentHelp("Write to a file, atomically.", valueName: "file")
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

    @Flag(help: ArgumentHelp("Print the time of each stage to stderr.", visibility: .hidden))
    var timings = false

    mutating func validate() throws {
        _ = try selection.questions()
    }

    func run() async throws {
        if input.paths.isEmpty, Terminal.isTerminal(0) { throw Self.helped() }
        try CommandWords.check(input.paths)
        let (onError, color, output) = (onError, color, output)
        // Forty lines of JSON per message help no reader at a terminal; programs never have a terminal here.
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
        request.batchSize = work.batchSize
        request.isQuiet = work.quiet
        request.showsTimings = timings
        request.writesForPeople = output == nil
        request.hintsAtFiles = true
        let status = try await RunSession(request: request).run()
        if status != .success { throw RunEnded(status: status) }
    }
}
