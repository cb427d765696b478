import ArgumentParser
import Synchronization
import TriageCore
import TriageStore

/// What a change of rules, weights, answers or model means for messages that were answered before.
struct RescoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rescore",
        abstract: "Shows which messages of a store are answered otherwise now, and with --write has it so.",
        discussion: """
            EXAMPLES
              triage rescore --store inbox.db --rules rules.yaml
              triage rescore --store inbox.db --to jsonl \\
                | jq -c 'select(.changes.category)'
              triage rescore --store inbox.db --write

            Answers every message anew, in the order they came, with the rules, weights, library and model of now. No
            network is used: what a language model or vectors said is taken from the store. Without --write nothing is
            changed. Corrections and output files are never touched; `triage export` writes the new answers.

            EXIT CODES
              0 done · 64 usage · 66 there is no such store · 74 it is damaged, or I/O error (disk full)
              75 another run holds it, or no more files may be open: try again · 78 bad configuration
              130 interrupted · 143 terminated: with --write what was written stays, and a further run does the rest
            """)

    @OptionGroup(title: "Configuration") var configuration: ConfigurationOptions

    @Option(help: ArgumentHelp("The store; default: that of triage.yaml.", valueName: "file"))
    var store: String?

    @Option(help: ArgumentHelp("Your own handle, name or address; may be repeated.", valueName: "handle"))
    var me: [String] = []

    @Flag(help: "Write the new answers into the store.")
    var write = false

    @Option(name: [.customLong("to")], help: ArgumentHelp("table or jsonl.", valueName: "format"))
    var to: RunsFormat = .table

    @Option(help: ArgumentHelp("Show at most so many messages; all are counted.", valueName: "n"))
    var limit: Int?

    @OptionGroup var patience: PatienceOptions

    mutating func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit wants a number of 1 or more.") }
    }

    func run() async throws {
        var options = StoreOptions()
        options.store = store
        options.config = configuration.config
        let path = try options.path()
        let inbox = try InboxStore(path: path, mode: write ? .existing : .readOnly)
        defer { inbox.close() }
        let lock =
            write ? try await RunLock.take(store: path, command: "triage rescore", patience: patience.wait ?? 0) : nil
        let notices = Notices(isQuiet: false)
        let replay = try Replay(store: inbox, configuration: configuration, me: me, notice: { notices.say($0) })
        let stopped = Mutex<ExitStatus?>(nil)
        let shutdown = Shutdown { status in stopped.withLock { $0 = status } }
        let signals = await Shutdown.trap()
        let listening = Task { await shutdown.listen(to: signals) }
        defer { listening.cancel() }

        var report = RescoreReport(format: to, limit: limit ?? (to == .table ? 50 : .max))
        try await Rescoring(store: inbox, replay: replay, lock: lock).run(&report) { stopped.withLock { $0 } }
        try report.finish(isWritten: write, missing: replay.missing, hasModel: replay.hasModel)
    }
}
