internal import Foundation
internal import GRDB

/// A stored message together with its answer.
package struct InboxPair: Sendable, Equatable {
    /// The number of the message.
    package var number: Int64
    package var platform, conversation, sender, senderID, handle: String?
    package var category, faq, language: String?
    /// The two texts, each cut to ``textLimit`` letters.
    package var asked: String
    package var answered: String
    /// When it was answered, in seconds since 1970.
    package var at: Int64?
    /// The message's annotated record, if the pair is new or edited since it was learned from; else empty.
    package var record: [UInt8] = []
    /// What was learned from the pair; nil: nothing yet, or it was edited since.
    package var lesson: InboxLesson?

    /// Longer than any text that is learned from.
    package static let textLimit = 4_000

    static let columns = """
        m.seq, m.platform, m.conversation, m.sender, m.sender_id, m.handle, m.category, m.faq, m.language,
        substr(m.text, 1, \(textLimit)) AS asked
        """

    /// - Throws: ``DamagedRow``.
    init(_ row: Row, answered: String, at: Int64?) throws {
        number = try row.get("seq")
        platform = try row.get("platform")
        conversation = try row.get("conversation")
        sender = try row.get("sender")
        senderID = try row.get("sender_id")
        handle = try row.get("handle")
        category = try row.get("category")
        faq = try row.get("faq")
        language = try row.get("language")
        asked = try row.get("asked")
        self.answered = answered
        self.at = at
    }
}

/// What was learned from a pair.
package struct InboxLesson: Sendable, Equatable {
    package var id: String
    package var intent: String
    package var language: String
    /// The part of the answer that can be reused for somebody else; nil: the pair is not part of the voice.
    package var reuse: String?

    package init(id: String, intent: String, language: String, reuse: String?) {
        self.id = id
        self.intent = intent
        self.language = language
        self.reuse = reuse
    }
}

/// A draft that a person accepted or edited, as an answer to its message.
package struct InboxDecision: Sendable, Equatable {
    package var id: Int64
    /// The message and its answer: `answered` is the person's text; empty: the draft unchanged.
    package var pair: InboxPair
}

/// What a store knows about the creator's style, beside its pairs.
package struct InboxVoice: Sendable, Equatable {
    /// The habits, in the format of a voice file.
    package var habits: [UInt8]
    /// Digest of the library and the profile that the voice was learned with.
    package var library: String

    package init(habits: [UInt8], library: String) {
        self.habits = habits
        self.library = library
    }
}

// MARK: - Pairing messages with answers
extension InboxStore {
    /// How many messages of a conversation are searched for the one that is answered.
    private static let lookedAt = 16

    /// Pairs an own message with the message that it answers, if that can be determined.
    ///
    /// That is the message it names; else the last message before it, provided that the creator has not written since.
    ///
    /// Only messages with a lower number are considered, so that batch boundaries make no difference.
    static func pair(_ key: RecordKey, _ replyTo: String?, _ database: Database) throws {
        let sql = "SELECT seq, conversation, platform, sent_at FROM message WHERE key = ? AND kind = 1 AND text <> ''"
        guard let own = try Row.fetchOne(database.cachedStatement(sql: sql), arguments: [Data(key.bytes)])
        else { return }
        let number: Int64 = try own.get("seq")
        try database.cachedStatement(sql: "UPDATE pair SET learned = 0 WHERE answer = ?").execute(arguments: [number])
        if database.changesCount > 0 { return }
        guard let asked = try asked(by: own, replyTo, database) else { return }
        // A reply that was really sent counts more than an edited or accepted draft.
        let insertion = """
            INSERT INTO pair (asked, answer) VALUES (?, ?) ON CONFLICT (asked) DO UPDATE
            SET answer = excluded.answer, learned = 0, decision = NULL, answered = NULL, at = NULL WHERE answer IS NULL
            """
        try database.cachedStatement(sql: insertion).execute(arguments: [asked, number])
    }

