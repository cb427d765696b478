import Testing
import TriageCore

@testable import TriageFormats

struct TikTokTests {
    private func records(_ text: String) throws -> [JSONNode] {
        let scratch = try ScratchFolder()
        return try read(scratch.write("x.bin", text))
    }

    private func read(_ path: String) throws -> [JSONNode] {
        try readInputs([path]).lines.compactMap { JSONNode(Array($0.utf8)) }
    }

    private func json() throws -> [JSONNode] { try read(Fixtures.root + "/tiktok-json") }

    private func detect(_ text: String, isWhole: Bool = true) -> Detection? {
        ExportFormats.detect(Opening(bytes: Array(text.utf8), isWhole: isWhole))?.detection
    }

    private func chat(_ id: String?, _ records: [JSONNode]) -> [JSONNode] {
        records.filter { $0["conversation_id"]?.string == id }
    }

    @Test func `a conversation is named after the other`() throws {
        let found = chat("kiln.queen", try json())
        #expect(found.map { $0["text"]?.string } == ["how hot does it get? 🔥\nasking for a friend", "", "", ""])
        #expect(found.map { $0["raw"]?["kind"]?.string } == ["message", "share", "message", "message"])
        #expect(found.map { $0["sender"]?["is_self"]?.bool } == [false, true, false, false])
        #expect(found.first?["sender"]?["handle"]?.string == "kiln.queen")
        #expect(found.first?["sent_at"]?.string == "2025-05-03T10:40:00Z")
        #expect(found.last?["sent_at"]?.string == "2025-05-03T10:43:00Z")
        let attachments = found.map { $0["attachments"]?.elements.first }
        #expect(attachments.map { $0?["type"]?.string } == [nil, "share", "sticker", nil])
        #expect(attachments[2]?["url"]?.string == "https://p16.example/stickers/9.webp")
        #expect(found.allSatisfy { $0["id"]?.string?.hasPrefix("tt:") == true })
        #expect(found.first?["raw"]?["source"]?["file"]?.string == "user_data_tiktok.json")
    }

    @Test func `groups keep their name and count their people`() throws {
        let found = chat("clay night", try json())
        #expect(found.map { $0["sender"]?["is_self"]?.bool } == [false, true, false])
        #expect(found.allSatisfy { $0["participants"]?.int == 3 })
    }

    @Test func `comments are own, and equal ones stay two`() throws {
        let all = try json()
        let comments = all.filter { $0["raw"]?["kind"]?.string == "comment" }
        #expect(comments.map { $0["text"]?.string } == ["that glaze!", "that glaze!", "old days", "hi from Porto"])
        #expect(comments.allSatisfy { $0["sender"]?["is_self"]?.bool == true })
        #expect(comments.allSatisfy { $0["sender"]?["handle"]?.string == "potter_tom" })
        #expect(comments[0]["conversation_id"]?.string == "https://www.tiktokv.com/share/video/7400000000000000001/")
        #expect(comments[3]["conversation_id"]?.string == "live/7400000000000000077")
        #expect(Set(all.compactMap { $0["id"]?.string }).count == all.count)
        #expect(all.count == 12)
    }

    @Test func `nothing private of the profile comes out`() throws {
        let lines = try readInputs([Fixtures.root + "/tiktok-json"]).lines.joined()
        #expect(!lines.contains("mail.example") && !lines.contains("203.0.113.9") && !lines.contains("sig="))
    }

