import Testing
import TriageCore

@testable import TriageFormats

struct DiscordChatTests {
    private let folder = Fixtures.root + "/discord-chat"

    private func records(_ result: ReadResult) -> [JSONNode] { result.lines.compactMap { JSONNode(Array($0.utf8)) } }

    private func chats() throws -> [JSONNode] { records(try readInputs([folder])) }

    private func conversation(_ end: String) throws -> [JSONNode] {
        try chats().filter { $0["conversation_id"]?.string == "1183589257445376" + end }
    }

    private func read(_ text: String, _ name: String = "x.bin", zone: String = "", order: DateOrder? = nil) throws
        -> ReadResult
    {
        let scratch = try ScratchFolder()
        return try readInputs([scratch.write(name, text)]) {
            $0.timeZone = zone
            $0.dateOrder = order
        }
    }

    private func detect(_ text: String, isWhole: Bool = true) -> Detection? {
        ExportFormats.detect(Opening(bytes: Array(text.utf8), isWhole: isWhole))?.detection
    }

    /// Direct messages with one account, of entries `author: nickname`.
    private func direct(_ name: String, _ authors: [(id: String, name: String, nickname: String)]) -> String {
        let entries = authors.enumerated().map { index, author in
            #"{"id":"118358925744537600\#(index)","type":"Default","timestamp":"2023-12-11T03:01:09.123+01:00","#
                + #""content":"text \#(index)","author":{"id":"\#(author.id)","name":"\#(author.name)","#
                + #""discriminator":"0000","nickname":"\#(author.nickname)","isBot":false}}"#
        }
        return #"{"guild":{"id":"0","name":"Direct Messages"},"channel":{"id":"555","type":"DirectTextChat","#
            + #""name":"\#(name)"},"messages":[\#(entries.joined(separator: ","))],"messageCount":1}"#
    }

