import ArgumentParser
import TriageCore

/// The scheduled job: only what is new, exactly once.
struct SyncCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Answers what is new or edited since the last time, exactly once; for cron and timers.",
        discussion: """
            EXAMPLES
              triage sync exports/* --store inbox.db
              triage sync export.zip comments.csv --store inbox.db \\
                -o annotated.jsonl --rejects rejects.jsonl
              triage sync exports/* --store inbox.db --dry-run
              triage sync exports/* --store inbox.db --summary last.json \\
                --metrics /var/lib/node_exporter/triage.prom

            What is known is left alone, however often and in however many exports it comes. Each message is exactly once
            in the output or in the rejects, whatever is killed and whenever. Nothing is written to standard output.

            Archives in folders are read too. A file that is no export is named and left out; the run goes on and ends with
            1. An output that was moved away, as by logrotate, is continued in a new file.

            With --ids-only no word of a message is kept: a language model that gave no answer is not asked again later.

            EXIT CODES
              0 all well · 1 records were rejected, or files were left out · 64 usage · 66 input not readable
              69 with --require-llm: the model refuses for good · 73 a file cannot be made
              74 I/O error (disk full, store damaged), or a file was changed by hand
              75 another run holds the store or writes the output, no more files may be open; with --require-llm also:
              budget reached, server down · 78 bad configuration, or no store of ours
              129 hung up · 130 interrupted · 143 terminated; after these, 74 and 75 run it again: nothing is lost
            """)

    @OptionGroup(title: "Input") var input: InputOptions
    @OptionGroup(title: "Configuration") var configuration: ConfigurationOptions
    @OptionGroup(title: "Language model") var asking: AskingOptions

    @Option(
        help: ArgumentHelp("Spend at most so many US dollars a day (UTC), all runs together.", valueName: "dollars"))
    var maxCostPerDay: Double?

    @Option(
        help: ArgumentHelp(
            "Where messages and what is known are kept; default: that of triage.yaml.", valueName: "file"))
    var store: String?

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp("A JSONL file that grows with the store.", valueName: "file"))
    var output: String?

    @Option(help: ArgumentHelp("A file of rejected records that grows with the store.", valueName: "file"))
    var rejects: String?

    @Flag(help: "Go on with copies of the output and the rejects, if they are the same as far as the store knows them.")
    var adopt = false

    @Flag(help: "Keep in the store which records are known, and no messages; needs -o.")
    var idsOnly = false

    @Flag(help: "Say what would be done; write nothing, ask nobody.")
    var dryRun = false

    @Option(
        help: ArgumentHelp(
            "Write what the run did as JSON, with the ids of urgent messages and offers.", valueName: "file"))
    var summary: String?

    @Option(help: ArgumentHelp("The score above which offers are named in the summary.", valueName: "score"))
    var offersAbove = 70

    @Option(help: ArgumentHelp("Write the run's figures for Prometheus's textfile collector.", valueName: "file"))
    var metrics: String?

    @OptionGroup var work: WorkOptions
    @OptionGroup var patience: PatienceOptions

    mutating func validate() throws {
        if let maxCostPerDay, !(maxCostPerDay >= 0 && maxCostPerDay <= 1_000_000) {
            throw ValidationError("--max-cost-per-day wants an amount of dollars, such as 0.50.")
        }
        if !(0...100).contains(offersAbove) { throw ValidationError("--offers-above wants a score from 0 to 100.") }
        if idsOnly, output == nil { throw ValidationError("--ids-only keeps no messages; it wants -o FILE.") }
        if output == "-" || rejects == "-" {
            throw ValidationError("sync does not write to standard output; name files, or leave -o out.")
        }
    }

    func run() async throws {
        if input.paths.isEmpty, Terminal.isTerminal(0) {
            try? CheckedWriter.standardError.write(Self.helpMessage(columns: min(100, Terminal.width(2))) + "\n")
            throw RunEnded(status: .usage)
        }
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
