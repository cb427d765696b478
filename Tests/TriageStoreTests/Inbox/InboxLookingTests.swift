import Testing
import TriageCore
import TriageStore

@Suite struct `Looking at a store` {
    let scratch = Scratch()
    let store: InboxStore

    init() throws { store = try InboxStore(path: scratch.path("inbox.db"), mode: .readWrite) }

    private func put(_ messages: [InboxMessage]) throws {
        var commit = InboxCommit()
        commit.messages = messages
        try store.commit(commit)
    }

    private func numbers(_ query: InboxQuery) throws -> [Int64] { try store.entries(query).map(\.number) }

    private func fill() throws {
        try put([
            message(1, "love it") { $0.priority = 10 },
            message(2, "help!") {
                $0.isUrgent = true
                $0.priority = 90
            },
            message(3, "an offer") {
                $0.category = "business"
                $0.score = 80
                $0.usd = 500
                $0.priority = 55
            },
            message(4, "a better offer") {
                $0.category = "business"
                $0.score = 60
                $0.usd = 5000
                $0.priority = 41
            },
            message(5, "hate this") {
                $0.sentiment = "negative"
                $0.intensity = 0.7
                $0.priority = 79
            },
            message(6, "meh") {
                $0.sentiment = "negative"
                $0.intensity = 0.5
                $0.priority = 20
            },
            message(7, "buy followers") {
                $0.category = "spam"
                $0.priority = 0
                $0.sentAt = nil
            },
            message(8, "thanks, all") {
                $0.kind = .own
                $0.category = nil
            },
        ])
    }

    @Test func `views and their order`() throws {
        try fill()
        #expect(try numbers(InboxQuery(view: .priority)) == [2, 5])
        #expect(try numbers(InboxQuery(view: .business)) == [3, 4])
        #expect(try numbers(InboxQuery(view: .business, order: .value)) == [4, 3])
        #expect(try numbers(InboxQuery(view: .fan)) == [2, 5, 6, 1])
        #expect(try numbers(InboxQuery(view: .spam)) == [7])
        #expect(try numbers(InboxQuery(view: .all, order: .recent)) == [6, 5, 4, 3, 2, 1, 7])
        #expect(try numbers(InboxQuery(view: .all, order: .recent, since: 240, limit: 2)) == [6, 5])
        var everything = InboxQuery(view: .all, order: .arrival)
        everything.includesContext = true
        #expect(try numbers(everything) == Array(1...8))
    }

    @Test func `an edit keeps the number, and what was there becomes a revision`() throws {
        try put([message(1, "first"), message(2, "other")])
        try put([
            message(1, "second") {
                $0.revision = 2
                $0.category = "spam"
            }
        ])
        // What is older changes nothing.
        try put([message(1, "late")])
        let entry = try #require(try store.find("m1").first)
        #expect(entry.number == 1)
        #expect(entry.message.text == "second")
        #expect(entry.message.revision == 2)
        #expect(try store.revisions(of: key(1)).map(\.revision) == [1])
        #expect(try store.search("first", limit: 9).isEmpty)
        #expect(try store.search("second", limit: 9).map(\.number) == [1])
    }

    @Test func `a message is found by id, number and key, and which is meant can be said`() throws {
        try put([
            message(1, "a") { $0.id = "2" }, message(2, "b"),
            message(3, "c") {
                $0.id = "2"
                $0.platform = "x"
            },
        ])
        #expect(try store.find("2").map(\.number) == [1, 3])
        #expect(try store.find("no:2").map(\.number) == [2])
        #expect(try store.find("3").map(\.number) == [3])
        #expect(try store.find("id:3").isEmpty)
        let hex = key(2).hex
        for name in [hex, String(hex.prefix(8)), "key:" + hex.prefix(9), hex.uppercased()] {
            #expect(try store.find(name).map(\.number) == [2], "\(name)")
        }
        for name in ["", "key:", "key:zz", "no:", "no:9999999999999999999999", "'; drop table message", "\0"] {
            #expect(try store.find(name).isEmpty)
        }
    }

