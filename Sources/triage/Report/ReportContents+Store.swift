import TriageLLM
import TriageStore

extension ReportContents {
    /// What a store holds; answers count as people corrected them.
    ///
    /// - Parameter since: only messages that were sent at this second since 1970 or later.
    /// - Throws: `TriageError`.
    init(of store: InboxStore, since: Int64?) throws {
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
            // The view holds upset messages, too.
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
        // Inside of strings no quotation mark stands without a backslash; a member of that name elsewhere is no answer.
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
    static func count(problems: JSONValue?, in codes: inout [String: Int]) -> Bool {
        guard let list = problems?.array, !list.isEmpty else { return false }
        for code in Set(list.prefix(32).map { $0["code"]?.string ?? "unknown" }).sorted() {
            count(ReportMessage.cut(code, 64), in: &codes)
        }
        return true
    }
}
