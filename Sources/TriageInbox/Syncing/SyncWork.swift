import Synchronization
import TriageCore
import TriageFormats
import TriageLLM
import TriageRun
import TriageStore

/// The part of a sync that reads, answers and commits.
final class SyncWork: Sendable {
    private let request: SyncRequest
    private let lock: RunLock
    private let store: InboxStore
    private let ledger: SyncLedger
    private let loaded: LoadedRun
    private let run: Int64
    private let sources: SourceNames
    private let notices: Notices
    private let state = Mutex(State())

    private struct State {
        var counts = RunCounts()
        var changes = SyncChanges()
        /// The part of the spending that is committed.
        var spent = SpendReport()
        var isInDoubt = false
    }

    init(
        request: SyncRequest, lock: RunLock, store: InboxStore, ledger: SyncLedger, loaded: LoadedRun, run: Int64,
        sources: SourceNames, notices: Notices
    ) {
        self.request = request
        self.lock = lock
        self.store = store
        self.ledger = ledger
        self.loaded = loaded
        self.run = run
        self.sources = sources
        self.notices = notices
    }

    /// The counts committed so far.
    var counts: RunCounts { state.withLock { $0.counts } }
    var changes: SyncChanges { state.withLock { $0.changes } }

    /// Whether a transaction failed with an unknown outcome: it may or may not be on disk.
    var isInDoubt: Bool { state.withLock { $0.isInDoubt } }

    /// The spending, as lines of text for people.
    var isOwnerNamed: Bool { loaded.isOwnerNamed }
    var spendingLines: [String] { (loaded.asking?.summary() ?? []) + (loaded.embedding?.summary() ?? []) }

    /// - Returns: the exit status of a run that completed or was asked to stop.
    /// - Throws: ``TriageError`` when it could not continue; earlier commits stay.
    func run(_ files: SyncFiles) async throws -> ExitStatus {
        do {
            let output = try SyncOutput(
                files.outputs, of: store, adopts: request.adopts,
                notice: { [notices] in notices.say(Terminal.harmlessLine($0)) })
            do {
                let status = try await work(output, files)
                output.close()
                await end()
                return status
            } catch {
                if isInDoubt { output.abandon() } else { output.close() }
                // Spending counts towards the daily budget even when the run failed.
                if !isInDoubt, lock.isHeld { try? commitSpending() }
                throw error
            }
        } catch {
            await end()
            throw error
        }
    }

    private func end() async {
        await loaded.asking?.finish()
        await loaded.embedding?.finish()
    }

    private func work(_ output: SyncOutput, _ files: SyncFiles) async throws -> ExitStatus {
        let asks = loaded.asking != nil
        let pipeline = try PipelineRun(
            loaded,
            PipelineRun.Options(
                input: request.input, jobs: request.jobs,
                // A batch is held until a model has answered all of it, and a signal can end a run only between two
                // steps of a batch, so use smaller batches with a model.
                batchSize: request.batchSize ?? (asks ? 128 : loaded.plan.readsSentences ? 32 : 512),
                isQuiet: request.isQuiet, ownFiles: files.own,
                replacedFiles: request.ownSettings, dropsUnderWay: true),
            notices: notices, sources: sources)
        let encoder = SyncEncoder(
            ledger: ledger, lines: JSONLRecordEncoder(object: loaded.object), object: loaded.object,
            library: loaded.library, keepsMessages: request.keepsMessages, keepsOutput: request.output != nil,
            keepsRejects: request.rejects != nil, offersAbove: request.offersAbove,
            llm: loaded.asking?.name,
            sources: { [sources] in sources.all })
        let ledger = ledger
        _ = try await pipeline.run(
            sifting: [.ordered(KnownStage(ledger))],
            // A message that waits for a model already passed in an earlier run.
            isFree: { ledger.isRepeated($0, of: $1) }, slots: loaded.plan.slots, watching: nil,
            prepare: { ledger.identify(&$0) }, encode: { encoder.result(&$0) },
            preface: { if asks { try ledger.readOwed(into: $0) } },
            sink: { try self.commit($0, output, pipeline) })
        try commitSpending()
        if let status = pipeline.shutdown.status { return status }
        if request.asking.requireLLM, let shortfall = loaded.asking?.shortfall ?? loaded.embedding?.shortfall {
            return shortfall
        }
        return counts.rejected > 0 || pipeline.leftOut > 0 ? .finding : .success
    }

    /// Writes the lines, flushes them to disk, then commits the transaction, in that order.
    private func commit(_ result: BatchResult<SyncTally>, _ output: SyncOutput, _ pipeline: PipelineRun) throws {
        let tally = result.tally
        if let failure = ledger.failure { throw failure }
        if request.rejects == nil { pipeline.sayRejects(tally.counts) }
        let (counts, changes, spend) = state.withLock { state in
            var (counts, changes) = (state.counts, state.changes)
            counts.merge(tally.counts)
            changes.merge(tally.changes)
            return (counts, changes, self.spending(since: state.spent))
        }
        if !tally.isEmpty {
            try lock.confirm()
            let outputs = try output.write(result.output, result.rejects)
            var commit = tally.commit
            commit.outputs = outputs
            commit.run = (run, SyncReport.counts(counts, changes))
            commit.spend = spend?.entry
            // From here until the commit returns, the outcome is unknown.
            state.withLock { $0.isInDoubt = true }
            try store.commit(commit)
            output.committed(outputs)
            state.withLock { state in
                state.isInDoubt = false
                if let spend { state.spent = spend.report }
            }
        }
        ledger.settle(result.sequence)
        state.withLock { state in
            state.counts = counts
            state.changes = changes
        }
        pipeline.count(tally.counts, inputBytes: result.inputBytes)
    }

    /// Commits spending on answers that were not committed with any batch.
    private func commitSpending() throws {
        guard let spend = spending(since: state.withLock { $0.spent }) else { return }
        var commit = InboxCommit()
        commit.run = (run, SyncReport.counts(counts, changes))
        commit.spend = spend.entry
        try store.commit(commit)
        state.withLock { $0.spent = spend.report }
    }

    private func spending(
        since earlier: SpendReport
    ) -> (entry: (day: Int, amount: InboxSpend), report: SpendReport)? {
        guard let report = loaded.asking?.spending, report != earlier else { return nil }
        let requests = report.requests - earlier.requests
        let amount = InboxSpend(
            requests: requests, inputTokens: report.usage.input - earlier.usage.input,
            outputTokens: report.usage.output - earlier.usage.output,
            cost: (report.cost ?? 0) - (earlier.cost ?? 0), unpriced: report.cost == nil ? requests : 0)
        return ((UTCTime.day(UTCTime.now), amount), report)
    }
}
