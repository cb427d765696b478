import Testing
import TriageCore

@testable import TriageFormats

struct TableInputTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func records(_ content: [UInt8], _ columns: [String] = []) throws -> [JSONNode] {
        let result = try readInputs([folder.write("x.bin", content)]) { $0.columns = columns }
        return result.lines.compactMap { JSONNode(Array($0.utf8)) }
    }

    private func records(_ content: String, _ columns: [String] = []) throws -> [JSONNode] {
        try records(Array(content.utf8), columns)
    }

    @Test func `a semicolon table with a day-first time becomes a generic message`() throws {
        let record = try #require(
            try records("Name;Comment;Date\nZoë;\"Love it; more please\";13/06/2024 10:40\n").first)
        #expect(record["text"] == .string("Love it; more please"))
        #expect(record["platform"] == .string("generic"))
        #expect(record["sender"]?["name"] == .string("Zoë"))
        #expect(record["sent_at"] == .string("2024-06-13T10:40:00Z"))
        #expect(record["raw"]?["sent_at_precision"] == .string("minute"))
        #expect(record["raw"]?["tz_assumed"] == .string("UTC"))
        #expect(record["raw"]?["source"]?["line"]?.int == 2)
    }

    @Test func `names the columns that are not used`() throws {
        let path = folder.write("in.csv", "name,text,mood,,due\nZoë,hello there,glad,x,now\n")
        let notices = try readInputs([path]).notices
        let said = "in.csv: columns not used: mood, due; their cells are kept in raw"
        #expect(notices.count { $0.hasSuffix(said) } == 1, "\(notices)")
        let plain = try readInputs([folder.write("b.csv", "name,text\nZoë,hello there\n")]).notices
        #expect(!plain.contains { $0.contains("not used") })
        let long = (1...30).map { "x\($0)" + String(repeating: "y", count: 90) }
        let row = "hi there" + String(repeating: ",", count: long.count)
        let wide = try readInputs([folder.write("c.csv", "text,\(long.joined(separator: ","))\n\(row)\n")]).notices
        #expect(wide.contains { $0.contains(" and 20 more") && $0.utf8.count < 700 }, "\(wide)")
    }

    @Test(arguments: [",", ";", "\t", "|"])
    func `the separator is found`(separator: String) throws {
        let rows = [["user", "text", "likes"], ["zoe", "hi", "1"], ["ana", "a, b; c | d", "2"]]
        let content = rows.map { $0.map { "\"\($0)\"" }.joined(separator: separator) }.joined(separator: "\r\n")
        let found = try records(content)
        #expect(found.map { $0["text"]?.string } == ["hi", "a, b; c | d"])
        #expect(found.last?["raw"]?["likes"] == .string("2"))
    }

    @Test func `a line that names the separator is obeyed`() throws {
        #expect(
            try records("sep=;\nname;text\nzoe;a,b,c\nana;d,e,f\n").map { $0["text"]?.string } == ["a,b,c", "d,e,f"])
    }

    @Test func `quoted cells hold line breaks and quotes`() throws {
        let found = try records("text,name\n\"a\nb \"\"c\"\"\r\nd\",zoe\n\"\",ana\n")
        #expect(found.map { $0["text"]?.string } == ["a\nb \"c\"\r\nd", ""])
        #expect(found.last?["raw"]?["source"]?["line"]?.int == 5)
    }

    @Test(arguments: ["text\nhi\n\"a, b\"\n", "\u{FEFF}Message\r\nhi\r\n\"a, b\"", "\"text\"\n\"hi\"\n\n\"a, b\"\n"])
    func `one column is a table when its first row names the texts`(content: String) throws {
        #expect(try records(content).map { $0["text"]?.string } == ["hi", "a, b"])
    }

    @Test(arguments: ["text\n", "text with more words\nhi\n", "hello\nworld\n"])
    func `one column without such a name is no table`(content: String) throws {
        #expect(throws: TriageError.self) { try records(content) }
    }

    @Test func `a byte order mark is stripped and UTF-16 is read`() throws {
        let content = "name,text\r\nZoë,olá 😀\r\n"
        #expect(try records([0xEF, 0xBB, 0xBF] + Array(content.utf8)).first?["text"] == .string("olá 😀"))
        for isBig in [false, true] {
            var bytes: [UInt8] = isBig ? [0xFE, 0xFF] : [0xFF, 0xFE]
            for unit in content.utf16 {
                let pair = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
                bytes += isBig ? pair : pair.reversed()
            }
            let record = try #require(try records(bytes).first)
            #expect(record["text"] == .string("olá 😀"))
            #expect(record["sender"]?["name"] == .string("Zoë"))
        }
    }

    @Test(arguments: [
        ("Datum;Uhrzeit;Nachricht\n21.10.2026;14:05;hallo\n", "2026-10-21T14:05:00Z"),
        ("Date,Time,Message\n2026-10-21,2:05 PM,hello\n", "2026-10-21T14:05:00Z"),
        ("Date;Heure;Message\n21/10/2026;9h30;salut\n", "2026-10-21T09:30:00Z"),
        ("Date,Time,Message\n2026-10-21,,hello\n2026-10-22,10:00,hi\n", "2026-10-21T00:00:00Z"),
        ("Date,Time,Message\n2026-10-21 08:00,14:05,hello\n", "2026-10-21T08:00:00Z"),
        ("Date,Time,Message\n2026-10-21,soon,hello\n", "2026-10-21T00:00:00Z"),
    ])
    func `a day and its clock in two columns are one time`(content: String, time: String) throws {
        #expect(try records(content).first?["sent_at"] == .string(time))
    }

    @Test func `a clock that cannot be read leaves the day and is kept`() throws {
        let found = try records("Date,Time,Message\n2026-10-21,10:00,hello\n2026-10-22,late,hi\n", ["sent_time=Time"])
        #expect(found.last?["sent_at"] == .string("2026-10-22T00:00:00Z"))
        #expect(found.last?["raw"]?["time_text"] == .string("2026-10-22 late"))
    }

    @Test(arguments: [
        ("America/Los_Angeles", "2026-10-21T07:00:00Z"), ("Europe/Berlin", "2026-10-21T00:00:00Z"),
        ("Pacific/Auckland", "2026-10-21T00:00:00Z"), ("", "2026-10-21T00:00:00Z"),
    ])
    func `a day alone is the same day in UTC and where the creator lives`(zone: String, time: String) throws {
        let result = try readInputs([folder.write("x", "date,text\n2026-10-21,hello\n")]) { $0.timeZone = zone }
        let record = try #require(result.lines.first.flatMap { JSONNode(Array($0.utf8)) })
        #expect(record["sent_at"] == .string(time))
        #expect(record["raw"]?["sent_at_precision"] == .string("day"))
    }

    @Test func `a table of Windows-1252 is read as what it is`() throws {
        // "Absender;Expéditeur" is a header that only decoding shows; the rows hold ü, ß, €, quotes and a hard blank.
        let header = Array("Exp".utf8) + [0xE9] + Array("diteur;Nachricht\r\n".utf8)
        let first = Array("J".utf8) + [0xFC] + Array("rgen Gro".utf8) + [0xDF] + Array(";Wir zahlen 500 ".utf8) + [0x80]
        let second = Array("\r\nZo".utf8) + [0xEB] + Array(";Elle dit ".utf8) + [0xAB, 0xA0] + Array("caf".utf8)
        let found = try records(header + first + second + [0xE9, 0xA0, 0xBB] + Array(" et voila merci\r\n".utf8))
        #expect(found.map { $0["text"]?.string } == ["Wir zahlen 500 €", "Elle dit «\u{A0}café\u{A0}» et voila merci"])
        #expect(found.map { $0["sender"]?["name"]?.string } == ["Jürgen Groß", "Zoë"])
    }

    @Test(arguments: [
        // UTF-8 with one broken row, Russian of one byte a letter, Polish of another code page.
        Array("name,text\nZoë,olá\nana,caf".utf8) + [0xE9] + Array("\n".utf8),
        Array("name,text\na,".utf8) + [0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2] + Array("\n".utf8),
        Array("name,text\na,to jest bardzo mi".utf8) + [0xB3] + Array("e\n".utf8),
    ])
    func `other bytes that are no text are refused`(content: [UInt8]) throws {
        #expect(try readInputs([folder.write("x", content)]).codes == ["csv.utf8"])
    }

    @Test(arguments: [(2, 1), (400, 300), (20000, 3)])
    func `a table in which a NUL strayed is read and keeps it`(rows: Int, row: Int) throws {
        let lines = (1...rows).map { "ida,message \($0)\($0 == row ? "\0!" : "")\n" }
        let found = try records("name,text\n" + lines.joined())
        #expect(found.count == rows)
        #expect(found[row - 1]["text"]?.string == "message \(row)\0!")
    }

    @Test(arguments: [
        // UTF-16 without a mark, many NULs, control bytes at the beginning.
        "n\0a\0m\0e\0,\0t\0e\0x\0t\0\n\0i\0d\0a\0,\0h\0e\0l\0l\0o\0\n\0",
        "name,text\n" + String(repeating: "ida,hello there\0\0\0\n", count: 100),
        "name,text\n\u{1}\u{2},a\0\nida,hello there you\nmo,and you too\n",
    ])
    func `what has more than stray NULs is no table`(content: String) {
        let error = #expect(throws: TriageError.self) { try readInputs([folder.write("x", content)]) }
        #expect(error?.code == "input.unknown-format")
        #expect(error?.what.contains("binary data") == true)
    }

    @Test func `a preamble above the header is skipped`() throws {
        let content = "Exported by X,,\nPost,https://x.test/1,\n\nDate,Username,Comment\n2024-06-01,zoe,hi there\n"
        let found = try records(content)
        #expect(found.map { $0["text"]?.string } == ["hi there"])
        #expect(found.first?["sender"]?["handle"] == .string("zoe"))
        #expect(found.first?["raw"]?["sent_at_precision"] == .string("day"))
    }

    @Test func `without a header columns are found by content`() throws {
        let found = try records("2024-06-01 10:00,zoe,do you ship to Spain?\n2024-06-02 11:00,ana,love this one\n")
        #expect(found.map { $0["text"]?.string } == ["do you ship to Spain?", "love this one"])
        #expect(found.first?["sent_at"] == .string("2024-06-01T10:00:00Z"))
    }

    @Test func `the map wins over names and may use numbers`() throws {
        let content = "text,note,n\na b,c d,1\n"
        #expect(try records(content, ["text=note"]).first?["text"] == .string("c d"))
        #expect(try records(content, ["text=2"]).first?["text"] == .string("c d"))
    }

    @Test(arguments: [
        ("id,foo,bar\n1,2,3\n", ["text=foo"], ["2"]), ("foo;bar\nhi;there\n", ["text=Bar"], ["there"]),
        ("hi,there\nhow,goes\n", ["text=2"], ["there", "goes"]),
    ])
    func `a map that names the texts makes a table of what would be none`(
        content: String, map: [String], texts: [String]
    ) throws {
        #expect(try records(content, map).map { $0["text"]?.string } == texts)
        #expect { try records(content) } throws: { ($0 as? TriageError)?.code == "input.unknown-format" }
    }

    @Test(
        arguments: ["id,foo,bar\n1,2,3\n", "text,n\na,1\n", "{\"text\":\"a\"}\n"],
        ["foo", "bogus=foo", "text=", "=foo"])
    func `a map that is none is a wrong use, whatever is read`(content: String, map: String) {
        #expect { try records(content, [map]) } throws: {
            ($0 as? TriageError)?.code == "input.bad-map" && ($0 as? TriageError)?.exit == .usage
        }
    }

    @Test func `a column that is not there is told by the columns that are`() {
        #expect { try records("id,foo,bar\n1,2,3\n", ["text=nope"]) } throws: { error in
            let error = error as? TriageError
            return error?.what.contains("id, foo, bar") == true && error?.remedy?.contains("that it has") == true
        }
    }

    @Test(arguments: [
        (["text=nope"], "input.no-such-column"), (["body"], "input.bad-map"), (["words=text"], "input.bad-map"),
    ])
    func `a map that fits nothing is refused`(map: [String], code: String) {
        #expect { try records("text,n\na,1\n", map) } throws: { ($0 as? TriageError)?.code == code }
    }

    @Test func `two columns that could be the text are asked about`() {
        let content = "one,two,n\nhow are you today,I am very well,1\nwhat is your name,my name is zoe,2\n"
        #expect { try records(content) } throws: { ($0 as? TriageError)?.code == "input.which-column" }
    }

    @Test func `rows that do not fit are refused and the rest goes on`() throws {
        let content =
            Array("text,n\na,1\nb\nc,2,3\n".utf8) + [0x64, 0xFF, 0x2C, 0x34, 0x0A] + Array("e,5\n\"f,6\n".utf8)
        let result = try readInputs([folder.write("x", content)])
        #expect(result.texts == ["a", "e"])
        #expect(result.codes == ["csv.cell-count", "csv.cell-count", "csv.utf8", "csv.unclosed-quote"])
        #expect(result.numbers == [2, 3, 4, 5, 6, 7])
    }

    @Test func `a row over the limit is refused and the next is read`() throws {
        let long = String(repeating: "x", count: 400_000)
        let result = try readInputs([folder.write("x", "text,n\na,1\n\"\(long)\n\",2\nb,3\n")]) {
            $0.maximumLine = 1000
        }
        #expect(result.texts == ["a", "b"])
        #expect(result.codes == ["input.line-too-long"])
    }

    @Test func `columns become fields and the others stay in raw`() throws {
        let content = """
            message_id,created_at,userName,Follower Count,is_verified,direction,thread_id,kind,Comment
            m1,1717238400,zoe,"1,200",true,sent,t1,reply,hi
            """
        let record = try #require(try records(content).first)
        #expect(record["id"] == .string("m1"))
        #expect(record["sent_at"] == .string("2024-06-01T10:40:00Z"))
        #expect(record["conversation_id"] == .string("t1"))
        let sender = record["sender"]
        #expect(sender?["handle"] == .string("zoe"))
        #expect(sender?["followers"]?.int == 1200)
        #expect(sender?["verified"] == .bool(true))
        #expect(sender?["is_self"] == .bool(true))
        #expect(record["raw"]?["column_kind"] == .string("reply"))
        #expect(record["raw"]?["kind"] == nil)
    }

    @Test(
        arguments: [
            ("2024-06-01T10:40:00Z", 1_717_238_400, nil), ("1717238400", 1_717_238_400, nil),
            ("1717238400123", 1_717_238_400, nil), ("1717238400123456", 1_717_238_400, nil),
            ("01/06/2024 10:40", 1_717_238_400, "minute"), ("1.6.2024, 10:40:00", 1_717_238_400, nil),
            ("1/6/24 10:40 AM", 1_717_238_400, "minute"), ("01/06/2024", 1_717_200_000, "day"),
            ("Sat, 01 Jun 2024 12:40:00 +0200", 1_717_238_400, nil),
            ("Sat Jun 01 10:40:00 +0000 2024", 1_717_238_400, nil),
            ("1 June 2024 10:40:00", 1_717_238_400, nil), ("12/06/2024 12:00 am", 1_718_150_400, "minute"),
            ("2 weeks ago", nil, nil), ("31/02/2024", nil, nil), ("", nil, nil), ("01/06/2024 25:00", nil, nil),
        ] as [(String, Int64?, String?)])
    func `times are read in the forms of exporters`(cell: String, seconds: Int64?, precision: String?) {
        // Another cell shows that the day comes first.
        let reading = TableTime(sample: [cell, "25/12/2024"]).read(cell)
        #expect(reading?.seconds == seconds)
        #expect(reading?.precision == precision)
    }

    @Test func `a time without zone is read in the zone of the user, a day stays that day`() throws {
        let path = folder.write(
            "x", "text,sent_at\na,2024-06-13 10:40\nb,2024-01-13 10:40:00\nc,2024-06-13\nd,2024-06-13T10:40:00Z\n")
        let found = try readInputs([path]) { $0.timeZone = "Europe/Lisbon" }.lines.compactMap {
            JSONNode(Array($0.utf8))
        }
        #expect(
            found.map { $0["sent_at"]?.string } == [
                "2024-06-13T09:40:00Z", "2024-01-13T10:40:00Z", "2024-06-13T00:00:00Z", "2024-06-13T10:40:00Z",
            ])
        #expect(
            found.map { $0["raw"]?["tz_assumed"]?.string } == ["Europe/Lisbon", "Europe/Lisbon", "UTC", nil])
    }

    @Test func `an order of day and month that nothing tells is taken from the user`() throws {
        let path = folder.write("x", "text,sent_at\na,03/04/2024 10:40\n")
        let found = try readInputs([path]) { $0.dateOrder = .dmy }.lines.compactMap { JSONNode(Array($0.utf8)) }
        #expect(found.first?["sent_at"]?.string == "2024-04-03T10:40:00Z")
    }

    @Test(
        arguments: [
            // Not told apart, empty or read, and of no form although the order is known.
            (["03/04/2026", "03/04/2026", ""], nil, 2, true), (["03/04/2026", ""], .dmy, 0, false),
            (["2026-04-03", "soon"], nil, 1, false),
        ] as [([String], DateOrder?, Int, Bool)])
    func `times that cannot be read are counted once`(
        dates: [String], order: DateOrder?, unread: Int, namesOrder: Bool
    ) throws {
        let content = "date,text\n" + dates.map { $0 + ",hello there\n" }.joined()
        let said = try readInputs([folder.write("x", content)]) { $0.dateOrder = order }.notices
            .filter { $0.contains("unreadable times") }
        #expect(said.count == (unread > 0 ? 1 : 0))
        #expect(said.allSatisfy { $0.contains("times: \(unread);") && $0.contains("--date-order") == namesOrder })
    }

    @Test func `day and month that cannot be told apart give no time`() {
        #expect(TableTime(sample: ["03/04/2024"]).read("03/04/2024") == nil)
        #expect(TableTime(sample: ["03/04/2024", "04/13/2024"]).order == .mdy)
        #expect(TableTime(sample: ["03.04.2024"]).order == .dmy)
        #expect(TableTime(sample: ["01/04/2024", "02/04/2024", "03/04/2024"]).order == .dmy)
    }

    @Test(arguments: [
        ("userName", "user_name"), ("Message Text", "message_text"), (" user.name ", "user_name"),
        ("created-at", "created_at"),
        ("TEXT", "text"), ("Ünï", "ünï"), ("post2Id", "post2_id"), ("__x__", "x"),
    ])
    func `names of columns are compared in one spelling`(name: String, expected: String) {
        #expect(ColumnNames.normalized(name) == expected)
    }

    @Test(arguments: [1, 2, 5])
    func `any cutting into pieces gives the same rows`(size: Int) {
        let text = "a,\"b\r\n\"\"c\"\"\",d\r\n\r\ne,f,g\rh,,\"\"\n\"x\"y,z"
        var parser = CSVParser(delimiter: 0x2C, maximumLength: 100)
        var rows: [[String]] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: size) {
            bytes[start..<min(start + size, bytes.count)].withUnsafeBufferPointer {
                parser.feed($0) { rows.append($0.strings()) }
            }
        }
        parser.finish { rows.append($0.strings()) }
        #expect(rows == [["a", "b\r\n\"c\"", "d"], ["e", "f", "g"], ["h", "", ""], ["xy", "z"]])
    }
}
