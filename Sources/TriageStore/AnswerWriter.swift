internal import Dispatch
internal import Foundation
internal import GRDB
internal import Synchronization

/// Writes answers on a thread of its own, one transaction after another.
///
/// While one transaction is being written, the next answers queue up. Waiting callers are resumed from that thread:
/// every extra thread switch would cost more than the write.
final class AnswerWriter: Sendable {
    typealias Row = (digest: Data, answer: Data)

    private struct State {
        var waiting: [(rows: [Row], continuation: CheckedContinuation<Void, Never>)] = []
        var touched: Set<Data> = []
        var isWriting = false
        var isOff = false
        /// Bytes written since the size of the file was last checked; nil: it was never checked.
        var unchecked: Int?
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "triage.answers")
    private let sizeLimit: Int
    private let now: @Sendable () -> Int
    private let onFailure: @Sendable (any Error) -> Void

    /// Bytes of answers after which the size of the file is checked again.
    private static let checkInterval = 64 << 10
    /// Microseconds to collect answers before writing them, because a transaction costs more than an answer.
    ///
    /// This is negligible next to the time a model takes. A killed process also loses what arrived during this time.
    private static let gathering: UInt32 = 2_000

    /// - Parameter onFailure: called at most once, with the error that stopped the writing.
    init(sizeLimit: Int, now: @escaping @Sendable () -> Int, onFailure: @escaping @Sendable (any Error) -> Void) {
        self.sizeLimit = sizeLimit
        self.now = now
        self.onFailure = onFailure
    }

    /// Whether reading and writing have stopped for good.
    var isOff: Bool { state.withLock { $0.isOff } }

    /// Returns once these rows and all earlier ones are committed; at once if writing has stopped.
    func keep(_ rows: [Row], in pool: DatabasePool) async {
        await withCheckedContinuation { continuation in
            let isOff = change(pool) { $0.waiting.append((rows, continuation)) }
            if isOff { continuation.resume() }
        }
    }

    /// Schedules the answers to be marked as used.
    func note(_ digests: Set<Data>, in pool: DatabasePool) {
        guard !digests.isEmpty else { return }
        _ = change(pool) { $0.touched.formUnion(digests) }
    }

    /// Stops reading and writing because of `error`.
    func giveUp(_ error: any Error) {
        if end() { onFailure(error) }
    }

    /// Stops reading and writing.
    func close() { _ = end() }

    /// Returns whether this call was the one that stopped it.
    private func end() -> Bool {
        state.withLock { state in
            defer { state.isOff = true }
            return !state.isOff
        }
    }

    /// Returns true, without changing anything, if writing has stopped.
    private func change(_ pool: DatabasePool, _ change: (inout State) -> Void) -> Bool {
        let (isOff, starts) = state.withLock { state in
            if state.isOff { return (true, false) }
            change(&state)
            defer { state.isWriting = true }
            return (false, !state.isWriting)
        }
        if starts { queue.async { self.write(to: pool) } }
        return isOff
    }

    private func write(to pool: DatabasePool) {
        while true {
            usleep(Self.gathering)
            let (entries, touched, isOff, checks) = state.withLock { state in
                defer {
                    state.waiting = []
                    state.touched = []
                }
                let size = state.waiting.reduce(0) { $0 + $1.rows.reduce(0) { $0 + $1.answer.count } }
                let unchecked = state.unchecked.map { $0 + size } ?? .max
                let checks = unchecked >= Self.checkInterval
                state.unchecked = checks ? 0 : unchecked
                if state.waiting.isEmpty && state.touched.isEmpty { state.isWriting = false }
                return (state.waiting, state.touched, state.isOff, checks)
            }
            if entries.isEmpty && touched.isEmpty { return }
            if !isOff { write(entries.flatMap(\.rows), touched, checksSize: checks, to: pool) }
            for entry in entries { entry.continuation.resume() }
        }
    }

    private func write(_ rows: [Row], _ touched: Set<Data>, checksSize: Bool, to pool: DatabasePool) {
        guard !rows.isEmpty || !touched.isEmpty else { return }
        let moment = now()
        do {
            try pool.write { database in
                for row in rows { try AnswerTable.keep(row.answer, for: row.digest, at: moment, in: database) }
                for digest in touched { try AnswerTable.touch(digest, at: moment, in: database) }
                if checksSize { try AnswerTable.evict(to: sizeLimit, in: database) }
            }
        } catch {
            giveUp(error)
        }
    }
}
