internal import Foundation
internal import GRDB

extension InboxStore {
    /// Stores feedback, one row per item, all of it or none; existing rows never change.
    ///
    /// - Returns: the stored rows with their ids, without those whose request was stored before.
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

    /// Undoes the last feedback on a message: on the given field, or on the field that was corrected last.
    ///
    /// - Returns: the row that no longer counts; nil when there is none.
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

    /// All feedback on a message in order, rows that undo others included.
    ///
    /// - Throws: `TriageError`.
    package func feedback(on key: RecordKey) throws -> [InboxFeedback] {
        try read { database in
            try Row.fetchAll(
                database, sql: "\(Self.allFeedback) WHERE f.key = ? ORDER BY f.id", arguments: [Data(key.bytes)]
            ).compactMap { try Self.feedback($0) }
        }
    }

    /// The latest feedback on all messages, newest first, rows that undo others included.
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

    /// Calls `body` with every message that has feedback still in effect, in order of arrival.
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

    /// Decodes a row; nil for feedback that only a later version of the program understands.
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

/// One decision of a person on an answer.
package struct InboxFeedback: Sendable, Equatable {
    /// What the decision is about.
    package enum Field: String, Sendable, CaseIterable {
        /// `fan`, `business` or `spam`.
        case category
        /// `positive`, `negative` or `neutral`.
        case sentiment
        /// `true` or `false`.
        case urgent
        /// `right` or `wrong`; `none` or `entry:ID` where the person names the right entry.
        case faq
        /// `accepted`, `edited` or `dismissed`.
        case draft
        /// `good` or `bad`: the person's opinion of the draft, whatever became of it.
        case rating = "draft_rating"
        /// `dismissed`.
        case opportunity
        /// `true`: somebody looked at the message, and nothing is left to do.
        case seen

        /// Whether feedback on this field means that the message has been dealt with.
        package var settles: Bool { self != .rating }
    }

    /// Assigned by the store.
    package var id: Int64 = 0
    package var key: RecordKey
    /// The revision of the message that the person saw.
    package var revision: Int
    /// Seconds since 1970.
    package var at: Int64
    package var field: Field
    package var value: String
    /// The answer at the time; nil: there was none.
    package var before: String?
    /// Where the feedback was given, such as `command`.
    package var source: String
    /// Name of the request: a second one with the same name is not stored; nil: no name.
    package var request: String?
    /// The row that this one undoes; nil: none.
    package var undoes: Int64?
    /// Whether a later row undoes this one.
    package var isUndone = false

    /// The person's reason; nil: none was given.
    package var note: String?
    /// The final text of a draft that was edited or had its blanks filled in; nil: not kept.
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

    /// Translates feedback on an FAQ entry for a message that another entry, or none, answers now.
    ///
    /// The feedback does not judge the new entry: "right" becomes the name of the old entry, and "wrong" says nothing.
    static func said(_ value: String, ofEntry before: String?, now: String?) -> String? {
        guard before != now else { return value }
        switch value {
        case "right": return before.map { "entry:\($0)" } ?? "none"
        case "wrong": return nil
        default: return value
        }
    }
}
