import Testing
import TriageCore
import TriageStore

@Suite struct `All of a store in brief` {
    let scratch = Scratch()

    private var path: String { scratch.path("inbox.db") }

    private func store(_ mode: InboxStore.Mode = .readWrite) throws -> InboxStore {
        try InboxStore(path: path, mode: mode)
    }

    private func fill(_ store: InboxStore) throws {
        var commit = InboxCommit()
        commit.messages = [
            message(1, "Love it, 日本の皆さん") {
                $0.sentiment = "negative"
                $0.intensity = 0.6
            },
            message(2, "an offer of 50% for a_b") {
                $0.category = "business"
                $0.score = 80
                $0.usd = 500
                $0.priority = 55
            },
            message(3, "from me") { $0.kind = .own },
            message(4, "nothing") {
                $0.category = nil
                $0.sentAt = nil
                $0.sentiment = "negative"
                $0.isUrgent = true
            },
        ]
        try store.commit(commit)
    }

    private func said(_ number: Int, _ field: InboxFeedback.Field, _ value: String, source: String = "review")
        -> InboxFeedback
    {
        InboxFeedback(
            key: key(number), revision: 1, at: 5, field: field, value: value, before: nil, source: source,
            request: "request-\(number)-\(field)-\(value)")
    }

    @Test func `has what lists need of every message of somebody else's, and what still counts of what was said`()
        throws
    {
        let store = try store()
        #expect(try store.outline() == InboxOutline())
        try fill(store)
        let all = [
            InboxBrief(number: 1, sentAt: 60, category: .fan, isStronglyNegative: true),
            InboxBrief(number: 2, sentAt: 120, usd: 500, score: 80, priority: 55, category: .business),
            InboxBrief(number: 4, isUrgent: true),
        ]
        #expect(try store.outline().briefs == all && store.outline().said.isEmpty)
        try store.keep([
            said(1, .category, "spam"), said(1, .category, "business"), said(2, .opportunity, "dismissed"),
            said(4, .seen, "true"),
        ])
        #expect(
            try store.outline().said == [
                1: [.category: "business"], 2: [.opportunity: "dismissed"], 4: [.seen: "true"],
            ])
        _ = try store.undo(key(1), nil, at: 6, source: "command")
        _ = try store.undo(key(2), nil, at: 6, source: "command")
        #expect(try store.outline().said == [1: [.category: "spam"], 4: [.seen: "true"]])
        #expect(try store.outline().briefs == all)
        #expect(try store.entries(numbers: [4, 99, 1]).map(\.number) == [4, 1])
        #expect(try store.entries(numbers: [1])[0].corrections == [.category: "spam"])
    }

    @Test(arguments: [
        "love", "offer", "LOVE 日本", "日本", "50%", "a_b", "%", "\"an offer\"", "of*", "' OR 1=1 --", "", "\"", "ann",
    ])
    func `finds the same messages as a search`(words: String) throws {
        let store = try store()
        try fill(store)
        guard !words.isEmpty, words != "\"" else {
            #expect(try store.matches(words, limit: 10).isEmpty)
            return
        }
        let found = try store.search(words, limit: 10).filter { $0.message.kind == .message }.map(\.number).sorted()
        let others = try store.entries(numbers: store.matches(words, limit: 10)).filter { $0.message.kind == .message }
        #expect(others.map(\.number) == found)
    }

    @Test func `what one source said is taken back one by one, once a request, and nothing of another's`() throws {
        let store = try store()
        try fill(store)
        try store.keep([
            said(1, .category, "spam"), said(2, .urgent, "true", source: "command"), said(4, .seen, "true"),
        ])
        #expect(try store.undoable(source: "review", limit: 10) == 2)
        #expect(try store.undoable(source: "review", limit: 1) == 1)
        let first = try #require(try store.undoLast(source: "review", at: 7, request: "undo-1").first)
        #expect(first.key == key(4) && first.field == .seen)
        #expect(try store.undoLast(source: "review", at: 8, request: "undo-1").map(\.id) == [first.id])
        #expect(try store.undoable(source: "review", limit: 10) == 1)
        #expect(try store.undoLast(source: "review", at: 9, request: "undo-2").map(\.key) == [key(1)])
        #expect(try store.undoLast(source: "review", at: 9, request: "undo-3").isEmpty)
        #expect(try store.outline().said == [2: [.urgent: "true"]])
        // What was kept under a name once is not kept again, even when it was taken back.
        #expect(try store.keep([said(1, .category, "spam")]).isEmpty)
    }

    @Test func `what was said of many messages at once is taken back at once`() throws {
        let store = try store()
        try fill(store)
        func all(_ request: String, _ value: String) -> [InboxFeedback] {
            [1, 2, 4].enumerated().map { place, number in
                var row = said(number, .category, value)
                row.request = place == 0 ? request : "\(request)/\(place)"
                return row
            }
        }
        try store.keep([said(4, .seen, "true")])
        try store.keep(all("request-many", "spam"))
        try store.keep(all("request-more", "fan"))
        #expect(try store.isKept(request: "request-many") && !store.isKept(request: "request-many/9"))
        #expect(try store.undoable(source: "review", limit: 10) == 3)
        #expect(try store.undoLast(source: "review", at: 7, request: "undo-many").map(\.key) == [1, 2, 4].map(key))
        #expect(try store.outline().said[2] == [.category: "spam"])
        #expect(try store.undoLast(source: "review", at: 8, request: "undo-more").count == 3)
        #expect(try store.undoable(source: "review", limit: 10) == 1)
        #expect(try store.outline().said == [4: [.seen: "true"]])
    }

    @Test
    func `texts that three senders sent nearly alike are one campaign, the first ones too, until they are forgotten`()
        throws
    {
        let store = try store()
        try fill(store)
        var commit = InboxCommit()
        for (number, campaign, sender) in [(1, 5, 1), (2, 5, 2), (4, 5, 2)] as [(Int, UInt64, UInt64)] {
            commit.likenesses.append((key(number), InboxLikeness(campaign: campaign, sender: sender, sketch: [1])))
        }
        // Of a message that is not there nothing is kept.
        commit.likenesses.append((key(99), InboxLikeness(campaign: 5, sender: 9, sketch: [1])))
        try store.commit(commit)
        #expect(try store.outline().campaigns.isEmpty)
        #expect(try store.likenesses(limit: 9).map(\.senders) == [2, 2, 2])
        commit = InboxCommit()
        commit.likenesses = [(key(4), InboxLikeness(campaign: 5, sender: .max, sketch: [2]))]
        try store.commit(commit)
        #expect(try store.outline().campaigns == [1: 5, 2: 5, 4: 5])
        #expect(try store.likenesses(limit: 2).map(\.likeness.sender) == [2, .max])
        _ = try store.forget(.sender("Ann 2")) { _, _ in 0 }
        #expect(try store.outline().campaigns.isEmpty)
        #expect(try store.likenesses(limit: 9).map(\.likeness.sender) == [1, .max])
    }

    @Test func `what is thought of a draft, why, and the words it had are kept, and settle nothing`() throws {
        let store = try store()
        try fill(store)
        var edited = said(2, .draft, "edited")
        (edited.note, edited.text) = ("too long", "Thank you! 🌿")
        try store.keep([said(1, .rating, "good"), edited])
        #expect(try store.outline().said == [2: [.draft: "edited"]])
        #expect(try store.feedback(on: key(2)).map(\.note) == ["too long"])
        #expect(try store.feedback(on: key(2)).map(\.text) == ["Thank you! 🌿"])
        let counts = try store.statistics()
        #expect(counts.draftRatings == ["good": 1] && counts.draftDecisions == ["edited": 1])
        // Taken back, it is not said a second time.
        _ = try store.undoLast(source: "review", at: 9, request: "undo-9")
        #expect(try store.feedback(on: key(2)).map(\.text) == ["Thank you! 🌿", nil])
        #expect(try store.outline().said.isEmpty)
    }

    @Test func `a store of the first version gets what it lacks, also when it is only read`() throws {
        let first = try store()
        try fill(first)
        first.close()
        python(
            """
            import sqlite3, sys
            c = sqlite3.connect(sys.argv[1])
            c.execute("drop index messageInBrief")
            c.execute("drop table search_runs")
            c.execute("drop table likeness")
            c.execute("drop table pair")
            c.execute("drop table voice")
            c.execute("alter table feedback drop column note")
            c.execute("alter table feedback drop column text")
            c.execute("delete from grdb_migrations where identifier <> 'v1'")
            c.commit()
            """, path)
        #expect(try store(.readOnly).outline().briefs.map(\.number) == [1, 2, 4])
        let store = try self.store(.existing)
        #expect(try store.search("皆さん", limit: 9).map(\.number) == [1])
        try store.keep([said(1, .rating, "bad")])
        #expect(try store.statistics().draftRatings == ["bad": 1])
    }

    @Test func `a watch tells of what anybody commits, and of nothing else`() throws {
        let store = try store()
        let watch = try InboxWatch(path: path)
        let start = try watch.version()
        _ = try store.outline()
        #expect(try watch.version() == start)
        try fill(store)
        let second = try watch.version()
        #expect(second != start)
        let other = try self.store(.existing)
        try other.keep([said(1, .urgent, "true")])
        #expect(try watch.version() != second)
        #expect(throws: TriageError.self) { try InboxWatch(path: scratch.path("none.db")).version() }
    }
}