    @Test func `the conversation around a message is in order, with own messages`() throws {
        try put(
            (1...7).map { number in
                message(number, "\(number)") {
                    $0.conversation = number == 4 ? "other" : "c"
                    $0.kind = number == 5 ? .own : .message
                    // Time, not arrival; two have none.
                    $0.sentAt = number == 1 ? 1000 : number == 7 ? nil : Int64(number)
                }
            } + [
                message(8, "8") {
                    $0.conversation = "c"
                    $0.platform = "x"
                }
            ])
        let entry = try #require(try store.find("no:3").first)
        let (before, after) = try store.conversation(around: entry, before: 5, after: 2)
        #expect(before.map(\.number) == [2])
        #expect(after.map(\.number) == [7, 5])
        let alone = try #require(try store.find("no:4").first)
        #expect(try store.conversation(around: alone, before: 5, after: 5).before.isEmpty)
    }

    @Test(arguments: [
        ("love", [1, 4]), ("LOVE", [1, 4]), ("\"love\"", [1]), ("crème", [2]), ("creme", [2]), ("love*", [1, 4]),
        ("\"skin care\"", [3]),
        ("care skin", [3, 5]), ("\"care skin\"", []), ("Ann 2", [2]), ("化粧", [6]), ("粧品 6", [6]), ("สวัสดี", [7]),
        ("💸", [8]), ("100%", [8]), ("nothing", []), ("AND", []), ("NOT love", []), ("love OR creme", []),
        ("text:love", []), ("lo\"ve", []), ("(", []), ("^love", [1, 4]), ("love -creme", []), ("'", []),
        ("'; drop table message; --", []), ("a\0b", []), ("NEAR(love, 2)", []), ("{text} : love", []), ("_", []),
    ])
    func `words are found and nothing in a query is an operator`(query: String, found: [Int64]) throws {
        let texts = [
            "I love this", "Crème brûlée", "my skin care", "lovely", "care for skin", "素敵な化粧品ですね", "สวัสดีครับ",
            "💸 100% free",
        ]
        try put(texts.enumerated().map { message($0 + 1, $1) })
        #expect(try store.search(query, limit: 9).map(\.number).sorted() == found)
    }

    @Test(arguments: [
        ("dumb", [1, 2, 3]), ("dumbbell", [1, 2, 3]), ("dumbbells", [1, 2, 3]), ("DUMBB", [1, 2, 3]),
        ("\"dumbbell\"", [2]), ("\"dumbbells\"", [1, 3]), ("dumb love", [1]), ("lo dumb", [1]), ("umbbell", []),
        ("d", [1, 2, 3]), ("d love", []), ("story", [4]), ("stories", [4]), ("box", [5]), ("boxes", [5]),
        ("glass", [6]),
        ("caf", [7]), ("CAFÉ", [7]), ("отличн", [8]), ("@sunny", [9, 10]), ("sunny.k", [9]), ("kiln_7", [9]),
        ("kiln", [9]), ("iln", []), ("unnyk", [10]), ("sunnyki", [10]), ("sunny dumb", []), ("sunny see", [9]),
        ("dumbbells?", [1, 2, 3]), ("zo", [9]), ("Zoë Å", [9]), ("@", []), ("100 x", []),
    ])
    func `a word finds all that begin with it, the plural the singular, and a handle its sender`(
        query: String, found: [Int64]
    ) throws {
        let texts = [
            "I love dumbbells", "my dumbbell broke", "Which Dumbbells?", "so many stories", "a box",
            "one glass, no glas",
            "café au lait", "отличное видео", "nothing to see", "hello",
        ]
        try put(
            texts.enumerated().map { number, text in
                message(number + 1, text) {
                    if number == 8 { ($0.sender, $0.handle) = ("Zoë Ångström", "Sunny.kiln_7") }
                    if number == 9 { ($0.sender, $0.handle) = ("Ann", "sunnykiln") }
                }
            })
        #expect(try store.search(query, limit: 99).map(\.number).sorted() == found)
        #expect(try store.matches(query, limit: 99) == found)
    }

