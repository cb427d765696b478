internal import Foundation
internal import GRDB

extension InboxStore {
    /// Looks up in one read transaction what the store knows about each record; results are in the order given.
    ///
    /// Keys are looked up in sorted order, so that each page of the index is read once. Nothing is remembered between
    /// records: of two equal new records, both are new.
    ///
    /// - Throws: `TriageError`.
    package func acquaintance(with identities: [RecordIdentity]) throws -> [SeenState] {
        guard !identities.isEmpty else { return [] }
        let keys = Set(identities.map(\.key)).sorted()
        var found: [RecordKey: [(digest: UInt64, revision: Int)]] = [:]
        try read { database in
            // Look up many keys at once: most are new, and return no row and cost nothing here.
            for start in stride(from: 0, to: keys.count, by: Self.keysAtATime) {
                let part = keys[start..<min(start + Self.keysAtATime, keys.count)]
                let places = repeatElement("?", count: part.count).joined(separator: ",")
                let sql = "SELECT key, digest, revision FROM known WHERE key IN (\(places))"
                // Cache only the statement for a full batch; the last batch may have any size.
                let isUsual = part.count == Self.keysAtATime
                let statement = try isUsual ? database.cachedStatement(sql: sql) : database.makeStatement(sql: sql)
                let arguments = StatementArguments(part.map { Data($0.bytes) })
                let rows = try Row.fetchCursor(statement, arguments: arguments)
                while let row = try rows.next() {
                    guard let key = RecordKey(try row.get(0) as Data) else { throw DamagedRow() }
                    let (digest, revision): (Int64, Int) = try (row.get(1), row.revision())
                    found[key, default: []].append((UInt64(bitPattern: digest), revision))
                }
            }
        }
        return identities.map { identity in
            guard let known = found[identity.key] else { return .new }
            if known.contains(where: { $0.digest == identity.digest }) { return .known }
            let latest = known.map(\.revision).max() ?? 0
            return .edited(revision: latest < .max ? latest + 1 : latest)
        }
    }

    /// Keys per query.
    private static let keysAtATime = 500

    /// The stored states of these conversations; a conversation without a state is missing.
    ///
    /// - Throws: `TriageError`.
    package func conversationStates(_ keys: some Sequence<UInt64>) throws -> [UInt64: [UInt8]] {
        var found: [UInt64: [UInt8]] = [:]
        try read { database in
            let statement = try database.cachedStatement(sql: "SELECT state FROM conversation WHERE key = ?")
            for key in Set(keys).sorted() {
                let state = try Data.fetchOne(statement, arguments: [Int64(bitPattern: key)])
                if let state { found[key] = [UInt8](state) }
            }
        }
        return found
    }

    /// The next messages that wait for a language model's answer, in queue order.
    ///
    /// - Parameters:
    ///   - number: only messages after this one; 0: from the first.
    ///   - limit: the maximum number returned.
    /// - Throws: `TriageError`.
    package func owed(after number: Int64 = 0, limit: Int) throws -> [OwedMessage] {
        try read { database in
            let sql = """
                SELECT number, key, digest, revision, line, text_key, context FROM owed
                WHERE number > ? ORDER BY number LIMIT ?
                """
            return try Row.fetchAll(database, sql: sql, arguments: [number, max(0, limit)]).map { row in
                let digest: Int64 = try row.get("digest")
                var owed = try OwedMessage(
                    identity: RecordIdentity(key: row.key("key"), digest: UInt64(bitPattern: digest)),
                    revision: row.revision(), line: [UInt8](row.get("line") as Data),
                    textKey: row.get("text_key"), context: (row.get("context") as Data?).map { [UInt8]($0) })
                owed.number = try row.get("number")
                return owed
            }
        }
    }

    /// How many messages wait for a language model's answer.
    ///
    /// - Throws: `TriageError`.
    package func owedCount() throws -> Int {
        try read { try Int.fetchOne($0, sql: "SELECT count(*) FROM owed") ?? 0 }
    }

    /// The committed states of the files beside the store; empty when there are none.
    ///
    /// - Throws: `TriageError`.
    package func outputs() throws -> [OutputState] {
        try read { database in
            try Row.fetchAll(database, sql: "SELECT * FROM output ORDER BY role").compactMap { row in
                guard let role = OutputState.Role(rawValue: try row.get("role")) else { return nil }
                let (device, inode): (Int64, Int64) = try (row.get("device"), row.get("inode"))
                let state = try OutputState(
                    role: role, path: row.get("path"), device: UInt64(bitPattern: device),
                    inode: UInt64(bitPattern: inode), length: row.get("length"), changed: row.get("changed"),
                    digestState: [UInt8](row.get("digest") as Data))
                guard state.length >= 0 else { throw DamagedRow() }
                return state
            }
        }
    }
}
