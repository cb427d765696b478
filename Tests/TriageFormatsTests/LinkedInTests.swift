import Testing
import TriageCore

@testable import TriageFormats

struct LinkedInTests {
    private func records(_ result: ReadResult) -> [JSONNode] { result.lines.compactMap { JSONNode(Array($0.utf8)) } }

    @Test func `an export is read with its people, without drafts`() throws {
        let result = try readInputs([Fixtures.root + "/linkedin-csv"])
        let found = records(result)
        #expect(result.codes.isEmpty)
        #expect(result.notices.isEmpty)
        #expect(found.count == 3)
        let first = try #require(found.first)
        #expect(first["platform"]?.string == "linkedin")
        #expect(first["conversation_id"]?.string == "2-kl")
        #expect(first["conversation_title"]?.string == "Jörg Önder")
        #expect(first["sender"]?["handle"]?.string == "joerg-oender")
        #expect(first["sender"]?["name"]?.string == "Jörg Önder")
        #expect(first["sender"]?["is_self"]?.bool == false)
        #expect(first["text"]?.string == "Rope sponsorship\nDear Ida,\nEUR 2,400 for two films & the rope?")
        #expect(first["sent_at"]?.string == "2025-03-04T08:30:00Z")
        #expect(first["raw"]?["folder"]?.string == "inbox")
        #expect(first["raw"]?["sponsored"] == nil)
        #expect(first["attachments"]?.elements.first?["url"]?.string == "https://files.example/brief.pdf")
        #expect(found[1]["sender"]?["is_self"]?.bool == true)
        #expect(found[1]["text"]?.string == "Sounds good,\nsend the brief <3")
        #expect(found[2]["raw"]?["sponsored"]?.bool == true)
        #expect(found[2]["sender"]?["is_self"]?.bool == false)
    }

    @Test func `the oldest exports say who wrote by a direction`() throws {
        let scratch = try ScratchFolder()
        let table = """
            "From","To","Date","Subject","Content","Direction","Folder"
            "Pia Wolf","Ida Rehm","2019-05-02 14:03:00","","can you quote 40 m of rope","INCOMING","INBOX"
            "Ida Rehm","Pia Wolf","2019-05-02 15:00:00","","yes, tomorrow","OUTGOING","INBOX"

            """
        let found = records(try readInputs([scratch.write("x.bin", table)]))
        #expect(found.map { $0["sender"]?["is_self"]?.bool } == [false, true])
        #expect(found[0]["conversation_id"]?.string == found[1]["conversation_id"]?.string)
        #expect(found[0]["raw"]?["tz_assumed"]?.string == "UTC")
        #expect(found[0]["sent_at"]?.string == "2019-05-02T14:03:00Z")
    }

    @Test func `without other tables the owner is whose address is in most conversations`() throws {
        let scratch = try ScratchFolder()
        var table =
            "CONVERSATION ID,CONVERSATION TITLE,FROM,SENDER PROFILE URL,TO,RECIPIENT PROFILE URLS,DATE,SUBJECT,CONTENT,FOLDER\n"
        for (index, other) in ["a", "b", "c"].enumerated() {
            table +=
                "\(other),,X,https://www.linkedin.com/in/\(other),Me,https://www.linkedin.com/in/me,2025-01-0\(index + 1) 00:00:00 UTC,,hi,\n"
        }
        table +=
            "a,,Me,https://www.linkedin.com/in/me,X,https://www.linkedin.com/in/a,2025-01-01 01:00:00 UTC,,hello,\n"
        let found = records(try readInputs([scratch.write("x.bin", table)]))
        #expect(found.filter { $0["sender"]?["is_self"]?.bool == true }.map { $0["text"]?.string } == ["hello"])
        #expect(found.count == 4)
    }

    @Test(arguments: [
        "2-k,,A,,B,,2025-03-04 08:30:00 UTC,,cut,INBOX,,No\n",
        "2-k,,A,,B,,2025-03-04 08:30:00 UTC,,\"not closed,INBOX,,No,No\n",
    ])
    func `a broken row is refused with its place`(row: String) throws {
        let scratch = try ScratchFolder()
        let whole = String(decoding: try Fixtures.bytes("linkedin-csv/messages.csv"), as: UTF8.self)
        let result = try readInputs([scratch.write("x.bin", whole + row)])
        #expect(result.lines.count == 3)
        #expect(result.codes.count == 1)
        #expect(result.codes[0].hasPrefix("csv."))
    }

    @Test func `Reddit's table of the same name is Reddit's`() throws {
        for (format, path) in [
            ("linkedin-csv", "linkedin-csv/messages.csv"), ("reddit-csv", "reddit-csv/messages.csv"),
        ] {
            let opening = Opening(bytes: try Fixtures.bytes(path), isWhole: true)
            #expect(
                ExportFormats.standard.filter { $0.name.hasSuffix("-csv") && $0.detect(opening) != nil }.map(\.name)
                    == [format])
        }
    }
}
