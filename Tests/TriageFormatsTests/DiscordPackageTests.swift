import Testing
import TriageCore

@testable import TriageFormats

struct DiscordPackageTests {
    private let folder = Fixtures.root + "/discord-package"

    private func records(_ result: ReadResult) -> [JSONNode] { result.lines.compactMap { JSONNode(Array($0.utf8)) } }

    private func package() throws -> [JSONNode] { records(try readInputs([folder])) }

    private func read(_ text: String, _ name: String = "x.bin") throws -> ReadResult {
        let scratch = try ScratchFolder()
        return try readInputs([scratch.write(name, text)])
    }

    private func detect(_ text: String, isWhole: Bool = true) -> Detection? {
        ExportFormats.detect(Opening(bytes: Array(text.utf8), isWhole: isWhole))?.detection
    }

    @Test func `every message is the owner's, once, oldest first in its channel`() throws {
        let found = try package()
        #expect(
            found.map { $0["id"]?.string } == [
                "dc:1248975000000000001", "dc:1248976543219876543", "dc:1183589257445376005",
                "dc:1003817000000000009", "dc:1003817000000000010",
            ])
        #expect(found.allSatisfy { $0["sender"]?["is_self"]?.bool == true && $0["platform"]?.string == "discord" })
        #expect(found.allSatisfy { $0["sender"]?["handle"]?.string == "tilda.kites" })
        #expect(found.allSatisfy { $0["sender"]?["name"]?.string == "Tilda ✂️ Kites" })
        #expect(found.allSatisfy { $0["sender"]?["id"]?.string == "1183589257445300042" })
        #expect(found.allSatisfy { $0["raw"]?["kind"]?.string == "message" })
    }

    @Test func `titles come from the index, else from the channel`() throws {
        let found = try package()
        #expect(
            found.map { $0["conversation_title"]?.string } == [
                "Direct Message with pia.sews#0", "Direct Message with pia.sews#0", "Kite Yard / #general",
                "old / workshop in Kite Yard", "old / workshop in Kite Yard",
            ])
        #expect(found.first?["conversation_id"]?.string == "1183589257445376001")
        #expect(found.first?["raw"]?["channel_type"]?.string == "DM")
        #expect(found.first?["participants"] == nil)
    }

    @Test func `texts, times and files are those of the package, without signatures`() throws {
        let found = try package()
        #expect(found[1]["text"]?.string == "the tail is 4 m,\nnot 40 🪁 <@77>")
        #expect(found[1]["sent_at"]?.string == "2024-06-08T12:30:02Z")
        #expect(found[3]["text"]?.string == "two lines,\nand \"quotes\"")
        #expect(found[3]["sent_at"]?.string == "2022-08-02T00:59:59.753000Z")
        #expect(found[0]["text"]?.string == "")
        let files = found[0]["attachments"]?.elements ?? []
        #expect(files.map { $0["type"]?.string } == ["image", "video"])
        #expect(files.map { $0["name"]?.string } == ["tail.PNG", "wind.mp4"])
        #expect(
            files.map { $0["url"]?.string } == [
                "https://cdn.discordapp.com/attachments/1/2/tail.PNG",
                "https://cdn.discordapp.com/attachments/1/3/wind.mp4?width=20",
            ])
        #expect(found[4]["attachments"]?.elements.first?["type"]?.string == "file")
    }

    @Test func `what else lies in a package is passed over, and what others export is read`() throws {
        let scratch = try ScratchFolder()
        for path in try Fixtures.paths(of: "discord-package") {
            scratch.write("all/" + path, try Fixtures.bytes("discord-package/" + path))
        }
        scratch.write("all/dms.csv", "sender,text\nZoë,hi\n")
        let result = try readInputs([scratch.path])
        #expect(result.lines.count == 6)
        #expect(result.texts.contains("hi"))
        #expect(!result.texts.contains("not a message"))
        #expect(result.codes.isEmpty)
        #expect(result.notices.count { $0.contains("nothing to triage") } == 1)
        #expect(!result.notices.contains { $0.contains("unknown format") })
    }

    @Test func `translated folders and old ones without letter are known`() throws {
        let scratch = try ScratchFolder()
        for path in try Fixtures.paths(of: "discord-package") {
            let moved = path.replacing("Account/", with: "Konto/").replacing("Messages/c", with: "Nachrichten/")
                .replacing("Messages/", with: "Nachrichten/").replacing("Activity/", with: "Aktivität/")
                .replacing("Servers/", with: "Server/")
            scratch.write(moved, try Fixtures.bytes("discord-package/" + path))
        }
        let result = try readInputs([scratch.path])
        #expect(records(result).map { $0["conversation_title"] } == (try package()).map { $0["conversation_title"] })
        #expect(records(result).allSatisfy { $0["sender"]?["handle"]?.string == "tilda.kites" })
    }

    @Test func `one file alone is read with the channel of its folder`() throws {
        let path = "Messages/c1183589257445376002/messages.json"
        let found = records(try readInputs([folder + "/" + path]))
        #expect(found.map { $0["conversation_id"]?.string } == ["1183589257445376002"])
        #expect(found.first?["conversation_title"] == nil)
        let bare = records(try read(String(decoding: try Fixtures.bytes("discord-package/" + path), as: UTF8.self)))
        #expect(bare.first?["conversation_id"] == nil)
        #expect(bare.first?["id"]?.string == "dc:1183589257445376005")
    }

    @Test(
        arguments: [
            (
                #"{"ID":1183589257445376005,"Timestamp":"2023-12-11 02:01:09","Contents":"a","Attachments":""}"#,
                "dc:1183589257445376005", "2023-12-11T02:01:09Z"
            ),
            (
                #"{"ID":"1183589257445376005","Timestamp":null,"Contents":"a","Attachments":null}"#,
                "dc:1183589257445376005", "2023-12-11T02:01:09Z"
            ),
            (#"{"ID":99999999999999999999999,"Timestamp":"soon","Contents":"a"}"#, nil, nil),
            (#"{"ID":-5,"Timestamp":"2020-02-30 10:00:00","Contents":null}"#, nil, nil),
        ] as [(String, String?, String?)])
    func `ids keep all their digits and times fall back on them`(entry: String, id: String?, time: String?) throws {
        let result = try read(#"[{"ID":1,"Timestamp":"2020-01-01","Contents":"z"},\#(entry)]"#)
        let found = try #require(records(result).first { $0["text"]?.string != "z" })
        if let id { #expect(found["id"]?.string == id) } else { #expect(found["id"]?.string?.count == 35) }
        #expect(found["sent_at"]?.string == time)
        #expect(result.codes.isEmpty)
    }

    @Test func `an entry that is none is refused and the next is read`() throws {
        let result = try read(#"[{"ID":1,"Timestamp":"2020-01-01","Contents":"a"},7,{"x":1},{"ID":2,"Contents":"b"}]"#)
        #expect(result.texts == ["a", "b"])
        #expect(result.codes == ["json.syntax", "json.syntax"])
        let table = try read("Contents;ID;Timestamp;Attachments\na;1;2020-01-01;\nb;2\nc;3;2020-01-02;\n")
        #expect(table.texts == ["a", "c"])
        #expect(table.codes == ["csv.cell-count"])
    }

    @Test(arguments: [
        (#"[{"ID":1,"Timestamp":"2020-01-01","Contents":"x","Attachments":""}]"#, "discord-package"),
        (#"[{"id":1,"timestamp":"2020-01-01","text":"x"}]"#, "json-array"),
        ("ID,Timestamp,Contents,Attachments\n1,2020-01-01,a,\n", "discord-package"),
        ("id,timestamp,text,attachments\n1,2020-01-01,a,\n", "csv"),
        ("id,timestamp,contents\n1,2020-01-01,a b\n", "csv"),
    ])
    func `it is told from what looks like it`(text: String, format: String) {
        let found = detect(text)
        #expect(found?.format == format || (found == nil && format == "csv" && !text.contains("text")))
    }

    @Test(arguments: [
        (#"{"1183589257445376001":"Direct Message with a#0","1183589257445376002":null}"#, true),
        (#"{"555":"Direct Message with a#0","556":null}"#, true),
        (#"{"id":"1183589257445376001","type":"DM","recipients":["1","2"]}"#, true),
        (#"{"id":"1183589257445376001","type":0,"name":"general","guild":{"id":"1","name":"b"}}"#, true),
        (#"{"id":"1183589257445376001","type":"GUILD_TEXT"}"#, true),
        (#"{"id":"42","username":"a","discriminator":0,"global_name":null,"email":"a@b.example"}"#, true),
        (#"{"id":"42","username":"a","text":"hello there"}"#, false),
        (#"{"2023":"hello there","2024":"and so on"}"#, false),
        (#"{"id":"42","type":"message","text":"hello there"}"#, false),
    ])
    func `lists of a package are known and hold no messages`(text: String, isOne: Bool) throws {
        #expect((detect(text)?.format == "discord-package") == isOne)
        if isOne {
            #expect(detect(text)?.hasMessages == false)
            let result = try read(text)
            #expect(result.lines.isEmpty && result.codes.isEmpty)
        }
    }

    @Test func `a file that is cut off inside a long text is still known`() {
        let long = String(repeating: "kite ", count: 1 << 16)
        let text = #"[{"ID":1,"Timestamp":"2020-01-01","Contents":"\#(long)"#
        #expect(detect(String(text.prefix(Opening.limit)), isWhole: false)?.format == "discord-package")
        let table = "ID,Timestamp,Contents,Attachments\n1,2020-01-01,\"\(long)"
        #expect(detect(String(table.prefix(Opening.limit)), isWhole: false)?.format == "discord-package")
    }

    @Test func `a list that cannot be read costs names and no message`() throws {
        let scratch = try ScratchFolder()
        for path in try Fixtures.paths(of: "discord-package") {
            let bytes = try Fixtures.bytes("discord-package/" + path)
            scratch.write(path, path == "Messages/index.json" ? Array(bytes.prefix(20)) : bytes)
        }
        let result = try readInputs([scratch.path])
        #expect(result.lines.count == 5)
        #expect(result.codes.isEmpty)
        #expect(result.notices.contains { $0.contains("index.json") })
    }
}
