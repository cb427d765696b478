import ArgumentParser
import TriageCore
import TriageInbox
import TriageRun

/// The scheduled job: processes only new messages, each exactly once.
struct SyncCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Answers new and edited messages exactly once; for cron and timers.",
        discussion: """
            EXAMPLES
              triage sync exports/* --store inbox.db
              triage sync export.zip comments.csv --store inbox.db \\
                -o annotated.jsonl --rejects rejects.jsonl
              triage sync exports/* --store inbox.db --dry-run
              triage sync exports/* --store inbox.db --summary last.json \\
                --metrics /var/lib/node_exporter/triage.prom

            Known messages are skipped, however often and in however many exports they
            appear. Each message is exactly once in the output or in the rejects, even if
            a run is killed. Nothing is written to stdout.

            Archives in folders are read too. A file that is not an export is named and
            skipped; the run continues and exits with 1. If the output was moved away, as
            by logrotate, it continues in a new file.

            With --ids-only no message text is kept: an LLM that gave no answer is not
            asked again later.

            EXIT CODES
              0 success · 1 records were rejected, or files were skipped · 64 usage
              66 input not readable · 69 with --require-llm: the LLM refuses permanently
              73 a file cannot be created
              74 I/O error (disk full, store damaged), or a file was changed by hand
              75 another run holds the store or writes the output, or too many open files;
                  with --require-llm also: budget reached, server down
              78 bad configuration, or not a store · 129 hangup · 130 interrupted
              143 terminated; after these, 74 and 75, run it again: nothing is lost
            """)

    @OptionGroup(title: "Input") var input: InputOptions
    @OptionGroup(title: "Configuration") var configuration: ConfigurationOptions
    @OptionGroup(title: "LLM") var asking: LLMOptions

    @Option(
        help: ArgumentHelp("Maximum cost in US dollars per UTC day, over all runs.", valueName: "dollars"))
    var maxCostPerDay: Double?

    @Option(
        help: ArgumentHelp(
            "The store; default: the one in triage.yaml.", valueName: "file"))
    var store: String?

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp("A JSONL file that new records are appended to.", valueName: "file"))
    var output: String?

    @Option(help: ArgumentHelp("A file that rejected records are appended to.", valueName: "file"))
    var rejects: String?

    @Flag(help: "Continue with copies of the output and the rejects, if they begin as the store expects.")
    var adopt = false

    @Flag(help: "Store only which records are known, no messages; needs -o.")
    var idsOnly = false

    @Flag(help: "Show what would be done; write nothing, send nothing.")
    var dryRun = false

    @Option(
        help: ArgumentHelp(
            "Write a JSON summary with the ids of urgent messages and offers.", valueName: "file"))
    var summary: String?

    @Option(help: ArgumentHelp("Name offers above this score in the summary.", valueName: "score"))
    var offersAbove = 70

    @Option(help: ArgumentHelp("Write metrics for Prometheus's textfile collector.", valueName: "file"))
    var metrics: String?

    @OptionGroup var work: WorkOptions
    @OptionGroup var patience: PatienceOptions

    mutating func validate() throws {
        if let maxCostPerDay, !(maxCostPerDay >= 0 && maxCostPerDay <= 1_000_000) {
            throw ValidationError("--max-cost-per-day must be an amount in dollars, such as 0.50.")
        }
        if !(0...100).contains(offersAbove) { throw ValidationError("--offers-above must be from 0 to 100.") }
        if idsOnly, output == nil { throw ValidationError("--ids-only needs -o FILE.") }
        if output == "-" || rejects == "-" {
            throw ValidationError("sync does not write to stdout; name files, or omit -o.")
        }
    }

    func run() async throws {
        if input.paths.isEmpty, Terminal.isTerminal(0) { throw Self.helped() }
        var request = SyncRequest(input: input, configuration: configuration, asking: asking)
        request.store = store
        request.output = output
        request.rejects = rejects
        request.adopts = adopt
        request.patience = patience.wait ?? 0
        request.isDryRun = dryRun
        request.keepsMessages = !idsOnly
        request.maxCostPerDay = maxCostPerDay
        request.summary = summary
        request.metrics = metrics
        request.offersAbove = offersAbove
        request.jobs = work.jobs
        request.batchSize = work.batchSize
        request.isQuiet = work.quiet
        let status = try await SyncSession(request: request).run()
        if status != .success { throw RunEnded(status: status) }
    }
}