    @Test func `what is to be looked at first holds spam only where somebody is in danger`() throws {
        func spam(_ number: Int, isUrgent: Bool, priority: Int) -> InboxMessage {
            message(number, "text") {
                ($0.category, $0.sentiment, $0.intensity) = ("spam", "negative", 0.9)
                ($0.isUrgent, $0.priority) = (isUrgent, priority)
            }
        }
        func say(_ number: Int, _ field: InboxFeedback.Field, _ value: String) throws {
            try store.keep([
                InboxFeedback(
                    key: key(number), revision: 1, at: 5, field: field, value: value, before: nil, source: "test")
            ])
        }
        try put([
            spam(1, isUrgent: false, priority: 0), spam(2, isUrgent: true, priority: 97),
            message(3, "text") { ($0.isUrgent, $0.priority) = (true, 86) },
            message(4, "text") { ($0.sentiment, $0.intensity, $0.priority) = ("negative", 0.9, 80) },
            message(5, "text") { ($0.isUrgent, $0.priority) = (true, 95) },
        ])
        #expect(try numbers(InboxQuery(view: .priority)) == [2, 5, 3, 4])
        // What a person calls spam leaves, unless somebody is in danger; what they call urgent stays.
        for number in [3, 4, 5] { try say(number, .category, "spam") }
        #expect(try numbers(InboxQuery(view: .priority)) == [2, 5])
        try say(3, .urgent, "true")
        try say(1, .sentiment, "negative")
        #expect(try numbers(InboxQuery(view: .priority)) == [2, 5, 3])
        try say(1, .category, "fan")
        try say(2, .urgent, "false")
        #expect(try numbers(InboxQuery(view: .priority)) == [5, 3, 1])
    }

    @Test func `what is written without blanks is found wherever it stands, as by reading every text`() throws {
        let texts = [
            "素敵な化粧品ですね", "化粧", "粧品化", "iPhone買いたい", "買", "日本語と日本", "本日", "สวัสดีครับ", "ดีครับผม", "안녕하세요",
            "세요 안녕", "💸💸", "💸 100% 😀", "👩‍👩‍👧と💸", "ｶﾀｶﾅ", "→ 日", "日 本", "日\u{200D}本", "ที่", "ที", "𠮟る", "る𠮟",
        ]
        try put(texts.enumerated().map { number, text in message(number + 1, text) { $0.sender = texts[21 - number] } })
        var pieces: Set<String> = ["日語", "粧化", "💸😀", "ครับส", "品"]
        for text in texts {
            let scalars = Array(text.unicodeScalars)
            for start in scalars.indices {
                for end in start + 1...min(start + 4, scalars.count) {
                    let piece = scalars[start..<end]
                    guard !piece.contains(where: { $0.properties.isWhitespace || $0.isASCII }) else { continue }
                    pieces.insert(String(String.UnicodeScalarView(piece)))
                }
            }
        }
        #expect(pieces.count > 150)
        for piece in pieces {
            let wanted = Array(piece.unicodeScalars)
            func has(_ text: String) -> Bool {
                let scalars = Array(text.unicodeScalars)
                return scalars.indices.contains { scalars[$0...].starts(with: wanted) }
            }
            let expected = texts.indices.filter { has(texts[$0]) || has(texts[21 - $0]) }.map { Int64($0 + 1) }
            #expect(try store.search(piece, limit: 99).map(\.number).sorted() == expected, "\(piece)")
            #expect(try store.matches(piece, limit: 99) == expected, "\(piece)")
        }
    }

    @Test(arguments: [
        "", " ", "*", "\"\"", "\0", String(repeating: "a ", count: 33), String(repeating: "a", count: 1 << 20),
        String(repeating: "\"", count: 5000),
    ])
    func `a query of nothing, or of too much, is said to be one`(query: String) throws {
        try put([message(1, "a")])
        #expect { try store.search(query, limit: 9) } throws: { ($0 as? TriageError)?.code == "store.bad-query" }
    }

