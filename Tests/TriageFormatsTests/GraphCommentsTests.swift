import Testing
import TriageCore

@testable import TriageFormats

struct GraphCommentsTests {
    @Test func `comments and their replies come oldest first`() throws {
        let text = String(decoding: try Fixtures.bytes("graph-comments/page.json"), as: UTF8.self)
        let (result, records) = try MetaWebhookTests.read(text)
        #expect(records.map { $0["id"]?.string } == ["meta:17900", "meta:17901", "meta:17902", "meta:17903"])
        #expect(result.codes.isEmpty)
        #expect(
            records.map { $0["text"]?.string } == [
                "first line\nsecond \"line\"", "is this wool <3 & soft? 🧶", "@ivo.knits it is", "",
            ])
        #expect(records.map { $0["reply_to"]?.string } == [nil, nil, "meta:17901", "meta:17901"])
        #expect(records.map { $0["sender"]?["handle"]?.string } == ["bea_m", "ivo.knits", "lindaknits", "ivo.knits"])
        #expect(records.allSatisfy { $0["conversation_id"]?.string == "m77" })
        #expect(records.allSatisfy { $0["platform"]?.string == "instagram" && $0["sender"]?["is_self"] == nil })
        #expect(records[1]["sent_at"]?.string == "2024-05-01T10:00:00Z")
        #expect(records[1]["raw"]?["like_count"]?.int == 3)
        #expect(records[0]["raw"]?["hidden"]?.bool == true)
        #expect(records[1]["raw"]?["kind"]?.string == "comment")
    }

    @Test func `a post with its comments, many posts and pages in a row are read`() throws {
        func comment(_ id: Int) -> String {
            #"{"id":"\#(id)","text":"t\#(id)","timestamp":"2024-05-01T12:00:0\#(id)+0000","username":"u"}"#
        }
        let page = #"{"data":[\#(comment(1)),\#(comment(2))]}"#
        for text in [
            page, page + "\n", #"{"id":"p","comments":\#(page)}"#, #"{"data":[{"id":"p","comments":\#(page)}]}"#,
            "[\(page)]",
            #"{"data":[\#(comment(1))]}"# + "\n" + #"{"data":[\#(comment(2))]}"#,
        ] {
            let opening = Opening(bytes: Array(text.utf8), isWhole: true)
            #expect(ExportFormats.detect(opening)?.detection.format == "graph-comments", "\(text)")
            let records = try MetaWebhookTests.read(text).records
            #expect(records.map { $0["text"]?.string } == ["t1", "t2"], "\(text)")
            if text.contains("\"p\"") { #expect(records.allSatisfy { $0["conversation_id"]?.string == "p" }) }
        }
    }

    @Test func `comments of a Facebook page are read too`() throws {
        let text =
            #"{"data":[{"created_time":"2024-05-01T12:00:00+0000","from":{"name":"Solveig","id":"5"},"message":"hei","id":"1_2"}]}"#
        let records = try MetaWebhookTests.read(text).records
        #expect(records.first?["platform"]?.string == "facebook")
        #expect(records.first?["text"]?.string == "hei")
        #expect(records.first?["sender"]?["name"]?.string == "Solveig")
    }
}
