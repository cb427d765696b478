import Testing
import TriageCore

@testable import TriageFormats

struct RedditTests {
    private func records(_ result: ReadResult) -> [JSONNode] { result.lines.compactMap { JSONNode(Array($0.utf8)) } }

    private func record(_ id: String, _ found: [JSONNode]) throws -> JSONNode {
        try #require(found.first { $0["id"]?.string == id })
    }

    @Test func `messages, chats and own comments are read, with the owner of the statistics`() throws {
        let result = try readInputs([Fixtures.root + "/reddit-csv"])
        let found = records(result)
        #expect(result.codes.isEmpty)
        #expect(result.notices.isEmpty)
        #expect(found.count == 7)
        let first = try record("reddit:k1a", found)
        #expect(first["platform"]?.string == "reddit")
        #expect(first["conversation_id"]?.string == "k1a")
        #expect(first["conversation_title"]?.string == "Splice workshop?")
        #expect(first["sender"]?["handle"]?.string == "knot_and_loop")
        #expect(first["sender"]?["is_self"]?.bool == false)
        #expect(
            first["text"]?.string == "Hi Ida,\nwould you teach a two-hour splice class in May? We pay 300 & travel.")
        #expect(first["sent_at"]?.string == "2025-02-03T09:15:00Z")
        #expect(first["raw"]?["subject"]?.string == "Splice workshop?")
        #expect(try record("reddit:k1b", found)["sender"]?["is_self"]?.bool == true)
        let deleted = try record("reddit:k2a", found)
        #expect(deleted["sender"] == nil)
        #expect(deleted["text"]?.string == "made my day 🪢, thank you")
        #expect(try record("reddit:k3a", found)["text"]?.string == "Removed")
        let answer = try record("reddit:c-2", found)
        #expect(answer["reply_to"]?.string == "reddit:c-1")
        #expect(answer["sender"]?["is_self"]?.bool == true)
        let comment = try record("reddit:q9", found)
        #expect(comment["text"]?.string == "tarred hemp <3")
        #expect(comment["reply_to"]?.string == "reddit:q8")
        #expect(comment["raw"]?["kind"]?.string == "comment")
        #expect(comment["sender"]?["handle"]?.string == "ropewalker_ida")
    }

    @Test func `addresses of the network come out nowhere`() throws {
        let result = try readInputs([Fixtures.root + "/reddit-csv"])
        #expect(!result.lines.joined().contains("203.0.113"))
        let scratch = try ScratchFolder()
        let broken = "id,permalink,thread_id,date,ip,from,to,subject,body\na,b,c,d,203.0.113.9,e\n"
        let refused = try readInputs([scratch.write("x.bin", broken)])
        #expect(refused.codes == ["csv.cell-count"])
        #expect(refused.raws == [[]])
    }

    @Test(arguments: [
        // Who is in most conversations; in a draw nobody.
        ("a,b,one;c,a,two;b,a,three", "a"), ("a,b,one", nil), ("a,b,one;b,a,two", nil), ("a,b,one;a,b,one", nil),
    ])
    func `without statistics the owner is who is in most conversations`(rows: String, owner: String?) throws {
        let scratch = try ScratchFolder()
        var table = "id,permalink,thread_id,date,ip,from,to,subject,body\n"
        for (index, row) in rows.split(separator: ";").enumerated() {
            let cells = row.split(separator: ",")
            table += "m\(index),p,\(cells[2]),2025-01-01 00:00:0\(index) UTC,,\(cells[0]),\(cells[1]),s,hello\n"
        }
        let found = records(try readInputs([scratch.write("x.bin", table)]))
        for record in found {
            let expected = owner.map { record["sender"]?["handle"]?.string == $0 }
            #expect(record["sender"]?["is_self"]?.bool == expected)
        }
    }

    @Test(arguments: ["statistics.csv", "messages_headers.csv"])
    func `a file without messages is passed over`(name: String) throws {
        let result = try readInputs([Fixtures.root + "/reddit-csv/" + name])
        #expect(result.lines.isEmpty && result.codes.isEmpty)
        #expect(result.notices.count == 1)
    }
}
