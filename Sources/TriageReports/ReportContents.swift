import TriageCore
import TriageFormats
import TriageInbox
package import TriageLLM
package import TriageStore

/// The contents of a report: numbers and a few messages, bounded in size whatever was read.
package struct ReportContents {
    package enum Origin: Equatable {
        case store
        case records
    }

    package var origin: Origin
    package var counts = InboxStatistics()
    /// The number of days with messages; nil: as many as `counts` has.
    package var dayCount: Int?
    /// Messages by language, most frequent first; the tags still have to be escaped.
    package var languages: [(tag: String, messages: Int)] = []
    /// Messages for which a language model answered something.
    package var answeredByModel = 0
    /// The best offers.
    package var offers: [ReportOffer] = []
    package var moreOffers = 0
    /// The urgent messages with the highest priority.
    package var urgent: [ReportMessage] = []
    package var moreUrgent = 0
    /// Messages by problem code; the codes still have to be escaped.
    package var problems: [(code: String, messages: Int)] = []
    /// Messages with at least one problem.
    package var withProblems = 0
    /// Lines that were refused when they were read and annotated.
    package var rejected = 0
    /// Lines that are not records, found in this reading.
    package var unreadable = 0
    /// Records without answers.
    package var unanswered = 0

    /// The limit for offers, and for urgent messages, that are shown individually.
    package static let most = 50
    /// The limit for kinds that are counted separately; the rest counts as `other`.
    package static let mostKinds = 100

    /// Counts by name, sorted and cut: whoever chose the names may have chosen very many.
    package static func sorted(_ counts: [String: Int]) -> [(String, Int)] {
        counts.map { ($0.key, $0.value) }.sorted { ($1.1, $0.0) < ($0.1, $1.0) }
    }

    /// Adds one to a name, or to `other` once there are too many names.
    package static func count(_ name: String, in counts: inout [String: Int]) {
        let name = counts[name] == nil && counts.count >= mostKinds ? "other" : name
        counts[name, default: 0] += 1
    }
}

extension ReportContents {
    /// Counts what a store holds; people's corrections replace answers.
    ///
    /// - Parameter since: only messages sent at or after this time, in seconds since 1970.
    /// - Throws: `TriageError`.
    package init(of store: InboxStore, since: Int64?) throws {
        self.init(origin: .store)
        counts = try store.statistics(since: since)
        languages = Self.sorted(try store.languages(since: since)).map { ($0.0, $0.1) }
        answeredByModel = try store.answeredByModel(since: since)
        try store.forEach(InboxQuery(view: .business, order: .score, since: since)) { entry in
            guard offers.count < Self.most, let score = entry.message.score else { return false }
            offers.append(
                ReportOffer(
                    ReportMessage(entry), score: score,
                    opportunity: StoredRecord(entry.message.record).answer("opportunity")))
            return true
        }
        moreOffers = max(0, try store.offers(since: since) - offers.count)
        try store.forEach(InboxQuery(view: .priority, order: .score, since: since)) { entry in
            // The view also holds upset messages.
            if entry.isUrgent { urgent.append(ReportMessage(entry)) }
            return urgent.count < Self.most
        }
        moreUrgent = max(0, counts.all.urgent - urgent.count)
        try readProblems(of: store, since: since)
        try store.forEachCounts(ofRuns: "sync") { counts in
            rejected += max(0, (try? StrictJSON.parse(Array(counts.utf8)))?["rejected"]?.integer ?? 0)
        }
    }

    private mutating func readProblems(of store: InboxStore, since: Int64?) throws {
        var codes: [String: Int] = [:]
        // A quotation mark inside a string has a backslash before it, so this text occurs only as a member. A member of
        // that name elsewhere is not an answer.
        let mark = Array("\"problems\":[{\"stage\":".utf8)
        var found = 0
        try store.forEachRecord(containing: mark, since: since) { record in
            if Self.count(problems: StoredRecord(record).answer("problems"), in: &codes) { found += 1 }
        }
        withProblems = found
        problems = Self.sorted(codes).map { ($0.0, $0.1) }
    }

    /// Counts each code of a message's problems once.
    ///
    /// - Returns: whether there are any.
    package static func count(problems: JSONValue?, in codes: inout [String: Int]) -> Bool {
        guard let list = problems?.array, !list.isEmpty else { return false }
        for code in Set(list.prefix(32).map { $0["code"]?.string ?? "unknown" }).sorted() {
            count(ReportMessage.cut(code, 64), in: &codes)
        }
        return true
    }
}

/// An offer as the report's board shows it; every text is cut to its maximum length and still has to be escaped.
package struct ReportOffer: Equatable {
    /// A part of the score.
    package struct Part: Equatable {
        package var name: String
        package var points: Int
        package var most: Int
    }

    package var message: ReportMessage
    /// 0–100.
    package var score: Int
    /// `gold`, `blue` or `gray`; nil: none of them.
    package var tier: String?
    package var parts: [Part]
    package var insights: [String]
    /// Such as `$5,000`.
    package var budget: String?
    /// `YYYY-MM-DD`.
    package var deadline: String?

    /// Tenths of a star, 0–50.
    package var stars: Int { (score * 10 + 10) / 20 }

    package static let tiers = ["gold", "blue", "gray"]
    private static let parts = [
        ("monetary", "Money"), ("brand_fit", "Fit"), ("legitimacy", "Trust"), ("urgency", "Time"),
    ]
    private static let mostInsights = 12
    private static let insightLength = 200

    /// - Parameter opportunity: the answer; malformed parts are left out.
    package init(_ message: ReportMessage, score: Int, opportunity: JSONValue?) {
        self.message = message
        self.score = min(max(score, 0), 100)
        tier = opportunity?["tier"]?.string.flatMap { Self.tiers.contains($0) ? $0 : nil }
        parts = Self.parts.compactMap { key, name in
            guard let part = opportunity?["breakdown"]?[key], let points = part["points"]?.integer,
                let most = part["of"]?.integer, (0...100).contains(most), (0...most).contains(points)
            else { return nil }
            return Part(name: name, points: points, most: most)
        }
        insights = (opportunity?["insights"]?.array ?? []).prefix(Self.mostInsights).compactMap {
            $0.string.map { ReportMessage.cut($0, Self.insightLength) }
        }
        if let money = opportunity?["budget"], let amount = money["amount"]?.double, amount > 0 {
            budget = MoneyText.short(
                MoneyAmount(
                    amount: amount, currency: money["currency"]?.string.flatMap { Currency(parsing: $0) }, usd: 0,
                    start: 0, end: 0))
        }
        deadline = opportunity?["deadline"]?.string.flatMap { ReportMessage.day($0) }
    }
}
