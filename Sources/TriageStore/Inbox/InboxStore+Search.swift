internal import GRDB
internal import TriageCore

extension InboxStore {
    /// Messages in whose text or sender all of a query's words stand, the best first; own messages too.
    ///
    /// Capital letters and accents do not matter. `"…"` keeps words together, `*` behind a word finds its beginnings;
    /// nothing else has a meaning of its own.
    ///
    /// - Throws: `TriageError`; `store.bad-query` (64) when there is nothing to search for, or more than 32 words.
    public func search(_ query: String, limit: Int) throws -> [InboxEntry] {
        guard let terms = SearchTerms(query) else {
            throw TriageError(
                "store.bad-query", "a search wants 1 to \(SearchTerms.most) words, \(SearchTerms.longest) bytes in all",
                remedy: "search for fewer words", exit: .usage)
        }
        return try find(terms, of: query) { try Self.search($0, limit, $1) }
    }

    /// Whatever the index does not understand is looked for as it stands.
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