    private static func asked(by own: Row, _ replyTo: String?, _ database: Database) throws -> Int64? {
        let number: Int64 = try own.get("seq")
        let (conversation, platform): (String?, String?) = try (own.get("conversation"), own.get("platform"))
        if let replyTo {
            let sql = """
                SELECT seq FROM message WHERE id = ? AND kind = 0 AND conversation IS ? AND platform IS ? AND seq < ?
                ORDER BY seq DESC LIMIT 1
                """
            let named = try Int64.fetchOne(
                database.cachedStatement(sql: sql), arguments: [replyTo, conversation, platform, number])
            if let named { return named }
        }
        guard let conversation else { return nil }
        let sentAt: Int64? = try own.get("sent_at")
        let sql = """
            SELECT seq, kind FROM message WHERE conversation = ?1 AND platform IS ?2 AND seq < ?4
            AND sent_at \(sentAt == nil ? "IS" : "<=") ?3 ORDER BY sent_at DESC, seq DESC LIMIT \(lookedAt)
            """
        let before = try Row.fetchAll(
            database.cachedStatement(sql: sql), arguments: [conversation, platform, sentAt, number])
        var waiting: [Int64] = []
        for row in before {
            let kind: Int = try row.get("kind")
            if kind == InboxMessage.Kind.own.rawValue { break }
            if kind == InboxMessage.Kind.message.rawValue { waiting.append(try row.get("seq")) }
        }
        // If the named message is missing, the reply is for another message; pair it only if exactly one is waiting.
        return replyTo != nil && waiting.count > 1 ? nil : waiting.first
    }

    /// Pairs the messages that an earlier version stored.
    static func pairAll(_ database: Database) throws {
        let sql = """
            SELECT key, CASE WHEN json_valid(CAST(record AS TEXT))
            THEN CAST(json_extract(CAST(record AS TEXT), '$.reply_to') AS TEXT) END AS reply_to
            FROM message WHERE kind = 1 ORDER BY seq
            """
        let rows = try Row.fetchCursor(database, sql: sql)
        while let row = try rows.next() { try pair(row.key("key"), row.get("reply_to"), database) }
    }
}

// MARK: - The learned voice
extension InboxStore {
    /// The latest pairs, oldest first.
    ///
    /// - Parameters:
    ///   - limit: the maximum number returned.
    ///   - isLearned: whether to return only pairs that are part of the voice.
    /// - Throws: `TriageError`.
    package func pairs(limit: Int, isLearned: Bool = false) throws -> [InboxPair] {
        try read { database in
            let sql = """
                SELECT \(InboxPair.columns), coalesce(p.answered, substr(o.text, 1, \(InboxPair.textLimit))) AS answered,
                coalesce(p.at, o.sent_at) AS at, p.learned, p.id, p.intent, p.language AS reply_language, p.reuse,
                CASE WHEN p.learned = 0 THEN m.record END AS record
                FROM (SELECT * FROM pair \(isLearned ? "WHERE reuse IS NOT NULL" : "") ORDER BY asked DESC LIMIT ?) p
                JOIN message m ON m.seq = p.asked LEFT JOIN message o ON o.seq = p.answer ORDER BY p.asked
                """
            return try Row.fetchAll(database, sql: sql, arguments: [max(0, limit)]).compactMap { row in
                guard let answered: String = try row.get("answered") else { return nil }
                var pair = try InboxPair(row, answered: answered, at: row.get("at"))
                pair.record = (try row.get("record") as Data?).map { [UInt8]($0) } ?? []
                if let id: String = try row.get("id"), isLearned || pair.record.isEmpty {
                    pair.lesson = InboxLesson(
                        id: id, intent: try row.get("intent") ?? "", language: try row.get("reply_language") ?? "",
                        reuse: try row.get("reuse"))
                }
                return pair
            }
        }
    }

    /// How many pairs are part of the voice, and how many are newer.
    ///
    /// - Throws: `TriageError`.
    package func pairCounts() throws -> (learned: Int, new: Int) {
        try read { database in
            let sql = "SELECT count(reuse), count(CASE WHEN learned = 0 THEN 1 END) FROM pair"
            guard let row = try Row.fetchOne(database, sql: sql) else { return (0, 0) }
            return try (row.get(0), row.get(1))
        }
    }

    /// What is known about the creator's style; nil: nothing was learned yet.
    ///
    /// - Throws: `TriageError`.
    package func voice() throws -> InboxVoice? {
        try read { database in
            guard let row = try Row.fetchOne(database, sql: "SELECT habits, library FROM voice") else { return nil }
            return InboxVoice(habits: [UInt8](try row.get("habits") as Data), library: try row.get("library"))
        }
    }

