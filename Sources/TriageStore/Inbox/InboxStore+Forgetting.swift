internal import Foundation
internal import GRDB
internal import TriageCore

extension InboxStore {
    /// Removes messages and everything known about them.
    ///
    /// Their texts, search terms, revisions, feedback, pending answers and conversation states are deleted. The
    /// summaries of all runs go too, because they name messages by id.
    ///
    /// A pending answer without a stored message cannot be attributed to anybody, so all of those are deleted.
    ///
    /// The hashed ids stay, so that the next export does not bring the messages back.
    ///
    /// - Parameters:
    ///   - isTried: whether to count only and delete nothing.
    ///   - removesIDs: whether to delete the hashed ids too.
    ///   - onlyOne: whether to refuse when more than one sender matches.
    ///   - conversationKey: the key that a conversation's state is stored under, from its platform and id.
    /// - Throws: `TriageError`; `store.many-senders` (64).
    package func forget(
        _ what: InboxForgetting, isTried: Bool = false, removesIDs: Bool = false, onlyOne: Bool = true,
        conversationKey: (_ platform: String?, _ conversation: String) -> UInt64
    ) throws -> InboxForgotten {
        var forgotten = try write { database in
            try database.execute(sql: "CREATE TEMP TABLE IF NOT EXISTS going (seq INTEGER PRIMARY KEY)")
            try database.execute(sql: "DELETE FROM going")
            defer { try? database.execute(sql: "DROP TABLE IF EXISTS going") }
            var found = InboxForgotten()
            try Self.choose(what, database)
            found.messages = try Int.fetchOne(database, sql: "SELECT count(*) FROM going") ?? 0
            found.senders = try Self.senders(database)
            if case .sender = what, onlyOne, !isTried, found.senders > 1 {
                throw TriageError(
                    "store.many-senders", "\(found.senders) senders match this id, handle or name", at: path,
                    remedy: "name one by id or handle, or remove all of them with --all", exit: .usage)
            }
            let conversations = try Self.emptied(database)
            found.context = (try Int.fetchOne(database, sql: "SELECT count(*) FROM going") ?? 0) - found.messages
            func count(_ table: String, where condition: String = Self.isGoing) throws -> Int {
                try Int.fetchOne(database, sql: "SELECT count(*) FROM \(table) WHERE \(condition)") ?? 0
            }
            found.revisions = try count("revision")
            found.feedback = try count("feedback")
            found.owed = try count("owed") + count("owed", where: Self.isWithoutMessage)
            found.conversations = conversations.count
            if isTried { return found }
            try Self.remove(conversations.map(conversationKey), removesIDs: removesIDs, database)
            return found
        }
        if !isTried { forgotten.isErased = try erase() }
        return forgotten
    }

    private static let isGoing = "key IN (SELECT m.key FROM message m JOIN going USING (seq))"

    private static let isWithoutMessage = "key NOT IN (SELECT key FROM message)"

    private static func choose(_ what: InboxForgetting, _ database: Database) throws {
        switch what {
        case .sender(let name):
            let bare = name.hasPrefix("@") ? String(name.dropFirst()) : name
            // Handles match in any case (A to Z only); ids and names match exactly.
            try database.execute(
                sql: """
                    INSERT INTO going SELECT seq FROM message WHERE kind <> 1 AND (sender_id = ?1
                    OR handle = ?2 COLLATE NOCASE OR handle = '@' || ?2 COLLATE NOCASE OR sender = ?1)
                    """, arguments: [name, bare])
        case .before(let moment):
            try database.execute(
                sql: "INSERT INTO going SELECT seq FROM message WHERE sent_at < ?", arguments: [moment])
        }
    }

    private static func senders(_ database: Database) throws -> Int {
        try Int.fetchOne(
            database,
            sql: """
                SELECT count(*) FROM (SELECT DISTINCT m.platform, coalesce(m.sender_id, m.handle, m.sender)
                FROM message m JOIN going USING (seq))
                """) ?? 0
    }

