internal import Foundation
internal import GRDB

extension InboxStore {
    /// What is known of each of these records, in their order; one reading for all.
    ///
    /// Looks up in the order of the keys, so that each page of the tree is read once. Nothing is remembered: of two equal
    /// records that are new both are.
    ///
    /// - Throws: `TriageError`.
    public func acquaintance(with identities: [RecordIdentity]) throws -> [Acquaintance] {
        guard !identities.isEmpty else { return [] }
        let order = identities.indices.sorted { identities[$0].key < identities[$1].key }
        var found = [Acquaintance](repeating: .new, count: identities.count)
        try read { database in
            let statement = try database.cachedStatement(sql: "SELECT digest, revision FROM known WHERE key = ?")
            for place in order {
                let identity = identities[place]
                let rows = try Row.fetchCursor(statement, arguments: [Data(identity.key.bytes)])
                var latest: Int?
                while let row = try rows.next() {
                    let digest: Int64 = row[0]
                    if UInt64(bitPattern: digest) == identity.digest {
                        found[place] = .known
                        latest = nil
                        break
                    }
                    let revision: Int = row[1]
                    latest = max(latest ?? 0, revision)
                }
                if let latest { found[place] = .edited(revision: latest < .max ? latest + 1 : latest) }
            }
        }
        return found
    }

    /// What is remembered of conversations, for those of `keys` of which anything is.
    ///
    /// - Throws: `TriageError`.
    public func conversationStates(_ keys: some Sequence<UInt64>) throws -> [UInt64: [UInt8]] {
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

    /// The next messages that a language model owes an answer, in the order in which they came to be owed.
    ///
    /// - Parameters:
    ///   - number: only those behind this one; 0 for the first.
    ///   - limit: so many at most.
    /// - Throws: `TriageError`.
    public func owed(after number: Int64 = 0, limit: Int) throws -> [OwedMessage] {
        try read { database in
            let sql = """
                SELECT number, key, digest, revision, line, text_key, context FROM owed
                WHERE number > ? ORDER BY number LIMIT ?
                """
            return try Row.fetchAll(database, sql: sql, arguments: [number, max(0, limit)]).compactMap { row in
                guard let key = RecordKey(row["key"] as Data) else { return nil }
                let digest: Int64 = row["digest"]
                var owed = OwedMessage(
                    identity: RecordIdentity(key: key, digest: UInt64(bitPattern: digest)), revision: row["revision"],
                    line: [UInt8](row["line"] as Data), textKey: row["text_key"],
                    context: (row["context"] as Data?).map { [UInt8]($0) })
                owed.number = row["number"]
                return owed
            }
        }
    }

    /// How many messages a language model owes an answer.
    ///
    /// - Throws: `TriageError`.
    public func owedCount() throws -> Int {
        try read { try Int.fetchOne($0, sql: "SELECT count(*) FROM owed") ?? 0 }
    }

    /// How much is committed of the files beside the store; empty when there are none.
    ///
    /// - Throws: `TriageError`.
    public func outputs() throws -> [OutputState] {
        try read { database in
            try Row.fetchAll(database, sql: "SELECT * FROM output ORDER BY role").compactMap { row in
                guard let role = OutputState.Role(rawValue: row["role"]) else { return nil }
                let (device, inode): (Int64, Int64) = (row["device"], row["inode"])
                return OutputState(
                    role: role, path: row["path"], device: UInt64(bitPattern: device),
                    inode: UInt64(bitPattern: inode), length: row["length"], changed: row["changed"],
                    digestState: [UInt8](row["digest"] as Data))
            }
        }
    }
}
