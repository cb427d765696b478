internal import GRDB

/// The words of messages; kept in step with them by whoever changes them, in the same transaction.
enum SearchIndex {
    static func add(_ number: Int64, _ text: String, _ sender: String?, _ database: Database) throws {
        try database.cachedStatement(sql: "INSERT INTO search (rowid, text, sender) VALUES (?, ?, ?)")
            .execute(arguments: [number, text, sender])
    }

    /// - Parameters:
    ///   - text: what was added, to the letter; with another the index would be damaged.
    ///   - sender: the same.
    static func remove(_ number: Int64, _ text: String, _ sender: String?, _ database: Database) throws {
        try database.cachedStatement(sql: "INSERT INTO search (search, rowid, text, sender) VALUES ('delete', ?, ?, ?)")
            .execute(arguments: [number, text, sender])
    }
}
