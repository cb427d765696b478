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

/// What a person said of an answer: one row a decision, never changed; the newest that was not undone counts.
package struct InboxFeedback: Sendable, Equatable {
    /// What it is about.
    package enum Field: String, Sendable, CaseIterable {
        /// `fan`, `business` or `spam`.
        case category
        /// `positive`, `negative` or `neutral`.
        case sentiment
        /// `true` or `false`.
        case urgent
        /// `right` or `wrong`; `none`, or `entry:ID`, where the person says which would be right.
        case faq
        /// `accepted`, `edited` or `dismissed`.
        case draft
        /// `good` or `bad`: what a person thinks of the draft, whatever became of it.
        case rating = "draft_rating"
        /// `dismissed`.
        case opportunity
        /// `true`: somebody looked at it, and nothing more is to be done.
        case seen

        /// Whether a message of which it was said has been dealt with.
        package var settles: Bool { self != .rating }
    }

    /// Given by the store.
    package var id: Int64 = 0
    package var key: RecordKey
    /// Revision of the message that the person saw.
    package var revision: Int
    /// Seconds since 1970.
    package var at: Int64
    package var field: Field
    package var value: String
    /// What the answer was; nil: there was none.
    package var before: String?
    /// Where it was said, such as `command`.
    package var source: String
    /// Of two with the same name the second is not kept; nil: no name.
    package var request: String?
    /// The row that this one takes back; nil: none.
    package var undoes: Int64?
    /// Whether a later row takes it back.
    package var isUndone = false

    /// Why, in a person's words; nil: nothing was said.
    package var note: String?
    /// Of a draft that was edited, or whose blanks were filled in: the words that it had then; nil: not kept.
    package var text: String?

    package init(
        key: RecordKey, revision: Int, at: Int64, field: Field, value: String, before: String?, source: String,
        request: String? = nil, note: String? = nil, text: String? = nil
    ) {
        self.key = key
        self.revision = revision
        self.at = at
        self.field = field
        self.value = value
        self.before = before
        self.source = source
        self.request = request
        self.note = note
        self.text = text
    }

    /// What was said of an entry of the library, for a message that another one, or none, answers now.
    ///
    /// Nobody has said anything of the new one yet: who found the old one right named it, and that the old one was wrong
    /// tells nothing.
    static func said(_ value: String, ofEntry before: String?, now: String?) -> String? {
        guard before != now else { return value }
        switch value {
        case "right": return before.map { "entry:\($0)" } ?? "none"
        case "wrong": return nil
        default: return value
        }
    }
}
