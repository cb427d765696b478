internal import GRDB

/// The words of messages; kept in step with them by whoever changes them, in the same transaction.
enum SearchIndex {
    static func add(_ number: Int64, _ text: String, _ sender: String?, _ database: Database) throws {
        try database.cachedStatement(sql: "INSERT INTO search (rowid, text, sender) VALUES (?, ?, ?)")
            .execute(arguments: [number, text, sender])
        try addRuns(number, text, sender, database)
    }

    /// - Parameters:
    ///   - text: what was added, to the letter; with another the index would be damaged.
    ///   - sender: the same.
    static func remove(_ number: Int64, _ text: String, _ sender: String?, _ database: Database) throws {
        try database.cachedStatement(sql: "INSERT INTO search (search, rowid, text, sender) VALUES ('delete', ?, ?, ?)")
            .execute(arguments: [number, text, sender])
        guard let runs = ScriptRuns.indexed(text, sender) else { return }
        try database.cachedStatement(
            sql: "INSERT INTO search_runs (search_runs, rowid, runs) VALUES ('delete', ?, ?)"
        ).execute(arguments: [number, runs])
    }

    /// What is written without blanks.
    static func addRuns(_ number: Int64, _ text: String, _ sender: String?, _ database: Database) throws {
        // Most messages have none, and no row.
        guard let runs = ScriptRuns.indexed(text, sender) else { return }
        try database.cachedStatement(sql: "INSERT INTO search_runs (rowid, runs) VALUES (?, ?)")
            .execute(arguments: [number, runs])
    }

    /// Puts the parts of both indexes together: what was removed is only marked so until then.
    static func tidy(_ database: Database) throws {
        try database.execute(sql: "INSERT INTO search (search) VALUES ('optimize')")
        try database.execute(sql: "INSERT INTO search_runs (search_runs) VALUES ('optimize')")
    }
}
