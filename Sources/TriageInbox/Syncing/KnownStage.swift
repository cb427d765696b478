import TriageCore

/// Takes out what the store has already, before anything is computed for it, and numbers the revisions of the rest.
final class KnownStage: OrderedStage {
    let name = "sync.known"
    let reads: Set<Field> = []
    let writes: Set<Field> = []

    private let ledger: SyncLedger

    init(_ ledger: SyncLedger) { self.ledger = ledger }

    func annotate(_ batch: inout Batch) { ledger.sift(&batch) }
}
