import Testing
import TriageCore

@testable import TriageFormats

struct LinkedInTests {
    private static let header =
        "CONVERSATION ID,CONVERSATION TITLE,FROM,SENDER PROFILE URL,TO,RECIPIENT PROFILE URLS,DATE,SUBJECT,CONTENT,"
        + "FOLDER,ATTACHMENTS,IS MESSAGE DRAFT,IS CONVERSATION DRAFT\n"

    private static func person(_ slug: String) -> String { "https://www.linkedin.com/in/" + slug }

    @Test func `a page becomes text below its subject and a draft is dropped`() throws {
        let rows = [
            "2-k,,Ana Prado,\(Self.person("ana-p")),\"Lena Loom, M.A.\",\(Self.person("lena")),2024-06-01 10:40:00 UTC,"
                + "Workshop,\"<p class=\"\"spinmail-quill-editor__spin-break\"\">Dear Lena,</p><p>7 &amp; 8 May?</p>\","
                + "INBOX,,No,No",
            "2-k,,\"Lena Loom, M.A.\",\(Self.person("lena")),Ana Prado,\(Self.person("ana-p")),2024-06-01 10:41:00 UTC,,"
                + "not yet,INBOX,,Yes,No",
        ]
        let (result, records) = try MetaWebhookTests.read(Self.header + rows.joined(separator: "\n") + "\n")
        let record = try #require(records.first)
        #expect(records.count == 1 && result.codes.isEmpty)
        #expect(record["text"]?.string == "Workshop\nDear Lena,\n7 & 8 May?")
        #expect(record["sender"]?["handle"]?.string == "ana-p" && record["sender"]?["id"]?.string == "ana-p")
        #expect(record["sender"]?["name"]?.string == "Ana Prado")
        #expect(record["sent_at"]?.string == "2024-06-01T10:40:00Z")
        #expect(record["raw"]?["tz_assumed"] == nil)
        #expect(record["raw"]?["folder"]?.string == "inbox")
        #expect(record["participants"] == nil, "the comma in a name makes no third person")
        #expect(result.notices.contains { $0.contains("draft") })
    }

    /// The same two messages as each time wrote them.
    @Test(arguments: [
        "FROM,TO,DATE,SUBJECT,CONTENT,DIRECTION,FOLDER\nAna,Lena,2018-03-04T05:06:07,,hi,INCOMING,INBOX\n"
            + "Lena,Ana,2018-03-04T05:07:07,,hello,OUTGOING,INBOX\n",
        "CONVERSATION ID,CONVERSATION TITLE,FROM,SENDER PROFILE URL,TO,DATE,SUBJECT,CONTENT,FOLDER\n"
            + "c,,Ana,\(person("ana")),Lena,2018-03-04 05:06:07 UTC,,hi,INBOX\n"
            + "c,,Lena,\(person("lena")),Ana,2018-03-04 05:07:07 UTC,,hello,INBOX\n",
        "CONVERSATION ID,CONVERSATION TITLE,FROM,SENDER PROFILE URL,TO,RECIPIENT PROFILE URLS,DATE,SUBJECT,CONTENT,FOLDER\n"
            + "c,,Ana,\(person("ana")),Lena,\(person("lena")),2018-03-04 05:06:07 UTC,,hi,INBOX\n"
            + "c,,Lena,\(person("lena")),Ana,\(person("ana")),2018-03-04 05:07:07 UTC,,hello,INBOX\n",
        header + "c,,Ana,\(person("ana")),Lena,\(person("lena")),2018-03-04 05:06:07 UTC,,hi,INBOX,,No,No\n"
            + "c,,Lena,\(person("lena")),Ana,\(person("ana")),2018-03-04 05:07:07 UTC,,hello,INBOX,,No,No\n",
        "\"CONVERSATION ID\",\"CONVERSATION TITLE\",\"FROM\",\"SENDER PROFILE URL\",\"TO\",\"RECIPIENT PROFILE URLS\","
            + "\"DATE\",\"SUBJECT\",\"CONTENT\",\"FOLDER\"\n"
            + "\"c\",\"\",\"Ana\",\"\(person("ana"))\",\"Lena\",\"\(person("lena"))\",\"2018-03-04 05:06:07 UTC\",\"\",\"hi\","
            + "\"INBOX\"\n"
            + "\"c\",\"\",\"Lena\",\"\(person("lena"))\",\"Ana\",\"\(person("ana"))\",\"2018-03-04 05:07:07 UTC\",\"\","
            + "\"hello\",\"INBOX\"\n",
    ])
    func `the tables of all years are read`(text: String) throws {
        let (result, records) = try MetaWebhookTests.read(text)
        #expect(result.codes.isEmpty)
        #expect(records.map { $0["text"]?.string } == ["hi", "hello"])
        #expect(records.map { $0["sender"]?["name"]?.string } == ["Ana", "Lena"])
        #expect(records.map { $0["sent_at"]?.string } == ["2018-03-04T05:06:07Z", "2018-03-04T05:07:07Z"])
        #expect(records.map { $0["platform"]?.string } == ["linkedin", "linkedin"])
        #expect(Set(records.compactMap { $0["conversation_id"]?.string }).count == 1)
        #expect(Set(records.compactMap { $0["id"]?.string }).count == 2)
        let isOld = text.hasPrefix("FROM")
        #expect(records.map { $0["raw"]?["tz_assumed"]?.string } == (isOld ? ["UTC", "UTC"] : [nil, nil]))
        #expect(records.map { $0["sender"]?["is_self"]?.bool } == (isOld ? [false, true] : [nil, nil]))
    }

