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
              triage rescore --store inbox.db --to jsonl | jq -c 'select(.changes.category)'
              triage rescore --store inbox.db --write

            Answers every message anew, in the order they came, with the rules, weights, library and model of now. No
            network is used: what a language model or vectors said is taken from the store. Without --write nothing is
            changed. Corrections and output files are never touched; `triage export` writes the new answers.

            EXIT CODES
              0 done · 64 usage · 66 there is no such store · 75 another run holds the store · 78 bad configuration
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
    var to: RunsCommand.Format = .table

    @Option(help: ArgumentHelp("Show at most so many messages; all are counted.", valueName: "n"))
    var limit: Int?

    @Option(
        defaultAsFlag: 86_400,
        help: ArgumentHelp("Wait for another run to end, so long at most.", valueName: "seconds"))
    var wait: Int?

    mutating func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit wants a number of 1 or more.") }
        if let wait, !(0...604_800).contains(wait) {
            throw ValidationError("--wait wants a number of seconds up to 604800, or none.")
        }
    }

    func run() async throws {
        var options = StoreOptions()
        options.store = store
        options.config = configuration.config
        let path = try options.path()
        let inbox = try InboxStore(path: path, mode: write ? .existing : .readOnly)
        defer { inbox.close() }
        let lock = write ? try await RunLock.take(store: path, command: "triage rescore", patience: wait ?? 0) : nil
        let notices = Notices(isQuiet: false)
        let replay = try Replay(store: inbox, configuration: configuration, me: me, notice: { notices.say($0) })
        let stopped = Mutex<ExitStatus?>(nil)
        let shutdown = Shutdown { status in stopped.withLock { $0 = status } }
        let signals = await Shutdown.trap()
        let listening = Task { await shutdown.listen(to: signals) }
        defer { listening.cancel() }

        var run = InboxRun(
            command: "rescore", started: UTCTime.now, version: Version.current, rules: replay.rules, inputs: "[]")
        if write { run.id = try inbox.begin(run) }
        var report = RescoreReport(format: to, limit: limit ?? (to == .table ? 50 : .max))
        do {
            try await replay.run { answered in
                var commit = InboxCommit()
                for (old, new) in answered {
                    try report.add(old, new)
                    if write, !old.message.record.elementsEqual(new.record) { commit.messages.append(new) }
                }
                if write, !commit.messages.isEmpty {
                    commit.run = (run.id, report.counts)
                    try lock?.confirm()
                    try inbox.commit(commit)
                }
                if let status = stopped.withLock({ $0 }) { throw RunEnded(status: status) }
            }
            if write {
                // Only now: half of a replay would have conversations go back in time.
                var commit = InboxCommit()
                commit.conversations = replay.conversations.map { (key: $0.key, state: $0.value) }
                try lock?.confirm()
                try inbox.commit(commit)
            }
            run.state = .done
            run.exit = 0
        } catch {
            run.state = error is RunEnded ? .stopped : .failed
            run.exit = (error as? RunEnded)?.status.rawValue ?? (error as? TriageError)?.exit.rawValue
            try end(run, report, inbox)
            throw error
        }
        try end(run, report, inbox)
        try report.finish(isWritten: write, missing: replay.missing, hasModel: replay.hasModel)
    }

    private func end(_ run: InboxRun, _ report: RescoreReport, _ inbox: InboxStore) throws {
        guard write else { return }
        var run = run
        run.ended = UTCTime.now
        run.counts = report.counts
        try inbox.end(run)
    }
}
