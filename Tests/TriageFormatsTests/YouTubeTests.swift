import Testing
import TriageCore

@testable import TriageFormats

struct YouTubeTests {
    private static func fixture(_ path: String) throws -> (result: ReadResult, records: [JSONNode]) {
        try MetaWebhookTests.read(String(decoding: Fixtures.bytes(path), as: UTF8.self))
    }

    private static func record(_ id: String, _ path: String) throws -> JSONNode {
        try #require(try fixture(path).records.first { $0["id"]?.string == id })
    }

    private static func format(_ text: String) -> String? {
        ExportFormats.detect(Opening(bytes: Array(text.utf8), isWhole: true))?.detection.format
    }

    // MARK: The Data API

    @Test func `threads come oldest first with their replies, as plain text`() throws {
        let (result, records) = try Self.fixture("youtube-api/threads.json")
        #expect(
            records.map { $0["text"]?.string } == [
                "", "Which yarn?\nIs it \"soft\"? 1:01", "Merino, very", "thanks!", "Nice & warm 🧣",
            ])
        #expect(records.map { $0["id"]?.string } == ["yt:UgzC", "yt:UgzA", "yt:UgzA.1", "yt:UgzA.2", "yt:UgzB"])
        #expect(records.map { $0["sender"]?["is_self"]?.bool } == [nil, false, true, false, false])
        #expect(records.map { $0["reply_to"]?.string } == [nil, nil, "yt:UgzA", "yt:UgzA", nil])
        #expect(records.allSatisfy { $0["conversation_id"]?.string == "vidKnit0001" })
        #expect(records.allSatisfy { $0["platform"]?.string == "youtube" && $0["raw"]?["kind"]?.string == "comment" })
        #expect(result.notices.contains { $0.hasPrefix("replies missing from the file: 1;") })
    }

    @Test func `a comment has the fields that the API gives`() throws {
        let comment = try Self.record("yt:UgzB", "youtube-api/threads.json")
        #expect(comment["sender"]?["handle"]?.string == "@ivo.knits")
        #expect(comment["sender"]?["name"]?.string == "@ivo.knits")
        #expect(comment["sender"]?["id"]?.string == "UCivo")
        #expect(comment["sent_at"]?.string == "2024-08-03T10:00:00Z")
        #expect(comment["raw"]?["like_count"]?.int == 4)
        #expect(comment["raw"]?["updated_at"]?.string == "2024-08-03T11:00:00Z")
        #expect(comment["raw"]?["total_reply_count"]?.int == 0)
        #expect(comment["raw"]?["source"]?["index"]?.int == 0)
        let deleted = try Self.record("yt:UgzC", "youtube-api/threads.json")
        #expect(deleted["sender"]?["id"] == nil)
        #expect(deleted["sent_at"]?.string == "2024-07-30T00:00:00.25Z")
    }

    @Test func `live chats say who the owner is and who is verified`() throws {
        let (_, records) = try Self.fixture("youtube-api/live.jsonl")
        #expect(records.map { $0["text"]?.string } == ["hello from Gdańsk", "for the wool", "thank you!", ""])
        #expect(records.map { $0["raw"]?["kind"]?.string } == ["comment", "comment", "comment", "system"])
        #expect(records.map { $0["sender"]?["is_self"]?.bool } == [false, false, true, false])
        #expect(records[1]["sender"]?["verified"]?.bool == true)
        #expect(records[1]["raw"]?["amount_micros"]?.string == "5000000")
        #expect(records[0]["raw"]?["moderator"]?.bool == true)
        #expect(records[0]["sent_at"]?.string == "2024-08-05T20:00:00.5Z")
        #expect(records[0]["conversation_id"]?.string == "LC1")
    }

    @Test func `comments may come in every container`() throws {
        let comment =
            #"{"kind":"youtube#comment","id":"U1","snippet":{"authorDisplayName":"@a","authorChannelId":{"value":"UCa"},"#
            + #""channelId":"UCz","textOriginal":"a <b> c","textDisplay":"no","publishedAt":"2024-01-02T03:04:05Z"}}"#
        let list = #"{"kind":"youtube#commentListResponse","items":[\#(comment)]}"#
        let bare = comment.replacing(#""kind":"youtube#comment","#, with: "")
        for text in [
            comment, comment + "\n" + comment, list, "[\(list)]", "[\(comment)]", "[\(bare)]", #"{"items":[\#(bare)]}"#,
        ] {
            #expect(Self.format(text) == "youtube-api", "\(text)")
            #expect(try MetaWebhookTests.read(text).records.map { $0["text"]?.string } == ["a <b> c"])
        }
        let pages = [
            list, list.replacing("U1", with: "U2"), "{\"kind\":\"youtube#comm", list.replacing("U1", with: "U3"),
        ]
        let broken = try MetaWebhookTests.read(pages.joined(separator: "\n"))
        #expect(Set(broken.records.compactMap { $0["id"]?.string }) == ["yt:U1", "yt:U2", "yt:U3"])
        #expect(broken.result.codes == ["json.truncated"])
    }

    @Test func `other answers of the API hold no messages`() throws {
        let text = #"{"kind":"youtube#videoListResponse","items":[{"kind":"youtube#video","id":"v"}]}"#
        let found = try #require(ExportFormats.detect(Opening(bytes: Array(text.utf8), isWhole: true)))
        #expect(found.detection.format == "youtube-api" && !found.detection.hasMessages)
    }

    // MARK: Those who save comments

    @Test func `an info json gives the comments of its video`() throws {
        let (_, records) = try Self.fixture("yt-dlp/hat.info.json")
        #expect(records.map { $0["text"]?.string } == ["does it fit\na big head? 🎩", "cast on eight more", ""])
        #expect(records.map { $0["sender"]?["is_self"]?.bool } == [false, true, false])
        #expect(records.map { $0["reply_to"]?.string } == [nil, "yt:UgwA", nil])
        let first = try #require(records.first)
        #expect(first["id"]?.string == "yt:UgwA")
        #expect(first["conversation_id"]?.string == "vidKnit0002")
        #expect(first["conversation_title"]?.string == "A hat in one evening")
        #expect(first["sender"]?["verified"]?.bool == true)
        #expect(first["sender"]?["handle"]?.string == "@nora-w")
        #expect(first["sent_at"]?.string == "2024-08-01T08:13:20Z")
        #expect(first["raw"]?["sent_at_precision"]?.string == "relative")
        #expect(first["raw"]?["time_text"]?.string == "2 weeks ago")
        #expect(first["raw"]?["hearted"]?.bool == true)
        #expect(records[2]["sent_at"] == nil)
    }

    @Test func `an info json without comments contains no messages`() throws {
        let text = #"{"id":"v","title":"t","extractor":"youtube","webpage_url":"https://x.invalid","formats":[]}"#
        let result = try MetaWebhookTests.read(text).result
        #expect(result.lines.isEmpty && result.notices.contains { $0.contains("contains no messages") })
        // The formats of a video may fill the whole opening.
        let long =
            #"{"id":"v","title":"t","formats":["#
            + repeatElement(#"{"format_id":"1"}"#, count: 20_000).joined(separator: ",")
        let tail = #"],"comments":[{"id":"U","parent":"root","author_id":"a","text":"hi","timestamp":1}]}"#
        #expect(try MetaWebhookTests.read(long + tail).result.texts == ["hi"])
        #expect(try MetaWebhookTests.read(long + "]}").result.notices.contains { $0.contains("--write-comments") })
    }

    @Test func `lines of the downloader become comments`() throws {
        let path = "youtube-comments/comments.jsonl"
        let (_, records) = try Self.fixture(path)
        #expect(
            Set(records.compactMap { $0["text"]?.string }) == [
                "where do the needles come from?", "an old shop in Łódź\n🪡", "",
            ])
        let first = try Self.record("yt:UgxA", path)
        #expect(first["sent_at"]?.string == "2024-08-03T15:46:40Z")
        #expect(first["raw"]?["sent_at_precision"]?.string == "relative")
        #expect(first["raw"]?["time_text"]?.string == "3 days ago")
        #expect(first["raw"]?["votes"]?.string == "1.2K")
        #expect(first["raw"]?["hearted"]?.bool == true)
        #expect(first["sender"]?["handle"]?.string == "@pia")
        #expect(first["sender"]?["is_self"] == nil)
        #expect(try Self.record("yt:UgxA.1", path)["reply_to"]?.string == "yt:UgxA")
        #expect(try Self.record("yt:UgxB", path)["raw"]?["paid"]?.string == "€5.00")
    }

    @Test func `the downloader's comments may come in an array`() throws {
        let one = #"{"cid":"a","text":"hi","votes":"0"}"#
        for text in [one, "[\(one)]", #"{"comments":[\#(one)]}"#, "{\n \"comments\": [\n  \(one)\n ]\n}"] {
            #expect(Self.format(text) == "youtube-comments")
            #expect(try MetaWebhookTests.read(text).result.texts == ["hi"])
        }
    }

    // MARK: Look-alikes

    @Test(arguments: [
        (#"{"platform":"youtube","sender":{"handle":"@a"},"text":"hi","sent_at":"2024-01-01T00:00:00Z"}"#, "jsonl"),
        (#"{"cid":"a","text":"hi"}"#, "jsonl"), (#"{"text":"hi","votes":1}"#, "jsonl"),
        (#"{"kind":"comment","text":"hi there"}"#, "jsonl"), (#"{"kind":"youtube","text":"a b"}"#, "jsonl"),
        (#"{"comments":[{"author_id":"a","text":"a b"}]}"#, "json-array"),
        (#"{"comments":[{"author_id":"a","parent":"root","text":"a b"}]}"#, "yt-dlp"),
        (#"{"data":[{"id":"1","text":"a b","timestamp":"2024-01-01T00:00:00+0000"}]}"#, "json-array"),
        (#"{"data":[{"id":"1","text":"a","timestamp":"2024-01-01T00:00:00+0000","username":"u"}]}"#, "graph-comments"),
        (#"{"object":"page","entry":[{"id":"1","messaging":[]}]}"#, "meta-webhook"),
        ("id,timestamp,text\n1,2024-01-01,hello there\n", "csv"),
        ("video id,comment,date\nv,hello there,2024-01-01\n", "csv"),
    ])
    func `what looks alike is told apart`(text: String, format: String) {
        #expect(Self.format(text) == format)
        #expect(Self.format("\r\n" + text.replacing("\n", with: "\r\n")) == format)
    }

    @Test func `other records of JSON Lines are read as they were, however long the file`() throws {
        let line =
            #"{"id":"1","platform":"youtube","sender":{"handle":"@a"},"text":"kind comments entry data","items":[]}"#
        let result = try MetaWebhookTests.read(String(repeating: line + "\n", count: 200)).result
        #expect(result.lines.count == 200 && result.lines.allSatisfy { $0 == line })
    }
}