    @Test func `a whole export tells the owner, also from one of the same name`() throws {
        let result = try readInputs([Fixtures.root + "/linkedin-csv"])
        #expect(result.codes.isEmpty)
        let records = result.lines.compactMap { JSONNode(Array($0.utf8)) }
        func record(_ part: String) -> JSONNode? {
            records.first { $0["text"]?.string?.contains(part) == true }
        }
        #expect(records.count == 6)
        #expect(record("paid talk")?["text"]?.string == "A paid talk\nHi Lena,\nwould you speak for 800 €?\nIn Graz.")
        #expect(record("paid talk")?["sender"]?["is_self"]?.bool == false)
        #expect(record("paid talk")?["conversation_title"]?.string == "Bo Stern, Ph.D.")
        #expect(
            record("paid talk")?["attachments"]?.elements.map { $0["url"]?.string } == [
                "https://www.linkedin.com/dms/prv/doc/D1", "https://www.linkedin.com/dms/prv/image/D2",
            ])
        #expect(record("wool")?["text"]?.string == "Happy to. I <3 wool & a < b")
        #expect(record("wool")?["sender"]?["is_self"]?.bool == true)
        #expect(record("wool")?["conversation_title"]?.string == "Bo Stern, Ph.D.")
        #expect(record("same name")?["sender"]?["is_self"]?.bool == false)
        #expect(record("🐑")?["text"]?.string == "two\nlines 🐑")
        #expect(record("🐑")?["sender"]?["id"]?.string == "ana-prado")
        #expect(record("🐑")?["conversation_title"]?.string == "Mill tour")
        #expect(record("%FIRSTNAME%")?["raw"]?["sponsored"]?.bool == true)
        #expect(record("%FIRSTNAME%")?["sender"]?["is_self"]?.bool == false)
        #expect(record("sponsor a video")?["raw"]?["folder"]?.string == "invitations")
        #expect(record("sponsor a video")?["sent_at"]?.string == "2024-06-21T21:05:00Z")
        #expect(record("sponsor a video")?["raw"]?["sent_at_precision"]?.string == "minute")
        #expect(!result.lines.joined().contains("secret"))
    }

    @Test func `three people by their addresses are a group`() throws {
        let people = "\"\(Self.person("a")),\(Self.person("b"))\""
        let row = "c,Tour,Cy,\(Self.person("c")),\"A, B, Ph.D.\",\(people),2024-06-01 10:40:00 UTC,,hi,,,No,No\n"
        let record = try MetaWebhookTests.read(Self.header + row).records.first
        #expect(record?["participants"]?.int == 3)
    }

    @Test(arguments: ["c,,Ana\n", ",,,,,,,,,,,,,more\n", "c,,Ana,u,Lena,u,2024-06-01 10:43:00 UTC,,\"never closed\n"])
    func `a last row that is none is refused with its place`(last: String) throws {
        let row = "c,,Ana,\(Self.person("ana")),Lena,\(Self.person("lena")),2024-06-01 10:40:00 UTC,,hi,,,No,No,,\n"
        let (result, _) = try MetaWebhookTests.read(Self.header + row + last)
        #expect(result.texts == ["hi"], "empty cells more than the header has are no fault")
        #expect(result.codes.count == 1 && result.codes[0].hasPrefix("csv."))
        #expect(result.numbers.contains(3))
    }

    @Test(arguments: [
        ("I <3 this", false), ("a < b > c", false), ("<Anna>", false), ("<p>x</p>", true), ("x<br/>y", true),
        ("x<BR>y", true), ("</p>", true), ("<article>", false), ("<a href=\"x\">y</a>", true), ("<p", false),
        ("", false),
    ])
    func `only text with tags is a page`(text: String, isPage: Bool) {
        #expect(LinkedInRow.isHTML(text) == isPage)
    }

    @Test(arguments: [
        ("https://www.linkedin.com/in/zoe-k/", "zoe-k"), ("https://linkedin.com/in/zoe-k?x=1", "zoe-k"), ("", nil),
        ("https://www.linkedin.com/company/mill", "mill"), ("https://www.linkedin.com/", nil), ("in", nil),
    ])
    func `people are told by their addresses`(address: String, slug: String?) {
        #expect(LinkedInTable.slug(address) == slug)
    }

    @Test(arguments: [
        "First Name,Last Name,Maiden Name,Headline\nA,B,,C\n",
        "Notes:\n\"Some addresses are missing, for reasons\"\n\nFirst Name,Last Name,URL,Company,Connected On\nA,B,,,01 Jul\n",
    ])
    func `what has no messages is passed over`(text: String) throws {
        let found = ExportFormats.detect(Opening(bytes: Array(text.utf8), isWhole: true))?.detection
        #expect(found?.format == "linkedin-csv" && found?.hasMessages == false)
    }

    @Test func `exports with tables of the same names are each read as their own`() throws {
        let scratch = try ScratchFolder()
        func zip(_ name: String) throws -> String {
            let entries = try Fixtures.paths(of: name).map { ($0, try Fixtures.bytes(name + "/" + $0)) }
            return scratch.write(name + ".zip", Packing.zip(entries))
        }
        let alone = try ["reddit-csv", "linkedin-csv"].flatMap { try readInputs([Fixtures.root + "/" + $0]).texts }
        for names in [["reddit-csv", "linkedin-csv"], ["linkedin-csv", "reddit-csv"]] {
            let result = try readInputs(names.map(zip))
            #expect(result.texts.sorted() == alone.sorted())
            #expect(result.codes.isEmpty)
            let owners = result.lines.compactMap { JSONNode(Array($0.utf8))?["sender"]?["is_self"]?.bool }
            #expect(owners.count == result.lines.count)
        }
    }

    @Test func `an export in two zips is one`() throws {
        let scratch = try ScratchFolder()
        let entries = try Fixtures.paths(of: "linkedin-csv").map { ($0, try Fixtures.bytes("linkedin-csv/" + $0)) }
        let first = scratch.write("x_1.zip", Packing.zip(entries.filter { $0.0 == "messages.csv" }))
        let second = scratch.write("x_2.zip", Packing.zip(entries.filter { $0.0 != "messages.csv" }))
        let whole = try readInputs([Fixtures.root + "/linkedin-csv"])
        let result = try readInputs([first, second])
        #expect(result.texts.sorted() == whole.texts.sorted())
        #expect(result.lines.allSatisfy { JSONNode(Array($0.utf8))?["sender"]?["is_self"]?.bool != nil })
    }
}
