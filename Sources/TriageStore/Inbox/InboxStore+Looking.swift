internal import Foundation
internal import GRDB

extension InboxStore {
    /// Calls `body` with each matching message in order, until it returns false.
    ///
    /// Commits made in the meantime are not seen.
    ///
    /// - Throws: `TriageError`, and what `body` throws.
    package func forEach(_ query: InboxQuery, _ body: (InboxEntry) throws -> Bool) throws {
        try read { database in
            let isCorrected = try Self.isCorrected(database)
            let (clauses, arguments) = query.sql(isCorrected: isCorrected)
            // Fetch the numbers first: where no index has the order, this sorts numbers and not whole records.
            let numbers = try Int64.fetchCursor(
                database, sql: "SELECT m.seq FROM message m \(clauses)", arguments: StatementArguments(arguments))
            let statement = try database.makeStatement(
                sql: "SELECT \(InboxEntry.columns) FROM message m WHERE m.seq = ?")
            while let number = try numbers.next() {
                guard let row = try Row.fetchOne(statement, arguments: [number]) else { continue }
                if try !body(Self.entry(row, isCorrected: isCorrected, database)) { return }
            }
        }
    }

    /// The matching messages, in order.
    ///
    /// - Throws: `TriageError`.
    package func entries(_ query: InboxQuery) throws -> [InboxEntry] {
        var found: [InboxEntry] = []
        try forEach(query) { entry in
            found.append(entry)
            return true
        }
        return found
    }

    /// The next batch of messages in order of arrival, including own messages and notices.
    ///
    /// - Parameters:
    ///   - number: only messages after this one; 0: from the first.
    ///   - limit: the maximum number returned.
    /// - Throws: `TriageError`.
    package func entries(after number: Int64, limit: Int) throws -> [InboxEntry] {
        try read { database in
            let sql = "SELECT \(InboxEntry.columns) FROM message m WHERE m.seq > ? ORDER BY m.seq LIMIT ?"
            return try Row.fetchAll(database, sql: sql, arguments: [number, max(0, limit)]).map {
                try InboxEntry($0)
            }
        }
    }

    /// The messages that a name may mean: an id, else a number in the store, else the first digits of a key.
    ///
    /// The prefixes `id:`, `no:` and `key:` say which. Several matches are not an error: ids are unique only within a
    /// conversation.
    ///
    /// - Throws: `TriageError`.
    package func find(_ name: String, limit: Int = 20) throws -> [InboxEntry] {
        try read { database in
            let isCorrected = try Self.isCorrected(database)
            func fetch(_ condition: String, _ arguments: StatementArguments) throws -> [InboxEntry] {
                try Row.fetchAll(
                    database,
                    sql: "SELECT \(InboxEntry.columns) FROM message m WHERE \(condition) ORDER BY m.seq LIMIT \(limit)",
                    arguments: arguments
                ).map { try Self.entry($0, isCorrected: isCorrected, database) }
            }
            func byID(_ id: String) throws -> [InboxEntry] { try fetch("m.id = ?", [id]) }
            func byNumber(_ text: String) throws -> [InboxEntry] {
                try Int64(text).map { try fetch("m.seq = ?", [$0]) } ?? []
            }
            func byKey(_ digits: String) throws -> [InboxEntry] {
                guard let range = Self.keys(beginning: digits) else { return [] }
                return try fetch("m.key BETWEEN ? AND ?", [range.0, range.1])
            }
            if name.hasPrefix("id:") { return try byID(String(name.dropFirst(3))) }
            if name.hasPrefix("no:") { return try byNumber(String(name.dropFirst(3))) }
            if name.hasPrefix("key:") { return try byKey(String(name.dropFirst(4))) }
            for search in [byID, byNumber, byKey] {
                let found = try search(name)
                if !found.isEmpty { return found }
            }
            return []
        }
    }

