internal import GRDB

/// The versions of a database's tables, from the first on, and how one becomes the next.
///
/// Which of them a file has been through stands in the file, in a table of its own. All that are missing are made in one
/// transaction: killed in the middle, a file is what it was before.
struct SchemaVersions: Sendable {
    struct Version: Sendable {
        let name: String
        let make: @Sendable (Database) throws -> Void
    }

    let all: [Version]

    init(_ all: [Version]) { self.all = all }

    /// The name of the latest.
    var latest: String { all.last?.name ?? "" }

    /// What a file has been through; empty: it has no tables yet.
    func applied(_ database: Database) throws -> Set<String> {
        guard try database.tableExists("grdb_migrations") else { return [] }
        return try Set(Row.fetchAll(database, sql: "SELECT identifier FROM grdb_migrations").map { try $0.get(0) })
    }

    /// Whether a later version of the program was there.
    func isSuperseded(_ applied: Set<String>) -> Bool { !applied.isSubset(of: all.map(\.name)) }

    func isComplete(_ applied: Set<String>) -> Bool { applied.isSuperset(of: all.map(\.name)) }

    /// The name of the last one that a file has been through; nil: of none.
    func last(of applied: Set<String>) -> String? { all.last { applied.contains($0.name) }?.name }

    /// Makes what is missing, within a transaction of the caller's.
    func complete(_ database: Database) throws {
        let applied = try applied(database)
        if applied.isEmpty {
            try database.execute(
                sql: "CREATE TABLE IF NOT EXISTS grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
        }
        for version in all where !applied.contains(version.name) {
            try version.make(database)
            try database.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES (?)", arguments: [version.name])
        }
    }
}
