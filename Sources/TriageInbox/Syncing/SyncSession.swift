import Synchronization
import TriageConfig
package import TriageCore
import TriageFormats
package import TriageRun
import TriageStages
import TriageStore

/// One `triage sync`, from flags to exit code.
///
/// The order of writes is a guarantee and must not change. First, model answers go into the answer cache. Next, a
/// batch's lines are written to the files and flushed to disk. Last, one store transaction commits the lines together
/// with their records.
///
/// A new run truncates the files to what the store has committed. Each record therefore appears exactly once, in the
/// output or in the rejects, no matter what is killed and when.
package struct SyncSession {
    package let request: SyncRequest

    package init(request: SyncRequest) {
        self.request = request
    }

    /// - Returns: the exit status of a run that completed or was asked to stop.
    /// - Throws: ``TriageError`` when it could not start or continue.
    package func run() async throws -> ExitStatus {
        let notices = Notices(isQuiet: request.isQuiet)
        let files = try SyncFiles(request)
        if request.isDryRun { return try await SyncPreview(request: request, files: files).run(notices) }
        let lock = try await RunLock.take(store: files.store, command: "triage sync", patience: request.patience)
        let store = try InboxStore(path: files.store, mode: .readWrite)
        // Hold the lock until after the store is closed: the first `defer` runs last.
        defer { withExtendedLifetime(lock) {} }
        defer { store.close() }
        return try await run(lock, store, files, notices)
    }

    private func run(
        _ lock: RunLock, _ store: InboxStore, _ files: SyncFiles, _ notices: Notices
    ) async throws -> ExitStatus {
        let start = ContinuousClock.now
        let sources = SourceNames()
        let ledger = SyncLedger(store: store, sources: { sources.all })
        let loaded = try LoadedRun(
            configuration: request.configuration, me: request.input.me, questions: [],
            asking: try asking(store, notices),
            storedVoice: {
                try StoredVoice(store).voice(VoiceLearner(library: $0.faq, profile: $0.creator))
            }, memory: ledger, notice: { notices.say($0) })
        var begun = InboxRun(
            command: "sync", started: UTCTime.now, version: Version.current, rules: loaded.rules.digest,
            inputs: "[" + request.input.paths.map { JSONObjectText.string($0) }.joined(separator: ",") + "]")
        begun.id = try store.begin(begun)
        let work = SyncWork(
            request: request, lock: lock, store: store, ledger: ledger, loaded: loaded, run: begun.id, sources: sources,
            notices: notices)
        let outcome: Result<ExitStatus, any Error>
        do {
            let status = try await work.run(files)
            try learn(status, lock, store, loaded)
            outcome = .success(status)
        } catch {
            outcome = .failure(error)
        }
        var report = SyncReport(run: begun)
        (report.counts, report.changes) = (work.counts, work.changes)
        report.run.ended = UTCTime.now
        report.duration = (ContinuousClock.now - start) / .seconds(1)
        switch outcome {
        case .success(let status):
            report.run.state = Self.isStopped(status) ? .stopped : .done
            report.run.exit = status.rawValue
        case .failure(let error):
            report.run.state = .failed
            report.run.exit = Self.status(of: error).rawValue
        }
        report.run.counts = SyncReport.counts(report.counts, report.changes)
        do {
            try finish(&report, store, files.store)
        } catch {
            if work.isInDoubt { settle(store, files) }
            // Report the first thing that went wrong.
            _ = try outcome.get()
            throw error
        }
        if work.isInDoubt { settle(store, files) }
        if case .success = outcome, !request.isQuiet {
            say(report, work)
            if Terminal.isTerminal(2), let hint = nextStep(report) { notices.say(hint) }
        }
        return try outcome.get()
    }

    private static func isStopped(_ status: ExitStatus) -> Bool {
        [.interrupted, .terminated, .hangup].contains(status)
    }

    /// Learns the creator's voice from the store's current content, for later runs.
    private func learn(_ status: ExitStatus, _ lock: RunLock, _ store: InboxStore, _ loaded: LoadedRun) throws {
        // A run that was stopped is continued by the next one, in the same voice.
        guard loaded.usesStoredVoice, request.keepsMessages, !Self.isStopped(status) else { return }
        try lock.confirm()
        try StoredVoice(store).learn(VoiceLearner(library: loaded.library, profile: loaded.profile))
    }

    /// The LLM options with the run's budget limited to what is left of the day's.
    private func asking(_ store: InboxStore, _ notices: Notices) throws -> LLMOptions {
        var asking = request.asking
        guard let most = request.maxCostPerDay, !asking.offline else { return asking }
        let today = try store.spent(day: UTCTime.day(UTCTime.now))
        let left = max(0, most - today.cost)
        asking.maxCost = min(asking.maxCost ?? left, left)
        if left == 0 {
            notices.say("today's budget is used up; pending messages are sent to the LLM tomorrow")
        }
        return asking
    }

    /// Records the run's end in the store, and writes the summary and metrics that were asked for.
    private func finish(_ report: inout SyncReport, _ store: InboxStore, _ path: String) throws {
        report.owed = try store.owedCount()
        report.spentToday = try store.spent(day: UTCTime.day(UTCTime.now))
        if let run = try store.run(report.run.id) { report.run.spend = run.spend }
        // Include what a killed run could not report.
        for message in try store.untold(before: report.run.id, above: request.offersAbove, limit: SyncChanges.most) {
            report.changes.add(message, above: request.offersAbove)
        }
        report.run.summary = report.summary
        report.lastSuccess =
            report.run.state == .done
            ? report.run.ended
            : try store.runs(limit: 100).first { $0.command == "sync" && $0.state == .done }?.ended
        do {
            // Write the summary before the run counts as ended: if it is killed in between, the next run reports again.
            if let place = request.summary { try OutputFile.write(Array((report.summary + "\n").utf8), to: place) }
            if let place = request.metrics {
                // Metrics hold only figures and no names, and another user's process collects them, so the file is
                // world-readable.
                try OutputFile.write(Array(report.metrics(store: path).utf8), to: place, mode: 0o644)
            }
        } catch {
            (report.run.state, report.run.exit) = (.failed, Self.status(of: error).rawValue)
            // Nobody was notified: leave the end open, so that the next run reports these messages.
            report.run.ended = nil
            try? store.end(report.run)
            throw error
        }
        try store.end(report.run)
    }

    /// Truncates the files after a failed transaction to what the reopened store has committed.
    ///
    /// Until it is reopened, the outcome is unknown: the transaction may be on disk in spite of the error. If this
    /// fails, the next run does it.
    private func settle(_ store: InboxStore, _ files: SyncFiles) {
        store.close()
        guard let again = try? InboxStore(path: files.store, mode: .existing) else { return }
        _ = try? SyncOutput(files.outputs, of: again, adopts: request.adopts, notice: { _ in })
        again.close()
    }

    private func say(_ report: SyncReport, _ work: SyncWork) {
        let changes = report.changes
        var parts = ["\(MoneyText.count(changes.new)) new"]
        if changes.edited > 0 { parts.append("\(MoneyText.count(changes.edited)) edited") }
        parts.append("\(MoneyText.count(changes.known)) known before")
        if changes.settled > 0 {
            let noun = changes.settled == 1 ? "message" : "messages"
            parts.append("\(MoneyText.count(changes.settled)) pending \(noun) answered")
        }
        if report.owed > 0 { parts.append("\(MoneyText.count(report.owed)) still waiting for an LLM answer") }
        try? CheckedWriter.standardError.write("triage: " + parts.joined(separator: ", ") + "\n")
        guard report.counts.read > 0 else { return }
        var text = ""
        var lines = report.counts.summary(
            columns: Terminal.width(2), isOwnerNamed: work.isOwnerNamed)
        lines.insert(contentsOf: work.spendingLines, at: lines.firstIndex(of: "best offers:") ?? lines.count)
        for line in lines { text += "        " + line + "\n" }
        try? CheckedWriter.standardError.write(text)
    }

    /// Names the commands that show what was stored; nil if nothing was.
    private func nextStep(_ report: SyncReport) -> String? {
        guard report.run.state == .done, report.changes.new > 0, request.keepsMessages else { return nil }
        let store = request.store.map { " --store \(Terminal.harmlessLine($0))" } ?? ""
        return "see the messages with `triage list\(store)`, or in a browser with `triage review\(store)`"
    }

    private static func status(of error: any Error) -> ExitStatus {
        switch error {
        case let error as TriageError: error.exit
        case let errors as TriageErrors: errors.all.first?.exit ?? .internalError
        default: .internalError
        }
    }
}

