import Testing
import TriageCore

@testable import TriageFormats

struct InstagramTests {
    private func records(_ paths: [String], _ me: [String] = []) throws -> [JSONNode] {
        try readInputs(paths) { $0.ownIdentities = me }.lines.compactMap { JSONNode(Array($0.utf8)) }
    }

    private func export(_ me: [String] = []) throws -> [JSONNode] {
        try records([Fixtures.root + "/instagram-json"], me)
    }

    private func thread(_ id: String, _ records: [JSONNode]) -> [JSONNode] {
        records.filter { $0["conversation_id"]?.string == id }
    }

    @Test func `parts are merged and come out oldest first`() throws {
        let zoe = thread("inbox/zoekruger_1001", try export())
        #expect(
            zoe.map { $0["text"]?.string } == [
                "first words ever", "Started a call", "", "café à la carte, à bientôt", "ok", "ok", "",
                "Olá! Você faz collab? 🙂", "Thanks!", "Reacted ❤️ to your message ",
            ])
        #expect(
            zoe.map { $0["raw"]?["kind"]?.string } == [
                "message", "call", "unsent", "message", "message", "message", "message", "message", "message",
                "reaction_notice",
            ])
        let times = zoe.compactMap { $0["sent_at"]?.string }
        #expect(times == times.sorted())
        #expect(Set(zoe.compactMap { $0["id"]?.string }).count == zoe.count)
    }

    @Test func `the fields of a message are those of the export`() throws {
        let zoe = thread("inbox/zoekruger_1001", try export())
        let message = try #require(zoe.first { $0["text"]?.string?.hasPrefix("Olá") == true })
        #expect(message["platform"]?.string == "instagram")
        #expect(message["conversation_title"]?.string == "Zoë Krüger")
        #expect(message["sender"]?["name"]?.string == "Zoë Krüger")
        #expect(message["sender"]?["is_self"]?.bool == false)
        #expect(message["sent_at"]?.string == "2024-06-01T10:40:00Z")
        #expect(message["raw"]?["folder"]?.string == "inbox")
        #expect(message["raw"]?["story_reply"]?.string == "https://instagram.com/stories/maramakes/33")
        #expect(message["raw"]?["handle_hint"]?.string == "zoekruger")
        #expect(message["raw"]?["source"]?["file"]?.string?.hasSuffix("zoekruger_1001/message_1.json") == true)
        #expect(message["raw"]?["source"]?["index"]?.int == 2)
        let thanks = try #require(zoe.first { $0["text"]?.string == "Thanks!" })
        #expect(thanks["sender"]?["is_self"]?.bool == true)
        #expect(thanks["reactions"]?.elements.first?["emoji"]?.string == "❤️")
        #expect(thanks["reactions"]?.elements.first?["by"]?.string == "Zoë Krüger")
        let photo = try #require(zoe.first { $0["attachments"]?.elements.first?["type"]?.string == "image" })
        #expect(photo["text"]?.string == "")
    }

    @Test func `requests are read and fractions of a second are kept`() throws {
        let offer = try #require(thread("message_requests/nordlichtlampen_2002", try export()).first)
        #expect(offer["raw"]?["folder"]?.string == "message_requests")
        #expect(offer["text"]?.string?.contains("€1.200") == true)
        #expect(offer["sent_at"]?.string == "2024-06-01T10:48:20.500Z")
    }

    @Test func `groups, shares and system lines are told apart`() throws {
        let crew = thread("inbox/sundaycrew_3003", try export())
        #expect(crew.map { $0["raw"]?["kind"]?.string } == ["message", "system", "system", "share"])
        #expect(crew.allSatisfy { $0["participants"]?.int == 3 })
        #expect(crew.last?["text"]?.string == "how to fold a paper boat")
        #expect(crew.last?["raw"]?["share_owner"]?.string == "paperboats")
        #expect(crew.first?["attachments"]?.elements.first?["url"]?.string == "https://media.cdninstagram.com/g.gif")
        #expect(crew.first?["raw"]?["handle_hint"] == nil)
    }

    @Test func `own comments are own`() throws {
        let comment = try #require(try export().first { $0["raw"]?["kind"]?.string == "comment" })
        #expect(comment["text"]?.string == "Mooi licht!")
        #expect(comment["conversation_id"]?.string == "studio_nord")
        #expect(comment["sender"]?["is_self"]?.bool == true)
    }

    @Test func `two overlapping exports give each message once`() throws {
        let scratch = try ScratchFolder()
        let paths = try Fixtures.paths(of: "instagram-json")
        let entries = try paths.map { ($0, try Fixtures.bytes("instagram-json/" + $0)) }
        let a = scratch.write("instagram-a-1.zip", Packing.zip(entries))
        let b = scratch.write("instagram-a-2.zip", Packing.zip(entries.filter { $0.0.contains("message_1.json") }))
        let once = try export().compactMap { $0["id"]?.string }
        let both = try records([a, b]).compactMap { $0["id"]?.string }
        #expect(both.sorted() == once.sorted())
    }

    @Test func `the user may say who the owner is`() throws {
        let zoe = thread("inbox/zoekruger_1001", try export(["zoë krüger"]))
        #expect(zoe.first { $0["text"]?.string == "Thanks!" }?["sender"]?["is_self"]?.bool == false)
        #expect(zoe.first { $0["text"]?.string == "first words ever" }?["sender"]?["is_self"]?.bool == true)
    }

    private func file(_ names: [String], _ title: String?, _ sender: String) -> String {
        let people = names.map { #"{"name":"\#($0)"}"# }.joined(separator: ",")
        return #"{"participants":[\#(people)],"messages":[{"sender_name":"\#(sender)","timestamp_ms":1717238400000,"#
            + #""content":"hi"}]\#(title.map { #","title":"\#($0)""# } ?? "")}"#
    }

    @Test(
        arguments: [
            (["Zoe", "Mara"], "Zoe", "Mara", true), (["Zoe", "Mara"], "Zoe", "Zoe", false),
            (["Zoe", "Mara"], nil, "Mara", nil),
            (["Zoe", "Zoe"], "Zoe", "Zoe", nil), (["Zoe", "Mara", "Ana"], "Trip", "Mara", nil),
        ] as [([String], String?, String, Bool?)])
    func `a conversation on its own tells the owner by its title`(
        names: [String], title: String?, sender: String, expected: Bool?
    ) throws {
        let scratch = try ScratchFolder()
        let record = try #require(try records([scratch.write("x", file(names, title, sender))]).first)
        #expect(record["sender"]?["is_self"]?.bool == expected)
    }

    @Test func `without a profile the owner is who is in all conversations`() throws {
        let scratch = try ScratchFolder()
        for other in ["Ana", "Bo", "Cy"] {
            scratch.write("e/messages/inbox/\(other)_1/message_1.json", file([other, "Mara"], other, "Mara"))
        }
        #expect(try records([scratch.path + "/e"]).allSatisfy { $0["sender"]?["is_self"]?.bool == true })
    }

    @Test func `a truncated conversation gives its messages and a reject with a place`() throws {
        let scratch = try ScratchFolder()
        let whole =
            #"{"messages":[{"sender_name":"A","timestamp_ms":2,"content":"new"},"#
            + #"{"sender_name":"A","timestamp_ms":1,"content":"o"#
        scratch.write("e/messages/inbox/a_1/message_1.json", whole)
        scratch.write(
            "e/messages/inbox/b_1/message_1.json", #"{"messages":[{"sender_name":"B","timestamp_ms":1,"content":"b"}]}"#
        )
        let result = try readInputs([scratch.path + "/e"])
        #expect(result.texts == ["new", "b"])
        #expect(result.codes == ["json.truncated"])
        #expect(result.sources.contains { $0.hasSuffix("a_1/message_1.json") })
    }

    @Test func `entries that are no objects are refused and the others are read`() throws {
        let scratch = try ScratchFolder()
        let path = scratch.write(
            "x", #"{"messages":[{"sender_name":"A","timestamp_ms":1,"content":"a"},7,{"sender_name":nul}]}"#)
        let result = try readInputs([path])
        #expect(result.texts == ["a"])
        #expect(result.codes == ["json.syntax", "json.syntax"])
    }

    @Test func `the layout of before 2021 is read`() throws {
        let scratch = try ScratchFolder()
        scratch.write("e/profile.json", #"{"username":"maramakes","name":"Mara"}"#)
        scratch.write(
            "e/messages.json",
            #"[{"participants":["zoe","maramakes"],"conversation":[{"sender":"maramakes","created_at":"#
                + #""2019-05-01T10:00:00.5+00:00","text":"hello"},{"sender":"zoe","created_at":"2019-05-01T09:00:00+00:00","text":"hi"}]}]"#
        )
        let found = try records([scratch.path + "/e"])
        #expect(found.map { $0["text"]?.string } == ["hi", "hello"])
        #expect(found.map { $0["sender"]?["is_self"]?.bool } == [false, true])
        #expect(found.last?["sent_at"]?.string == "2019-05-01T10:00:00Z")
    }

    @Test(arguments: [
        ("plain", "plain"), ("caf\u{E9}", "caf\u{E9}"), ("Ol\u{C3}\u{A1}", "Olá"), ("\u{C3}\u{A0}", "à"),
        ("\u{F0}\u{9F}\u{98}\u{80}", "😀"), ("Olá 日本", "Olá 日本"), ("\u{C3}", "\u{C3}"), ("", ""),
        ("Ol\u{C3}\u{A1} 😀", "Ol\u{C3}\u{A1} 😀"), ("\u{C2}\u{85}x", "\u{85}x"),
    ])
    func `text that was taken apart into bytes is put together again`(text: String, expected: String) {
        #expect(MetaText.repaired(text) == expected)
    }

    @Test(arguments: [
        ("Liked a message", true), ("Reacted ❤️ to your message ", true), ("Reacted 😂 to your message", true),
        ("Reagiu com 🔥 à sua mensagem", true), ("Reacted badly to your message", false),
        ("Liked a message you sent", false), ("I reacted ❤️ to your message", false), ("", false),
    ])
    func `only whole notices count as reactions`(text: String, expected: Bool) {
        #expect(MetaPhrases.isReactionNotice(text) == expected)
    }

    @Test(
        arguments: [
            ("a/b/messages/inbox/zoe_1/message_1.json", "inbox/zoe_1"),
            ("messages/message_requests/x_2/message_10.json", "message_requests/x_2"),
            ("messages/inbox/zoe_1/message_final.json", nil), ("messages/inbox/zoe_1/message_1.html", nil),
            ("messages/secret_conversations.json", nil), ("zoe_1/message_1.json", "/zoe_1"),
        ] as [(String, String?)])
    func `conversation files are known by the end of their path`(path: String, thread: String?) {
        #expect(MetaPath(path)?.thread == thread)
    }

    @Test func `ids do not change from export to export`() throws {
        let zoe = thread("inbox/zoekruger_1001", try export())
        #expect(zoe.first?["id"]?.string == "ig:" + Self.digestOfFirst)
    }

    /// SHA-256 over the five parts and the ordinal, each with its length as eight bytes before it; first half.
    private static var digestOfFirst: String {
        var bytes: [UInt8] = []
        for part in ["instagram", "inbox/zoekruger_1001", "1717233400000", "Zoë Krüger", "first words ever", "0"] {
            withUnsafeBytes(of: UInt64(part.utf8.count).littleEndian) { bytes += Array($0) }
            bytes += Array(part.utf8)
        }
        return String(SHA256.hex(bytes).prefix(32))
    }
}

extension InstagramTests {
    @Test func `files of an export that hold no messages are skipped without a word`() throws {
        let scratch = try ScratchFolder()
        let profile = try Fixtures.bytes(
            "instagram-json/personal_information/personal_information/personal_information.json")
        let result = try readInputs([scratch.write("x.bin", profile)])
        #expect(result.lines.isEmpty && result.codes.isEmpty)
        #expect(result.notices.count == 1 && result.notices[0].contains("contains no messages"))
    }

    @Test func `exports side by side are each read by their own format`() throws {
        let scratch = try ScratchFolder()
        for path in try Fixtures.paths(of: "instagram-json") {
            scratch.write("insta/" + path, try Fixtures.bytes("instagram-json/" + path))
        }
        let alone = try readInputs([scratch.path])
        scratch.write("tables/dms.csv", "sender,text\nZoë,hi\n")
        scratch.write("tables/notes.bin", [0, 1, 2])
        let both = try readInputs([scratch.path])
        #expect(both.lines.count == alone.lines.count + 1)
        #expect(both.texts.last == "hi")
        let words = "/tables/notes.bin was skipped: binary data"
        #expect(both.notices.contains { $0.hasSuffix(words) }, "\(both.notices)")
        let found = try InputReader(options: Self.options(scratch.path)).inspect()
        #expect(found.map { $0.detection?.format } == ["instagram-json", "csv", nil])
    }

    private static func options(_ path: String) -> InputReader.Options {
        var options = InputReader.Options()
        options.paths = [path]
        return options
    }

    @Test func `a file of own comments is known by its content`() throws {
        let scratch = try ScratchFolder()
        let bytes = try Fixtures.bytes("instagram-json/your_instagram_activity/comments/post_comments_1.json")
        #expect(try readInputs([scratch.write("x.bin", bytes)]).texts == ["Mooi licht!"])
    }
}
