import Synchronization
import TriageCore
import TriageFormats
import TriageRun
import TriageStore

/// Reports what a sync would do without doing it: `triage sync --dry-run`.
struct SyncPreview {
    let request: SyncRequest
    let files: SyncFiles

    func run(_ notices: Notices) async throws -> ExitStatus {
        var isThere = true
        let store: InboxStore?
        do {
            store = try InboxStore(path: files.store, mode: .readOnly)
        } catch let error as TriageError where error.exit == .noInput {
            (store, isThere) = (nil, false)
        }
        defer { store?.close() }
        let sources = SourceNames()
        let ledger = SyncLedger(store: store, sources: { sources.all })
        let loaded = try LoadedRun(
            configuration: request.configuration, me: request.input.me, questions: [], notice: { notices.say($0) })
        let pipeline = try PipelineRun(
            loaded,
            PipelineRun.Options(
                input: request.input, jobs: request.jobs, isQuiet: request.isQuiet, ownFiles: files.own,
                replacedFiles: request.ownSettings, dropsUnderWay: true),
            notices: notices, sources: sources)
        let totals = PreviewTotals()
        _ = try await pipeline.run(
            sifting: [.ordered(KnownStage(ledger))], slots: [], watching: nil, prepare: { ledger.identify(&$0) },
            encode: { batch in
                let notes = ledger.notes(of: batch.input.sequence)
                var tally = SyncTally(counts: RunCounts(batch, rejectsKept: 20))
                tally.changes = SyncChanges(batch, notes)
                return BatchResult(
                    sequence: batch.input.sequence, output: ByteBlock([]), rejects: [], tally: tally,
                    inputBytes: batch.input.bytes.count)
            },
            sink: { result in
                if let failure = ledger.failure { throw failure }
                let tally = result.tally
                pipeline.sayRejects(tally.counts)
                pipeline.count(tally.counts, inputBytes: result.inputBytes)
                // Nothing is committed, so records stay in progress, up to a limit that bounds the memory.
                for sequence in totals.add(tally.changes, of: result.sequence) { ledger.settle(sequence) }
            })
        let owed = try store?.owedCount() ?? 0
        let (counts, changes) = (pipeline.counts, totals.changes)
        var lines = [
            "would add \(MoneyText.count(changes.new)) and change \(MoneyText.count(changes.edited));"
                + " \(MoneyText.count(changes.known)) are known"
        ]
        if counts.rejected > 0 { lines.append("would reject \(MoneyText.count(counts.rejected))") }
        if owed > 0 { lines.append("would ask the LLM again for \(MoneyText.count(owed)) pending answers") }
        if !isThere { lines.append("would create the store \(files.store)") }
        lines.append("nothing was written; `triage estimate` shows LLM costs")
        var text = ""
        for (number, line) in lines.enumerated() {
            text += (number == 0 ? "triage: " : "        ") + Terminal.harmless(line) + "\n"
        }
        try? CheckedWriter.standardError.write(text)
        return pipeline.shutdown.status ?? (pipeline.leftOut > 0 ? .finding : .success)
    }
}

private final class PreviewTotals: Sendable {
    private struct State {
        var changes = SyncChanges()
        /// Batches in progress, each with its number of records.
        var flights: [(sequence: Int, records: Int)] = []
        var records = 0
    }

    /// Duplicates further apart than this many records are both counted.
    private static let mostUnderWay = 1 << 19

    private let state = Mutex(State())

    var changes: SyncChanges { state.withLock { $0.changes } }

    /// - Returns: the batches to forget.
    func add(_ changes: SyncChanges, of sequence: Int) -> [Int] {
        state.withLock { state in
            state.changes.merge(changes)
            let records = changes.new + changes.edited + changes.known
            state.flights.append((sequence, records))
            state.records += records
            var old = 0
            while state.records > Self.mostUnderWay, old < state.flights.count {
                state.records -= state.flights[old].records
                old += 1
            }
            defer { state.flights.removeFirst(old) }
            return state.flights[..<old].map(\.sequence)
        }
    }
}