    /// The first and last key that begin with these hex digits; nil for other characters or fewer than eight digits.
    private static func keys(beginning digits: String) -> (Data, Data)? {
        let text = Array(digits.utf8)
        guard (8...32).contains(text.count) else { return nil }
        func bytes(filledWith digit: UInt8) -> Data? {
            var data = Data(capacity: 16)
            let all = text + [UInt8](repeating: digit, count: 32 - text.count)
            for place in stride(from: 0, to: 32, by: 2) {
                guard let high = Character(Unicode.Scalar(all[place])).hexDigitValue,
                    let low = Character(Unicode.Scalar(all[place + 1])).hexDigitValue
                else { return nil }
                data.append(UInt8(high << 4 | low))
            }
            return data
        }
        guard let first = bytes(filledWith: 0x30), let last = bytes(filledWith: 0x66) else { return nil }
        return (first, last)
    }

    /// The other messages of a message's conversation, in order, own messages included.
    ///
    /// - Parameters:
    ///   - before: the maximum number of messages before it.
    ///   - after: the maximum number of messages after it.
    /// - Throws: `TriageError`.
    package func conversation(
        around entry: InboxEntry, before: Int, after: Int
    ) throws -> (before: [InboxEntry], after: [InboxEntry]) {
        guard let conversation = entry.message.conversation else { return ([], []) }
        return try read { database in
            let isCorrected = try Self.isCorrected(database)
            func fetch(_ comparison: String, _ direction: String, _ limit: Int) throws -> [InboxEntry] {
                // Messages without a time are placed by arrival.
                let sql = """
                    SELECT \(InboxEntry.columns) FROM message m
                    WHERE m.conversation = ?1 AND m.platform IS ?2
                    AND (coalesce(m.sent_at, ?3), m.seq) \(comparison) (?3, ?4)
                    ORDER BY coalesce(m.sent_at, ?3) \(direction), m.seq \(direction) LIMIT ?5
                    """
                let arguments: StatementArguments = [
                    conversation, entry.message.platform, entry.message.sentAt ?? 0, entry.number, max(0, limit),
                ]
                return try Row.fetchAll(database, sql: sql, arguments: arguments)
                    .map { try Self.entry($0, isCorrected: isCorrected, database) }
            }
            return (try fetch("<", "DESC", before).reversed(), try fetch(">", "ASC", after))
        }
    }

    /// Earlier answers for a message, newest first.
    ///
    /// - Throws: `TriageError`.
    package func revisions(of key: RecordKey) throws -> [InboxRevision] {
        try read { database in
            let sql = "SELECT revision, record FROM revision WHERE key = ? ORDER BY revision DESC"
            return try Row.fetchAll(database, sql: sql, arguments: [Data(key.bytes)]).map {
                try InboxRevision(revision: $0.get("revision"), record: [UInt8]($0.get("record") as Data))
            }
        }
    }

    static func isCorrected(_ database: Database) throws -> Bool {
        try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM feedback)") ?? false
    }

    static func entry(_ row: Row, isCorrected: Bool, _ database: Database) throws -> InboxEntry {
        guard isCorrected else { return try InboxEntry(row) }
        return try InboxEntry(row, corrections: corrections(of: row.get("key"), faq: row.get("faq"), database))
    }

    /// - Parameter faq: the FAQ entry that answers the message now.
    static func corrections(
        of key: Data, faq: String?, _ database: Database
    ) throws -> [InboxFeedback.Field: String] {
        let sql = """
            SELECT f.field, f.value, f.before FROM feedback f WHERE f.key = ? AND f.undoes IS NULL
            AND NOT EXISTS (SELECT 1 FROM feedback u WHERE u.undoes = f.id) ORDER BY f.id
            """
        var found: [InboxFeedback.Field: String] = [:]
        for row in try Row.fetchAll(database.cachedStatement(sql: sql), arguments: [key]) {
            guard let field = InboxFeedback.Field(rawValue: try row.get("field")) else { continue }
            let value: String = try row.get("value")
            found[field] = field == .faq ? try InboxFeedback.said(value, ofEntry: row.get("before"), now: faq) : value
        }
        return found
    }
}

