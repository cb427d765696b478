internal import Foundation
internal import GRDB
internal import TriageCore

extension InboxStore {
    /// Everything needed to list the whole store, read from one index.
    ///
    /// - Throws: `TriageError`.
    package func outline() throws -> InboxOutline {
        try read { database in
            var outline = InboxOutline()
            let sql = """
                SELECT m.seq, m.sent_at, m.usd, m.score, m.priority, m.category, m.urgent,
                coalesce(m.sentiment = 'negative' AND m.intensity >= 0.6, 0)
                FROM message m INDEXED BY messageInBrief WHERE m.kind = 0
                """
            let rows = try Row.fetchCursor(database, sql: sql)
            while let row = try rows.next() {
                outline.briefs.append(
                    try InboxBrief(
                        number: row.get(0), sentAt: row.get(1), usd: (row.get(2) as Double?).map { Float($0) },
                        score: (row.get(3) as Int?).map { Int16(clamping: $0) },
                        priority: (row.get(4) as Int?).map { Int16(clamping: $0) },
                        category: InboxBrief.Category(name: row.get(5)), isUrgent: row.get(6),
                        isStronglyNegative: row.get(7)))
            }
            outline.briefs.sort { $0.number < $1.number }
            let alike = try Row.fetchCursor(database, sql: Self.alike, arguments: [CampaignAnswer.leastSenders])
            while let row = try alike.next() {
                outline.campaigns[try row.get(0)] = UInt64(bitPattern: try row.get(1) as Int64)
            }
            let said = """
                SELECT m.seq, f.field, f.value, f.before, m.faq FROM feedback f JOIN message m ON m.key = f.key
                WHERE f.undoes IS NULL AND NOT EXISTS (SELECT 1 FROM feedback u WHERE u.undoes = f.id) ORDER BY f.id
                """
            let decisions = try Row.fetchCursor(database, sql: said)
            while let row = try decisions.next() {
                guard let field = InboxFeedback.Field(rawValue: try row.get(1)), field.settles else { continue }
                let (number, value): (Int64, String) = try (row.get(0), row.get(2))
                var said = outline.said[number] ?? [:]
                said[field] =
                    field == .faq ? try InboxFeedback.said(value, ofEntry: row.get(3), now: row.get(4)) : value
                outline.said[number] = said.isEmpty ? nil : said
            }
            return outline
        }
    }

    // Include the first texts of a campaign, which were sent before it was recognized as one.
    private static let alike = """
        SELECT seq, campaign FROM likeness WHERE campaign IN (
            SELECT campaign FROM likeness GROUP BY campaign HAVING count(DISTINCT sender) >= ?
        )
        """

    /// The messages with these numbers, in this order; missing ones are left out.
    ///
    /// - Throws: `TriageError`.
    package func entries(numbers: [Int64]) throws -> [InboxEntry] {
        try read { database in
            let isCorrected = try Self.isCorrected(database)
            let statement = try database.cachedStatement(
                sql: "SELECT \(InboxEntry.columns) FROM message m WHERE m.seq = ?")
            return try numbers.compactMap { number in
                try Row.fetchOne(statement, arguments: [number]).map {
                    try Self.entry($0, isCorrected: isCorrected, database)
                }
            }
        }
    }

    /// The numbers of all messages whose text or sender contains every word of a query, in ascending order.
    ///
    /// The query is read as in ``search(_:limit:)``.
    ///
    /// - Parameter limit: the maximum number returned.
    /// - Throws: `TriageError`.
    package func matches(_ query: String, limit: Int) throws -> [Int64] {
        guard let terms = SearchTerms(query) else { return [] }
        return try find(terms, of: query) { try Self.matches($0, limit, $1) }
    }

    private static func matches(_ terms: SearchTerms, _ limit: Int, _ database: Database) throws -> [Int64] {
        if let (condition, values) = try namedCondition(terms, database) {
            let sql = "SELECT m.seq FROM message m WHERE \(condition) ORDER BY m.seq LIMIT \(max(0, limit))"
            return try Int64.fetchAll(database, sql: sql, arguments: StatementArguments(values))
        }
        var values: [(any DatabaseValueConvertible)?] = []
        var sql: String
        if let match = terms.match {
            values.append(match)
            // The index alone answers this, and returns the numbers in order.
            sql = "SELECT rowid FROM search WHERE search MATCH ?"
            if !terms.patterns.isEmpty { sql = "SELECT m.seq FROM message m WHERE m.seq IN (\(sql))" }
        } else {
            sql = "SELECT m.seq FROM message m WHERE m.kind = 0"
        }
        if let runs = terms.runs {
            sql += " AND m.seq IN (SELECT rowid FROM search_runs WHERE search_runs MATCH ?)"
            values.append(runs)
        }
        for pattern in terms.patterns {
            sql += " AND (m.text LIKE ? ESCAPE '\\' OR m.sender LIKE ? ESCAPE '\\')"
            values += [pattern, pattern]
        }
        sql += (terms.patterns.isEmpty ? " ORDER BY rowid" : " ORDER BY m.seq") + " LIMIT ?"
        values.append(max(0, limit))
        return try Int64.fetchAll(database, sql: sql, arguments: StatementArguments(values))
    }

