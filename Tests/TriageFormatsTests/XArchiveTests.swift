import Testing
import TriageCore

@testable import TriageFormats

struct XArchiveTests {
    private func records(_ paths: [String]) throws -> [JSONNode] {
        try readInputs(paths).lines.compactMap { JSONNode(Array($0.utf8)) }
    }

    private func archive() throws -> [JSONNode] { try records([Fixtures.root + "/x-archive"]) }

    private func conversation(_ id: String?, _ records: [JSONNode]) -> [JSONNode] {
        records.filter { $0["conversation_id"]?.string == id }
    }

    private func detect(_ text: String, isWhole: Bool = true) -> Detection? {
        ExportFormats.detect(Opening(bytes: Array(text.utf8), isWhole: isWhole))?.detection
    }

    @Test func `a conversation comes out oldest first, its pieces merged`() throws {
        let found = conversation("4100-5200", try archive())
        #expect(
            found.map { $0["text"]?.string } == [
                "hello from\nthe colour works",
                "Would you paint our tin? €900, see https://pigment.example/terms?a=1&amp=2, reply by Friday 🎨",
                "With pleasure & soon: 3 < 4 weeks, not &lt;",
            ])
        #expect(
            found.map { $0["id"]?.string } == [
                "x:1811111111111111101", "x:1811111111111111113", "x:1811111111111111117",
            ])
        #expect(found.map { $0["sender"]?["is_self"]?.bool } == [false, false, true])
        #expect(found.last?["sent_at"]?.string == "2024-07-10T18:04:59.317Z")
        #expect(found.allSatisfy { $0["raw"]?["kind"]?.string == "message" })
    }

    @Test func `names come from posts in their newest spelling`() throws {
        let found = conversation("4100-5200", try archive())
        #expect(found.allSatisfy { $0["conversation_title"]?.string == "pigmentworks" })
        #expect(found.first?["sender"]?["handle"]?.string == "pigmentworks")
        #expect(found.first?["sender"]?["name"]?.string == "Pigment Works")
        #expect(found.first?["sender"]?["id"]?.string == "5200")
        #expect(found.first?["raw"]?["handle_source"]?.string == "tweets")
        #expect(found.last?["sender"]?["handle"]?.string == "ines_paints")
        #expect(found.last?["raw"]?["handle_source"] == nil)
        let unknown = conversation("4100-6300", try archive())
        #expect(unknown.allSatisfy { $0["conversation_title"]?.string == "6300" })
        #expect(unknown.last?["sender"]?["handle"] == nil)
        #expect(unknown.last?["raw"]?["profile"]?.string == "https://x.com/i/user/6300")
    }

    @Test func `reactions, edits and pictures are kept`() throws {
        let all = try archive()
        let offer = conversation("4100-5200", all)[1]
        #expect(offer["reactions"]?.elements.map { $0["emoji"]?.string } == ["🔥", "sparkle"])
        #expect(offer["reactions"]?.elements.map { $0["by"]?.string } == ["ines_paints", "pigmentworks"])
        let edited = conversation("4100-5200", all)[2]
        #expect(edited["raw"]?["edits"]?.elements.first?["text"]?.string == "With pleasure")
        #expect(edited["raw"]?["edits"]?.elements.first?["at"]?.string == "2024-07-10T18:04:50Z")
        let picture = try #require(conversation("4100-6300", all).last)
        #expect(picture["text"]?.string == "look what you started")
        #expect(picture["attachments"]?.elements.first?["type"]?.string == "image")
        #expect(picture["attachments"]?.elements.first?["name"]?.string == "1700000000000000003-hQz4.jpg")
        #expect(
            picture["attachments"]?.elements.first?["url"]?.string
                == "https://ton.example/dm/1700000000000000003/1/hQz4.jpg")
    }

    @Test func `what happens in groups is a system line, and the newest name their title`() throws {
        let crew = conversation("1500000000000000001", try archive())
        #expect(
            crew.map { $0["raw"]?["kind"]?.string } == ["system", "message", "system", "system", "system", "message"])
        #expect(crew.allSatisfy { $0["conversation_title"]?.string == "mural crew" })
        #expect(crew.first?["raw"]?["users"]?.elements.compactMap(\.string) == ["6300", "4100", "7400"])
        #expect(crew.last?["attachments"]?.elements.first?["type"]?.string == "gif")
        #expect(Set(crew.compactMap { $0["id"]?.string }).count == 6)
    }

    @Test func `posts are the owner's own`() throws {
        let posts = conversation(nil, try archive())
        #expect(posts.map { $0["raw"]?["kind"]?.string } == ["message", "share", "comment"])
        #expect(posts.allSatisfy { $0["sender"]?["is_self"]?.bool == true })
        #expect(posts.allSatisfy { $0["sender"]?["handle"]?.string == "ines_paints" })
        #expect(posts.first?["text"]?.string == "first light, see https://ines.example/light")
        // Its date is missing; its id has one.
        #expect(posts.first?["sent_at"]?.string == "2019-11-28T10:34:29.578Z")
        #expect(posts.last?["text"]?.string == "@pigmentworks the blue one > all")
        #expect(posts.last?["sent_at"]?.string == "2025-03-12T20:21:22Z")
        #expect(posts.last?["reply_to"]?.string == "x:1899999999999999999")
        #expect(posts.last?["lang"]?.string == "en")
        #expect(posts[1]["lang"] == nil)
        #expect(posts.last?["attachments"]?.elements.first?["type"]?.string == "image")
    }

    @Test func `what is missing is said`() throws {
        let result = try readInputs([Fixtures.root + "/x-archive"])
        #expect(result.codes.isEmpty)
        #expect(result.notices.contains { $0.hasPrefix("1 encrypted message was skipped") })
        #expect(result.notices.contains { $0.contains("2024-07-10") && $0.contains("2025-03-12") })
        #expect(result.notices.count { $0 == XArchiveFormat.missingEncrypted } == 1)
    }

    private static let example =
        #"window.YTD.direct_messages.part0 = [ {"dmConversation" : {"conversationId" : "1000-2000", "messages" : ["#
        + #"{"messageCreate":{"recipientId":"2000","reactions":[],"urls":[],"text":"Fine &amp; thanks","mediaUrls":[],"#
        + #""senderId":"1000","id":"1765014950507446279","createdAt":"2024-03-05T14:02:11.250Z"}},"#
        + #"{"messageCreate":{"recipientId":"1000","reactions":[{"senderId":"1000","reactionKey":"like","eventId":"1"}],"#
        + #""urls":[{"url":"https://t.co/x1","expanded":"https://brand.example/brief"}],"text":"All here: https://t.co/x1","#
        + #""mediaUrls":[],"senderId":"2000","id":"1765014949458870275","createdAt":"2024-03-05T14:02:11.000Z"}} ]}} ]"#

    @Test func `ids keep all their digits and hold the time`() throws {
        let scratch = try ScratchFolder()
        let found = try records([scratch.write("x.bin", Self.example)])
        #expect(found.map { $0["text"]?.string } == ["All here: https://brand.example/brief", "Fine & thanks"])
        #expect(found.map { $0["id"]?.string } == ["x:1765014949458870275", "x:1765014950507446279"])
        #expect(found.map { $0["sent_at"]?.string } == ["2024-03-05T14:02:11Z", "2024-03-05T14:02:11.250Z"])
        #expect(found.first?["reactions"]?.elements.count == 1)
        #expect(XTime.snowflake("1765014950507446279") == XTime.milliseconds("2024-03-05T14:02:11.250Z"))
        #expect(XTime.snowflake("1765014949458870275") == XTime.milliseconds("2024-03-05T14:02:11.000Z"))
        // One conversation does not tell whose archive it is.
        #expect(found.allSatisfy { $0["sender"]?["is_self"] == nil && $0["conversation_title"] == nil })
    }

    @Test func `who is in all conversations is the owner of a file on its own`() throws {
        let bytes = try Fixtures.bytes("x-archive/data/direct-messages.js")
        let scratch = try ScratchFolder()
        let found = try records([scratch.write("x.bin", bytes)])
        #expect(conversation("4100-5200", found).map { $0["sender"]?["is_self"]?.bool } == [false, false, true])
        #expect(found.first { $0["conversation_id"]?.string == "4100-6300" }?["conversation_title"]?.string == "6300")
    }

    @Test(
        arguments: [
            (#"[{"dmConversation":{"conversationId":"1-2","messages":["#, true),
            (#"[{"tweet":{"id_str":"1","full_text":"a"}}]"#, true), (#"[{"account":{"accountId":"1"}}]"#, false),
            (#"[{"tweet":"a","text":"b"}]"#, nil), ("window.YTD.follower.part0 = [ ]", false),
            ("window.YTD.direct_message_group_headers.part0 = [ ]", false), ("window.__THAR_CONFIG = {}", false),
            ("  \n window.YTD.tweet.part12 = [ ]", true), ("Grailbird.data.tweets_2014_01 =\n [ ]", true),
            ("var payload_details = { }", false), ("window.open = 1", nil),
        ] as [(String, Bool?)])
    func `files are known by how they begin`(text: String, hasMessages: Bool?) {
        let found = detect(text)
        #expect((found?.format == "x-archive" ? found?.hasMessages : nil) == hasMessages)
    }

    @Test func `posts of the oldest archives are read`() throws {
        let scratch = try ScratchFolder()
        let text =
            "Grailbird.data.tweets_2014_01 =\n"
            + #"[{"id_str":"420000000000000001","created_at":"2014-01-05 10:00:00 +0000","text":"snow","user":"#
            + #"{"screen_name":"ines_paints","id_str":"4100"}}]"#
        let found = try #require(try records([scratch.write("x.bin", text)]).first)
        #expect(found["text"]?.string == "snow")
        #expect(found["sent_at"]?.string == "2014-01-05T10:00:00Z")
        #expect(found["sender"]?["handle"]?.string == "ines_paints")
    }

    @Test func `other exports beside an archive are read`() throws {
        let scratch = try ScratchFolder()
        for path in try Fixtures.paths(of: "x-archive") {
            scratch.write(path, try Fixtures.bytes("x-archive/" + path))
        }
        scratch.write("dms.csv", "sender,text\nZoë,hi\n")
        scratch.write("Your archive.html", "<html></html>")
        scratch.write("assets/a.js", "x")
        let result = try readInputs([scratch.path])
        #expect(result.texts.contains("hi"))
        #expect(result.lines.count == (try archive().count) + 1)
        #expect(!result.notices.contains { $0.contains("unknown format") })
    }

    @Test func `overlapping archives give each message once`() throws {
        let scratch = try ScratchFolder()
        let entries = try Fixtures.paths(of: "x-archive").map { ($0, try Fixtures.bytes("x-archive/" + $0)) }
        let a = scratch.write("a.zip", Packing.zip(entries))
        let b = scratch.write("b.zip", Packing.zip(entries))
        #expect(
            try records([a, b]).compactMap { $0["id"]?.string }.sorted()
                == archive().compactMap { $0["id"]?.string }.sorted())
    }

    @Test(
        arguments: [
            ("Tue Mar 05 14:02:11 +0000 2024", 1_709_647_331_000),
            ("Tue Mar 05 14:02:11 +0200 2024", 1_709_640_131_000),
            ("2024-03-05T14:02:11.5Z", 1_709_647_331_500), ("Tue Mar 45 14:02:11 +0000 2024", nil), ("", nil),
            ("Tue Foo 05 14:02:11 +0000 2024", nil), ("1 2 3 4 5 6", nil),
        ] as [(String, Int64?)])
    func `times are read in both forms`(text: String, expected: Int64?) {
        #expect(XTime.milliseconds(text) == expected)
    }

    @Test(arguments: [
        ("a &amp;lt; b", "a &lt; b"), ("&amp;", "&"), ("&am", "&am"), ("see http://t.co/a.", "see https://a.example."),
        ("https://t.co/ab", "https://t.co/ab"), ("x https://t.co/cut", "x"), ("https://t.co/", "https://t.co/"),
    ])
    func `text is what its reader saw`(text: String, expected: String) {
        let links = ["http://t.co/a": "https://a.example", "https://t.co/cut": ""]
        #expect(XText.plain(text, links: links) == expected)
    }
}
