import Testing
import TriageCore

@testable import TriageFormats

struct RedditTests {
    private static let header = "id,permalink,thread_id,date,ip,from,to,subject,body\n"

    private static func format(_ text: String) -> String? {
        ExportFormats.detect(Opening(bytes: Array(text.utf8), isWhole: true))?.detection.format
    }

    @Test func `a message of two lines keeps its subject as title and shows no address`() throws {
        let row =
            "q7w8e9,https://www.reddit.com/message/messages/q7w8e9,q7w8e9,2024-06-01 10:40:00 UTC,203.0.113.9,kit_yarns,"
            + "loomlena,Sponsoring?,\"Hello,\nis August still free?\"\n"
        let (result, records) = try MetaWebhookTests.read(Self.header + row)
        let record = try #require(records.first)
        #expect(records.count == 1 && result.codes.isEmpty)
        #expect(record["id"]?.string == "reddit:q7w8e9")
        #expect(record["platform"]?.string == "reddit")
        #expect(record["conversation_id"]?.string == "q7w8e9")
        #expect(record["conversation_title"]?.string == "Sponsoring?")
        #expect(record["raw"]?["subject"]?.string == "Sponsoring?")
        #expect(record["sender"]?["handle"]?.string == "kit_yarns")
        #expect(record["sender"]?["is_self"] == nil, "one conversation does not tell whose it is")
        #expect(record["text"]?.string == "Hello,\nis August still free?")
        #expect(record["sent_at"]?.string == "2024-06-01T10:40:00Z")
        #expect(!result.lines.joined().contains("203.0.113"))
    }

    @Test func `a whole export tells the owner by its statistics and gives each message once`() throws {
        let result = try readInputs([Fixtures.root + "/reddit-csv"])
        #expect(result.codes.isEmpty)
        let records = result.lines.compactMap { JSONNode(Array($0.utf8)) }
        func record(_ id: String, _ kind: String = "message") -> JSONNode? {
            records.first { $0["id"]?.string == id && $0["raw"]?["kind"]?.string == kind }
        }
        #expect(records.count == 11)
        #expect(record("reddit:pm1")?["text"]?.string == "Hi Lena,\n\n\n\ncould I order \"two\" kits? 🧶")
        #expect(record("reddit:pm1")?["sender"]?["is_self"]?.bool == false)
        #expect(record("reddit:pm3")?["sender"]?["is_self"]?.bool == true)
        #expect(record("reddit:pm3")?["text"]?.string == "Sure,\nboth are in stock & ship Monday.")
        #expect(record("reddit:pm4")?["text"]?.string == "Only a subject")
        #expect(record("reddit:pm4")?["conversation_id"]?.string == "pm4")
        #expect(record("reddit:pm4")?["sender"]?["handle"] == nil)
        #expect(record("reddit:pm5")?["sender"]?["handle"]?.string == "r/weaving")
        #expect(record("reddit:~c2")?["reply_to"]?.string == "reddit:~c1")
        #expect(record("reddit:~c2")?["sender"]?["is_self"]?.bool == true)
        #expect(record("reddit:~c3")?["conversation_title"]?.string == "Pattern swap")
        #expect(record("reddit:cm1", "comment")?["text"]?.string == "glad you like it <3")
        #expect(record("reddit:pm1", "comment")?["reply_to"]?.string == "reddit:cm1")
        #expect(record("reddit:pm1", "comment")?["sender"]?["handle"]?.string == "LoomLena")
        #expect(record("reddit:t3_po1")?["text"]?.string == "My new loom")
        let out = result.lines.joined()
        for secret in ["203.0.113", "198.51.100", "changed our terms"] { #expect(!out.contains(secret), "\(secret)") }
    }

    @Test(arguments: [
        // In a draw nobody, nor anybody who is not in nearly all.
        ("a,b,one;c,a,two;b,a,three", "a"), ("a,b,one", nil), ("a,b,one;b,a,two", nil), ("a,b,one;a,b,one", nil),
        ("a,b,one;a,c,two;d,e,three;f,g,four", nil),
    ])
    func `without statistics the owner is who is in all conversations`(rows: String, owner: String?) throws {
        var table = Self.header
        for (index, row) in rows.split(separator: ";").enumerated() {
            let cells = row.split(separator: ",")
            table += "m\(index),p,\(cells[2]),2025-01-01 00:00:0\(index) UTC,,\(cells[0]),\(cells[1]),s,hello\n"
        }
        let records = try MetaWebhookTests.read(table).records
        #expect(!records.isEmpty)
        for record in records {
            let expected = owner.map { record["sender"]?["handle"]?.string == $0 }
            #expect(record["sender"]?["is_self"]?.bool == expected)
        }
    }

    @Test(arguments: [
        ("id,permalink,thread_id,date,ip,from,to\na,b,c,d,e,f,g\n", "a list without bodies"),
        ("statistic,value\naccount name,x\n", "statistics"),
        ("id,permalink,date,ip,subreddit,gildings,link,parent\na,b,c,d,e,f,g,h\n", "comments without bodies"),
        ("announcement_id,sent_at,read_at,from_id,from_username,subject,body,url\n1,,,,,,,\n", "announcements"),
    ])
    func `what has no messages is passed over`(text: String, what: String) throws {
        let opening = Opening(bytes: Array(text.utf8), isWhole: true)
        let found = ExportFormats.detect(opening)?.detection
        #expect(found?.format == "reddit-csv" && found?.hasMessages == false, "\(what)")
        #expect(try MetaWebhookTests.read(text).result.lines.isEmpty)
    }

    @Test(arguments: [
        "x,y\n", "a,,t,2024-06-01 10:40:00 UTC,203.0.113.9,f,t,s,\"open", "a,,t,d,203.0.113.9,f,t,s,b,more\n",
    ])
    func `a row that is none is refused with its line and without its bytes`(row: String) throws {
        let scratch = try ScratchFolder()
        var rejects: [(line: Int, raw: String)] = []
        let assembler = BatchAssembler { input in
            for line in input.lines where line.reject != nil {
                rejects.append((line.number, String(decoding: input.bytes[line.span.range], as: UTF8.self)))
            }
        }
        var options = InputReader.Options()
        options.paths = [scratch.write("x.bin", Self.header + row)]
        try InputReader(options: options).read(into: assembler)
        try assembler.flush()
        #expect(rejects.map(\.line) == [2] && rejects.allSatisfy { $0.raw.isEmpty })
    }

    @Test func `own comments alone say that there is nothing to triage`() throws {
        let result = try readInputs([Fixtures.root + "/reddit-csv/comments.csv"])
        #expect(result.notices.contains { $0.contains("nothing to triage") })
        #expect(result.texts.count == 2)
    }
}