    @Test func `parts of a channel become one, each message once and oldest first`() throws {
        let found = try conversation("100")
        #expect(found.map { $0["id"]?.string } == (1...6).map { "dc:124890000000000000\($0)" })
        #expect(
            found.map { $0["raw"]?["kind"]?.string } == [
                "message", "message", "system", "message", "message", "system",
            ])
        #expect(found.allSatisfy { $0["conversation_title"]?.string == "Kite Yard / #orders" })
        #expect(found.allSatisfy { $0["sender"]?["is_self"] == nil })
        #expect(try chats().count == 13)
    }

    @Test func `the fields of a message are those of the export`() throws {
        let found = try conversation("100")
        let order = found[0]
        #expect(order["platform"]?.string == "discord")
        #expect(order["sent_at"]?.string == "2024-06-08T07:26:00.125Z")
        #expect(order["sender"]?["id"]?.string == "13")
        #expect(order["sender"]?["handle"]?.string == "OldHand#0413")
        #expect(order["raw"]?["edited_at"]?.string == "2024-06-08T07:30:00Z")
        #expect(order["raw"]?["is_pinned"]?.bool == true)
        #expect(order["reactions"]?.elements.map { $0["emoji"]?.string } == ["🪁", ":knot:"])
        #expect(order["reactions"]?.elements.map { $0["count"]?.int } == [1, 3])
        #expect(order["reactions"]?.elements.map { $0["by"]?.string } == ["tilda.kites", nil])
        let reply = found[1]
        #expect(reply["text"]?.string == "@OldHand gladly, \nsee <#555> :spin: <b>")
        #expect(reply["reply_to"]?.string == "dc:1248900000000000001")
        #expect(reply["sender"]?["handle"]?.string == "tilda.kites")
        #expect(reply["sender"]?["name"]?.string == "Tilda")
        #expect(reply["attachments"]?.elements.map { $0["type"]?.string } == ["file", "voice", "sticker"])
        #expect(
            reply["attachments"]?.elements.first?["url"]?.string
                == "https://cdn.discordapp.com/attachments/1/2/price list.pdf")
        #expect(reply["attachments"]?.elements.first?["name"]?.string == "price list.pdf")
    }

    @Test func `bots are marked, forwards have their text, unknown types are no messages`() throws {
        let found = try conversation("100")
        #expect(found[3]["raw"]?["is_bot"]?.bool == true)
        #expect(found[3]["raw"]?["interaction"]?["name"]?.string == "wind")
        #expect(found[3]["raw"]?["interaction"]?["user"]?.string == "pia.sews")
        #expect(found[3]["raw"]?["embeds"]?.elements.first?["description"]?.string == "4 Bft from the west")
        #expect(found[4]["text"]?.string == "We pay for a banner on the blue one")
        #expect(found[4]["raw"]?["forwarded"]?["sent_at"]?.string == "2024-06-01T06:00:00Z")
        #expect(found[4]["attachments"]?.elements.first?["type"]?.string == "image")
        #expect(found[4]["reply_to"] == nil)
        #expect(found[5]["raw"]?["type"]?.string == "46")
        #expect(found[2]["text"]?.string == "Joined the server.")
    }

    @Test func `direct messages are called after the other side, so the owner is known`() throws {
        let found = try conversation("101")
        #expect(found.map { $0["sender"]?["is_self"]?.bool } == [true, false, false])
        #expect(found.allSatisfy { $0["conversation_title"]?.string == "Pia ✂️" })
        #expect(found.map { $0["raw"]?["kind"]?.string } == ["message", "message", "call"])
        #expect(found[2]["raw"]?["call_ended_at"]?.string == "2024-06-08T08:14:00Z")
        #expect(try !chats().contains { $0["text"]?.string == "a file that somebody sent" })
    }

    @Test(
        arguments: [
            ("zoe", [("42", "zoe", "Zoë")], [false]),
            ("Zoë", [("7", "mara", "Mara"), ("42", "zoe", "Zoë")], [true, false]),
            // Who was renamed, or shares a name, cannot be told.
            ("lea", [("42", "zoe", "Zoë"), ("7", "mara", "Mara")], [nil, nil]), ("zoe", [("7", "mara", "Mara")], [nil]),
        ] as [(String, [(String, String, String)], [Bool?])])
    func `the owner is told only where it is sure`(
        name: String, authors: [(String, String, String)], expected: [Bool?]
    ) throws {
        let found = records(try read(direct(name, authors.map { ($0.0, $0.1, $0.2) })))
        #expect(found.map { $0["sender"]?["is_self"]?.bool } == expected)
        #expect(found.first?["conversation_title"]?.string == name)
    }

    @Test func `a direct message has its time in UTC and its id with all digits`() throws {
        let found = try #require(records(try read(direct("zoe", [("42", "zoe", "Zoë")]))).first)
        #expect(found["id"]?.string == "dc:1183589257445376000")
        #expect(found["sent_at"]?.string == "2023-12-11T02:01:09.123Z")
        #expect(found["sender"]?["handle"]?.string == "zoe")
        #expect(found["sender"]?["name"]?.string == "Zoë")
        #expect(found["conversation_id"]?.string == "555")
    }

    @Test func `a thread says which channel it hangs in`() throws {
        let found = try #require(try conversation("104").first)
        #expect(found["conversation_title"]?.string == "Kite Yard / #forty kites")
        #expect(found["raw"]?["parent"]?["id"]?.string == "1183589257445376100")
        #expect(found["raw"]?["parent"]?["name"]?.string == "orders")
        #expect(found["raw"]?["channel_type"]?.string == "GuildPublicThread")
    }

    @Test func `tables give what they have, with made ids`() throws {
        let found = try conversation("102")
        #expect(
            found.map { $0["text"]?.string } == [
                "two lines,\nand \"quotes\"", "where is the stall?", "where is the stall?",
            ])
        #expect(Set(found.compactMap { $0["id"]?.string }).count == 3)
        #expect(found.allSatisfy { $0["id"]?.string?.hasPrefix("dc:") == true })
        #expect(found.map { $0["sender"]?["handle"]?.string } == ["OldHand#0413", "pia.sews", "pia.sews"])
        #expect(found[0]["sent_at"]?.string == "2024-06-08T07:26:00.1250000Z")
        #expect(found[1]["sent_at"]?.string == "2024-06-08T14:01:00Z")
        #expect(found[1]["raw"]?["sent_at_precision"]?.string == "minute")
        #expect(found[1]["raw"]?["tz_assumed"]?.string == "UTC")
        #expect(found[0]["conversation_title"]?.string == "Kite Yard - shop - help")
        #expect(
            found[0]["attachments"]?.elements.map { $0["url"]?.string } == [
                "https://cdn.discordapp.com/attachments/1/6/a,b.png",
                "https://cdn.discordapp.com/attachments/1/7/c.mp4",
            ])
        #expect(found[0]["reactions"]?.elements.map { $0["emoji"]?.string } == ["🪁", ":knot:"])
    }

    @Test(
        arguments: [
            ("11-Dec-23 02:01 PM", "", nil, "2023-12-11T14:01:00Z"),
            ("11-Dec-23 02:01 PM", "Europe/Lisbon", nil, "2023-12-11T14:01:00Z"),
            ("11-Jul-23 02:01 AM", "Europe/Lisbon", nil, "2023-07-11T01:01:00Z"),
            ("11/12/2023 14:01", "", .dmy, "2023-12-11T14:01:00Z"), ("11/12/2023 14:01", "", nil, nil),
            ("2023-12-11T02:01:09.5000000+01:00", "Asia/Tokyo", nil, "2023-12-11T01:01:09.5000000Z"),
            ("99-Dec-23 02:01 AM", "", nil, nil), ("soon", "", nil, nil),
        ] as [(String, String, DateOrder?, String?)])
    func `times of tables are read in all their forms`(
        date: String, zone: String, order: DateOrder?, expected: String?
    ) throws {
        let text = "AuthorID,Author,Date,Content,Attachments,Reactions\n\"1\",\"a\",\"\(date)\",\"hello\",\"\",\"\"\n"
        let found = try #require(records(try read(text, zone: zone, order: order)).first)
        #expect(found["sent_at"]?.string == expected)
        if expected == nil { #expect(found["raw"]?["time_text"]?.string == date) }
    }

    @Test func `what stands behind the messages counts too`() throws {
        let text =
            #"{"messages":[{"id":"1183589257445376005","timestamp":"x","content":"hi","author":{"id":"1"}}],"#
            + #""channel":{"id":"5","type":"GuildTextChat","name":"a"},"guild":{"id":"6","name":"b"}}"#
        let found = try #require(records(try read(text)).first)
        #expect(found["conversation_title"]?.string == "b / #a")
        #expect(found["sent_at"]?.string == "2023-12-11T02:01:09Z")
    }

    @Test func `an entry that is none is refused and the next is read`() throws {
        let text =
            #"{"guild":{"id":"6","name":"b"},"channel":{"id":"5","name":"a"},"messages":[{"id":"1","content":"a"},"#
            + #"7,{"x":{}},{"id":"99999999999999999999","content":null,"author":null,"attachments":{},"#
            + #""reactions":[{"emoji":{"name":"x"},"count":99999999999999999999}]}]}"#
        let result = try read(text)
        #expect(result.texts == ["a", ""])
        #expect(result.codes == ["json.syntax", "json.syntax"])
    }

    @Test func `a file that only has such a name is refused, with its place`() throws {
        let scratch = try ScratchFolder()
        scratch.write("a [1183589257445376102].json", #"[{"text":"hello"}]"#)
        scratch.write("b.jsonl", #"{"text":"bye"}"#)
        let result = try readInputs([scratch.path])
        #expect(result.texts == ["bye"])
        #expect(result.codes == ["discord.no-export"])
    }

    @Test(arguments: [
        (#"{"guild":{"id":"1"},"channel":{"id":"2"},"messages":[]}"#, "discord-chat"),
        (#"{"guild":{"id":"1"},"channel":{"id":"2"},"messages":[{"text":"a"}]}"#, "discord-chat"),
        (#"{"guild":"b","messages":[{"text":"a"}]}"#, "json-array"),
        (
            #"{"participants":["A"],"threadName":"A","messages":[{"senderName":"A","text":"x","timestamp":1}]}"#,
            "messenger-e2ee"
        ),
        (#"{"messages":[{"type":"message","date":"2024-01-01","from":"A","text":"x"}]}"#, "telegram-json"),
        ("AuthorID,Author,Date,Content\n1,a,2024-01-01T00:00:00Z,x\n", "discord-chat"),
        ("ID,Timestamp,Contents,Attachments\n1,2020-01-01,a,\n", "discord-package"),
        ("Author,Date,Content\na,2024-01-01T00:00:00Z,x\n", "csv"),
    ])
    func `it is told from what looks like it`(text: String, format: String) {
        #expect(detect(text)?.format == format)
    }

    @Test func `a file that is cut off inside a long text is still known`() {
        let long = String(repeating: "kite ", count: 1 << 16)
        for text in [
            #"{"guild":{"id":"1"},"channel":{"id":"2"},"messages":[{"content":"\#(long)"#,
            "AuthorID,Author,Date,Content\n1,a,2024-01-01,\"\(long)",
        ] {
            #expect(detect(String(text.prefix(Opening.limit)), isWhole: false)?.format == "discord-chat")
        }
    }

    @Test func `pages and plain text get advice`() throws {
        let page = "<html><head><title>a</title></head><body><div class=\"chatlog\"><div class=chatlog__message>"
        let plain =
            "==============\nGuild: Kite Yard\nChannel: shop / help\n==============\n\n"
            + "[08-Jun-24 02:01 PM] pia#0000\nhello, you\n\n[08-Jun-24 02:02 PM] pia#0000\nall good, thanks\n"
        for text in [page, plain] {
            let error = #expect(throws: TriageError.self) { try self.read(text) }
            #expect(error?.what.contains("DiscordChatExporter") == true)
        }
    }

    @Test(arguments: [
        ("a/Yard - shop - help [1183589257445376102].csv", "Yard - shop - help", "1183589257445376102", 1),
        ("Direct Messages - Private - zoe [1183589257445376102] [part 12].json", "zoe", "1183589257445376102", 12),
        ("a [b] [1183589257445376102].JSON", "a [b]", "1183589257445376102", 1),
    ])
    func `names of files are taken apart`(path: String, title: String, channel: String, part: Int) {
        let found = DiscordChatPath(path)
        #expect(found?.title == title)
        #expect(found?.channel == channel)
        #expect(found?.part == part)
    }

    @Test(arguments: [
        "a [12].json", "1183589257445376102.json", "a [1183589257445376102].html", "[part 2].json", "].json",
    ])
    func `other names are not theirs`(path: String) { #expect(DiscordChatPath(path) == nil) }
}
