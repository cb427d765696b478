internal import Foundation
internal import GRDB
internal import TriageCore

extension InboxStore {
    /// Checks that a store is intact: its file, its tables, and every message in it; changes nothing.
    ///
    /// - Throws: `TriageError`, as ``init(path:mode:)``, when there is no store to check.
    package static func examine(_ path: String) throws -> InboxHealth {
        let file = file(path, isMade: false)
        var health = InboxHealth()
        health.latest = InboxSchema.versions.latest
        guard try file.prepare(isMade: false, isRead: true) == .ours else {
            throw file.fault(.missing, "the store is empty")
        }
        do {
            let source = try openToExamine(file)
            defer { try? source.close() }
            try readSteadily(source) { try examine($0, &health) }
        } catch {
            let fault = file.explain(error)
            guard fault.code == "store.damaged" else { throw fault }
            health.problems.append("the file cannot be read as a database")
        }
        return health
    }

    private static func examine(_ database: Database, _ health: inout InboxHealth) throws {
        let versions = InboxSchema.versions
        let applied = try versions.applied(database)
        health.version = versions.last(of: applied)
        if health.version == nil { health.problems.append("the version of its tables is unknown") }
        if versions.isSuperseded(applied) {
            health.problems.append("its tables have a newer version, or the version list is damaged")
        }
        // SQLite's messages name pages, indexes and row numbers, never the content.
        let lines = try String.fetchAll(database, sql: "PRAGMA integrity_check(20)")
        health.problems += lines.filter { $0 != "ok" }.map { "the file: " + $0.replacing("\n", with: "; ") }
        for (table, name, version) in parts where applied.isEmpty || applied.contains(version) {
            let rows = try? Int.fetchOne(database, sql: "SELECT count(*) FROM \(table)")
            if let rows { health.counts.append(InboxHealth.Count(name: name, rows: rows)) }
            if rows == nil { health.problems.append("\(name) cannot be counted") }
        }
        var unreadable = 0
        let numbers = try Int64.fetchCursor(database, sql: "SELECT seq FROM message ORDER BY seq")
        let statement = try database.makeStatement(
            sql: "SELECT \(InboxEntry.columns) FROM message m WHERE m.seq = ?")
        while let number = try numbers.next() {
            let entry = try? Row.fetchOne(statement, arguments: [number]).map { try InboxEntry($0) }
            if entry == nil { unreadable += 1 }
        }
        if unreadable > 0 { health.problems.append("\(unreadable) of the messages cannot be read") }
        let found = try? Int.fetchOne(database, sql: "SELECT count(*) FROM search_docsize")
        let messages = health.counts.first { $0.name == Self.messages }?.rows
        if let messages, found != messages {
            health.problems.append("the search index does not match the messages")
        }
    }

    /// Opens one connection that changes nothing, whatever the store's version.
    private static func openToExamine(_ file: DatabaseFile) throws -> DatabaseQueue {
        do {
            let queue = try DatabaseQueue(path: file.place, configuration: configuration(isReadOnly: true))
            _ = try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_master") }
            return queue
        } catch let error as DatabaseError where isUnwritable(error) {
            return try DatabaseQueue(path: file.immutablePlace, configuration: configuration(isReadOnly: true))
        }
    }

    /// Reads from one snapshot, even if the store is so damaged that ending the transaction fails.
    private static func readSteadily(_ source: DatabaseQueue, _ body: (Database) throws -> Void) throws {
        try source.unsafeRead { database in
            try database.execute(sql: "BEGIN")
            defer { if database.isInsideTransaction { try? database.execute(sql: "ROLLBACK") } }
            try body(database)
        }
    }

    private static let messages = "messages"

    /// The tables, people's name for their content, and the version that introduced them.
    private static let parts = [
        ("message", messages, "v1"), ("known", "known ids", "v1"), ("revision", "earlier revisions", "v1"),
        ("feedback", "decisions", "v1"), ("owed", "pending LLM answers", "v1"), ("conversation", "conversations", "v1"),
        ("output", "output files", "v1"), ("run", "runs", "v1"), ("spend", "days of spending", "v1"),
        ("likeness", "texts to compare", "v4"), ("pair", "replies to learn from", "v5"), ("voice", "habits", "v5"),
    ]

    /// Copies every readable row of a damaged store to a new one, which appears complete or not at all.
    ///
    /// - Parameters:
    ///   - path: of the damaged store; unchanged until the new one is complete.
    ///   - output: path of the new store; nil: it replaces the damaged one, which is kept as `STORE.damaged.bak`.
    /// - Throws: `TriageError`; `store.damaged` (74) when nothing can be saved.
    package static func repair(_ path: String, to output: String?) throws -> InboxRepair {
        let file = file(path, isMade: false)
        do {
            guard try file.prepare(isMade: false, isRead: output != nil) == .ours else {
                throw file.fault(.missing, "the store is empty")
            }
            let place = output ?? file.place
            if let output, Self.isThere(output) {
                throw TriageError(
                    "output.exists", "the file already exists", at: output, remedy: "name a new one",
                    exit: .cannotCreate)
            }
            let copy = try OutputFile(path: place, isNamed: true)
            do {
                guard let name = copy.partName else { throw file.fault(.failing, "the new store cannot be written") }
                var repair = try salvage(file, to: name)
                if output == nil {
                    repair.backup = try keepDamaged(file)
                    // A leftover log would be applied to the new file. The copy has everything in it.
                    for suffix in ["-wal", "-shm", "-journal"] { unlink(file.path + suffix) }
                }
                try copy.commit()
                return repair
            } catch {
                copy.discard()
                throw error
            }
        } catch {
            throw file.explain(error)
        }
    }

