internal import Foundation
internal import GRDB
package import TriageCore

/// Answers of models in one SQLite file, shared by all runs of a user, also at the same time.
///
/// Holds digests and answers, no message text. It is opened at the first use, and it is never in the way: a file that
/// cannot be used (damaged, foreign, read-only, a symbolic link) is left alone, one notice says so, and from then on there
/// are no answers in it and nothing is kept.
///
/// Many calls of ``keep(_:for:)`` at a time become one transaction: while one is being written the next ones gather.
package actor AnswerDatabase: AnswerCache {
    private let file: AnswerFile
    private let sizeLimit: Int
    private let now: @Sendable () -> Int

    private var opening: Task<DatabasePool?, Never>?
    private let writer: AnswerWriter
    /// Answers that were read, and not noted as used for a while.
    private var touched: Set<Data> = []

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

    /// `$XDG_CACHE_HOME/triage/llm.db`, else `~/.cache/triage/llm.db`; nil when neither variable is of use.
    package static func standardPath(environment: [String: String]) -> String? {
        // The XDG specification has relative paths ignored.
        if let folder = environment["XDG_CACHE_HOME"], folder.hasPrefix("/") { return folder + "/triage/llm.db" }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return home + "/.cache/triage/llm.db"
    }

    package func answer(for digest: String) async -> [UInt8]? {
        await answers(for: [digest])[digest]
    }

    /// One reading for all of them: waiting for another thread costs more than finding an answer.
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

    /// Keeps an answer, in place of an older one under the same digest.
    ///
    /// Returns when it is committed, also in a cancelled task: it has been paid for. When the file is of no use, it returns
    /// at once. Answers beyond a sixteenth of the file's limit are not kept.
    package func keep(_ answer: [UInt8], for digest: String) async {
        _ = await keep([digest: answer])
    }

    /// As ``keep(_:for:)``, in one transaction.
    ///
    /// - Returns: how many are not kept: too large, or the file is of no use.
    package func keep(_ answers: [String: [UInt8]]) async -> Int {
        let rows = answers.compactMap { digest, answer in
            answer.count <= sizeLimit / 16 ? Self.key(digest).map { (digest: $0, answer: Data(answer)) } : nil
        }
        guard !rows.isEmpty, let pool = await opened() else { return answers.count }
        await writer.keep(rows, in: pool)
        return answers.count - (writer.isOff ? 0 : rows.count)
    }

    /// Writes what is still to be noted and closes the file; after this there is nothing in it.
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
                // Another process may hold the file for seconds.
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

/// The file of the answers: opened, with all that may be wrong with it explained.
struct AnswerFile: Sendable {
    private let file: DatabaseFile

    /// How long another process is waited for, in seconds.
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

    /// Opens the file, and makes it when it is not there; blocks.
    ///
    /// - Throws: `TriageError`, or GRDB's `DatabaseError`, for ``explain(_:)``.
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
            // In WAL mode a killed process loses nothing that was committed, for the system has it. NORMAL leaves out the
            // fsync of each commit: after a power cut the file is whole, and at most the last answers are asked for again.
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

    /// What a failure means to people, and what they can do.
    func explain(_ error: any Error) -> TriageError { file.explain(error) }
}

/// The table of answers and what is done to it, within a transaction of the caller's.
enum AnswerTable {
    /// Every version that was ever released, up to the present one.
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

    /// Deletes what was not used for longest until a tenth of the room is free, if there is more than fits.
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

    /// Bytes in use; pages that were freed are used again, so the file does not grow past this for long.
    private static func size(in database: Database) throws -> Int {
        let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
        let free = try Int.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0
        let bytes = try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 4096
        return (pages - free) * bytes
    }
}