    /// How many decisions from a source can be undone, one after the other.
    ///
    /// - Parameter limit: stop counting here.
    /// - Throws: `TriageError`.
    package func undoable(source: String, limit: Int) throws -> Int {
        try read { database in
            // A decision on many messages at once is undone as a whole.
            let single = "\(Self.standing) AND (f.request IS NULL OR instr(f.request, '/') = 0)"
            let sql = "SELECT count(*) FROM (SELECT 1 FROM feedback f WHERE \(single) LIMIT ?2)"
            return try Int.fetchOne(database, sql: sql, arguments: [source, max(0, limit)]) ?? 0
        }
    }

    /// Undoes the last decision from a source, whatever it was about; one on many messages is undone for all of them.
    ///
    /// - Parameter request: name of the request; a second one with the same name changes nothing and gets the same
    ///   result.
    /// - Returns: the rows that no longer count, the one named first leading; empty when there are none.
    /// - Throws: `TriageError`.
    package func undoLast(source: String, at moment: Int64, request: String) throws -> [InboxFeedback] {
        try write { database in
            let again = "SELECT f.* FROM feedback f JOIN feedback u ON u.undoes = f.id WHERE u.request = ?"
            if let row = try Row.fetchOne(database, sql: again, arguments: [request]) {
                return try Self.feedback(row).map { [$0] } ?? []
            }
            let sql = "SELECT * FROM feedback f WHERE \(Self.standing) ORDER BY f.id DESC LIMIT 1"
            let row = try Row.fetchOne(database, sql: sql, arguments: [source])
            guard let last = try row.flatMap({ try Self.feedback($0) }) else { return [] }
            var rows = [last]
            if let name = last.request, let end = name.firstIndex(of: "/") {
                // Request names contain no slash: the part after one numbers the messages of one decision.
                let first = String(name[..<end])
                let all = """
                    SELECT * FROM feedback f WHERE \(Self.standing)
                    AND (f.request = ?2 OR (f.request >= ?2 || '/' AND f.request < ?2 || '0')) ORDER BY f.id
                    """
                rows = try Row.fetchAll(database, sql: all, arguments: [source, first])
                    .compactMap { try Self.feedback($0) }
            }
            var undone: [InboxFeedback] = []
            for (place, row) in rows.enumerated() {
                var undoing = row
                undoing.at = moment
                undoing.request = place == 0 ? request : "\(request)/\(place)"
                undoing.undoes = row.id
                (undoing.note, undoing.text) = (nil, nil)
                if try Self.insert(&undoing, database) { undone.append(row) }
            }
            return undone
        }
    }

    /// Whether a decision is stored under the name of a request.
    ///
    /// - Throws: `TriageError`.
    package func isKept(request: String) throws -> Bool {
        try read {
            try Bool.fetchOne($0, sql: "SELECT 1 FROM feedback WHERE request = ?", arguments: [request]) ?? false
        }
    }

    private static let standing =
        "f.source = ?1 AND f.undoes IS NULL AND NOT EXISTS (SELECT 1 FROM feedback u WHERE u.undoes = f.id)"
}

/// The few bytes of a message that a list needs to sort it, so that the whole store fits into memory.
package struct InboxBrief: Sendable, Equatable {
    /// The number of the message in the store.
    package var number: Int64
    /// Seconds since 1970; nil: unknown.
    package var sentAt: Int64?
    /// The budget in US dollars.
    package var usd: Float?
    /// 0–100, of an offer.
    package var score: Int16?
    /// 0–100.
    package var priority: Int16?
    package var category: Category
    package var isUrgent: Bool
    /// Whether the message is negative enough that a person should look at it first.
    package var isStronglyNegative: Bool

    /// The category of a message.
    package enum Category: UInt8, Sendable {
        case none, fan, business, spam

        /// - Parameter name: the category's name in the store.
        package init(name: String?) {
            self =
                switch name {
                case "fan": .fan
                case "business": .business
                case "spam": .spam
                default: .none
                }
        }
    }

    package init(
        number: Int64, sentAt: Int64? = nil, usd: Float? = nil, score: Int16? = nil, priority: Int16? = nil,
        category: Category = .none, isUrgent: Bool = false, isStronglyNegative: Bool = false
    ) {
        self.number = number
        self.sentAt = sentAt
        self.usd = usd
        self.score = score
        self.priority = priority
        self.category = category
        self.isUrgent = isUrgent
        self.isStronglyNegative = isStronglyNegative
    }
}

/// Every message from other people in brief, with the feedback in effect: one snapshot of a store.
package struct InboxOutline: Sendable, Equatable {
    /// By number.
    package var briefs: [InboxBrief] = []
    /// Feedback still in effect, by the number of the message.
    package var said: [Int64: [InboxFeedback.Field: String]] = [:]
    /// The campaign of each message whose text several senders sent almost identically, by the number of the message.
    package var campaigns: [Int64: UInt64] = [:]

    package init() {}
}
