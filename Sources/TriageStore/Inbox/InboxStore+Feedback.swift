internal import Foundation
internal import GRDB

extension InboxStore {
    /// Keeps what a person said, each as a row of its own, all or none; nothing that was there is changed.
    ///
    /// - Returns: what was kept, with its ids; without those whose request was kept before.
    /// - Throws: `TriageError`.
    @discardableResult
    package func keep(_ feedback: [InboxFeedback]) throws -> [InboxFeedback] {
        try write { database in
            var kept: [InboxFeedback] = []
            for var row in feedback {
                guard try Self.insert(&row, database) else { continue }
                kept.append(row)
            }
            return kept
        }
    }

    /// Takes back what was said last of a message: of one field, or of the field that was spoken of last.
    ///
    /// - Returns: the row that counts no more; nil when there is none.
    /// - Throws: `TriageError`.
    package func undo(
        _ key: RecordKey, _ field: InboxFeedback.Field?, at moment: Int64, source: String
    ) throws -> InboxFeedback? {
        try write { database in
            let sql = """
                SELECT * FROM feedback f WHERE f.key = ?1 AND f.undoes IS NULL AND (?2 IS NULL OR f.field = ?2)
                AND NOT EXISTS (SELECT 1 FROM feedback u WHERE u.undoes = f.id) ORDER BY f.id DESC LIMIT 1
                """
            let row = try Row.fetchOne(database, sql: sql, arguments: [Data(key.bytes), field?.rawValue])
            guard let last = try row.flatMap({ try Self.feedback($0) }) else { return nil }
            var undoing = last
            undoing.at = moment
            undoing.source = source
            undoing.request = nil
            undoing.undoes = last.id
            (undoing.note, undoing.text) = (nil, nil)
            _ = try Self.insert(&undoing, database)
            return last
        }
    }

    /// Everything that was said of a message, in order; what took something back too.
    ///
    /// - Throws: `TriageError`.
    package func feedback(on key: RecordKey) throws -> [InboxFeedback] {
        try read { database in
            try Row.fetchAll(
                database, sql: "\(Self.allFeedback) WHERE f.key = ? ORDER BY f.id", arguments: [Data(key.bytes)]
            ).compactMap { try Self.feedback($0) }
        }
    }

    /// What was said last, of all messages, the latest first; what took something back too.
    ///
    /// - Throws: `TriageError`.
    package func feedback(limit: Int) throws -> [(feedback: InboxFeedback, number: Int64?)] {
        try read { database in
            let sql = """
                SELECT f.*, EXISTS (SELECT 1 FROM feedback u WHERE u.undoes = f.id) AS undone,
                (SELECT m.seq FROM message m WHERE m.key = f.key) AS number
                FROM feedback f ORDER BY f.id DESC LIMIT ?
                """
            return try Row.fetchAll(database, sql: sql, arguments: [max(0, limit)]).compactMap { row in
                try Self.feedback(row).map { ($0, try row.get("number")) }
            }
        }
    }

    /// Calls `body` with every message of which anything that people said still counts, in the order they came.
    ///
    /// - Throws: `TriageError`, and what `body` throws.
    package func forEachCorrected(_ body: (InboxEntry) throws -> Void) throws {
        try read { database in
            let sql = """
                SELECT \(InboxEntry.columns) FROM message m WHERE m.key IN (SELECT key FROM feedback) ORDER BY m.seq
                """
            let rows = try Row.fetchCursor(database, sql: sql)
            while let row = try rows.next() {
                let entry = try Self.entry(row, isCorrected: true, database)
                guard !entry.corrections.isEmpty else { continue }
                try body(entry)
            }
        }
    }

    private static let allFeedback =
        "SELECT f.*, EXISTS (SELECT 1 FROM feedback u WHERE u.undoes = f.id) AS undone FROM feedback f"

    static func insert(_ feedback: inout InboxFeedback, _ database: Database) throws -> Bool {
        let sql = """
            INSERT INTO feedback (key, revision, at, field, value, before, source, request, undoes, note, text)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (request) DO NOTHING
            """
        try database.cachedStatement(sql: sql).execute(arguments: [
            Data(feedback.key.bytes), feedback.revision, feedback.at, feedback.field.rawValue, feedback.value,
            feedback.before, feedback.source, feedback.request, feedback.undoes, feedback.note, feedback.text,
        ])
        guard database.changesCount > 0 else { return false }
        feedback.id = database.lastInsertedRowID
        return true
    }

    /// nil for what a later version says of a message.
    static func feedback(_ row: Row) throws -> InboxFeedback? {
        guard let field = InboxFeedback.Field(rawValue: try row.get("field")) else { return nil }
        var feedback = try InboxFeedback(
            key: row.key("key"), revision: row.revision(), at: row.get("at"), field: field,
            value: row.get("value"), before: row.get("before"), source: row.get("source"), request: row.get("request"),
            note: row.get("note"), text: row.get("text"))
        feedback.id = try row.get("id")
        feedback.undoes = try row.get("undoes")
        if row.hasColumn("undone") { feedback.isUndone = try row.get("undone") }
        return feedback
    }
}