/// The paths of a sync's store and files.
struct SyncFiles {
    var store: String
    var outputs: [OutputState.Role: String] = [:]

    /// - Throws: ``TriageError`` when no store is named or a folder is missing; ``TriageErrors`` with the faults in the
    ///   configuration.
    init(_ request: SyncRequest) throws {
        let files = request.configuration
        // Report configuration errors before creating anything. Rules are loaded later because they take longer.
        let loaded = try LoadedConfiguration.load(
            .ofProcess(
                config: files.config, creator: files.creator, faq: files.faq, rules: files.rules, voice: files.voice))
        TrustNotice.tell(loaded.withheld, asks: request.asking.offline == false)
        guard let path = request.store ?? loaded.models.store, !path.isEmpty else { throw StoreOptions.unnamed }
        store = path
        outputs[.output] = try request.output.map { try AppendingFile.place(of: $0) }
        outputs[.rejects] = try request.rejects.map { try AppendingFile.place(of: $0) }
        try OutputPlaces.checkDistinct([store, request.output, request.rejects, request.summary, request.metrics])
        // An input that is also named as output or rejects is reported by the input's reader.
        for place in [request.output, request.rejects] { try OutputPlaces.check(place, isNoneOf: files.files) }
        let messages = request.input.paths.isEmpty ? ["-"] : request.input.paths
        for place in [request.summary, request.metrics] {
            try OutputPlaces.check(place, isNoneOf: messages + files.files)
        }
    }