    @Test(arguments: ["", #","Profile":{"Profile Information":{"ProfileMap":{"userName":"mara"}}}"#])
    func `older sections are found by the key above the messages`(profile: String) throws {
        let found = try records(
            #"{"Direct Messages":{"Chat History":{"ChatHistory":{"Chat History with zoe.k::":["#
                + #"{"Date":"2024-06-01 10:40:00","From":"zoe.k","Content":"nice one"},"#
                + #"{"Date":"2024-06-01 10:41:30","From":"mara","Content":"https://www.tiktokv.com/share/video/73/"}]}}},"#
                + #""Comment":{"Comments":{"CommentsList":[{"date":"2024-06-01 11:00:00","comment":"yes","url":"N/A"}]}}"#
                + profile + "}")
        #expect(found.count == 3)
        #expect(chat("zoe.k", found).map { $0["sender"]?["is_self"]?.bool } == [false, true])
        #expect(chat("zoe.k", found).last?["attachments"]?.elements.first?["type"]?.string == "share")
        #expect(chat(nil, found).first?["sender"]?["is_self"]?.bool == true)
    }

    @Test func `an owner whom nothing names stays unknown`() throws {
        // The other was called otherwise before.
        let found = try records(
            #"{"a":{"ChatHistory":{"Chat History with new:":[{"Date":"2024-06-01 10:40:00","From":"old","Content":"a"},"#
                + #"{"Date":"2024-06-01 10:41:00","From":"mara","Content":"b"}]}}}"#)
        #expect(found.count == 2 && found.allSatisfy { $0["sender"]?["is_self"] == nil })
    }

    @Test(
        arguments: [
            (#"{"Direct Messages":{"Chat History":{"ChatHistory":{}}}}"#, "tiktok-json"),
            (#"{"x":{"chathistory":null}}"#, "tiktok-json"), (#"{"a":{"b":{"c":{"d":{"ChatHistory":{}}}}}}"#, nil),
            (#"{"CommentsList":[{"date":"2024-06-01 11:00:00","comment":"a"}]}"#, "tiktok-json"),
            (#"{"comments":[{"date":"2024-06-01 11:00:00","comment":"a"}]}"#, "json-array"),
            (">>> Chat History with zoe.k::\n2024-06-01 10:40:00 UTC zoe.k: hi\n", "tiktok-text"),
            ("[01.06.24, 10:40:00] Zoe: >>> Chat History with me:\n[01.06.24, 10:41:00] Zoe: b\n", nil),
            (
                "Date: 2024-06-01 11:00:00 UTC\nSearch Term: pots\n\nDate: 2024-06-01 11:00:01 UTC\nSearch Term: a\n",
                nil
            ),
            ("Date: 2024-06-01 11:00:00 UTC\nUsername: pots\n", nil),
            ("Date: 2024-06-01 11:00:00 UTC\nComment: a\n", "tiktok-text"),
        ] as [(String, String?)])
    func `it is told by its content`(text: String, format: String?) {
        let found = detect(text)?.format
        #expect(format.map { found == $0 } ?? (found?.hasPrefix("tiktok") != true))
    }

    @Test func `a long history before the messages hides nothing`() throws {
        let video =
            #"{"Date":"2025-05-01 06:00:00","Link":"https://www.tiktokv.com/share/video/7400000000000000009/"},"#
        let text =
            #"{"Activity":{"Follower List":{"FansList":[]},"Video Browsing History":{"VideoList":["#
            + String(repeating: video, count: 4000)
            + #"{}]}},"Direct Messages":{"Chat History":{"ChatHistory":{"Chat History with a:":["#
            + #"{"Date":"2024-06-01 10:40:00","From":"a","Content":"behind it"}]}}}}"#
        #expect(try records(text).map { $0["text"]?.string } == ["behind it"])
    }

    @Test func `a profile alone holds no messages`() {
        let found = detect(#"{"Profile":{"Profile Information":{"ProfileMap":{"userName":"mara"}}}}"#)
        #expect(found?.format == "tiktok-json" && found?.hasMessages == false)
    }

    @Test func `entries that are no messages are refused with their place`() throws {
        let scratch = try ScratchFolder()
        let result = try readInputs([
            scratch.write(
                "x",
                #"{"a":{"ChatHistory":{"Chat History with b:":[{"From":"b","Content":"c"},{"z":1},{"From":"b"}]}}}"#)
        ])
        #expect(result.codes == ["tiktok.no-message"])
        #expect(result.lines.count == 2)
    }

    @Test func `text files give the same conversations in any language`() throws {
        let all = try read(Fixtures.root + "/tiktok-text")
        let queen = chat("kiln.queen", all)
        #expect(
            queen.map { $0["text"]?.string } == [
                "how hot does it get? 🔥\nasking: for a friend\n\nand for me", "hot: very", "", "",
            ])
        #expect(queen.map { $0["sender"]?["is_self"]?.bool } == [false, true, false, false])
        #expect(queen.last?["attachments"]?.elements.first?["type"]?.string == "gif")
        #expect(queen.first?["raw"]?["source"]?["line"]?.int == 2)
        let glaze = chat("glazeco", all)
        #expect(glaze.map { $0["sent_at"]?.string } == ["2025-05-04T09:00:00Z", "2025-05-04T09:05:00Z"])
        #expect(glaze.last?["attachments"]?.elements.first?["type"]?.string == "share")
        let comments = all.filter { $0["raw"]?["kind"]?.string == "comment" }
        #expect(
            comments.map { $0["text"]?.string } == ["that glaze!\nit shines", "https://www.tiktokv.com is not a text"])
        #expect(comments.allSatisfy { $0["sender"]?["is_self"]?.bool == true })
    }
}

extension TikTokTests {
    /// What people write that the app could have written too.
    @Test(arguments: [
        ("https://www.tiktok.com/@brand.co", "message", true), ("[https://brand.example/brief?x=1]", "message", true),
        ("[Sticker]", "message", true), ("[https://media.tenor.com/a/b]", "message", false),
        ("[https://brand.example/a.gif?x=1]", "message", false),
        ("https://www.tiktokv.com/share/video/7300000000000000001/", "share", false),
        ("https://www.tiktokv.com/share/video/7300000000000000001/ 900 EUR?", "message", true),
    ])
    func `an address that somebody sent to be opened is what they said`(
        content: String, kind: String, isKept: Bool
    ) throws {
        let scratch = try ScratchFolder()
        let text =
            #"{"Direct Messages":{"Chat History":{"ChatHistory":{"Chat History with zoe:":[{"Date":"2024-06-01 10:40:00","#
            + #""From":"zoe","Content":"\#(content)"}]}}}}"#
        let record = try #require(
            try readInputs([scratch.write("x.bin", text)]).lines.compactMap { JSONNode(Array($0.utf8)) }.first)
        #expect(record["raw"]?["kind"]?.string == kind)
        #expect(record["text"]?.string == (isKept ? content : ""))
    }
}