    /// Replaces the learned voice in one transaction.
    ///
    /// - Parameter lessons: of the pairs that are part of the voice, by the number of the message.
    /// - Throws: `TriageError`.
    package func keep(_ voice: InboxVoice, _ lessons: [(number: Int64, lesson: InboxLesson)]) throws {
        try write { database in
            try database.execute(
                sql: "UPDATE pair SET learned = 1, reuse = NULL WHERE learned = 0 OR reuse IS NOT NULL")
            let sql = "UPDATE pair SET id = ?2, intent = ?3, language = ?4, reuse = ?5 WHERE asked = ?1"
            for (number, lesson) in lessons {
                try database.cachedStatement(sql: sql).execute(arguments: [
                    number, lesson.id, lesson.intent, lesson.language, lesson.reuse,
                ])
            }
            try database.execute(
                sql: "INSERT OR REPLACE INTO voice (one, habits, library) VALUES (1, ?, ?)",
                arguments: [Data(voice.habits), voice.library])
        }
    }
}

// MARK: - Drafts that people decided on
extension InboxStore {
    /// SQL for the decision that counts for each draft: the last one that was not undone.
    private static let counting = """
        f.field = 'draft' AND f.value IN ('accepted', 'edited') AND f.undoes IS NULL AND f.id = (
        SELECT max(g.id) FROM feedback g WHERE g.key = f.key AND g.field = 'draft' AND g.undoes IS NULL
        AND NOT EXISTS (SELECT 1 FROM feedback u WHERE u.undoes = g.id))
        """

    /// Accepted and edited drafts, in the order of their messages.
    ///
    /// Drafts whose message has a known reply, or that are pairs already, are left out.
    ///
    /// - Throws: `TriageError`.
    package func decidedDrafts() throws -> [InboxDecision] {
        try read { database in
            let sql = """
                SELECT \(InboxPair.columns), f.id AS decision, f.value, f.text AS made, f.at AS at,
                f.revision = m.revision AS is_same, m.record FROM feedback f JOIN message m ON m.key = f.key
                WHERE \(Self.counting) AND NOT EXISTS (
                SELECT 1 FROM pair p WHERE p.asked = m.seq AND (p.answer IS NOT NULL OR p.decision = f.id))
                ORDER BY m.seq
                """
            return try Row.fetchAll(database, sql: sql).compactMap { row in
                let made: String? = try row.get("made")
                let (value, isSame): (String, Bool) = try (row.get("value"), row.get("is_same"))
                // An edited draft without its text is unknown; an accepted one is known only for the current revision.
                guard made != nil || value == "accepted" && isSame else { return nil }
                var pair = try InboxPair(row, answered: made ?? "", at: row.get("at"))
                pair.record = [UInt8](try row.get("record") as Data)
                return InboxDecision(id: try row.get("decision"), pair: pair)
            }
        }
    }

    /// The most recently edited drafts whose text was kept, in the order of their messages.
    ///
    /// - Parameter limit: the maximum number returned.
    /// - Throws: `TriageError`.
    package func editedDrafts(limit: Int) throws -> [InboxDecision] {
        try read { database in
            let sql = """
                SELECT * FROM (SELECT \(InboxPair.columns), f.id AS decision, f.text AS made, f.at AS at, m.record
                FROM feedback f JOIN message m ON m.key = f.key WHERE \(Self.counting) AND f.value = 'edited'
                AND f.text IS NOT NULL AND f.revision = m.revision ORDER BY f.id DESC LIMIT ?) ORDER BY seq
                """
            return try Row.fetchAll(database, sql: sql, arguments: [max(0, limit)]).map { row in
                var pair = try InboxPair(row, answered: row.get("made"), at: row.get("at"))
                pair.record = [UInt8](try row.get("record") as Data)
                return InboxDecision(id: try row.get("decision"), pair: pair)
            }
        }
    }

    /// Makes pairs of accepted and edited drafts, and removes those whose decision no longer counts.
    ///
    /// - Throws: `TriageError`.
    package func keep(_ decisions: [InboxDecision]) throws {
        try write { database in
            try database.execute(
                sql: """
                    DELETE FROM pair WHERE answer IS NULL AND decision NOT IN (
                    SELECT f.id FROM feedback f WHERE \(Self.counting))
                    """)
            let sql = """
                INSERT INTO pair (asked, decision, answered, at) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (asked) DO UPDATE
                SET decision = ?2, answered = ?3, at = ?4, learned = 0 WHERE answer IS NULL
                """
            for decision in decisions {
                try database.cachedStatement(sql: sql).execute(arguments: [
                    decision.pair.number, decision.id, decision.pair.answered, decision.pair.at,
                ])
            }
        }
    }
}