    /// Adds own messages of conversations in which nobody else is left, and returns the conversations concerned.
    private static func emptied(_ database: Database) throws -> [(platform: String?, conversation: String)] {
        let concerned = try Row.fetchAll(
            database,
            sql: """
                SELECT DISTINCT m.platform, m.conversation FROM message m JOIN going USING (seq)
                WHERE m.conversation IS NOT NULL
                """)
        for row in concerned {
            let (platform, conversation): (String?, String) = try (row.get("platform"), row.get("conversation"))
            try database.cachedStatement(
                sql: """
                    INSERT OR IGNORE INTO going SELECT seq FROM message m WHERE m.conversation = ?1 AND m.platform IS ?2
                    AND NOT EXISTS (SELECT 1 FROM message o WHERE o.conversation = ?1 AND o.platform IS ?2
                    AND o.kind = 0 AND o.seq NOT IN (SELECT seq FROM going))
                    """
            ).execute(arguments: [conversation, platform])
        }
        return try concerned.map { (try $0.get("platform"), try $0.get("conversation")) }
    }

    private static func remove(_ conversations: [UInt64], removesIDs: Bool, _ database: Database) throws {
        for table in ["feedback", "revision", "owed"] + (removesIDs ? ["known"] : []) {
            try database.execute(sql: "DELETE FROM \(table) WHERE \(isGoing)")
        }
        try database.execute(sql: "DELETE FROM owed WHERE \(isWithoutMessage)")
        // A run's summary also names messages of earlier runs, and messages that came again since.
        try database.execute(sql: "UPDATE run SET summary = NULL WHERE summary IS NOT NULL")
        for key in conversations {
            try database.cachedStatement(sql: "DELETE FROM conversation WHERE key = ?")
                .execute(arguments: [Int64(bitPattern: key)])
        }
        let rows = try Row.fetchCursor(
            database, sql: "SELECT m.seq, m.text, m.sender FROM message m JOIN going USING (seq)")
        while let row = try rows.next() {
            try SearchIndex.remove(row.get("seq"), row.get("text"), row.get("sender"), database)
        }
        try database.execute(
            sql: "DELETE FROM pair WHERE asked IN (SELECT seq FROM going) OR answer IN (SELECT seq FROM going)")
        try database.execute(sql: "DELETE FROM likeness WHERE seq IN (SELECT seq FROM going)")
        try database.execute(sql: "DELETE FROM message WHERE seq IN (SELECT seq FROM going)")
        try SearchIndex.tidy(database)
    }

    /// Rewrites the file without the removed content.
    ///
    /// - Returns: whether the log beside it is empty, too.
    private func erase() throws -> Bool {
        do {
            return try pool.writeWithoutTransaction { database in
                try database.execute(sql: "VACUUM")
                return try Int.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)") == 0
            }
        } catch let error as DatabaseError where [.SQLITE_BUSY, .SQLITE_LOCKED].contains(error.resultCode) {
            return false
        }
    }
}

/// What is to be removed from a store.
package enum InboxForgetting: Sendable, Equatable {
    /// All messages of anybody with this id, handle (with or without `@`, in any case) or name.
    case sender(String)
    /// All messages sent before this second since 1970; messages without a time stay.
    case before(Int64)
}

/// Counts of what was removed from a store, or would be.
package struct InboxForgotten: Sendable, Equatable {
    /// Messages of other people.
    package var messages = 0
    /// Own messages, and notices, of conversations in which nobody else is left.
    package var context = 0
    package var revisions = 0
    package var feedback = 0
    package var owed = 0
    package var conversations = 0
    /// How many people match the id, handle or name: more than one may include somebody who was not meant.
    package var senders = 0
    /// Whether the texts are also gone from the file; false while another process has it open.
    package var isErased = false

    package init() {}
}
