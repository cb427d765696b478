internal import Foundation
internal import GRDB
public import TriageCore

/// Answers of models in one SQLite file, shared by all runs of a user, also at the same time.
///
/// Holds digests and answers, no message text. It is opened at the first use, and it is never in the way: a file that
/// cannot be used (damaged, foreign, read-only, a symbolic link) is left alone, one notice says so, and from then on there
/// are no answers in it and nothing is kept.
///
/// Many calls of ``keep(_:for:)`` at a time become one transaction: while one is being written the next ones gather.
public actor AnswerDatabase: AnswerCache {
    private let file: AnswerFile
    private let sizeLimit: Int
    private let now: @Sendable () -> Int
    private let notice: @Sendable (TriageError) -> Void

    private var opening: Task<DatabasePool?, Never>?
    private var isOff = false
    private var writer: Task<Void, Never>?
    private var waiting: [Entry] = []
    /// Answers that were read, and not noted as used for a while.
    private var touched: Set<Data> = []

    private struct Entry {
        var digest: Data
        var answer: Data
        var continuation: CheckedContinuation<Void, Never>
    }

    /// An answer that was read is noted as used at most so often, in seconds: each note is a write.
    private static let touchInterval = 3600
    /// So many notes are written even when no answer is.
    private static let mostTouched = 256

    /// - Parameters:
    ///   - path: made with its folder when it is not there: the file 0600, the folders 0700.
    ///   - sizeLimit: in bytes, at least 1 MB; above it the answers that were not used for longest go. 256 MB hold half a
    ///     million answers.
    ///   - now: seconds since 1970; nil: the system's clock.
    ///   - notice: called once at most, when the file turns out to be of no use.
    public init(
        path: String, sizeLimit: Int = 256 << 20, now: (@Sendable () -> Int)? = nil,
        notice: @escaping @Sendable (TriageError) -> Void = { _ in }
    ) {
        file = AnswerFile(path: path)
        self.sizeLimit = max(sizeLimit, 1 << 20)
        self.now = now ?? { Int(time(nil)) }
        self.notice = notice
    }

    /// `$XDG_CACHE_HOME/triage/llm.db`, else `~/.cache/triage/llm.db`; nil when neither variable is of use.
    public static func standardPath(environment: [String: String]) -> String? {
        // The XDG specification has relative paths ignored.
        if let folder = environment["XDG_CACHE_HOME"], folder.hasPrefix("/") { return folder + "/triage/llm.db" }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return home + "/.cache/triage/llm.db"
    }

    public func answer(for digest: String) async -> [UInt8]? {
        guard let key = Self.key(digest), let pool = await opened() else { return nil }
        do {
            let found = try await pool.read { database in
                try AnswerTable.find(key, in: database)
            }
            guard let found else { return nil }
            if now() - found.used > Self.touchInterval {
                touched.insert(key)
                if touched.count >= Self.mostTouched { startWriting(to: pool) }
            }
            return found.body
        } catch is CancellationError {
            return nil
        } catch {
            giveUp(error)
            return nil
        }
    }

    /// Keeps an answer, in place of an older one under the same digest.
    ///
    /// Returns when it is committed, also in a cancelled task: it has been paid for. When the file is of no use, it returns
    /// at once. Answers beyond a sixteenth of the file's limit are not kept.
    public func keep(_ answer: [UInt8], for digest: String) async {
        guard let key = Self.key(digest), answer.count <= sizeLimit / 16, let pool = await opened() else { return }
        await withCheckedContinuation { continuation in
            waiting.append(Entry(digest: key, answer: Data(answer), continuation: continuation))
            startWriting(to: pool)
        }
    }

    /// Writes what is still to be noted and closes the file; after this there is nothing in it.
    public func close() async {
        guard let opening, let pool = await opening.value, !isOff else { return }
        if !touched.isEmpty { startWriting(to: pool) }
        await writer?.value
        isOff = true
        try? pool.close()
    }

    private func opened() async -> DatabasePool? {
        if isOff { return nil }
        if let opening {
            let pool = await opening.value
            return isOff ? nil : pool
        }
        let file = file
        let task = Task { () -> DatabasePool? in
            let result = await withCheckedContinuation { continuation in
                // Another process may hold the file for seconds.
                startBlockingThread { continuation.resume(returning: Result { try file.open() }) }
            }
            switch result {
            case .success(let pool): return pool
            case .failure(let error):
                giveUp(error)
                return nil
            }
        }
        opening = task
        return await task.value
    }

    private func startWriting(to pool: DatabasePool) {
        guard writer == nil else { return }
        // A task of its own: a caller that is cancelled must not take the answers of others with it.
        writer = Task { await write(to: pool) }
    }

    private func write(to pool: DatabasePool) async {
        while !isOff, !waiting.isEmpty || !touched.isEmpty {
            let entries = waiting
            let used = touched
            waiting = []
            touched = []
            let moment = now()
            let limit = sizeLimit
            let rows = entries.map { (digest: $0.digest, answer: $0.answer) }
            do {
                try await pool.write { database in
                    for row in rows { try AnswerTable.keep(row.answer, for: row.digest, at: moment, in: database) }
                    for digest in used { try AnswerTable.touch(digest, at: moment, in: database) }
                    try AnswerTable.evict(to: limit, in: database)
                }
            } catch {
                giveUp(error)
            }
            for entry in entries { entry.continuation.resume() }
        }
        writer = nil
        if isOff {
            for entry in waiting { entry.continuation.resume() }
            waiting = []
        }
    }

    private func giveUp(_ error: any Error) {
        guard !isOff else { return }
        isOff = true
        notice(file.explain(error))
    }

    /// 32 bytes; nil unless the digest is 64 hex digits.
    private static func key(_ digest: String) -> Data? {
        guard digest.utf8.count == 64 else { return nil }
        var bytes = Data(capacity: 32)
        var high: UInt8?
        for character in digest.utf8 {
            let value: UInt8
            switch character {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = character - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = character - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): value = character - UInt8(ascii: "A") + 10
            default: return nil
            }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return bytes
    }
}