    /// All files that the run opens or writes, including SQLite's files beside the store.
    var own: [String] {
        ["", "-wal", "-shm", "-journal", ".lock"].map { store + $0 } + outputs.values.sorted()
    }
}

/// The options of a sync, independent of the command line.
package struct SyncRequest {
    package var input: InputOptions
    package var configuration: ConfigurationOptions
    package var asking: LLMOptions
    /// Path of the store; nil: the configured one.
    package var store: String?
    package var output: String?
    package var rejects: String?
    package var adopts = false
    /// Seconds to wait for another run.
    package var patience = 0
    package var isDryRun = false
    package var keepsMessages = true
    /// The daily limit in US dollars; nil: no limit.
    package var maxCostPerDay: Double?
    /// Path for the run's summary, and path for its metrics.
    package var summary: String?
    package var metrics: String?
    package var offersAbove = 70
    package var jobs: Int?
    package var batchSize: Int?
    package var isQuiet = false

    package init(
        input: InputOptions, configuration: ConfigurationOptions, asking: LLMOptions, store: String? = nil,
        output: String? = nil, rejects: String? = nil, adopts: Bool = false, patience: Int = 0, isDryRun: Bool = false,
        keepsMessages: Bool = true, maxCostPerDay: Double? = nil, summary: String? = nil, metrics: String? = nil,
        offersAbove: Int = 70, jobs: Int? = nil, batchSize: Int? = nil, isQuiet: Bool = false
    ) {
        self.input = input
        self.configuration = configuration
        self.asking = asking
        self.store = store
        self.output = output
        self.rejects = rejects
        self.adopts = adopts
        self.patience = patience
        self.isDryRun = isDryRun
        self.keepsMessages = keepsMessages
        self.maxCostPerDay = maxCostPerDay
        self.summary = summary
        self.metrics = metrics
        self.offersAbove = offersAbove
        self.jobs = jobs
        self.batchSize = batchSize
        self.isQuiet = isQuiet
    }

    /// Files in an input folder that are not exports: settings, and the run's files beside its output.
    package var ownSettings: [String] {
        [summary, metrics, asking.cache].compactMap(\.self) + configuration.files
    }
}
