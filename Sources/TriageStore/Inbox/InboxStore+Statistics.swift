internal import Foundation
internal import GRDB

extension InboxStore {
    /// Counts what the store holds, with corrections applied.
    ///
    /// - Parameter since: count only messages sent at this second since 1970 or later, with their feedback and pending
    ///   answers; spending and runs are always counted in full.
    /// - Throws: `TriageError`.
    package func statistics(since: Int64? = nil) throws -> InboxStatistics {
        var statistics = try read { try Self.count($0, since: since) }
        statistics.spend = try spent()
        return statistics
    }

    /// How often each FAQ entry answers a message, and people's feedback on that; by entry id.
    ///
    /// - Throws: `TriageError`.
    package func faqUse() throws -> [InboxStatistics.FAQUse] {
        try read { try Self.faqUse($0, "m.kind = 0", []) }
    }

    private static func count(_ database: Database, since: Int64?) throws -> InboxStatistics {
        var found = InboxStatistics()
        let isCorrected = try isCorrected(database)
        let filter = since == nil ? "m.kind = 0" : "m.kind = 0 AND m.sent_at >= ?"
        let arguments: StatementArguments = since.map { [$0] } ?? []
        func corrected(_ field: String, _ column: String) -> String {
            isCorrected ? "coalesce(\(InboxQuery.correction(field)), \(column))" : column
        }
        let urgent =
            isCorrected
            ? "CASE \(InboxQuery.correction("urgent")) WHEN 'true' THEN 1 WHEN 'false' THEN 0 ELSE m.urgent END"
            : "m.urgent"
        // Days begin at midnight UTC. Division rounds towards zero, so times before 1970 are moved to the day below.
        let sql = """
            SELECT day, count(*) AS messages, total(category = 'fan') AS fan, total(category = 'business') AS business,
            total(category = 'spam') AS spam, total(sentiment = 'positive') AS positive,
            total(sentiment = 'negative') AS negative, total(sentiment = 'neutral') AS neutral,
            total(urgent <> 0) AS urgent, total(score >= 50) AS offers
            FROM (SELECT (m.sent_at - (CASE WHEN m.sent_at < 0 THEN 86399 ELSE 0 END)) / 86400 AS day,
            \(corrected("category", "m.category")) AS category, \(corrected("sentiment", "m.sentiment")) AS sentiment,
            \(urgent) AS urgent, m.score AS score FROM message m WHERE \(filter)) GROUP BY day ORDER BY day
            """
        for row in try Row.fetchAll(database, sql: sql, arguments: arguments) {
            var volume = InboxStatistics.Volume()
            volume.messages = try row.get("messages")
            volume.fan = try row.count("fan")
            volume.business = try row.count("business")
            volume.spam = try row.count("spam")
            volume.positive = try row.count("positive")
            volume.negative = try row.count("negative")
            volume.neutral = try row.count("neutral")
            volume.urgent = try row.count("urgent")
            volume.offers = try row.count("offers")
            found.all.add(volume)
            if let day = try row.get("day") as Int? { found.days.append((day, volume)) }
        }
        func number(_ sql: String, _ arguments: StatementArguments = []) throws -> Int {
            try Int.fetchOne(database, sql: sql, arguments: arguments) ?? 0
        }
        let context = since == nil ? "" : " AND sent_at >= ?"
        found.own = try number("SELECT count(*) FROM message WHERE kind = 1" + context, arguments)
        found.notMessages = try number("SELECT count(*) FROM message WHERE kind = 2" + context, arguments)
        found.injections = try number("SELECT count(*) FROM message m WHERE \(filter) AND m.injection", arguments)
        found.edited = try number("SELECT count(*) FROM message m WHERE \(filter) AND m.revision > 1", arguments)
        found.drafts = try number("SELECT count(*) FROM message m WHERE \(filter) AND m.has_draft", arguments)
        let ofThose = " JOIN message m ON m.key = o.key WHERE \(filter)"
        found.owed = try number("SELECT count(*) FROM owed o" + (since == nil ? "" : ofThose), arguments)
        found.runs = try number("SELECT count(*) FROM run")
        let tiers = "SELECT tier, count(*) AS number FROM message m WHERE \(filter) AND tier IS NOT NULL GROUP BY tier"
        for row in try Row.fetchAll(database, sql: tiers, arguments: arguments) {
            found.tiers[try row.get("tier") as String] = try row.get("number") as Int
        }
        found.faq = try faqUse(database, filter, arguments)
        guard isCorrected else { return found }
        for row in try Row.fetchAll(database, sql: decisions(filter), arguments: arguments) {
            guard let field = InboxFeedback.Field(rawValue: try row.get("field")) else { continue }
            let (value, count): (String, Int) = try (row.get("value"), row.get("number"))
            let agreed: Int = try row.get("agreed")
            switch field {
            case .draft: found.draftDecisions[value, default: 0] += count
            case .rating: found.draftRatings[value, default: 0] += count
            case .opportunity: found.dismissedOffers += count
            case .seen: break
            case .faq:
                found.agreement[.faq, default: .init()].asked += count
                if value == "right" { found.agreement[.faq, default: .init()].agreed += count }
            case .category, .sentiment, .urgent:
                found.agreement[field, default: .init()].asked += count
                found.agreement[field, default: .init()].agreed += agreed
            }
        }
        return found
    }