    /// Copies a damaged store byte for byte to an unused name.
    private static func keepDamaged(_ file: DatabaseFile) throws -> String {
        var (number, place) = (1, file.path + ".damaged.bak")
        while isThere(place) {
            number += 1
            place = file.path + ".damaged.\(number).bak"
        }
        for suffix in ["-wal", ""] where suffix.isEmpty || file.hasContent(suffix) {
            let descriptor = Foundation.open(file.path + suffix, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
            guard descriptor >= 0 else { throw file.fault(.failing, "the store cannot be read") }
            defer { Foundation.close(descriptor) }
            let copy = try OutputFile(path: place + suffix)
            do {
                let code = try DescriptorChunks.forEach(of: descriptor) { chunk throws(any Error) in
                    try copy.writer.write(Array(chunk))
                    return true
                }
                guard code == 0 else {
                    throw file.fault(.failing, "the store cannot be read: \(String(cString: strerror(code)))")
                }
                try copy.commit()
            } catch {
                copy.discard()
                throw error
            }
        }
        return place
    }

    private static func salvage(_ file: DatabaseFile, to place: String) throws -> InboxRepair {
        let source = try openToExamine(file)
        defer { try? source.close() }
        // An intact store of a later version would lose what this program does not know about.
        let isNewer = source.unsafeRead { old in
            guard let applied = try? InboxSchema.versions.applied(old) else { return false }
            return InboxSchema.versions.isSuperseded(applied)
                && (try? String.fetchOne(old, sql: "PRAGMA integrity_check(1)")) == "ok"
        }
        if isNewer { throw newer(file) }
        let target = try DatabaseQueue(path: place)
        defer { try? target.close() }
        var repair = InboxRepair()
        try target.writeWithoutTransaction { new in
            // Nobody sees the file before it is complete, so no files are needed beside it.
            _ = try Row.fetchOne(new, sql: "PRAGMA journal_mode = MEMORY")
            try new.execute(sql: "PRAGMA synchronous = OFF")
            try new.inTransaction {
                try new.execute(sql: "PRAGMA application_id = \(file.applicationID)")
                try InboxSchema.versions.complete(new)
                return .commit
            }
            try readSteadily(source) { old in
                let applied = (try? InboxSchema.versions.applied(old)) ?? []
                for (table, name, version) in parts where applied.isEmpty || applied.contains(version) {
                    var part = InboxRepair.Part(name: name)
                    try new.inTransaction {
                        try Salvage(table: table, from: old, to: new).run(&part)
                        return .commit
                    }
                    repair.parts.append(part)
                }
            }
            let state = try String.fetchOne(new, sql: "PRAGMA integrity_check(1)")
            guard state == "ok" else { throw file.fault(.failing, "the new store is incomplete") }
        }
        guard repair.parts.contains(where: { $0.saved > 0 }) || !repair.hasLosses else {
            throw file.fault(.damaged, "no part of the store can be read")
        }
        return repair
    }
}

/// Copies as many rows of one table as can be read and are valid rows of it.
private struct Salvage {
    let table: String
    let columns: [String]
    let old: Database
    let new: Database
    /// Whether the table has row numbers; `known` has none and is read in key order.
    private var hasNumbers: Bool { table != "known" }
    /// Between damaged pages, rows are tried one by one until this many in a row are missing.
    private static let mostMissed = 3000

    init(table: String, from old: Database, to new: Database) throws {
        self.table = table
        self.old = old
        self.new = new
        let wanted = try Row.fetchAll(new, sql: "PRAGMA table_info(\(table))").map { try $0.get("name") as String }
        let there = try? Row.fetchAll(old, sql: "PRAGMA table_info(\(table))").map { try $0.get("name") as String }
        columns = wanted.filter { there?.contains($0) == true }
    }

    func run(_ part: inout InboxRepair.Part) throws {
        guard !columns.isEmpty else {
            part.isCut = true
            return
        }
        let expected = expected()
        if hasNumbers { try copyByNumber(&part) } else { try copyByKey(&part) }
        part.lost = max(part.lost, (expected ?? 0) - part.saved)
        if expected != nil { part.isCut = false }
    }