    @Test func `corrections count in views, the newest that was not taken back`() throws {
        try fill()
        func say(_ number: Int, _ field: InboxFeedback.Field, _ value: String, request: String? = nil) throws -> Int {
            try store.keep([
                InboxFeedback(
                    key: key(number), revision: 1, at: 5, field: field, value: value, before: "x", source: "test",
                    request: request)
            ]).count
        }
        #expect(try say(3, .category, "spam") == 1)
        #expect(try say(1, .category, "business") == 1)
        #expect(try say(4, .opportunity, "dismissed") == 1)
        #expect(try say(2, .urgent, "false") == 1)
        #expect(try say(6, .sentiment, "negative") == 1)
        #expect(try say(5, .sentiment, "neutral") == 1)
        #expect(try numbers(InboxQuery(view: .business)) == [1])
        #expect(try numbers(InboxQuery(view: .spam)) == [3, 7])
        #expect(try numbers(InboxQuery(view: .priority)) == [6])
        // The answers are as they were.
        #expect(try store.find("no:3").first?.message.category == "business")
        #expect(try store.find("no:3").first?.category == "spam")

        #expect(try say(3, .category, "fan", request: "r1") == 1)
        #expect(try say(3, .category, "business", request: "r1") == 0)
        #expect(try store.find("no:3").first?.corrections == [.category: "fan"])
        #expect(try store.undo(key(3), nil, at: 6, source: "test")?.value == "fan")
        #expect(try store.find("no:3").first?.corrections == [.category: "spam"])
        #expect(try store.undo(key(3), .sentiment, at: 6, source: "test") == nil)
        #expect(try store.undo(key(3), .category, at: 6, source: "test")?.value == "spam")
        #expect(try store.undo(key(3), .category, at: 6, source: "test") == nil)
        #expect(try numbers(InboxQuery(view: .business)) == [3, 1])
        let rows = try store.feedback(on: key(3))
        #expect(rows.map(\.value) == ["spam", "fan", "fan", "spam"])
        #expect(rows.map(\.isUndone) == [true, true, false, false])
        #expect(rows.map { $0.undoes != nil } == [false, false, true, true])
        var corrected: [Int64] = []
        try store.forEachCorrected { corrected.append($0.number) }
        #expect(corrected == [1, 2, 4, 5, 6])
    }

    @Test(
        arguments: [
            ("right", "camera", "camera", "right"), ("right", "camera", "kit", "entry:camera"),
            ("right", "camera", nil, "entry:camera"), ("right", nil, nil, "right"), ("right", nil, "kit", "none"),
            ("wrong", "camera", "camera", "wrong"), ("wrong", "camera", "kit", nil), ("wrong", "camera", nil, nil),
            ("none", "camera", "kit", "none"), ("entry:lens", "camera", "kit", "entry:lens"),
        ] as [(String, String?, String?, String?)])
    func `what was said of an entry is not said of another`(value: String, before: String?, now: String?, said: String?)
        throws
    {
        try put([message(1, "which camera?") { $0.faq = now }])
        try store.keep([
            // A word before that counts no more.
            InboxFeedback(
                key: key(1), revision: 1, at: 4, field: .faq, value: "entry:old", before: before, source: "test"),
            InboxFeedback(key: key(1), revision: 1, at: 5, field: .faq, value: value, before: before, source: "test"),
        ])
        #expect(try store.find("no:1").first?.corrections[.faq] == said)
    }

    @Test func `other answers make no message a new one`() throws {
        func run(_ command: String) throws -> InboxRun {
            var run = InboxRun(command: command, started: 1, version: "1", rules: "", inputs: "[]")
            run.id = try store.begin(run)
            return run
        }
        var commit = InboxCommit()
        commit.messages = [message(1, "help!") { $0.isUrgent = true }]
        var sync = try run("sync")
        commit.run = (sync.id, "{}")
        try store.commit(commit)
        sync.ended = 2
        try store.end(sync)
        let rescore = try run("rescore")
        commit.messages[0].category = "spam"
        commit.messages.append(message(2, "help me!") { $0.isUrgent = true })
        commit.run = (rescore.id, "{}")
        commit.keepsRuns = true
        try store.commit(commit)
        #expect(try store.find("no:1").first?.message.category == "spam")
        #expect(try store.find("no:1").first?.run == sync.id)
        #expect(try store.untold(before: try run("sync").id, above: 70, limit: 9).map(\.id) == ["m2"])
    }