    /// SQL for the feedback in effect: by field and value, and how often the earlier answer was the same.
    private static func decisions(_ filter: String) -> String {
        """
        SELECT c.field, c.value, count(*) AS number, count(CASE WHEN c.before = c.value THEN 1 END) AS agreed
        FROM (\(current)) c JOIN message m ON m.key = c.key WHERE \(filter) GROUP BY c.field, c.value
        """
    }

    /// SQL for the last feedback on each message and field that was not undone.
    private static let current = """
        SELECT f.key, f.field, f.value, f.before FROM feedback f WHERE f.undoes IS NULL
        AND NOT EXISTS (SELECT 1 FROM feedback u WHERE u.undoes = f.id)
        AND NOT EXISTS (SELECT 1 FROM feedback n WHERE n.key = f.key AND n.field = f.field AND n.id > f.id
        AND n.undoes IS NULL AND NOT EXISTS (SELECT 1 FROM feedback u WHERE u.undoes = n.id))
        """

    private static func faqUse(
        _ database: Database, _ filter: String, _ arguments: StatementArguments
    ) throws -> [InboxStatistics.FAQUse] {
        var uses: [String: InboxStatistics.FAQUse] = [:]
        let sql = """
            SELECT faq, total(faq_match = 'high') AS high, total(faq_match = 'possible') AS possible FROM message m
            WHERE \(filter) AND faq IS NOT NULL GROUP BY faq
            """
        for row in try Row.fetchAll(database, sql: sql, arguments: arguments) {
            let id: String = try row.get("faq")
            uses[id, default: .init(id: id)].high = try row.count("high")
            uses[id, default: .init(id: id)].possible = try row.count("possible")
        }
        let said = """
            SELECT c.before AS before, c.value AS value, count(*) AS number FROM (\(current)) c
            JOIN message m ON m.key = c.key WHERE c.field = 'faq' AND c.before IS NOT NULL AND \(filter)
            GROUP BY c.before, c.value
            """
        for row in try Row.fetchAll(database, sql: said, arguments: arguments) {
            let (id, value, count): (String, String, Int) = try (
                row.get("before"), row.get("value"), row.get("number")
            )
            if value == "right" {
                uses[id, default: .init(id: id)].right += count
            } else {
                uses[id, default: .init(id: id)].wrong += count
            }
        }
        return uses.values.sorted { $0.id < $1.id }
    }
}

extension InboxStatistics.Volume {
    /// Adds the counts of another volume.
    package mutating func add(_ other: InboxStatistics.Volume) {
        messages += other.messages
        fan += other.fan
        business += other.business
        spam += other.spam
        positive += other.positive
        negative += other.negative
        neutral += other.neutral
        urgent += other.urgent
        offers += other.offers
    }
}

