internal import Foundation
internal import GRDB

extension InboxStore {
    /// How many messages are in each language; what has none is under `und`.
    ///
    /// - Parameter since: only messages that were sent at this second since 1970 or later.
    /// - Throws: `TriageError`.
    package func languages(since: Int64? = nil) throws -> [String: Int] {
        try read { database in
            var found: [String: Int] = [:]
            let sql = """
                SELECT coalesce(language, 'und') AS tag, count(*) AS number FROM message m
                WHERE \(Self.condition(since)) GROUP BY tag
                """
            for row in try Row.fetchAll(database, sql: sql, arguments: Self.arguments(since)) {
                found[try row.get("tag") as String] = try row.get("number") as Int
            }
            return found
        }
    }

    /// How many messages a language model answered something of.
    ///
    /// - Throws: `TriageError`.
    package func answeredByModel(since: Int64? = nil) throws -> Int {
        try read { database in
            let sql = "SELECT count(*) FROM message m WHERE \(Self.condition(since)) AND m.facts IS NOT NULL"
            return try Int.fetchOne(database, sql: sql, arguments: Self.arguments(since)) ?? 0
        }
    }

    /// How many offers there are that were not dismissed.
    ///
    /// - Throws: `TriageError`.
    package func offers(since: Int64? = nil) throws -> Int {
        try read { database in
            var query = InboxQuery(view: .business, since: since)
            query.limit = nil
            let (clauses, arguments) = query.sql(isCorrected: try Self.isCorrected(database))
            let sql = "SELECT count(score) FROM (SELECT m.score AS score FROM message m \(clauses))"
            return try Int.fetchOne(database, sql: sql, arguments: StatementArguments(arguments)) ?? 0
        }
    }

    /// Calls `body` with every record that has these bytes in it, in the order they came.
    ///
    /// - Throws: `TriageError`, and what `body` throws.
    package func forEachRecord(
        containing bytes: [UInt8], since: Int64? = nil, _ body: ([UInt8]) throws -> Void
    ) throws {
        try read { database in
            let sql = "SELECT m.record FROM message m WHERE \(Self.condition(since)) AND instr(m.record, ?) > 0"
            let arguments = Self.arguments(since) + [Data(bytes)]
            let rows = try Row.fetchCursor(database, sql: sql + " ORDER BY m.seq", arguments: arguments)
            while let row = try rows.next() { try body([UInt8](row.get("record") as Data)) }
        }
    }

    /// Calls `body` with the counts of every run of a command, a JSON object each, in order.
    ///
    /// - Throws: `TriageError`, and what `body` throws.
    package func forEachCounts(ofRuns command: String, _ body: (String) throws -> Void) throws {
        try read { database in
            let sql = "SELECT counts FROM run WHERE command = ? ORDER BY id"
            let rows = try String.fetchCursor(database, sql: sql, arguments: [command])
            while let counts = try rows.next() { try body(counts) }
        }
    }

    private static func condition(_ since: Int64?) -> String {
        since == nil ? "m.kind = 0" : "m.kind = 0 AND m.sent_at >= ?"
    }

    private static func arguments(_ since: Int64?) -> StatementArguments { since.map { [$0] } ?? [] }
}
