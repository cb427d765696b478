import Testing
import TriageCore

@testable import TriageFormats

struct MetaWebhookTests {
    /// Reads a text as a file of no telling name.
    static func read(_ text: String) throws -> (result: ReadResult, records: [JSONNode]) {
        let scratch = try ScratchFolder()
        let result = try readInputs([scratch.write("x.bin", text)])
        return (result, result.lines.compactMap { JSONNode(Array($0.utf8)) })
    }

    private static func fixture() throws -> (result: ReadResult, records: [JSONNode]) {
        try read(String(decoding: Fixtures.bytes("meta-webhook/deliveries.jsonl"), as: UTF8.self))
    }

    private static func record(_ id: String) throws -> JSONNode {
        try #require(try fixture().records.first { $0["id"]?.string == id })
    }

    /// A delivery of Instagram with one event.
    private static func delivery(_ event: String, object: String = "instagram") -> String {
        #"{"object":"\#(object)","entry":[{"id":"1","time":1719900000000,"messaging":[\#(event)]}]}"#
    }

    private static func text(_ mid: String, _ text: String) -> String {
        #"{"sender":{"id":"2"},"recipient":{"id":"1"},"timestamp":1,"message":{"mid":"\#(mid)","text":"\#(text)"}}"#
    }

    @Test func `all events become the records that they should`() throws {
        let (result, records) = try Self.fixture()
        #expect(
            records.map { $0["text"]?.string } == [
                "häkelst du auch auf Bestellung? 🧦\nSo \"klein\" wie das letzte", "Ja, ab Oktober wieder", "",
                "second try", "Price list", "where is that scarf from", "my own shop", "do you ship to Norway?",
                "dzień dobry, ile kosztuje?", "", "oops", "",
            ])
        #expect(
            records.map { $0["raw"]?["kind"]?.string } == [
                "message", "message", "share", "message", "message", "comment", "comment", "comment", "message",
                "message", "unsent", "message",
            ])
        #expect(
            records.map { $0["platform"]?.string } == [
                "instagram", "instagram", "instagram", "messenger", "messenger", "instagram", "instagram", "facebook",
                "whatsapp", "whatsapp", "instagram", "instagram",
            ])
        #expect(result.codes.isEmpty)
        #expect(result.notices.contains { $0.contains("1 delivery from the dashboard's test button") })
        #expect(result.notices.contains { $0.contains("1 mentions, 1 read, 1 statuses") })
        #expect(result.notices.contains { $0.contains("repeated messages skipped: 1") })
        #expect(result.notices.filter { $0.contains("TRIAGE_META_APP_SECRET") }.count == 1)
    }

    @Test func `an echo is own and belongs to the other party`() throws {
        let first = try Self.record("meta:m_a1")
        #expect(first["conversation_id"]?.string == "5501")
        #expect(first["sender"]?["is_self"]?.bool == false)
        #expect(first["sent_at"]?.string == "2024-07-02T06:00:00.123Z")
        let echo = try Self.record("meta:m_a2")
        #expect(echo["conversation_id"]?.string == "5501")
        #expect(echo["sender"]?["is_self"]?.bool == true)
        #expect(echo["reply_to"]?.string == "meta:m_a1")
        #expect(echo["reactions"]?.elements.map { $0["emoji"]?.string } == ["❤️"])
        #expect(echo["reactions"]?.elements.first?["by"]?.string == "5501")
        #expect(echo["raw"]?["source"]?["line"]?.int == 2)
    }

    @Test func `attachments lose their signatures and say what they are`() throws {
        let mention = try Self.record("meta:m_b1")
        #expect(mention["raw"]?["standby"]?.bool == true)
        #expect(mention["raw"]?["story_mention"]?.bool == true)
        let url = mention["attachments"]?.elements.first?["url"]?.string
        #expect(url == "https://lookaside.fbsbx.com/ig_messaging_cdn/?asset_id=31")
        let image = try Self.record("meta:m_c1")
        #expect(image["attachments"]?.elements.first?["type"]?.string == "image")
        #expect(image["attachments"]?.elements.first?["url"]?.string == "https://scontent.xx.fbcdn.net/v/a.jpg")
        #expect(image["sent_at"]?.string == "2024-07-02T06:01:30Z")
        #expect(image["raw"]?["edited"]?.bool == true)
    }

    @Test func `comments carry their media, parent and author`() throws {
        let comment = try Self.record("meta:18001")
        #expect(comment["sender"]?["handle"]?.string == "ivo.knits")
        #expect(comment["conversation_id"]?.string == "m9")
        #expect(comment["sent_at"]?.string == "2024-07-02T06:01:40Z")
        #expect(comment["sender"]?["is_self"]?.bool == false)
        let reply = try Self.record("meta:18002")
        #expect(reply["reply_to"]?.string == "meta:18001")
        #expect(reply["sender"]?["is_self"]?.bool == true)
        #expect(reply["sent_at"]?.string == "2024-07-02T06:03:00Z")
        let page = try Self.record("meta:1_2")
        #expect(page["sender"]?["name"]?.string == "Solveig Aas")
        #expect(page["conversation_id"]?.string == "9009_1")
        #expect(page["reply_to"] == nil)
    }

    @Test func `messages of WhatsApp get their names from the contacts`() throws {
        let message = try Self.record("meta:wamid.1")
        #expect(message["sender"]?["name"]?.string == "Tomasz")
        #expect(message["sender"]?["id"]?.string == "48000000001")
        #expect(message["conversation_id"]?.string == "48000000001")
        #expect(message["reply_to"]?.string == "meta:wamid.0")
        #expect(message["sent_at"]?.string == "2024-07-02T06:02:00Z")
        #expect(try Self.record("meta:wamid.2")["attachments"]?.elements.first?["type"]?.string == "image")
    }

    @Test(
        arguments: [
            (#""type":"button","button":{"text":"Yes","payload":"Y"}"#, "Yes", nil),
            (
                #""type":"interactive","interactive":{"type":"list_reply","list_reply":{"id":"3","title":"Blue"}}"#,
                "Blue", nil
            ),
            (#""type":"document","document":{"caption":"the brief","filename":"b.pdf"}"#, "the brief", "file"),
            (#""type":"audio","audio":{"voice":true}"#, "", "voice"), (#""type":"hologram""#, "", nil),
            (#""type":"location","location":{"name":"Pier 3"}"#, "", "location"),
        ] as [(String, String, String?)])
    func `each type of WhatsApp message has its text`(members: String, text: String, attachment: String?) throws {
        let (_, records) = try Self.read(
            #"{"object":"whatsapp_business_account","entry":[{"id":"1","changes":[{"field":"messages","value":"#
                + #"{"messaging_product":"whatsapp","messages":[{"from":"4","id":"w","timestamp":"1719900120",\#(members)}]}}]}]}"#
        )
        #expect(records.map { $0["text"]?.string } == [text])
        #expect(records.first?["attachments"]?.elements.first?["type"]?.string == attachment)
    }

    @Test func `events about messages that went out come out as context`() throws {
        let events = [
            #"{"sender":{"id":"2"},"recipient":{"id":"1"},"timestamp":5,"reaction":{"mid":"gone","action":"react","emoji":"🎈"}}"#,
            #"{"sender":{"id":"2"},"recipient":{"id":"1"},"timestamp":6,"message":{"mid":"gone","is_deleted":true}}"#,
        ]
        let (_, records) = try Self.read(events.map { Self.delivery($0) }.joined(separator: "\n"))
        #expect(records.map { $0["raw"]?["kind"]?.string } == ["reaction_notice", "unsent"])
        #expect(records.allSatisfy { $0["reply_to"]?.string == "meta:gone" })
        #expect(records.first?["raw"]?["emoji"]?.string == "🎈")
    }

    @Test func `a reaction that is taken back is gone`() throws {
        let react = #"{"sender":{"id":"2"},"recipient":{"id":"1"},"reaction":{"mid":"m","action":"react","emoji":"🎈"}}"#
        let unreact = #"{"sender":{"id":"2"},"recipient":{"id":"1"},"reaction":{"mid":"m","action":"unreact"}}"#
        let (_, records) = try Self.read(
            [Self.text("m", "hi"), react, unreact].map { Self.delivery($0) }.joined(separator: "\n"))
        #expect(records.count == 1 && records[0]["reactions"] == nil)
    }

    @Test func `an edit of a message that was never seen is the message`() throws {
        let edit =
            #"{"sender":{"id":"2"},"recipient":{"id":"1"},"timestamp":7,"message_edit":{"mid":"e","text":"new"}}"#
        let (_, records) = try Self.read(Self.delivery(edit))
        #expect(records.map { $0["id"]?.string } == ["meta:e"])
        #expect(records.first?["text"]?.string == "new")
    }

    @Test func `messages are held in bounded number and stay in order`() throws {
        let count = 3 * WebhookWindow.maximumMessages + 5
        let late =
            #"{"sender":{"id":"2"},"recipient":{"id":"1"},"timestamp":7,"message_edit":{"mid":"m0","text":"late"}}"#
        let lines = (0..<count).map { Self.delivery(Self.text("m\($0)", "t\($0)")) } + [Self.delivery(late)]
        let (_, records) = try Self.read(lines.joined(separator: "\n"))
        #expect(records.dropLast().map { $0["text"]?.string } == (0..<count).map { "t\($0)" })
        #expect(records.last?["raw"]?["kind"]?.string == "edit")
        #expect(records.last?["reply_to"]?.string == "meta:m0")
        #expect(Set(records.compactMap { $0["id"]?.string }).count == count + 1)
    }

    @Test func `a broken delivery costs no other`() throws {
        let lines = [
            Self.delivery(Self.text("a", "one")), #"{"object":"instagram","entry":[{"id":"1"#, "garbage",
            Self.delivery(Self.text("b", "two")), #"{"hello":1}"#,
            #"{"object":"instagram","entry":[7,{"messaging":7}]}"#,
        ]
        let (result, records) = try Self.read(lines.joined(separator: "\n"))
        #expect(records.map { $0["text"]?.string } == ["one", "two"])
        #expect(result.codes == ["json.truncated", "json.syntax", "webhook.unknown"])
        #expect(result.rejects.count == 3)
    }

    @Test(arguments: ["instagram", "page", "whatsapp_business_account"])
    func `documents may be spread over lines, stand in an array, or be one a line`(object: String) throws {
        let one = Self.delivery(Self.text("a", "hi"), object: object)
        let spread = one.replacing(",", with: ",\n  ").replacing("{", with: "{\n")
        for text in [one, one + "\n", spread, "[" + one + "]", "[\n" + spread + "]", "[\(one)]\n[\(one)]\n"] {
            let opening = Opening(bytes: Array(text.utf8), isWhole: true)
            #expect(ExportFormats.detect(opening)?.detection.format == "meta-webhook")
            let expected = object == "page" ? "messenger" : object == "instagram" ? "instagram" : "whatsapp"
            let records = try Self.read(text).records
            #expect(records.map { $0["platform"]?.string } == [expected])
        }
    }

    @Test(
        arguments: [
            #"{"object":"instagram","entry":{}}"#, #"{"object":"user","entry":[]}"#, #"{"field":"a","value":{"b":1}}"#,
            #"{"platform":"x","sender":{"handle":"@a"},"text":"object entry","sent_at":"2024-01-01T00:00:00Z"}"#,
            #"{"headers":{},"body":"hello there"}"#, #"{"text":"a","body":"{\"object\":\"page\"}"}"#, "[]", "{}",
            "null",
        ])
    func `what only looks like a delivery is none`(text: String) {
        #expect(MetaWebhookFormat().detect(Opening(bytes: Array(text.utf8), isWhole: true)) == nil)
    }

    @Test func `one event whose entry is cut off by the opening is recognized`() {
        let text = Self.delivery(Self.text("a", String(repeating: "ä", count: Opening.limit)))
        let opening = Opening(bytes: Array(text.utf8.prefix(Opening.limit)), isWhole: false)
        #expect(ExportFormats.detect(opening)?.detection.format == "meta-webhook")
    }

    @Test func `a flood of reactions to one message loses none`() throws {
        let count = WebhookWindow.maximumReactions + 3
        let reactions = (0..<count).map { number in
            #"{"sender":{"id":"p\#(number)"},"recipient":{"id":"1"},"reaction":{"mid":"m","action":"react","emoji":"🎈"}}"#
        }
        let lines = ([Self.text("m", "hi")] + reactions).map { Self.delivery($0) }
        let (_, records) = try Self.read(lines.joined(separator: "\n"))
        #expect(records.count == 4)
        #expect(records.first?["reactions"]?.elements.count == WebhookWindow.maximumReactions)
        #expect(records.dropFirst().allSatisfy { $0["raw"]?["kind"]?.string == "reaction_notice" })
    }

    @Test func `new texts count as held bytes`() throws {
        let long = String(repeating: "x", count: 900_000)
        func edit(_ mid: String) -> String {
            #"{"sender":{"id":"2"},"recipient":{"id":"1"},"message_edit":{"mid":"\#(mid)","text":"\#(long)"}}"#
        }
        let texts = (0..<12).map { Self.text("m\($0)", "t") }
        let lines = (texts + (0..<12).map { edit("m\($0)") }).map { Self.delivery($0) }
        let (_, records) = try Self.read(lines.joined(separator: "\n"))
        #expect(records.count == 12)
        #expect(records.allSatisfy { $0["text"]?.string == long })
    }

    @Test func `a live input that falls silent gets what is held`() throws {
        var result = ReadResult()
        let assembler = BatchAssembler { collect($0, into: &result) }
        let context = ReadingContext(assembler: assembler, options: InputReader.Options())
        let pump = FormatDispatcher(
            Member(path: "-", source: "-"), context, formats: ExportFormats.standard, format: nil)
        let line = Array((Self.delivery(Self.text("m", "hi")) + "\n").utf8)
        _ = try line.withUnsafeBufferPointer { try pump.feed($0) }
        #expect(result.lines.isEmpty)
        try pump.idle()
        #expect(result.texts == ["hi"] && pump.detection?.format == "meta-webhook")
        try pump.finish()
        #expect(result.lines.count == 1)
    }
}