/// Counts of what a store holds.
package struct InboxStatistics: Sendable, Equatable {
    /// Messages of a day, of a week, or in total.
    package struct Volume: Sendable, Equatable {
        /// Messages from other people.
        package var messages = 0
        package var fan = 0
        package var business = 0
        package var spam = 0
        package var positive = 0
        package var negative = 0
        package var neutral = 0
        package var urgent = 0
        /// Offers with a score of 50 or more.
        package var offers = 0

        package init() {}
    }

    /// How an FAQ entry performs.
    package struct FAQUse: Sendable, Equatable {
        package var id: String
        /// Messages that it answers with certainty, and possibly.
        package var high = 0
        package var possible = 0
        /// People's feedback on it.
        package var right = 0
        package var wrong = 0

        package init(id: String, high: Int = 0, possible: Int = 0, right: Int = 0, wrong: Int = 0) {
            self.id = id
            self.high = high
            self.possible = possible
            self.right = right
            self.wrong = wrong
        }
    }

    /// How often people agreed with the answers on which they gave feedback.
    package struct Agreement: Sendable, Equatable {
        package var asked = 0
        package var agreed = 0

        package init() {}
    }

    package var all = Volume()
    package var own = 0
    package var notMessages = 0
    /// By day since 1970; messages without a time are left out.
    package var days: [(day: Int, volume: Volume)] = []
    /// Offers by tier: gold, blue and gray.
    package var tiers: [String: Int] = [:]
    package var injections = 0
    package var edited = 0
    package var owed = 0
    package var faq: [FAQUse] = []
    package var drafts = 0
    /// Drafts by people's decision: accepted, edited, dismissed.
    package var draftDecisions: [String: Int] = [:]
    /// Drafts by people's rating: good, bad.
    package var draftRatings: [String: Int] = [:]
    package var dismissedOffers = 0
    package var agreement: [InboxFeedback.Field: Agreement] = [:]
    package var spend = InboxSpend()
    package var runs = 0

    package init() {}

    package static func == (a: InboxStatistics, b: InboxStatistics) -> Bool {
        a.all == b.all && a.own == b.own && a.notMessages == b.notMessages && a.days.map(\.day) == b.days.map(\.day)
            && a.days.map(\.volume) == b.days.map(\.volume) && a.tiers == b.tiers && a.injections == b.injections
            && a.edited == b.edited && a.owed == b.owed && a.faq == b.faq && a.drafts == b.drafts
            && a.draftDecisions == b.draftDecisions && a.draftRatings == b.draftRatings
            && a.dismissedOffers == b.dismissedOffers
            && a.agreement == b.agreement && a.spend == b.spend && a.runs == b.runs
    }
}

extension InboxStore {
    /// How many messages there are in each language; those without one are under `und`.
    ///
    /// - Parameter since: only messages sent at this second since 1970 or later.
    /// - Throws: `TriageError`.
    package func languages(since: Int64? = nil) throws -> [String: Int] {
        try read { database in
            var found: [String: Int] = [:]
            let sql = """
                SELECT coalesce(language, 'und') AS tag, count(*) AS number FROM message m
                WHERE \(Self.condition(since)) GROUP BY tag
                """
            for row in try Row.fetchAll(database, sql: sql, arguments: Self.arguments(since)) {
                found[try row.get("tag") as String] = try row.get("number") as Int
            }
            return found
        }
    }

    /// How many messages have at least one answer from a language model.
    ///
    /// - Throws: `TriageError`.
    package func answeredByModel(since: Int64? = nil) throws -> Int {
        try read { database in
            let sql = "SELECT count(*) FROM message m WHERE \(Self.condition(since)) AND m.facts IS NOT NULL"
            return try Int.fetchOne(database, sql: sql, arguments: Self.arguments(since)) ?? 0
        }
    }

    /// How many offers were not dismissed.
    ///
    /// - Throws: `TriageError`.
    package func offers(since: Int64? = nil) throws -> Int {
        try read { database in
            var query = InboxQuery(view: .business, since: since)
            query.limit = nil
            let (clauses, arguments) = query.sql(isCorrected: try Self.isCorrected(database))
            let sql = "SELECT count(score) FROM (SELECT m.score AS score FROM message m \(clauses))"
            return try Int.fetchOne(database, sql: sql, arguments: StatementArguments(arguments)) ?? 0
        }
    }

    /// Calls `body` with every record that contains these bytes, in order of arrival.
    ///
    /// - Throws: `TriageError`, and what `body` throws.
    package func forEachRecord(
        containing bytes: [UInt8], since: Int64? = nil, _ body: ([UInt8]) throws -> Void
    ) throws {
        try read { database in
            let sql = "SELECT m.record FROM message m WHERE \(Self.condition(since)) AND instr(m.record, ?) > 0"
            let arguments = Self.arguments(since) + [Data(bytes)]
            let rows = try Row.fetchCursor(database, sql: sql + " ORDER BY m.seq", arguments: arguments)
            while let row = try rows.next() { try body([UInt8](row.get("record") as Data)) }
        }
    }

    /// Calls `body` with the counts of every run of a command, each a JSON object, in order.
    ///
    /// - Throws: `TriageError`, and what `body` throws.
    package func forEachCounts(ofRuns command: String, _ body: (String) throws -> Void) throws {
        try read { database in
            let sql = "SELECT counts FROM run WHERE command = ? ORDER BY id"
            let rows = try String.fetchCursor(database, sql: sql, arguments: [command])
            while let counts = try rows.next() { try body(counts) }
        }
    }

    private static func condition(_ since: Int64?) -> String {
        since == nil ? "m.kind = 0" : "m.kind = 0 AND m.sent_at >= ?"
    }

    private static func arguments(_ since: Int64?) -> StatementArguments { since.map { [$0] } ?? [] }
}
