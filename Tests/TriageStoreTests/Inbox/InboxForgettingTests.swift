import Testing
import TriageCore
import TriageStore

@Suite struct `Forgetting` {
    let scratch = Scratch()
    let store: InboxStore

    init() throws {
        store = try InboxStore(path: scratch.path("inbox.db"), mode: .readWrite)
        var commit = InboxCommit()
        commit.known = (1...6).map { .init(identity: identity($0)) }
        commit.messages = [
            sent(1, by: "ann", "xylophoneone"), sent(2, by: "bob", "xylophonetwo"), sent(3, by: nil, "xylophonethree"),
            sent(4, by: "ann", "xylophonefour"), sent(5, by: "bob", "xylophonefive"),
            sent(6, by: nil, "xylophonesix", conversation: "both"),
        ]
        commit.messages[3].conversation = "both"
        commit.messages[4].conversation = "both"
        commit.owed = [OwedMessage(identity: identity(1), revision: 1, line: Array("xylophoneowed".utf8))]
        commit.conversations = [(1, Array("xylophonestate".utf8)), (2, [2])]
        try store.commit(commit)
        commit = InboxCommit()
        commit.messages = [sent(1, by: "ann", "xylophonelater")]
        commit.messages[0].revision = 2
        try store.commit(commit)
        try store.keep([
            InboxFeedback(
                key: key(1), revision: 1, at: 1, field: .category, value: "spam", before: "xylophonebefore",
                source: "test")
        ])
    }

    private func sent(_ number: Int, by sender: String?, _ text: String, conversation: String = "c") -> InboxMessage {
        message(number, text) {
            $0.sender = sender?.uppercased() ?? "Me"
            $0.senderID = sender
            $0.handle = sender.map { $0 + ".handle" }
            $0.kind = sender == nil ? .own : .message
            $0.conversation = sender == "bob" ? "bobs" : conversation
            $0.record = Array("{\"text\":\"\(text)\"}".utf8)
            $0.facts = Array("facts of \(text)".utf8)
        }
    }

    private func forget(
        _ what: InboxForgetting, isTried: Bool = false, removesIDs: Bool = false, onlyOne: Bool = true
    ) throws -> InboxForgotten {
        try store.forget(what, isTried: isTried, removesIDs: removesIDs, onlyOne: onlyOne) { _, conversation in
            conversation == "c" ? 1 : 99
        }
    }

    /// Words of the test that stand anywhere in the files, as bytes.
    private func words() -> Set<String> {
        var found: Set<String> = []
        for suffix in ["", "-wal", "-journal"] {
            let bytes = Scratch.read(scratch.path("inbox.db" + suffix)) ?? []
            for place in bytes.indices where bytes[place...].starts(with: Array("xylophone".utf8)) {
                let rest = bytes[(place + 9)...].prefix { (0x61...0x7A).contains($0) }
                found.insert(String(decoding: rest, as: UTF8.self))
            }
        }
        return found
    }

    @Test(arguments: ["ann", "ann.handle", "@Ann.Handle", "ANN"])
    func `a sender's messages are gone with all that came of them, and from the file`(name: String) throws {
        let tried = try forget(.sender(name), isTried: true)
        #expect(tried.messages == 2)
        #expect(try store.find("no:1").count == 1)
        let forgotten = try forget(.sender(name))
        #expect(forgotten.messages == 2)
        // Own words of the conversation that had nobody else; those to both stay.
        #expect(forgotten.context == 1)
        #expect(forgotten.revisions == 1)
        #expect(forgotten.feedback == 1)
        #expect(forgotten.owed == 1)
        #expect(forgotten.isErased)
        var query = InboxQuery(view: .all, order: .arrival)
        query.includesContext = true
        #expect(try store.entries(query).map(\.number) == [2, 5, 6])
        #expect(try store.search("xylophonelater", limit: 9).isEmpty)
        #expect(try store.search("xylophonetwo", limit: 9).map(\.number) == [2])
        #expect(try store.conversationStates([1, 2]) == [2: [2]])
        #expect(words() == ["two", "five", "six"])
        // The next export does not bring them back.
        #expect(try store.acquaintance(with: [identity(1), identity(4)]) == [.known, .known])
    }

    @Test func `the hashed ids go when that is asked for`() throws {
        _ = try forget(.sender("ann"), removesIDs: true)
        #expect(try store.acquaintance(with: [identity(1), identity(2), identity(4)]) == [.new, .known, .new])
    }

