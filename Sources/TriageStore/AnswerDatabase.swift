internal import Foundation
internal import GRDB
package import TriageCore

/// A cache of model answers in one SQLite file, shared by all of a user's runs, concurrent ones included.
///
/// It holds digests and answers, never message text. The file is opened on first use and never stops a run: a file that
/// cannot be used (damaged, foreign, read-only, a symbolic link) is left alone. One notice says so, and from then on
/// the cache finds nothing and keeps nothing.
///
/// Concurrent calls of ``keep(_:for:)`` share a transaction: while one is being written, the next answers queue up.
package actor AnswerDatabase: AnswerCache {
    private let file: AnswerFile
    private let sizeLimit: Int
    private let now: @Sendable () -> Int

    private var opening: Task<DatabasePool?, Never>?
    private let writer: AnswerWriter
    /// Digests of answers that were read but whose last use is not yet written to the file.
    private var touched: Set<Data> = []

    /// Seconds between two updates of an answer's last use; each update is a write.
    private static let touchInterval = 3600
    /// This many pending updates of last use are written even when no answer is.
    private static let mostTouched = 256

    /// - Parameters:
    ///   - path: created if missing: the file with mode 0600, its folders with 0700.
    ///   - sizeLimit: in bytes, at least 1 MB. Above it the least recently used answers are deleted. 256 MB hold half a
    ///     million answers.
    ///   - now: seconds since 1970; nil: the system's clock.
    ///   - notice: called at most once, when the file turns out to be unusable.
    package init(
        path: String, sizeLimit: Int = 256 << 20, now: (@Sendable () -> Int)? = nil,
        notice: @escaping @Sendable (TriageError) -> Void = { _ in }
    ) {
        let file = AnswerFile(path: path)
        let now = now ?? { Int(time(nil)) }
        let sizeLimit = max(sizeLimit, 1 << 20)
        self.file = file
        self.now = now
        self.sizeLimit = sizeLimit
        writer = AnswerWriter(sizeLimit: sizeLimit, now: now, onFailure: { notice(file.explain($0)) })
    }

    /// `$XDG_CACHE_HOME/triage/llm.db`, else `~/.cache/triage/llm.db`; nil when neither variable is usable.
    package static func standardPath(environment: [String: String]) -> String? {
        // The XDG specification says to ignore relative paths.
        if let folder = environment["XDG_CACHE_HOME"], folder.hasPrefix("/") { return folder + "/triage/llm.db" }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return home + "/.cache/triage/llm.db"
    }

    package func answer(for digest: String) async -> [UInt8]? {
        await answers(for: [digest])[digest]
    }

    /// Looks up all digests in one read: waiting for another thread costs more than finding an answer.
    package func answers(for digests: [String]) async -> [String: [UInt8]] {
        let keys = digests.compactMap { digest in Self.key(digest).map { (digest: digest, key: $0) } }
        guard !keys.isEmpty, let pool = await opened() else { return [:] }
        do {
            let rows = try await pool.read { database in
                try keys.compactMap { key in
                    try AnswerTable.find(key.key, in: database).map { (key: key, body: $0.body, used: $0.used) }
                }
            }
            let lately = now() - Self.touchInterval
            for row in rows where row.used < lately { touched.insert(row.key.key) }
            if touched.count >= Self.mostTouched {
                writer.note(touched, in: pool)
                touched = []
            }
            return Dictionary(rows.map { ($0.key.digest, $0.body) }, uniquingKeysWith: { first, _ in first })
        } catch is CancellationError {
            return [:]
        } catch {
            writer.giveUp(error)
            return [:]
        }
    }

    /// Stores an answer, replacing any older one with the same digest.
    ///
    /// Returns once the answer is committed, even in a cancelled task, because it has been paid for. Returns at once
    /// when the file is unusable. Answers larger than a sixteenth of the file's limit are not stored.
    package func keep(_ answer: [UInt8], for digest: String) async {
        _ = await keep([digest: answer])
    }

    /// Stores several answers in one transaction, like ``keep(_:for:)``.
    ///
    /// - Returns: how many were not stored because they are too large or the file is unusable.
    package func keep(_ answers: [String: [UInt8]]) async -> Int {
        let rows = answers.compactMap { digest, answer in
            answer.count <= sizeLimit / 16 ? Self.key(digest).map { (digest: $0, answer: Data(answer)) } : nil
        }
        guard !rows.isEmpty, let pool = await opened() else { return answers.count }
        await writer.keep(rows, in: pool)
        return answers.count - (writer.isOff ? 0 : rows.count)
    }

    /// Writes pending updates and closes the file; afterwards the cache finds nothing.
    package func close() async {
        guard let opening, let pool = await opening.value, !writer.isOff else { return }
        writer.note(touched, in: pool)
        await writer.keep([], in: pool)
        writer.close()
        try? pool.close()
    }

    private func opened() async -> DatabasePool? {
        if writer.isOff { return nil }
        if let opening {
            let pool = await opening.value
            return writer.isOff ? nil : pool
        }
        let file = file
        let writer = writer
        let task = Task { () -> DatabasePool? in
            let result = await withCheckedContinuation { continuation in
                // Another process may lock the file for seconds.
                startBlockingThread { continuation.resume(returning: Result { try file.open() }) }
            }
            switch result {
            case .success(let pool): return pool
            case .failure(let error):
                writer.giveUp(error)
                return nil
            }
        }
        opening = task
        return await task.value
    }

    /// The 32 bytes of a digest; nil unless it is 64 hex digits.
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

/// The file of the answer cache: opens it and explains whatever may be wrong with it.
struct AnswerFile: Sendable {
    private let file: DatabaseFile

    /// Seconds to wait for another process.
    private static let patience = 10.0

    init(path: String) {
        file = DatabaseFile(
            path: path, applicationID: 0x7472_6761 /* "trga" */, name: "the answer cache",
            fault: { fault, what in
                TriageError(
                    "cache.\(fault.rawValue)", what + "; this run continues without it", at: path,
                    remedy: "move the file away, or name another with --cache PATH, or use --cache off")
            })
    }

    /// Opens the file, creating it if it is missing; blocks.
    ///
    /// - Throws: `TriageError`, or GRDB's `DatabaseError`, to be passed to ``explain(_:)``.
    func open() throws -> DatabasePool {
        let state = try file.prepare(isMade: true)
        return try file.patiently {
            if state == .fresh { try file.claim(AnswerTable.versions, patience: Self.patience) }
            return try connect()
        }
    }

    private func connect() throws -> DatabasePool {
        var configuration = Configuration()
        configuration.busyMode = .timeout(Self.patience)
        configuration.maximumReaderCount = 2
        configuration.label = "answers"
        configuration.prepareDatabase { database in
            // In WAL mode a killed process loses nothing it committed: the operating system has the data. NORMAL skips
            // the fsync of each commit: after a power cut the file is intact, and at worst the latest answers are
            // requested again.
            try database.execute(sql: "PRAGMA synchronous = NORMAL")
            try database.execute(sql: "PRAGMA trusted_schema = OFF")
            try database.execute(sql: "PRAGMA journal_size_limit = 4194304")
        }
        let pool = try DatabasePool(path: file.place, configuration: configuration)
        let versions = AnswerTable.versions
        let applied = try pool.read { try versions.applied($0) }
        if versions.isSuperseded(applied) {
            throw file.fault(.newer, "the answer cache was written by a newer version of this program")
        }
        if !versions.isComplete(applied) { try pool.write { try versions.complete($0) } }
        return pool
    }

    /// The error to show for a failure, with its remedy.
    func explain(_ error: any Error) -> TriageError { file.explain(error) }
}

/// The table of answers and its operations; each runs within the caller's transaction.
enum AnswerTable {
    /// Every schema version ever released, up to the current one.
    static let versions = SchemaVersions([
        SchemaVersions.Version(name: "v1") { database in
            try database.execute(
                sql: """
                    CREATE TABLE IF NOT EXISTS answer (
                        digest BLOB NOT NULL PRIMARY KEY,
                        body BLOB NOT NULL,
                        created INTEGER NOT NULL,
                        used INTEGER NOT NULL
                    ) WITHOUT ROWID, STRICT
                    """)
            try database.execute(sql: "CREATE INDEX IF NOT EXISTS answerByUse ON answer (used, created)")
        }
    ])

    static func find(_ digest: Data, in database: Database) throws -> (body: [UInt8], used: Int)? {
        let statement = try database.cachedStatement(sql: "SELECT body, used FROM answer WHERE digest = ?")
        guard let row = try Row.fetchOne(statement, arguments: [digest]) else { return nil }
        return ([UInt8](try row.get("body") as Data), try row.get("used"))
    }

    static func keep(_ answer: Data, for digest: Data, at moment: Int, in database: Database) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO answer (digest, body, created, used) VALUES (?1, ?2, ?3, ?3)
                ON CONFLICT (digest) DO UPDATE SET body = excluded.body, created = excluded.created, used = excluded.used
                """
        ).execute(arguments: [digest, answer, moment])
    }

    static func touch(_ digest: Data, at moment: Int, in database: Database) throws {
        try database.cachedStatement(sql: "UPDATE answer SET used = max(used, ?2) WHERE digest = ?1")
            .execute(arguments: [digest, moment])
    }

    /// If the table exceeds the limit, deletes the least recently used answers until a tenth of the limit is free.
    static func evict(to limit: Int, in database: Database) throws {
        guard try size(in: database) > limit else { return }
        while try size(in: database) > limit - limit / 10 {
            let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM answer") ?? 0
            guard count > 0 else { return }
            try database.execute(
                sql: "DELETE FROM answer WHERE digest IN (SELECT digest FROM answer ORDER BY used, created LIMIT ?)",
                arguments: [max(count / 20, 1)])
        }
    }

    /// Bytes in use; freed pages are reused, so the file never stays larger than this for long.
    private static func size(in database: Database) throws -> Int {
        let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
        let free = try Int.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0
        let bytes = try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 4096
        return (pages - free) * bytes
    }
}
