import ArgumentParser
import Synchronization
import TriageCore
import TriageInbox
import TriageRun
import TriageStore

/// Shows how changed rules, weights, answers or models change stored answers.
struct RescoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rescore",
        abstract: "Shows which answers would change; --write saves them.",
        discussion: """
            EXAMPLES
              triage rescore --store inbox.db --rules rules.yaml
              triage rescore --store inbox.db --to jsonl \\
                | jq -c 'select(.changes.category)'
              triage rescore --store inbox.db --write

            Answers every message in the store again, in order of arrival, with the
            current rules, weights, library and model. It uses no network: answers by an
            LLM or embeddings are taken from the store. Without --write nothing changes.
            Corrections and output files are never changed; `triage export` writes the new
            answers.

            EXIT CODES
              0 done · 64 usage · 66 no such store
              74 it is damaged, or I/O error (disk full)
              75 another run holds it, or too many open files: try again
              78 bad configuration · 130 interrupted
              143 terminated: with --write, saved answers stay, and another run does the
                  rest
            """)

    @OptionGroup(title: "Configuration") var configuration: ConfigurationOptions

    @Option(help: ArgumentHelp("The store; default: the one in triage.yaml.", valueName: "file"))
    var store: String?

    @Option(help: ArgumentHelp("Your own handle, name or address; repeatable.", valueName: "handle"))
    var me: [String] = []

    @Flag(help: "Save the new answers to the store.")
    var write = false

    @Option(name: [.customLong("to")], help: ArgumentHelp("table or jsonl.", valueName: "format"))
    var to: RunsFormat = .table

    @Option(help: ArgumentHelp("Maximum number of messages to show; all are counted.", valueName: "n"))
    var limit: Int?

    @OptionGroup var patience: PatienceOptions

    mutating func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit must be 1 or more.") }
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
