import Testing
import TriageCore

@testable import TriageFormats

struct SlackTests {
    private let folder = Fixtures.root + "/slack-export"

    private func records(_ result: ReadResult) -> [JSONNode] { result.lines.compactMap { JSONNode(Array($0.utf8)) } }

    private func export(_ own: [String] = []) throws -> [JSONNode] {
        records(try readInputs([folder]) { $0.ownIdentities = own })
    }

    private func conversation(_ id: String) throws -> [JSONNode] {
        try export().filter { $0["conversation_id"]?.string == id }
    }

    private func read(_ text: String, _ name: String = "x.bin") throws -> ReadResult {
        let scratch = try ScratchFolder()
        return try readInputs([scratch.write(name, text)])
    }

    private func detect(_ text: String, isWhole: Bool = true) -> Detection? {
        ExportFormats.detect(Opening(bytes: Array(text.utf8), isWhole: isWhole))?.detection
    }

    @Test func `the days of a channel come out in order, with its id and name`() throws {
        let found = try conversation("C0BRAND01")
        #expect(
            found.map { $0["id"]?.string }
                == [
                    "1717236000.000100", "1717238400.000200", "1717238490.000300", "1717238500.000400",
                    "1717322400.100000", "1717322401.000000", "1717322500.000000", "1717322600.000000",
                    "1717322700.000000",
                ].map { "slack:C0BRAND01/" + $0 })
        #expect(
            found.map { $0["raw"]?["kind"]?.string } == [
                "system", "message", "message", "message", "message", "message", "message", "unsent", "call",
            ])
        #expect(found.allSatisfy { $0["conversation_title"]?.string == "brand-talk" })
        #expect(found.allSatisfy { $0["participants"]?.int == 3 && $0["platform"]?.string == "slack" })
        #expect(found[1]["sent_at"]?.string == "2024-06-01T10:40:00.0002Z")
        #expect(found[6]["sent_at"]?.string == "2024-06-02T10:01:40Z")
    }

    @Test func `texts are what their readers saw`() throws {
        let found = try conversation("C0BRAND01")
        #expect(
            found.map { $0["text"]?.string } == [
                "@pia has joined the channel",
                "Morning @tilda & @ivo: the harbour wants forty kites (https://harbour.example/kites?a=1&b=2)"
                    + " by 1 July, budget < €2000 :kite:",
                "With pleasure, see #brand-talk and orders@kites.example @here", "4 Bft > 3 Bft",
                "the drawing, “blue”", "calm & dry 👋@pia\nsee https://wind.example", "Deal, 1800 €",
                "This message was deleted.", "",
            ])
    }

    @Test func `people have the names of the lists, else of their messages`() throws {
        let found = try conversation("C0BRAND01")
        #expect(
            found.map { $0["sender"]?["handle"]?.string } == [
                "pia", "oskar.m", "tilda", nil, "ivo", nil, "oskar.m", "slackbot", "tilda",
            ])
        #expect(
            found.map { $0["sender"]?["name"]?.string } == [
                "pia ✂", "Oskar Møller", "Tilda Ranke", "Wind bot", "Ivo K.", "Wind", "Oskar Møller", "Slackbot",
                "Tilda Ranke",
            ])
        #expect(found[3]["sender"]?["id"]?.string == "Wind bot")
        #expect(found[5]["sender"]?["id"]?.string == "B0WIND001")
        #expect(
            found.map { $0["raw"]?["is_bot"]?.bool } == [nil, nil, nil, true, nil, true, nil, true, nil])
        #expect(!(try export()).contains { "\($0)".contains("kites.example\"") && "\($0)".contains("tilda@") })
    }

    @Test func `threads, reactions, files and edits are kept, tokens are not`() throws {
        let result = try readInputs([folder])
        let found = try conversation("C0BRAND01")
        #expect(found[1]["reply_to"] == nil)
        #expect(found[2]["reply_to"]?.string == "slack:C0BRAND01/1717238400.000200")
        #expect(found[6]["reply_to"]?.string == "slack:C0BRAND01/1717238400.000200")
        #expect(found[2]["raw"]?["parent_user_id"]?.string == "U0OSKAR02")
        #expect(found[1]["raw"]?["edited_at"]?.string == "2024-06-01T10:41:00Z")
        #expect(found[1]["raw"]?["client_msg_id"]?.string == "5f0c-11")
        #expect(found[1]["raw"]?["reply_count"]?.int == 2)
        let reactions = found[1]["reactions"]?.elements ?? []
        #expect(reactions.map { $0["emoji"]?.string } == ["👀", "👍🏼", ":yard-knot:"])
        #expect(reactions.map { $0["count"]?.int } == [1, 4, 1])
        #expect(reactions.map { $0["by"]?.string } == ["tilda", nil, "U0GONE001"])
        let files = found[4]["attachments"]?.elements ?? []
        #expect(files.map { $0["type"]?.string } == ["image", "voice", "file"])
        #expect(
            files.map { $0["url"]?.string } == [
                "https://files.slack.example/T1/blue.png", "https://files.slack.example/T1/memo.m4a?v=2", nil,
            ])
        #expect(found[3]["attachments"]?.elements.first?["type"]?.string == "link")
        #expect(found[3]["attachments"]?.elements.first?["url"]?.string == "https://wind.example/today")
        #expect(!result.lines.joined().contains("xox"))
        #expect(result.notices.contains { $0.contains("1 entry without a time") })
        #expect(result.codes.isEmpty)
    }

    @Test func `the one who is in all direct messages is the owner`() throws {
        let direct = try conversation("D0OSKAR01")
        #expect(direct.map { $0["sender"]?["is_self"]?.bool } == [false, true])
        #expect(direct.allSatisfy { $0["conversation_title"]?.string == "Oskar Møller" })
        #expect(direct.first?["raw"]?["channel_type"]?.string == "dm")
        #expect(direct.first?["participants"] == nil)
        let notes = try conversation("D0TILDA02")
        #expect(notes.first?["conversation_title"]?.string == "Tilda Ranke")
        #expect(try conversation("G0THREE01").first?["conversation_title"]?.string == "mpdm-tilda--oskar.m--pia-1")
    }

    @Test(arguments: ["U0OSKAR02", "oskar.m", "@Oskar.M", "oskar.m@kites.example", "Oskar Møller"])
    func `who the user is goes before what the lists say`(own: String) throws {
        let direct = try export([own]).filter { $0["conversation_id"]?.string == "D0OSKAR01" }
        #expect(direct.map { $0["sender"]?["is_self"]?.bool } == [true, false])
        #expect(direct.allSatisfy { $0["conversation_title"]?.string == "Tilda Ranke" })
    }

    @Test(
        arguments: [
            (
                #"[{"id":"D1","members":["U1","U2"]},{"id":"D2","members":["U2","U3"]},{"id":"D3","members":["U1","U3"]}]"#,
                nil
            ),
            (#"[{"id":"D1","members":["U1","U2"]},{"id":"D2","members":["U3","U1"]}]"#, true),
            (#"[{"id":"D1","members":["U1","U2"]}]"#, nil), (#"[{"id":"D1","members":["U2","U2"]}]"#, false),
            ("[]", nil),
            ("[{\"id\":", nil),
        ] as [(String, Bool?)])
    func `an owner is told only where there is one answer`(list: String, expected: Bool?) throws {
        let scratch = try ScratchFolder()
        scratch.write("users.json", "[]")
        scratch.write("dms.json", list)
        scratch.write("D1/2024-06-01.json", #"[{"type":"message","user":"U1","text":"a","ts":"1717238400.000200"}]"#)
        let result = try readInputs([scratch.path])
        let found = try #require(records(result).first)
        #expect(found["sender"]?["is_self"]?.bool == expected)
        #expect(result.codes.isEmpty)
    }

    @Test func `a workspace of an organization has its lists and those above`() throws {
        let scratch = try ScratchFolder()
        scratch.write("x/org_users.json", #"[{"id":"U1","name":"ada","profile":{"real_name":"Ada"}}]"#)
        for (team, id) in [("T1", "C1"), ("T2", "C2")] {
            scratch.write("x/teams/\(team)/channels.json", #"[{"id":"\#(id)","name":"general","members":["U1"]}]"#)
            scratch.write(
                "x/teams/\(team)/general/2024-06-01.json",
                #"[{"type":"message","user":"U1","text":"in \#(team)","ts":"1717238400.000200"}]"#)
        }
        scratch.write(
            "x/teams/T1/FC:F1:notes/2024-06-01.json", #"[{"user":"U1","text":"no","ts":"1717238400.000200"}]"#)
        scratch.write("x/teams/T1/general/canvas.json", #"[{"text":"no"}]"#)
        let result = try readInputs([scratch.path])
        let found = records(result)
        #expect(found.map { $0["id"]?.string } == ["slack:C1/1717238400.000200", "slack:C2/1717238400.000200"])
        #expect(found.allSatisfy { $0["sender"]?["name"]?.string == "Ada" })
        #expect(result.notices.contains { $0.contains("no direct messages") })
    }

    @Test func `overlapping exports and archives in any order give each message once, in order`() throws {
        let scratch = try ScratchFolder()
        let entries = try Fixtures.paths(of: "slack-export").map { ($0, try Fixtures.bytes("slack-export/" + $0)) }
        let a = scratch.write("a.zip", Packing.zip(entries.reversed()))
        let b = scratch.write("b.zip", Packing.zip(entries))
        let both = records(try readInputs([a, b]))
        let channel = both.filter { $0["conversation_id"]?.string == "C0BRAND01" }
        #expect(channel.map { $0["id"] } == (try conversation("C0BRAND01")).map { $0["id"] })
        #expect(both.count == (try export()).count)
        for (path, bytes) in entries {
            scratch.write("one/" + path, bytes)
            scratch.write("two/" + path, bytes)
        }
        #expect(records(try readInputs([scratch.path + "/one", scratch.path + "/two"])).count == both.count)
    }

    @Test func `a day without lists is read on its own`() throws {
        let day =
            #"[{"user":"U2","text":"hi <@U9>","ts":"1717238400.000200"},{"bot_id":"B1","text":"x","ts":"1717238401"}]"#
        let scratch = try ScratchFolder()
        let path = scratch.write("brand-talk/2024-06-01.json", day)
        scratch.write("dms.csv", "sender,text\nZoë,hi\n")
        for input in [path, scratch.path] {
            let found = records(try readInputs([input])).filter { $0["platform"]?.string == "slack" }
            #expect(found.map { $0["text"]?.string } == ["hi @U9", "x"])
            #expect(found.first?["id"]?.string == "slack:brand-talk/1717238400.000200")
            #expect(found.first?["conversation_title"]?.string == "brand-talk")
            #expect(found.first?["sender"]?["is_self"] == nil)
        }
        #expect(records(try read(day)).first?["id"]?.string == "slack:1717238400.000200")
        #expect(records(try read(day)).first?["conversation_id"] == nil)
        #expect(try readInputs([scratch.path]).texts.contains("hi"))
    }

    @Test(arguments: [
        ("<@U1> <@U1|zoe> <@U404>", "@mara @zoe @U404"), ("<#C1> <#C1|general> <#C404|>", "#kites #general #C404"),
        ("<!here> <!channel|channel> <!everyone>", "@here @channel @everyone"),
        ("<!subteam^S1|@team> <!subteam^S2>", "@team @S2"),
        ("<!date^1392734382^{date}|18 Feb 2014>.", "18 Feb 2014."),
        ("<https://brand.example|brief> &amp; reply", "brief (https://brand.example) & reply"),
        ("<https://a.example> <https://a.example|https://a.example>", "https://a.example https://a.example"),
        ("<mailto:a@b.example|a@b.example> <mailto:c@d.example> <tel:+1234|call>", "a@b.example c@d.example call"),
        ("&amp;lt; &lt;@U1&gt; &quot; & &am &#39;", "&lt; <@U1> &quot; & &am &#39;"),
        ("a < b <c> <<@U1>> <", "a < b <c> <@mara> <"), ("<> <|> <@> <!> <:x>", "<> <|> @ <!> <:x>"),
    ])
    func `marks become what they show`(text: String, expected: String) throws {
        var directory = SlackDirectory(said: [])
        let person = try #require(JSONNode(Array(#"{"id":"U1","name":"mara","profile":{}}"#.utf8)))
        directory.add(person: person)
        let channel = try #require(JSONNode(Array(#"{"id":"C1","name":"kites","members":["U1"]}"#.utf8)))
        directory.add(conversation: channel, type: "channel", scope: "")
        #expect(SlackText(directory: directory).plain(text) == expected)
    }

    @Test(arguments: [
        (#"[{"type":"message","ts":"1717238400.000200","text":"x"}]"#, true),
        (#"[{"ts":"1717238400.000200","user":"U1"}]"#, true),
        (#"[{"ts":"171723840.2","bot_id":"B1","text":"x"}]"#, true),
        (#"[{"type":"message","ts":"1.2","text":"x","user":"U1"}]"#, false),
        (#"[{"ts":"1717238400.000200","user":{"id":1},"text":"x"}]"#, false),
        (#"[{"ts":1717238400.0002,"user":"U1","text":"x"}]"#, false),
        (#"[{"ts":"1717238400.000200","text":"x"}]"#, false),
        (#"{"messages":[{"type":"message","date":"2024-01-01","from":"A","text":"x"}]}"#, false),
        (#"[{"type":"message","id":1,"date":"2024-01-01","from":"A","text":"x"}]"#, false), ("[]", false),
        ("[1]", false),
    ])
    func `days are told from what looks like them`(text: String, isOne: Bool) {
        #expect((detect(text)?.format == "slack-export") == isOne)
        if isOne { #expect(detect(text)?.hasMessages == true) }
    }

    @Test(arguments: [
        #"[{"id":"U1","team_id":"T1","name":"a","profile":{"real_name":"A"}}]"#,
        #"[{"id":"C1","name":"general","created":1,"creator":"U1","members":["U1"]}]"#,
        #"[{"id":"D1","created":1,"members":["U1","U1"]},{"id":"D2","created":2,"members":["U1","U2"]}]"#,
        #"[{"user_id":"U1","user_name":"a","date":"1","change_type":"added","service_type":"b"}]"#,
    ])
    func `a list alone is known and holds no messages`(text: String) throws {
        #expect(
            detect(text) == Detection(format: "slack-export", reason: detect(text)?.reason ?? "", hasMessages: false))
        let result = try read(text, "dms.json")
        #expect(result.lines.isEmpty && result.codes.isEmpty)
        #expect(result.notices.contains { $0.contains("no messages") })
    }

    @Test func `what is cut off inside a long text is still known`() {
        let long = String(repeating: "kite ", count: 1 << 16)
        let day = #"[{"type":"message","user":"U1","ts":"1717238400.000200","text":"\#(long)"#
        #expect(detect(String(day.prefix(Opening.limit)), isWhole: false)?.hasMessages == true)
        let list = #"[{"id":"U1","name":"a","profile":{"status_text":"\#(long)"#
        #expect(detect(String(list.prefix(Opening.limit)), isWhole: false)?.hasMessages == false)
    }

    @Test(
        arguments: [
            (#""1717238400.000200""#, "2024-06-01T10:40:00.0002Z"), (#""1717238400.100000""#, "2024-06-01T10:40:00.1Z"),
            ("1717238400", "2024-06-01T10:40:00Z"), (#""1717238400.""#, nil), (#""-1.5""#, nil), (#""abc""#, nil),
            (#""999999999999999999999.1""#, nil), (#""253402300800.1""#, nil), ("null", nil), (#""""#, nil),
        ] as [(String, String?)])
    func `times keep the digits they have`(text: String, expected: String?) throws {
        let found = SlackTime(JSONNode(Array(text.utf8)))
        #expect(found?.text == expected)
        if text.contains("000200") { #expect(found?.source == "1717238400.000200") }
    }

    @Test func `an entry that is none is refused and the next is read`() throws {
        let result = try read(
            #"[{"type":"message","user":"U1","ts":"1717238400.000200","text":null,"files":{},"reactions":[{"name":"x"}]},"#
                + #"7,{"type":"message","ts":"1717238401.000200","user":7,"text":"b","blocks":"c","edited":"d"}]"#)
        #expect(result.texts == ["", "b"])
        #expect(result.codes == ["json.syntax"])
    }
}
