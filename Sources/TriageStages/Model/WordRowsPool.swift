import Synchronization
internal import TriageCore

/// Memories of words that wait for a batch: one is made for each worker, and none is shared.
final class WordRowsPool: Sendable {
    /// A memory, which belongs to whoever took it.
    final class Loan: @unchecked Sendable {
        // Proof: the pool holds a loan only between two batches; `take` removes it under the lock, so that one worker
        // has it at a time, and a stage gives it back when its batch is done.
        let rows: WordRows

        init(_ model: borrowing StatisticalModel) { rows = WordRows(model) }
    }

    private let idle = Mutex<[Loan]>([])
    private let model: StatisticalModel

    init(model: StatisticalModel) { self.model = model }

    func take() -> Loan { idle.withLock { $0.popLast() } ?? Loan(model) }

    func give(_ loan: Loan) { idle.withLock { $0.append(loan) } }
}