    @Test func `since a day everything that is a message's counts from that day on`() throws {
        try put(
            (1...4).map { number in
                message(number, "camera \(number)?") {
                    $0.faq = "camera"
                    $0.faqMatch = "high"
                    $0.hasDraft = true
                    $0.score = 60
                }
            } + [message(5, "own") { $0.kind = .own }, message(6, "notice") { $0.kind = .notMessage }])
        var commit = InboxCommit()
        commit.owed = (1...4).map { OwedMessage(identity: identity($0), revision: 1, line: [0x7B, 0x7D]) }
        try store.commit(commit)
        let said: [(InboxFeedback.Field, String, String?)] = [
            (.category, "fan", "fan"), (.faq, "right", "camera"), (.draft, "edited", nil),
            (.opportunity, "dismissed", "60"),
        ]
        try store.keep(
            (1...4).flatMap { number in
                said.map {
                    InboxFeedback(
                        key: key(number), revision: 1, at: 5, field: $0.0, value: $0.1, before: $0.2, source: "test")
                }
            })
        for (since, left, own, notices) in [(nil, 4, 1, 1), (180, 2, 1, 1), (360, 0, 0, 1), (1000, 0, 0, 0)]
            as [(Int64?, Int, Int, Int)]
        {
            let counts = try store.statistics(since: since)
            #expect(counts.all.messages == left)
            #expect(counts.own == own)
            #expect(counts.notMessages == notices)
            #expect(counts.owed == left)
            #expect(counts.agreement[.category]?.asked ?? 0 == left)
            #expect(counts.agreement[.faq]?.agreed ?? 0 == left)
            #expect(counts.draftDecisions["edited"] ?? 0 == left)
            #expect(counts.dismissedOffers == left)
            #expect(counts.faq == (left == 0 ? [] : [.init(id: "camera", high: left, right: left)]))
        }
    }

    @Test func `counts are of what was corrected`() throws {
        try fill()
        try put([
            message(9, "which camera?") {
                $0.faq = "camera"
                $0.faqMatch = "high"
                $0.hasDraft = true
                $0.sentAt = -1
            }
        ])
        let said: [(InboxFeedback.Field, String, String?)] = [
            (.category, "spam", "business"), (.faq, "right", "camera"), (.draft, "edited", nil),
        ]
        try store.keep(
            said.map {
                InboxFeedback(
                    key: key(9), revision: 1, at: 5, field: $0.0, value: $0.1, before: $0.2, source: "test")
            })
        let counts = try store.statistics()
        #expect(counts.all.messages == 8)
        #expect(counts.all.fan == 4)
        #expect(counts.all.business == 2)
        #expect(counts.all.spam == 2)
        #expect(counts.all.urgent == 1)
        #expect(counts.all.negative == 2)
        #expect(counts.all.offers == 2)
        #expect(counts.own == 1)
        #expect(counts.days.map(\.day) == [-1, 0])
        #expect(counts.days.map(\.volume.messages) == [1, 6])
        #expect(counts.faq == [.init(id: "camera", high: 1, possible: 0, right: 1, wrong: 0)])
        #expect(counts.agreement[.category]?.agreed == 0)
        #expect(counts.agreement[.faq]?.agreed == 1)
        #expect(counts.draftDecisions == ["edited": 1])
        #expect(counts.drafts == 1)
        #expect(try store.statistics(since: 300).all.messages == 2)
    }

    @Test func `an empty store is looked at like any other`() throws {
        #expect(try numbers(InboxQuery(view: .priority)) == [])
        #expect(try store.search("a", limit: 1).isEmpty)
        #expect(try store.statistics() == InboxStatistics())
        #expect(try store.feedback(limit: 5).isEmpty)
        #expect(try store.find("1").isEmpty)
    }
}