/// Which messages of a store to select, and in which order.
package struct InboxQuery: Sendable, Equatable {
    /// A list that people look at; corrections override answers.
    package enum View: String, Sendable, CaseIterable {
        /// Every message from somebody else.
        case all
        /// What a person should look at first: urgent messages, and strongly negative ones that are not spam.
        case priority
        /// Offers that were not dismissed.
        case business
        case fan
        case spam
    }

    package enum Order: String, Sendable, CaseIterable {
        /// Offers by score, other messages by priority, highest first.
        case score
        /// Newest first.
        case recent
        /// Highest budget first.
        case value
        /// In order of arrival.
        case arrival
    }

    package var view: View
    package var order: Order
    /// Only messages sent at this second since 1970 or later.
    package var since: Int64?
    /// The maximum number returned; nil: all.
    package var limit: Int?
    /// Whether to leave out messages that a person is done with: marked so, or answered with a draft.
    package var hidesDone = false
    /// Whether to include own messages and records that are not messages; only with ``View/all``.
    package var includesContext = false

    package init(view: View = .all, order: Order = .score, since: Int64? = nil, limit: Int? = nil) {
        self.view = view
        self.order = order
        self.since = since
        self.limit = limit
    }

    /// The clauses after `SELECT … FROM message m`, and their arguments.
    ///
    /// - Parameter isCorrected: whether the store has any corrections; if not, an index answers the query.
    func sql(isCorrected: Bool) -> (sql: String, arguments: [Int64]) {
        var conditions: [String] = []
        var arguments: [Int64] = []
        if !(includesContext && view == .all) { conditions.append("m.kind = 0") }
        switch view {
        case .all: break
        case .priority: conditions.append(isCorrected ? Self.correctedPriority : Self.priority)
        case .business, .fan, .spam:
            let name = view.rawValue
            conditions.append(
                isCorrected
                    ? "coalesce(\(Self.correction("category")), m.category) = '\(name)'" : "m.category = '\(name)'")
            if view == .business, isCorrected {
                conditions.append("coalesce(\(Self.correction("opportunity")), '') <> 'dismissed'")
            }
        }
        if hidesDone, isCorrected {
            conditions.append("coalesce(\(Self.correction("seen")), '') <> 'true'")
            conditions.append("coalesce(\(Self.correction("draft")), '') NOT IN ('accepted', 'edited')")
        }
        if let since {
            conditions.append("m.sent_at >= ?")
            arguments.append(since)
        }
        var sql = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
        sql += " ORDER BY "
        switch order {
        case .score where view == .business: sql += "m.score DESC, m.seq"
        case .score: sql += "m.priority DESC, m.seq"
        case .recent: sql += "m.sent_at DESC, m.seq DESC"
        case .value: sql += "m.usd DESC, m.seq"
        case .arrival: sql += "m.seq"
        }
        if let limit {
            sql += " LIMIT ?"
            arguments.append(Int64(max(0, limit)))
        }
        return (sql, arguments)
    }

    /// Must match the index's condition exactly, so that the index is used.
    private static let priority = """
        (m.urgent = 1 OR (m.sentiment = 'negative' AND m.intensity >= 0.6))
        AND (m.urgent = 1 OR coalesce(m.category, '') <> 'spam')
        """

    /// The lowest priority of a person in danger; such a message is never treated as spam, even if corrected to spam.
    package static let dangerPriority = 90

    private static let correctedPriority = """
        ((CASE \(correction("urgent")) WHEN 'true' THEN 1 WHEN 'false' THEN 0 ELSE m.urgent END = 1
        AND (coalesce(\(correction("category")), '') <> 'spam' OR coalesce(m.priority, 0) >= \(dangerPriority)
        OR coalesce(\(correction("urgent")), '') = 'true'))
        OR (coalesce(\(correction("category")), m.category, '') <> 'spam' AND CASE coalesce(\(correction("sentiment")), '') WHEN 'negative' THEN 1
        WHEN '' THEN coalesce(m.sentiment = 'negative' AND m.intensity >= 0.6, 0) ELSE 0 END = 1))
        """

    /// SQL for the last feedback still in effect on a field of the message `m`; NULL: none.
    static func correction(_ field: String) -> String {
        """
        (SELECT f.value FROM feedback f WHERE f.key = m.key AND f.field = '\(field)' AND f.undoes IS NULL
        AND NOT EXISTS (SELECT 1 FROM feedback u WHERE u.undoes = f.id) ORDER BY f.id DESC LIMIT 1)
        """
    }
}
