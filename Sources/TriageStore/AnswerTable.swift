internal import Foundation
internal import GRDB

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
