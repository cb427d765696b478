import Synchronization
import TriageCore
import TriageFormats
import TriageStore

/// `triage sync --dry-run`: says what a sync would do, and does none of it.
struct SyncPreview {
    let request: SyncRequest
    let store: String

    func run(_ notices: Notices) async throws -> ExitStatus {
        var isThere = true
        let store: InboxStore?
        do {
            store = try InboxStore(path: self.store, mode: .readOnly)
        } catch let error as TriageError where error.exit == .noInput {
            (store, isThere) = (nil, false)
        }
        defer { store?.close() }
        let sources = SourceNames()
        let ledger = SyncLedger(store: store, sources: { sources.all })
        let loaded = try LoadedRun(
            configuration: request.configuration, me: request.input.me, questions: [], notice: { notices.say($0) })
        let pipeline = try PipelineRun(
            loaded, PipelineRun.Options(input: request.input, jobs: request.jobs, isQuiet: request.isQuiet),
            notices: notices, sources: sources)
        let totals = PreviewTotals()
        _ = try await pipeline.run(
            slots: [.ordered(KnownStage(ledger))], watching: nil, prepare: { ledger.identify(&$0) },
            encode: { batch in
                let notes = ledger.notes(of: batch.input.sequence)
                var tally = SyncTally(counts: RunCounts(batch, rejectsKept: 20))
                tally.changes = SyncChanges(batch, notes)
                return BatchResult(
                    sequence: batch.input.sequence, output: ByteBlock([]), rejects: [], tally: tally,
                    inputBytes: batch.input.bytes.count)
            },
            sink: { result in
                // Nothing is committed, so what was seen stays under way to the end.
                if let failure = ledger.failure { throw failure }
                guard let tally = result.tally as? SyncTally else { return }
                pipeline.sayRejects(tally.counts)
                pipeline.count(tally.counts, inputBytes: result.inputBytes)
                totals.add(tally.changes)
            })
        let owed = try store?.owedCount() ?? 0
        let (counts, changes) = (pipeline.counts, totals.changes)
        var lines = [
            "would add \(MoneyText.count(changes.new)) and change \(MoneyText.count(changes.edited));"
                + " \(MoneyText.count(changes.known)) are known"
        ]
        if counts.rejected > 0 { lines.append("would reject \(MoneyText.count(counts.rejected))") }
        if owed > 0 { lines.append("would ask again for \(MoneyText.count(owed)) that a language model owes") }
        if !isThere { lines.append("would make the store \(self.store)") }
        lines.append("nothing was written; what a language model would cost says `triage estimate`")
        var text = ""
        for (number, line) in lines.enumerated() {
            text += (number == 0 ? "triage: " : "        ") + Terminal.harmless(line) + "\n"
        }
        try? CheckedWriter.standardError.write(text)
        return pipeline.shutdown.status ?? .success
    }
}

private final class PreviewTotals: Sendable {
    private let state = Mutex(SyncChanges())
    var changes: SyncChanges { state.withLock { $0 } }
    func add(_ changes: SyncChanges) { state.withLock { $0.merge(changes) } }
}
