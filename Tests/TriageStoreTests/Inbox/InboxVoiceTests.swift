import Testing
import TriageStore

/// Which message an own reply answers, and what of that stays.
@Suite struct `Pairs of a store` {
    let scratch = Scratch()
    let store: InboxStore

    init() throws { store = try InboxStore(path: scratch.path("inbox.db"), mode: .readWrite) }

    /// A message as the tests write it: `ann: text`, `me: text`, `me>2: text` where it names the message that it answers,
    /// `-: text` for a notice; its number is its place, and its second.
    private struct Line {
        var sender: String
        var replyTo: String?
        var text: String

        init(_ words: String) {
            let parts = words.split(separator: ": ", maxSplits: 1).map(String.init)
            let head = parts[0].split(separator: ">").map(String.init)
            (sender, replyTo, text) = (head[0], head.count > 1 ? "m\(head[1])" : nil, parts[1])
        }
    }

    private func put(_ lines: [String], from first: Int = 1, conversation: String? = "c") throws {
        var commit = InboxCommit()
        for (number, line) in lines.enumerated().map({ ($0.offset + first, Line($0.element)) }) {
            commit.messages.append(
                message(number, line.text) {
                    $0.kind = line.sender == "me" ? .own : line.sender == "-" ? .notMessage : .message
                    $0.sender = line.sender
                    $0.handle = line.sender
                    $0.conversation = conversation
                })
            if line.sender == "me" { commit.replies.append((key(number), line.replyTo)) }
        }
        try store.commit(commit)
    }

    private func pairs() throws -> [String] { try store.pairs(limit: 99).map { "\($0.number) \($0.answered)" } }

    static let cases: [(String, [String], [String])] = [
        ("the last message is answered", ["ann: a", "ann: b", "me: x"], ["2 x"]),
        ("a second reply answers nothing", ["ann: a", "me: x", "me: y"], ["1 x"]),
        ("nothing came before", ["me: x", "ann: a"], []),
        ("notices are no messages", ["ann: a", "-: joined", "me: x"], ["1 x"]),
        ("the one that is named", ["ann: a", "bo: b", "cy: c", "me>2: x"], ["2 x"]),
        ("two that are named", ["ann: a", "bo: b", "me>1: x", "me>2: y"], ["1 x", "2 y"]),
        ("one that is not there, and several wait", ["ann: a", "bo: b", "me>9: x"], []),
        ("one that is not there, and one waits", ["ann: a", "me>9: x"], ["1 x"]),
        ("what comes later is not answered", ["ann: a", "me>3: x", "bo: b"], ["1 x"]),
        ("each of many", ["ann: a", "me: x", "ann: b", "me: y"], ["1 x", "3 y"]),
        ("a long silence", ["ann: a"] + Array(repeating: "-: n", count: 20) + ["me: x"], []),
    ]

    @Test(arguments: cases)
    func `an own reply answers one message, wherever batches are cut`(
        what: String, lines: [String], expected: [String]
    ) throws {
        try put(lines)
        #expect(try pairs() == expected, "\(what)")
        for cut in 1..<max(2, min(5, lines.count)) {
            let parts = try `Pairs of a store`()
            try parts.put(Array(lines[..<cut]))
            try parts.put(Array(lines[cut...]), from: cut + 1)
            #expect(try parts.pairs() == expected, "\(what), cut at \(cut)")
        }
    }

    @Test func `without a conversation only the message that is named is answered`() throws {
        try put(["ann: a", "bo: b", "me: x", "me>1: y"], conversation: nil)
        #expect(try pairs() == ["1 y"])
    }

