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
        /// What of the spending is committed.
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

    /// What was committed until now.
    var counts: RunCounts { state.withLock { $0.counts } }
    var changes: SyncChanges { state.withLock { $0.changes } }

    /// Whether a transaction failed, of which nobody knows whether it is on the disk.
    var isInDoubt: Bool { state.withLock { $0.isInDoubt } }

    /// What was spent, in words for people.
    var spendingLines: [String] { (loaded.asking?.summary() ?? []) + (loaded.embedding?.summary() ?? []) }

    /// - Returns: the exit status of a run that came to its end, be it asked to.
    /// - Throws: ``TriageError`` when it could not go on; what was committed before stays.
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
                // What was paid counts against the day, even when the run failed.
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
                // What waits for a model is held until the whole batch is answered, and a signal ends a run between two
                // steps of a batch.
                batchSize: request.batchSize ?? (asks ? 128 : 512), isQuiet: request.isQuiet, ownFiles: files.own,
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
            // What is owed was let through by an earlier run.
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

    /// Lines, disk, transaction.
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
            // From here on nobody knows, until it is done.
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

    /// What was spent on answers that no batch was committed with.
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
