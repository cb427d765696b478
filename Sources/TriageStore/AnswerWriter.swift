internal import Dispatch
internal import Foundation
internal import GRDB
internal import Synchronization

/// Writes answers, one transaction after the other, on a thread of its own.
///
/// While one is being written the next ones gather. Whoever waits is resumed from that thread: each change of threads
/// on the way would cost more than the writing.
final class AnswerWriter: Sendable {
    typealias Row = (digest: Data, answer: Data)

    private struct State {
        var waiting: [(rows: [Row], continuation: CheckedContinuation<Void, Never>)] = []
        var touched: Set<Data> = []
        var isWriting = false
        var isOff = false
        /// Bytes that were written since the size of the file was looked at; nil: it never was.
        var unchecked: Int?
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "triage.answers")
    private let sizeLimit: Int
    private let now: @Sendable () -> Int
    private let onFailure: @Sendable (any Error) -> Void

    /// The size of the file is looked at after so many bytes of answers.
    private static let checkInterval = 64 << 10
    /// Microseconds in which answers gather before they are written, for a transaction costs more than an answer.
    ///
    /// Nothing next to the time that a model takes; what a kill loses grows by what comes in meanwhile.
    private static let gathering: UInt32 = 2_000

    /// - Parameter onFailure: called once at most, with what ended the writing.
    init(sizeLimit: Int, now: @escaping @Sendable () -> Int, onFailure: @escaping @Sendable (any Error) -> Void) {
        self.sizeLimit = sizeLimit
        self.now = now
        self.onFailure = onFailure
    }

    /// Whether nothing is read or written any more.
    var isOff: Bool { state.withLock { $0.isOff } }

    /// Returns when the rows are committed, and all that was given before them; at once when the writing has ended.
    func keep(_ rows: [Row], in pool: DatabasePool) async {
        await withCheckedContinuation { continuation in
            let isOff = change(pool) { $0.waiting.append((rows, continuation)) }
            if isOff { continuation.resume() }
        }
    }

    /// Has answers noted as used, some time.
    func note(_ digests: Set<Data>, in pool: DatabasePool) {
        guard !digests.isEmpty else { return }
        _ = change(pool) { $0.touched.formUnion(digests) }
    }

    /// Ends the writing and the reading, because of `error`.
    func giveUp(_ error: any Error) {
        if end() { onFailure(error) }
    }

    /// Ends the writing and the reading.
    func close() { _ = end() }

    /// Whether this call ended it.
    private func end() -> Bool {
        state.withLock { state in
            defer { state.isOff = true }
            return !state.isOff
        }
    }

    /// Whether the writing has ended and nothing was changed.
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