    @Test func `the same again adds nothing, and an edited reply is to be learned again`() throws {
        try put(["ann: a", "me: x"])
        try learn()
        try put(["ann: a", "me: x"])
        #expect(try pairs() == ["1 x"])
        var commit = InboxCommit()
        commit.messages = [message(2, "z") { ($0.kind, $0.revision, $0.conversation) = (.own, 2, "c") }]
        commit.replies = [(key(2), nil)]
        try store.commit(commit)
        #expect(try pairs() == ["1 z"])
        // Until then the next run speaks as it did.
        #expect(try store.pairs(limit: 9, isLearned: true).map(\.lesson?.reuse) == ["said 1"])
        #expect(try store.pairCounts() == (1, 1))
    }

    /// Keeps something for every pair.
    private func learn(_ numbers: [Int64]? = nil) throws {
        let numbers = try numbers ?? store.pairs(limit: 99).map(\.number)
        try store.keep(
            InboxVoice(habits: [1], library: "l"),
            numbers.map {
                ($0, InboxLesson(id: "p\($0)", intent: "fan.praise", language: "en", reuse: "said \($0)"))
            })
    }

    @Test func `what was learned takes the place of what was learned before`() throws {
        try put(["ann: a", "me: x", "bo: b", "me: y"])
        #expect(try store.voice() == nil && store.pairCounts() == (0, 2))
        #expect(try store.pairs(limit: 9).allSatisfy { $0.lesson == nil && !$0.record.isEmpty })
        try learn()
        #expect(try store.pairCounts() == (2, 0))
        try learn([3])
        #expect(try store.pairCounts() == (1, 0))
        #expect(try store.pairs(limit: 9, isLearned: true).map(\.number) == [3])
        #expect(try store.pairs(limit: 1).map(\.number) == [3])
        #expect(try store.voice() == InboxVoice(habits: [1], library: "l"))
    }

    @Test func `who is forgotten is in no pair any more, and no word of them in the file`() throws {
        try put(["quaggaann: quaggaasked", "me: quaggaanswer"])
        try put(["bo: b", "me: y"], from: 3, conversation: "d")
        try store.keep([decision(1, "edited", text: "quaggaedited"), decision(3, "edited", text: "mine")])
        try store.keep(try store.decidedDrafts())
        try learn()
        _ = try store.forget(.sender("quaggaann")) { _, _ in 0 }
        #expect(try pairs() == ["3 y"])
        let bytes = try #require(Scratch.read(scratch.path("inbox.db")))
        #expect(!bytes.indices.contains { bytes[$0...].starts(with: "quagga".utf8) })
        #expect(!bytes.indices.contains { bytes[$0...].starts(with: "said 1".utf8) })
        _ = try store.forget(.before(9999)) { _, _ in 0 }
        #expect(try pairs() == [])
    }

    private func decision(_ number: Int, _ value: String, text: String? = nil) -> InboxFeedback {
        InboxFeedback(
            key: key(number), revision: 1, at: 7, field: .draft, value: value, before: nil, source: "test", text: text)
    }

    @Test func `what people made of drafts are pairs, until it is undone or the real reply comes`() throws {
        try put(["ann: a", "bo: b", "cy: c", "di: d", "ed: e"])
        try store.keep([
            decision(1, "edited", text: "one"), decision(2, "edited"), decision(3, "accepted"),
            decision(4, "dismissed"), decision(5, "accepted"), decision(5, "edited", text: "five"),
        ])
        func decided() throws -> [String] { try store.decidedDrafts().map { "\($0.pair.number) \($0.pair.answered)" } }
        #expect(try decided() == ["1 one", "3 ", "5 five"])
        try store.keep(try store.decidedDrafts())
        #expect(try decided() == [] && pairs() == ["1 one", "3 ", "5 five"])
        _ = try store.undo(key(1), .draft, at: 8, source: "test")
        try store.keep(try store.decidedDrafts())
        #expect(try pairs() == ["3 ", "5 five"])
        try put(["me>5: really"], from: 6)
        #expect(try pairs() == ["3 ", "5 really"] && decided() == [])
        // Nor does another decision take its place.
        try store.keep([decision(5, "edited", text: "later")])
        #expect(try decided() == [])
    }
}
