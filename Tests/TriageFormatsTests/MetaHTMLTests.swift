import Testing
import TriageCore

@testable import TriageFormats

struct MetaHTMLTests {
    private func records(_ result: ReadResult) -> [JSONNode] { result.lines.compactMap { JSONNode(Array($0.utf8)) } }

    private func export(
        _ name: String, _ adjust: (inout InputReader.Options) -> Void = { _ in }
    ) throws -> [JSONNode] {
        records(try readInputs([Fixtures.root + "/" + name], adjust))
    }

    private func thread(_ id: String, _ all: [JSONNode]) -> [JSONNode] {
        all.filter { $0["conversation_id"]?.string == id }
    }

    @Test func `pages of Instagram give the fields of a chat`() throws {
        let nina = thread("inbox/ninavale_501", try export("instagram-html"))
        #expect(
            nina.map { $0["text"]?.string } == [
                "", "how to mend a sleeve", "soon! see https://example.com/jacket",
                "Is the linen jacket back & in green?\nAsking for a friend 🌿",
            ])
        #expect(nina.map { $0["raw"]?["kind"]?.string } == ["message", "share", "message", "message"])
        #expect(nina.map { $0["sender"]?["is_self"]?.bool } == [false, false, true, false])
        // Eight hours behind, in summer too.
        #expect(
            nina.map { $0["sent_at"]?.string } == [
                "2024-01-01T17:33:00Z", "2024-09-23T02:30:00Z", "2024-09-23T02:30:00Z", "2024-09-23T02:33:00Z",
            ])
        #expect(
            nina.allSatisfy {
                $0["platform"]?.string == "instagram" && $0["conversation_title"]?.string == "Nina Vale"
                    && $0["raw"]?["tz_assumed"]?.string == "-08:00" && $0["raw"]?["platform_guess"] == nil
                    && $0["raw"]?["sent_at_precision"]?.string == "minute"
                    && $0["id"]?.string?.hasPrefix("ig:") == true
            })
        #expect(nina[0]["attachments"]?.elements.map { $0["type"]?.string } == ["image"])
        #expect(nina[1]["attachments"]?.elements.first?["url"]?.string == "https://www.instagram.com/reel/abc/")
        #expect(nina[2]["attachments"] == nil)
        #expect(nina[2]["reactions"]?.elements.first?["emoji"]?.string == "💚")
        #expect(nina[2]["reactions"]?.elements.first?["by"]?.string == "Nina Vale")
        #expect(nina[3]["raw"]?["source"]?["index"]?.int == 0)
        let offer = try #require(thread("message_requests/teahouse_502", try export("instagram-html")).first)
        #expect(offer["raw"]?["folder"]?.string == "message_requests")
        #expect(offer["text"]?.string == "Would you show our tins for €400?")
    }

    @Test func `pages of Facebook have the clock that the first page tells`() throws {
        let all = try export("messenger-html")
        let ole = thread("inbox/oleberg_61", all)
        #expect(ole.map { $0["text"]?.string } == ["", "Så fint! 🎶", "Ole Berg called you."])
        #expect(
            ole.map { $0["sent_at"]?.string } == [
                "2026-06-25T22:05:00Z", "2026-06-26T07:05:10Z", "2026-06-26T07:05:20Z",
            ])
        #expect(ole.map { $0["sender"]?["is_self"]?.bool } == [false, true, false])
        #expect(ole.allSatisfy { $0["raw"]?["tz_assumed"]?.string == "+02:00" })
        #expect(ole.allSatisfy { $0["raw"]?["sent_at_precision"] == nil && $0["platform"]?.string == "messenger" })
        #expect(ole[0]["attachments"]?.elements.map { $0["type"]?.string } == ["video"])
        #expect(ole[2]["raw"]?["note"]?.string == "Duration: 12 seconds")
        let choir = thread("archived_threads/choir_62", all)
        #expect(choir.map { $0["text"]?.string } == ["who has the notes?"])
        #expect(choir.first?["sender"]?["is_self"] == nil)
    }

    @Test func `a zone that is named goes before what pages say`() throws {
        let ole = thread("inbox/oleberg_61", try export("messenger-html") { $0.timeZone = "America/New_York" })
        #expect(ole.last?["sent_at"]?.string == "2026-06-26T13:05:20Z")
        #expect(ole.last?["raw"]?["tz_assumed"]?.string == "America/New_York")
    }

    @Test func `a page alone has the clock of its platform`() throws {
        let scratch = try ScratchFolder()
        let path = "messenger-html/your_facebook_activity/messages/inbox/oleberg_61/message_1.html"
        let result = try readInputs([scratch.write("x.bin", try Fixtures.bytes(path))])
        #expect(records(result).last?["sent_at"]?.string == "2026-06-26T09:05:20Z")
        #expect(records(result).last?["raw"]?["tz_assumed"]?.string == "UTC")
        #expect(result.notices == [MetaHTMLPage.missing])
    }

    @Test func `where a chat is there in JSON, its page is passed over, and no other`() throws {
        let scratch = try ScratchFolder()
        for path in try Fixtures.paths(of: "instagram-html") {
            scratch.write("e/" + path, try Fixtures.bytes("instagram-html/" + path))
        }
        scratch.write(
            "e/your_instagram_activity/messages/inbox/ninavale_501/message_1.json",
            #"{"messages":[{"sender_name":"Nina Vale","timestamp_ms":1717238400000,"content":"in JSON"}]}"#)
        let result = try readInputs([scratch.path])
        #expect(result.texts.sorted() == ["Would you show our tins for €400?", "in JSON"])
        #expect(!result.notices.contains { $0.contains("unknown format") })
    }

    private static func entry(_ sender: String?, _ body: String?, _ time: String?) -> String {
        #"<div class="pam _a6-g uiBoxWhite">"# + (sender.map { "<h2 class=\"_a6-h _a6-i\">\($0)</h2>" } ?? "")
            + (body.map { "<div class=\"_a6-p\">\($0)</div>" } ?? "")
            + (time.map { "<div class=\"_3-94 _a6-o\">\($0)</div>" } ?? "") + "</div>"
    }

    private func read(_ entries: [String], title: String = "A") throws -> ReadResult {
        let scratch = try ScratchFolder()
        return try readInputs([
            scratch.write("x.bin", "<html><head><title>\(title)</title></head><body>\(entries.joined())</body></html>")
        ])
    }

    @Test func `what has no sender, text or time is refused with its place`() throws {
        let time = "Sep 22, 2017 6:33 am"
        let result = try read([
            Self.entry("A", "one", time), Self.entry(nil, "two", time), Self.entry("A", nil, time),
            Self.entry("A", "four", nil), Self.entry("A", "five", time),
        ])
        #expect(result.texts.sorted() == ["five", "one"])
        #expect(result.codes == ["html.entry", "html.entry", "html.entry"])
        #expect(result.numbers.prefix(3) == [2, 3, 4])
    }

    @Test func `a page that ends in the middle says so after what could be read`() throws {
        let scratch = try ScratchFolder()
        let whole = "<html><head><title>A</title></head><body>" + Self.entry("A", "one", "Sep 22, 2017 6:33 am")
        let result = try readInputs([scratch.write("x.bin", whole)])
        #expect(result.texts.first == "one")
        #expect(result.codes == ["html.truncated"])
    }

    @Test func `a time in no known form leaves the message without one`() throws {
        let result = try read([Self.entry("A", "hi", "03/04/2017 06:33"), Self.entry("A", "ho", "soon")])
        #expect(result.texts == ["ho", "hi"])
        #expect(records(result).allSatisfy { $0["sent_at"] == nil && $0["raw"]?["time_text"] != nil })
        #expect(result.notices.contains { $0.contains("unreadable times: 2") })
    }

    @Test func `no page is too hostile`() throws {
        let time = "Sep 22, 2017 6:33 am"
        let deep = String(repeating: "<div class=\"_a6-g\">", count: 20_000)
        let result = try read([
            Self.entry("A", "first", time),
            Self.entry("A", String(repeating: "<ul class=\"_a6-q\"><li>", count: 500), time),
            Self.entry("A", String(repeating: "<a href=\"http://x/\">", count: 5000), time),
            Self.entry("A", String(repeating: "y", count: 1 << 20), time), deep,
        ])
        #expect(result.texts.contains("first"))
        #expect(result.texts.contains { $0.utf8.count == 1 << 20 })
    }

    @Test(arguments: [
        ("Sep 22, 2017 6:33 am", "2017-09-22T06:33:00Z", false),
        ("Sep 22, 2017, 6:33\u{202F}PM", "2017-09-22T18:33:00Z", false),
        ("03. Sept. 2026, 9:33 pm", "2026-09-03T21:33:00Z", false),
        ("Jun 26, 2026 9:05:20 am", "2026-06-26T09:05:20Z", true),
        ("Jan 2, 2006 at 3:04 PM", "2006-01-02T15:04:00Z", false), ("2 Jan 2006, 15:04", "2006-01-02T15:04:00Z", false),
        ("gen 5, 2023 12:01 am", "2023-01-05T00:01:00Z", false),
        ("mag 5, 2023 12:01 pm", "2023-05-05T12:01:00Z", false),
        ("lug 31, 2021 1:02 pm", "2021-07-31T13:02:00Z", false), ("dic 9, 2021 1:02 pm", "2021-12-09T13:02:00Z", false),
        ("4 août 2022, 06:33", "2022-08-04T06:33:00Z", false), ("4 juil. 2022 à 06:33", "2022-07-04T06:33:00Z", false),
        ("4 juin 2022 06h33", "2022-06-04T06:33:00Z", false),
        ("22 de set. de 2017 18:33", "2017-09-22T18:33:00Z", false),
        ("22 sept. 2017, 6:33 p. m.", "2017-09-22T18:33:00Z", false),
        ("3. März 2026, 21:33", "2026-03-03T21:33:00Z", false),
        ("4. syyskuuta 2022 klo 6.33", "2022-09-04T06:33:00Z", false),
        ("4. marraskuuta 2022 6.33", "2022-11-04T06:33:00Z", false),
        ("5 Ağu 2022 14:00", "2022-08-05T14:00:00Z", false), ("5 paź 2022, 14:00", "2022-10-05T14:00:00Z", false),
        ("5 мая 2022 г., 14:00", "2022-05-05T14:00:00Z", false), ("2017年9月22日 午後6:33", "2017-09-22T18:33:00Z", false),
        ("2017. 9. 22. 오전 6:33", "2017-09-22T06:33:00Z", false), ("22.09.2017, 06:33", "2017-09-22T06:33:00Z", false),
        ("2017-09-22 06:33:01", "2017-09-22T06:33:01Z", true), ("22/09/2017 06:33", "2017-09-22T06:33:00Z", false),
        ("09/22/2017 6:33 PM", "2017-09-22T18:33:00Z", false),
    ])
    func `times of many languages are read`(text: String, expected: String, hasSeconds: Bool) throws {
        let time = try #require(MetaHTMLTime(text))
        #expect(Timestamp.text(seconds: time.local) == expected)
        #expect(time.hasSeconds == hasSeconds)
    }

    @Test(arguments: [
        "", "soon", "6:33", "Sep 2017 6:33", "Sep 31, 2017 6:33 am", "Sep 22, 2017", "Sep 22, 2017 25:00",
        "Sep 22, 2017 13:00 pm", "01/02/2017 06:33", "99999999999999999999 Sep 2017 6:33",
        "Sep 22, 2017 6:99999999999999999999", String(repeating: "9:", count: 80),
    ])
    func `what is no time is none`(text: String) { #expect(MetaHTMLTime(text) == nil) }

    @Test func `the order of the user decides where numbers do not`() {
        #expect(MetaHTMLTime("01/02/2017 06:33", order: .dmy)?.local == MetaHTMLTime("1 Feb 2017 06:33")?.local)
        #expect(MetaHTMLTime("01/02/2017 06:33", order: .mdy)?.local == MetaHTMLTime("2 Jan 2017 06:33")?.local)
    }

    @Test(
        arguments: [
            ("2026-08-19T14:33Z", "Aug 19, 2026 4:33 PM UTC+02:00", 7200),
            ("2026-08-19T14:33:50Z", "Aug 19, 2026 4:33 PM", 7200),
            ("2026-08-19T14:33Z", "Aug 19, 2026 8:03 PM", 19_800),
            ("2026-08-19T04:33Z", "Aug 18, 2026 8:33 PM", -28_800), ("2026-08-19T14:33Z", "Aug 29, 2026 4:33 PM", nil),
            ("2026-08-19T14:33Z", "4:33 PM", nil), ("never", "Aug 19, 2026 4:33 PM", nil),
        ] as [(String, String, Int64?)])
    func `one moment shown twice gives the zone`(moment: String, shown: String, offset: Int64?) {
        #expect(MetaHTMLClock.offset(moment: moment, shown: shown) == offset)
    }

    @Test(arguments: [
        (#"<div class="a _a6-g"><h2 class="_a6-h _a6-i">A</h2>"#, "instagram-html"),
        (#"<section class="_a6-g"><h2 class="_a6-h _a6-i">A</h2>"#, "messenger-html"),
        (#"<div class="_a6-g"><div class="_a6-h _a6-i">A</div><div class="_a72d">x</div>"#, "messenger-html"),
    ])
    func `the build of a page tells what it is of`(body: String, name: String) {
        let content = "<html><body>" + body
        #expect(ExportFormats.detect(Opening(bytes: Array(content.utf8), isWhole: false))?.format.name == name)
        // Cut at the limit, inside a text.
        let long = content + String(repeating: "word ", count: Opening.limit / 5)
        let opening = Opening(bytes: Array(long.utf8.prefix(Opening.limit)), isWhole: false)
        #expect(ExportFormats.detect(opening)?.format.name == name)
    }

    @Test(arguments: [
        "<html><head><style>._a6-g{}._a6-h{}</style></head><body>hi</body></html>",
        "<html><body><div class=\"_a6-gx _a6-hx\">hi</div></body></html>", "<html></html>",
    ])
    func `other pages are none of Meta's`(content: String) {
        #expect(ExportFormats.detect(Opening(bytes: Array(content.utf8), isWhole: true)) == nil)
    }
}
