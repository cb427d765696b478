internal import GRDB
internal import TriageCore

extension InboxStore {
    /// Messages whose text, sender or handle contains every word of a query, best matches first; own messages included.
    ///
    /// A word matches every word that begins with it, and a plural also matches the singular. Case and accents do not
    /// matter. `"…"` matches whole words in sequence; there is no other syntax.
    ///
    /// - Throws: `TriageError`; `store.bad-query` (64) when there is nothing to search for, or more than 32 words.
    package func search(_ query: String, limit: Int) throws -> [InboxEntry] {
        guard let terms = SearchTerms(query) else {
            throw TriageError(
                "store.bad-query",
                "a search can have 1 to \(SearchTerms.most) words, \(SearchTerms.longest) bytes in all",
                remedy: "search for fewer words", exit: .usage)
        }
        return try find(terms, of: query) { terms, database in
            let found = try Self.search(terms, limit, database)
            guard found.count < limit, let (condition, values) = try Self.namedCondition(terms, database) else {
                return found
            }
            // Messages that match only by handle come after those that match in their words.
            let known = Set(found.map(\.number))
            let sql = """
                SELECT \(InboxEntry.columns) FROM message m WHERE \(condition) ORDER BY m.sent_at DESC, m.seq DESC
                """
            let isCorrected = try Self.isCorrected(database)
            var all = found
            let rows = try Row.fetchCursor(database, sql: sql, arguments: StatementArguments(values))
            while all.count < limit, let row = try rows.next() {
                if known.contains(try row.get("seq")) { continue }
                all.append(try Self.entry(row, isCorrected: isCorrected, database))
            }
            return all
        }
    }

    /// Runs a search; a query that the index rejects is searched for as plain text.
    func find<Found>(
        _ terms: SearchTerms, of query: String, _ body: (SearchTerms, Database) throws -> [Found]
    ) throws -> [Found] {
        try read { database in
            do {
                return try body(terms, database)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
                return try SearchTerms(query, isPlain: true).map { try body($0, database) } ?? []
            }
        }
    }

    /// Terms of a query that are also looked up among handles.
    private static let mostNames = 8

    /// The SQL condition for all messages matching a query in which a word matches a handle; nil: no word does.
    ///
    /// Handles are not in the full-text index. They have an index of their own, a few megabytes for a hundred thousand
    /// handles.
    static func namedCondition(
        _ terms: SearchTerms, _ database: Database
    ) throws -> (sql: String, values: [(any DatabaseValueConvertible)?])? {
        func isLike(_ name: String) -> (sql: String, values: [String]) {
            // A long name may also match inside a handle, because handles rarely separate their words.
            name.utf8.count >= 5
                ? ("h.handle IS NOT NULL AND lower(h.handle) GLOB ?", ["*\(name)*"])
                : (
                    "h.handle IS NOT NULL AND (lower(h.handle) GLOB ? OR lower(h.handle) GLOB ?)",
                    ["\(name)*", "*[^a-z0-9]\(name)*"]
                )
        }
        var isNamed = false
        var conditions: [String] = []
        var values: [(any DatabaseValueConvertible)?] = []
        for (place, part) in terms.parts.enumerated() {
            var alternatives: [String] = []
            if let match = part.match {
                alternatives.append("m.seq IN (SELECT rowid FROM search WHERE search MATCH ?)")
                values.append(match)
            } else if let pattern = part.pattern {
                alternatives.append("(m.text LIKE ? ESCAPE '\\' OR m.sender LIKE ? ESCAPE '\\')")
                values += [pattern, pattern]
            }
            if place < mostNames, let name = part.handle {
                let (sql, names) = isLike(name)
                let isThere = "SELECT EXISTS (SELECT 1 FROM message h WHERE \(sql))"
                if try Bool.fetchOne(database, sql: isThere, arguments: StatementArguments(names)) ?? false {
                    isNamed = true
                    alternatives.append("m.seq IN (SELECT h.seq FROM message h WHERE \(sql))")
                    values += names
                }
            }
            conditions.append("(" + alternatives.joined(separator: " OR ") + ")")
        }
        return isNamed ? (conditions.joined(separator: " AND "), values) : nil
    }

    private static func search(_ terms: SearchTerms, _ limit: Int, _ database: Database) throws -> [InboxEntry] {
        var sql = "SELECT \(InboxEntry.columns) FROM message m"
        var conditions: [String] = []
        var values: [(any DatabaseValueConvertible)?] = []
        if let match = terms.match {
            sql += " JOIN search ON search.rowid = m.seq"
            conditions.append("search MATCH ?")
            values.append(match)
        }
        if let runs = terms.runs {
            conditions.append("m.seq IN (SELECT rowid FROM search_runs WHERE search_runs MATCH ?)")
            values.append(runs)
        }
        for pattern in terms.patterns {
            conditions.append("(m.text LIKE ? ESCAPE '\\' OR m.sender LIKE ? ESCAPE '\\')")
            values += [pattern, pattern]
        }
        sql += " WHERE " + conditions.joined(separator: " AND ")
        sql += terms.match == nil ? " ORDER BY m.sent_at DESC, m.seq DESC" : " ORDER BY search.rank, m.seq"
        sql += " LIMIT ?"
        values.append(max(0, limit))
        let isCorrected = try Self.isCorrected(database)
        return try Row.fetchAll(database, sql: sql, arguments: StatementArguments(values))
            .map { try Self.entry($0, isCorrected: isCorrected, database) }
    }
}