    @Test func `what stands behind U+0000 is in no index, so that none of it stays`() throws {
        var commit = InboxCommit()
        commit.messages = [sent(8, by: "eve", "x\u{0}絶対")]
        commit.messages[0].record = Array("{}".utf8)
        commit.messages[0].facts = nil
        try store.commit(commit)
        #expect(try forget(.sender("eve")).messages == 1)
        let bytes = try #require(Scratch.read(scratch.path("inbox.db")))
        #expect(!bytes.indices.contains { bytes[$0...].starts(with: "絶対".utf8) })
    }

    @Test func `what was written without blanks is gone from the file, too`() throws {
        var commit = InboxCommit()
        commit.messages = [sent(8, by: "eve", "絶対秘密です"), sent(9, by: "bob", "秘密ではない")]
        try store.commit(commit)
        func has(_ text: String) throws -> Bool {
            let bytes = try #require(Scratch.read(scratch.path("inbox.db")))
            return bytes.indices.contains { bytes[$0...].starts(with: text.utf8) }
        }
        _ = try forget(.sender("nobody"))
        #expect(try has("絶対") && has("秘密"))
        #expect(try forget(.sender("eve")).messages == 1)
        #expect(try !has("絶対") && has("秘密"))
        #expect(try store.search("秘密", limit: 9).map(\.number) == [8])
        #expect(try store.search("密で", limit: 9).map(\.number) == [8])
        #expect(try store.search("絶", limit: 9).isEmpty)
    }

    @Test func `what was sent before a day is gone`() throws {
        let forgotten = try forget(.before(240))
        #expect(forgotten.messages == 3)
        #expect(try store.entries(InboxQuery(order: .arrival)).map(\.number) == [4, 5])
        #expect(words() == ["four", "five", "six"])
    }

    @Test func `what is owed without a message goes with whoever is forgotten, and nothing else does`() throws {
        var commit = InboxCommit()
        commit.known = [.init(identity: identity(9))]
        commit.owed = [
            OwedMessage(identity: identity(9), revision: 1, line: Array("{\"text\":\"xylophonenine\"}".utf8)),
            OwedMessage(identity: identity(2), revision: 1, line: Array("xylophonebobs".utf8)),
        ]
        try store.commit(commit)
        #expect(try forget(.sender("ann"), isTried: true).owed == 2)
        #expect(words().contains("nine"))
        #expect(try forget(.sender("ann")).owed == 2)
        #expect(words() == ["two", "five", "six", "bobs"])
        #expect(try forget(.before(0)).owed == 0)
        #expect(try store.owedCount() == 1)
    }

    @Test func `no run's summary names what is gone`() throws {
        var runs: [Int64] = []
        for number in 1...3 {
            var run = InboxRun(command: "sync", started: Int64(number), version: "1", rules: "", inputs: "[]")
            run.id = try store.begin(run)
            // The first one brought it; a later one told of it again.
            if number < 3 { run.summary = "{\"urgent\":[{\"id\":\"xylophonesummary\"}]}" }
            try store.end(run)
            runs.append(run.id)
        }
        var commit = InboxCommit()
        commit.messages = [sent(1, by: "ann", "xylophonelatest")]
        commit.messages[0].revision = 2
        commit.run = (runs[0], "{}")
        try store.commit(commit)
        _ = try forget(.sender("ann"), isTried: true)
        #expect(try store.run(runs[1])?.summary != nil)
        _ = try forget(.sender("ann"))
        #expect(try runs.map { try store.run($0)?.summary } == [nil, nil, nil])
        #expect(!words().contains("summary"))
    }

    @Test func `two people of one name are not taken for one`() throws {
        var commit = InboxCommit()
        commit.messages = [sent(7, by: "eve", "xylophoneseven")]
        commit.messages[0].sender = "ANN"
        try store.commit(commit)
        #expect { try forget(.sender("ANN")) } throws: { ($0 as? TriageError)?.code == "store.many-senders" }
        #expect(try store.find("no:1").count == 1)
        #expect(try forget(.sender("ANN"), onlyOne: false).messages == 3)
    }

    @Test(arguments: ["nobody", "", "%", "' OR 1=1 --"])
    func `nobody is nobody`(name: String) throws {
        #expect(try forget(.sender(name)).messages == 0)
        #expect(try store.entries(InboxQuery()).count == 4)
    }

    @Test func `while somebody reads, it is said that the text may still be there`() throws {
        let reader = try InboxStore(path: scratch.path("inbox.db"), mode: .readOnly)
        var forgotten: InboxForgotten?
        try reader.forEach(InboxQuery()) { _ in
            forgotten = try forget(.sender("ann"))
            return false
        }
        #expect(forgotten?.messages == 2)
        #expect(forgotten?.isErased == false)
        reader.close()
        #expect(try forget(.sender("ann")).isErased)
        #expect(words() == ["two", "five", "six"])
    }
}