    /// How many rows there should be, the highest count that can still be read.
    private func expected() -> Int? {
        var counts = [try? Int.fetchOne(old, sql: "SELECT count(*) FROM \(table)")]
        if table == "message" {
            for index in ["messageByID", "messageBySent"] {
                counts.append(try? Int.fetchOne(old, sql: "SELECT count(*) FROM message INDEXED BY \(index)"))
            }
        }
        return counts.compactMap(\.self).max()
    }

    private var list: String { columns.joined(separator: ", ") }

    private func copyByNumber(_ part: inout InboxRepair.Part) throws {
        var first = Int64.min
        let upwards = "SELECT rowid AS number_of_row, \(list) FROM \(table) WHERE rowid >= ? ORDER BY rowid"
        let isWhole = try copy(upwards, [first], &part) { first = $0 < .max ? $0 + 1 : $0 }
        if isWhole { return }
        var last = Int64.max
        let downwards = "SELECT rowid AS number_of_row, \(list) FROM \(table) WHERE rowid >= ? ORDER BY rowid DESC"
        if try copy(downwards, [first], &part, { last = $0 }) { return }
        // The pages in between are damaged; rows on intact pages can still be found by number.
        let single = "SELECT rowid AS number_of_row, \(list) FROM \(table) WHERE rowid = ?"
        var missed = 0
        if first == .min { first = 1 }
        while first < last, missed < Self.mostMissed {
            let before = part.saved
            _ = try copy(single, [first], &part, { _ in })
            missed = part.saved == before ? missed + 1 : 0
            first += 1
        }
        part.isCut = true
    }

    private func copyByKey(_ part: inout InboxRepair.Part) throws {
        let order = ["", " DESC"].map { "SELECT \(list) FROM \(table) ORDER BY key\($0), digest\($0)" }
        if try copy(order[0], [], &part, nil) { return }
        _ = try copy(order[1], [], &part, nil)
        part.isCut = true
    }

    /// Copies the rows of a query until it fails.
    ///
    /// - Returns: whether the query ran to its end.
    private func copy(
        _ sql: String, _ arguments: StatementArguments, _ part: inout InboxRepair.Part, _ body: ((Int64) -> Void)?
    ) throws -> Bool {
        let places = columns.map { _ in "?" }.joined(separator: ", ")
        let sql = (query: sql, insertion: "INSERT INTO \(table) (\(list)) VALUES (\(places))")
        var insertion = try new.makeStatement(sql: sql.insertion)
        do {
            let rows = try Row.fetchCursor(old, sql: sql.query, arguments: arguments)
            while let row = try rows.next() {
                let values = Array(row.databaseValues.dropFirst(hasNumbers ? 1 : 0))
                if try insert(values, row, insertion) {
                    part.saved += 1
                } else {
                    part.lost += 1
                    // A failed statement would report its error again on the next use.
                    insertion = try new.makeStatement(sql: sql.insertion)
                }
                if hasNumbers { body?(try row.get("number_of_row")) }
            }
            return true
        } catch let error as DatabaseError where [.SQLITE_FULL, .SQLITE_NOMEM].contains(error.resultCode) {
            throw error
        } catch is DatabaseError {
            return false
        } catch is DamagedRow {
            return false
        }
    }

    /// Inserts a row into the new table; false if it is not valid there.
    private func insert(_ values: [DatabaseValue], _ row: Row, _ insertion: Statement) throws -> Bool {
        do {
            if columns.contains("key"), table != "conversation" { _ = try row.key("key") }
            if table == "message" {
                guard let record = String(validating: try row.get("record") as Data, as: UTF8.self), !record.isEmpty
                else { return false }
            }
            try insertion.execute(arguments: StatementArguments(values))
            if table == "message" {
                try SearchIndex.add(new.lastInsertedRowID, row.get("text"), row.get("sender"), new)
            }
            return true
        } catch is DamagedRow {
            return false
        } catch let error as DatabaseError
            where [.SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_TOOBIG].contains(error.resultCode)
        {
            return false
        }
    }
}

/// The condition of a store, as far as it can be found without changing it.
package struct InboxHealth: Sendable, Equatable {
    /// The version of its tables, such as `v3`; nil: unknown.
    package var version: String?
    /// The version that this program writes.
    package var latest = ""
    /// Readable rows of each table.
    package var counts: [Count] = []
    /// What is wrong, without quoting the store's content.
    package var problems: [String] = []

    package struct Count: Sendable, Equatable {
        package var name: String
        package var rows: Int
    }
}

/// The result of repairing a damaged store.
package struct InboxRepair: Sendable, Equatable {
    /// Rows of one kind.
    package struct Part: Sendable, Equatable {
        /// People's name for them.
        package var name: String
        package var saved = 0
        package var lost = 0
        /// Whether more rows may be lost than could be counted.
        package var isCut = false
    }

    package var parts: [Part] = []
    /// Path of the store as it was before; nil: unchanged at its own path.
    package var backup: String?

    /// Whether anything was lost.
    package var hasLosses: Bool { parts.contains { $0.lost > 0 || $0.isCut } }
}
