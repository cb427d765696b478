import Testing

/// Whatever comes in, a run comes to its end, says what it left out, and reads the next record as usual.
struct BadInputTests {
    static let good = #"{"id":"after","text":"How much for a reel? Budget is $2,000."}"#

    /// A line that is no record, and the code that its reject has.
    struct Refused: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var line: [UInt8]
        var code: String

        init(_ name: String, _ line: String, _ code: String) {
            self.init(name, Array(line.utf8), code)
        }

        init(_ name: String, _ line: [UInt8], _ code: String) {
            testDescription = name
            self.line = line
            self.code = code
        }
    }

    static let refused: [Refused] = [
        Refused("no JSON", "hello", "json.syntax"),
        Refused("a cut object", #"{"text":"a"#, "json.syntax"),
        Refused("two commas", #"{"text":"a",,"x":1}"#, "json.syntax"),
        Refused("a comma at the end", #"{"text":"a",}"#, "json.syntax"),
        Refused("a brace too many", #"{"text":"a"}}"#, "json.syntax"),
        Refused("two records on a line", #"{"text":"a"} {"text":"b"}"#, "json.syntax"),
        Refused("a wrong literal", #"{"text":"a","x":nul}"#, "json.syntax"),
        Refused("a wrong number", #"{"text":"a","x":01}"#, "json.syntax"),
        Refused("a wrong escape", #"{"text":"\x41"}"#, "json.syntax"),
        Refused("a control character in a string", "{\"text\":\"a\tb\"}", "json.syntax"),
        Refused("an array", #"["text"]"#, "json.not-object"),
        Refused("a string", #""text""#, "json.not-object"),
        Refused("no text", #"{"id":"1","body":"a"}"#, "input.no-text"),
        Refused("text that is null", #"{"text":null}"#, "input.text-type"),
        Refused("text that is a number", #"{"text":5}"#, "input.text-type"),
        Refused("text that is an object", #"{"text":{"a":"b"}}"#, "input.text-type"),
        Refused("the last of two texts is no string", #"{"text":"a","text":1}"#, "input.text-type"),
        Refused("a NUL byte", bytes("{\"text\":\"a", [0], "b\"}"), "json.syntax"),
        Refused("a NUL byte between members", bytes("{\"text\":\"a\",", [0], "\"x\":1}"), "json.syntax"),
        Refused("a byte that is no UTF-8", bytes("{\"text\":\"a", [0xFF], "\"}"), "json.utf8"),
        Refused("cut UTF-8", bytes("{\"text\":\"a", [0xE2, 0x82], "\"}"), "json.utf8"),
        Refused("overlong UTF-8", bytes("{\"text\":\"a", [0xC0, 0xAF], "\"}"), "json.utf8"),
        Refused("an encoded surrogate", bytes("{\"text\":\"a", [0xED, 0xA0, 0x80], "\"}"), "json.utf8"),
        Refused("10,000 arrays", #"{"text":"a","x":"# + deep("[", "]") + "}", "json.depth"),
        Refused("10,000 objects", #"{"text":"a","x":"# + deep(#"{"y":"#, "}", "1") + "}", "json.depth"),
        Refused("10,000 open brackets", String(repeating: "[", count: 10_000), "json.depth"),
    ]

    private static func bytes(_ before: String, _ odd: [UInt8], _ after: String) -> [UInt8] {
        Array(before.utf8) + odd + Array(after.utf8)
    }

    private static func deep(_ open: String, _ close: String, _ core: String = "") -> String {
        String(repeating: open, count: 10_000) + core + String(repeating: close, count: 10_000)
    }

    @Test(arguments: refused)
    func `a line that is no record goes to the rejects and the next one is read`(case bad: Refused) throws {
        let folder = try ScratchFolder()
        let input = Array("\(Self.good)\n".utf8) + bad.line + Array("\n\(Self.good)\n".utf8)
        let outcome = try Program.run(["run", "--rejects", folder.place("bad.jsonl")], input: input)
        #expect(outcome.status == 1)
        #expect(outcome.records.map { $0?["category", "label"] as? String } == ["business", "business"])
        #expect(outcome.errors.contains("rejected: 1\n"), "\(outcome.errors)")
        let rejects = try folder.bytes("bad.jsonl").split(separator: 0x0A).map(Array.init)
        try #require(rejects.count == 1)
        try Self.expectRejectShape(rejects[0], code: bad.code, line: 2, raw: bad.line)
    }

    @Test(arguments: refused)
    func `with pass a refused line is answered in place and the run is fine`(case bad: Refused) throws {
        let input = Array("\(Self.good)\n".utf8) + bad.line + Array("\n\(Self.good)\n".utf8)
        let outcome = try Program.run(["run", "--on-error", "pass"], input: input)
        #expect(outcome.status == 0, "\(outcome.errors)")
        try #require(outcome.lines.count == 3)
        try Self.expectRejectShape(outcome.lines[1], code: bad.code, line: 2, raw: bad.line)
        #expect(outcome.records[0]?["category", "label"] as? String == "business")
        #expect(outcome.records[2]?["category", "label"] as? String == "business")
    }

    @Test(arguments: refused)
    func `with fail a refused line ends the run with its place and no message text`(case bad: Refused) throws {
        let input = Array("\(Self.good)\n".utf8) + bad.line + [0x0A]
        let outcome = try Program.run(["run", "--on-error", "fail"], input: input)
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("[\(bad.code)]"))
        #expect(outcome.errors.contains("2"), "the line is named: \(outcome.errors)")
        #expect(!outcome.errors.contains("How much for a reel"))
    }

    /// Every reject has `triage.rejected` with code, reason, line, offset and source, and the raw bytes up to 64 KiB.
    static func expectRejectShape(_ line: [UInt8], code: String, line number: Int, raw: [UInt8]) throws {
        let object = try #require(Annotated.object(line[...]))
        #expect(Set(object.keys).isSubset(of: ["triage", "raw_b64"]))
        let triage = try #require(object["triage"] as? [String: Any])
        #expect(Set(triage.keys) == ["schema", "rejected"])
        let rejected = try #require(triage["rejected"] as? [String: Any])
        #expect(Set(rejected.keys) == ["code", "reason", "line", "offset", "source"])
        #expect(rejected["code"] as? String == code)
        #expect(rejected["line"] as? Int == number)
        #expect((rejected["reason"] as? String)?.isEmpty == false)
        #expect(object["raw_b64"] as? String == (raw.count <= 65_536 ? base64(raw) : nil))
    }

    static func base64(_ bytes: [UInt8]) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var out = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let part = bytes[start..<min(start + 3, bytes.count)]
            let word = part.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - part.count))
            for digit in 0..<4 { out.append(digit <= part.count ? letters[word >> (18 - 6 * digit) & 63] : "=") }
        }
        return out
    }

    @Test(arguments: [
        ("id", "5"), ("platform", "[]"), ("conversation_id", "true"), ("conversation_title", "{}"), ("sender", #""a""#),
        ("sender.id", "1"), ("sender.handle", "{}"), ("sender.name", "[1]"), ("sender.verified", #""yes""#),
        ("sender.followers", #""many""#), ("sender.is_self", "1"), ("sent_at", "1700000000"), ("lang", "{}"),
        ("reply_to", "7"), ("attachments", #""a""#), ("reactions", "3"), ("raw", "[]"), ("raw.kind", "1"),
        ("participants", #""two""#),
    ])
    func `a field of a wrong type is ignored, said, and kept as it was`(field: String, value: String) throws {
        let parts = field.split(separator: ".").map(String.init)
        let member = parts.count == 1 ? "\"\(field)\":\(value)" : "\"\(parts[0])\":{\"\(parts[1])\":\(value)}"
        let line = "{\(member),\"text\":\"I love your videos!\"}"
        let outcome = try Program.run(["run"], input: line + "\n")
        #expect(outcome.status == 0)
        let record = try #require(outcome.records.first ?? nil)
        #expect(record.problems == ["input.ignored-field"])
        #expect(record.record == Array(line.utf8))
        #expect(record["category", "label"] as? String == "fan")
        let message = (record["problems"] as? [[String: Any]])?.first?["message"] as? String
        #expect(message?.contains(field) == true)
    }

    @Test(arguments: ["null", "\"\"", "{}"])
    func `null and empty fields do no harm`(value: String) throws {
        let line = "{\"sender\":\(value),\"sent_at\":\(value),\"text\":\"I love your videos!\"}"
        let outcome = try Program.run(["run"], input: line + "\n")
        #expect(outcome.status == 0)
        #expect(outcome.records.first??.record == Array(line.utf8))
    }

    /// Lines of which every byte has to come through.
    static let kept: [String] = [
        #"{"text":"hi"}"#,
        #"  {"text" : "hi" , "n":123456789012345678901234567890 }  "#,
        #"{"text":"hi","n":-0.0000e+99,"m":1E400,"t":true,"z":null}"#,
        #"{"text":"first","text":"last","text":"love it"}"#,
        #"{"text":"a lone \ud800 surrogate","x":"\udfff"}"#,
        #"{"text":"\u0000 escaped NUL \u0007"}"#,
        #"{"te\u0078t":"an escaped key"}"#,
        #"{"text":"deep","x":\#(String(repeating: "[", count: 900))\#(String(repeating: "]", count: 900))}"#,
        #"{"text":"ünïcödé 漢字 🙏🏽","ключ":"значение","":""}"#,
        #"{"text":"a \/ slash \" quote \\ back","raw":{"kind":"message"}}"#,
        #"{"text":"x","sender":{"handle":"a","handle":"b"},"attachments":[{"type":"photo"}],"reactions":[]}"#,
        "{\"text\":\"line separators \u{2028} and \u{85}\",\"tab\":\t1}",
    ]

    @Test(arguments: kept)
    func `every byte of a record outside of triage stays`(line: String) throws {
        let outcome = try Program.run(["run"], input: line + "\n")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.records.first??.record == Array(line.utf8))
    }

    @Test(arguments: [
        (#"{"triage":{"old":1},"text":"hi"}"#, #"{"text":"hi"}"#), (#"{"text":"hi","triage":5}"#, #"{"text":"hi"}"#),
        (#"{"text":"hi","triage":{"a":"}"},"x":1}"#, #"{"text":"hi","x":1}"#),
        (#"{"triage":1,"text":"hi","triage":[2]}"#, #"{"text":"hi"}"#),
        (#"{"text":"hi","tri\u0061ge":null}"#, #"{"text":"hi"}"#),
        (#"{"text":"hi","x":{"triage":1}}"#, #"{"text":"hi","x":{"triage":1}}"#),
    ])
    func `an earlier triage is cut out`(line: String, rest: String) throws {
        let outcome = try Program.run(["run"], input: line + "\n")
        #expect(outcome.status == 0)
        #expect(outcome.records.first??.record == Array(rest.utf8))
    }

    @Test func `annotating what is annotated gives the same again`() throws {
        let once = try Program.run(["run"], input: Self.good + "\n")
        let twice = try Program.run(["run"], input: once.output)
        #expect(once.output == twice.output)
    }

    @Test(arguments: ["", "\n", "\r\n", "\n\n\n", "\u{FEFF}", "\u{FEFF}\n"])
    func `empty input gives nothing and is fine`(input: String) throws {
        let outcome = try Program.run(["run"], input: input)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.isEmpty)
    }

    /// Files that each began with a mark, one behind the other.
    @Test(arguments: [
        "\u{FEFF}{\"text\":\"a\"}\n\u{FEFF}{\"text\":\"b\"}\n{\"text\":\"c\"}\n",
        "\u{FEFF}\u{FEFF}{\"text\":\"a\"}\r\n\u{FEFF}\u{FEFF}{\"text\":\"b\"}\r\n\u{FEFF}{\"text\":\"c\"}",
        "{\"text\":\"a\"}\n\u{FEFF}\n\u{FEFF}{\"text\":\"b\"}\n\u{FEFF}{\"text\":\"c\"}\n\u{FEFF}",
    ])
    func `a byte order mark at the beginning of any line costs no record`(input: String) throws {
        let outcome = try Program.run(["run"], input: input)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
            outcome.records.map { $0?.record ?? [] }
                == ["a", "b", "c"].map { Array("{\"text\":\"\($0)\"}".utf8) })
        // Inside of a text it is a character like others.
        let inside = Array("{\"text\":\"\u{FEFF}a\"}".utf8)
        #expect(try Program.run(["run"], input: inside + [0x0A]).records.first??.record == inside)
    }

    @Test func `tables that were put together, each with its mark and its header, are one`() throws {
        let table = "\u{FEFF}\"text\",n\r\n\"love it\",1\r\n"
        let outcome = try Program.run(["run"], input: table + table)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.records.map { $0?.whole["text"] as? String } == ["love it", "love it"])
    }

    @Test func `an empty file is fine`() throws {
        let folder = try ScratchFolder()
        let outcome = try Program.run(["run", try folder.write("empty.jsonl", "")])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.isEmpty)
    }

    @Test(arguments: ["", " ", #"\n\t"#, #"\u200b"#])
    func `empty text has no category and no draft`(text: String) throws {
        let outcome = try Program.run(["run"], input: "{\"text\":\"\(text)\"}\n")
        #expect(outcome.status == 0)
        let record = try #require(outcome.records.first ?? nil)
        #expect(isNull(record.triage["draft"]))
        #expect(isNull(record.triage["category"]))
        #expect(isNull(record.triage["sentiment"]))
    }

    @Test func `a byte order mark is dropped and one CR before each LF`() throws {
        let outcome = try Program.run(
            ["run"], input: "\u{FEFF}{\"text\":\"a\"}\r\n{\"text\":\"b\"}\r\r\n{\"text\":\"c\"}")
        #expect(outcome.status == 0)
        #expect(
            outcome.records.map { $0.map { String(decoding: $0.record, as: UTF8.self) } }
                == [#"{"text":"a"}"#, "{\"text\":\"b\"}\r", #"{"text":"c"}"#])
    }

    @Test func `a line over the limit is refused and the next one is read`() throws {
        let long = "{\"text\":\"\(String(repeating: "a", count: 1 << 20))\"}"
        let outcome = try Program.run(
            ["run", "--max-line", "64k", "--on-error", "pass"], input: "\(Self.good)\n\(long)\n\(Self.good)\n")
        #expect(outcome.status == 0)
        try #require(outcome.lines.count == 3)
        #expect(Annotated.rejectCode(outcome.lines[1]) == "input.line-too-long")
        #expect(Annotated.object(outcome.lines[1][...])?["raw_b64"] == nil)
        #expect(outcome.records[2]?["category", "label"] as? String == "business")
    }

    @Test func `a line of 100 MB takes no memory and the next one is read`() throws {
        let program = try Program(["run", "--on-error", "pass"], input: .pipe)
        program.write(Array(#"{"text":""#.utf8))
        let chunk = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20)
        for _ in 0..<100 { program.write(chunk) }
        program.write(Array("\"}\n\(Self.good)\n".utf8))
        let outcome = try program.wait()
        #expect(outcome.status == 0, "\(outcome.errors)")
        try #require(outcome.lines.count == 2)
        #expect(Annotated.rejectCode(outcome.lines[0]) == "input.line-too-long")
        #expect(outcome.records[1]?["category", "label"] as? String == "business")
        #expect(outcome.peakMemory < 150 << 20, "\(outcome.peakMemory >> 20) MiB")
    }

    @Test(arguments: ["\u{0}\u{1}\u{2}\u{3}binary", "<html><body>hello</body></html>", "%PDF-1.7 xyz"])
    func `an unknown format is said with what would help`(content: String) throws {
        let folder = try ScratchFolder()
        let outcome = try Program.run(["run", try folder.write("x.bin", content)])
        #expect(outcome.status == 65, "\(outcome.errors)")
        #expect(outcome.errors.contains("[input.unknown-format]"))
        #expect(outcome.errors.contains("fix:"))
        #expect(outcome.output.isEmpty)
    }

    @Test func `a packed export in a folder is looked into, and what is wrong with it is said`() throws {
        let folder = try ScratchFolder()
        _ = try folder.write("exports/a.zip", [0x50, 0x4B, 3, 4, 0, 0])
        let outcome = try Program.run(["run", folder.place("exports")])
        #expect(outcome.status == 1, "\(outcome.errors)")
        #expect(outcome.errors.contains("exports/a.zip") && outcome.errors.contains("[archive.truncated]"))
    }

    @Test func `a path that is not there is said before anything is read`() throws {
        let folder = try ScratchFolder()
        let outcome = try Program.run(["run", try folder.write("a.jsonl", Self.good), folder.place("missing.jsonl")])
        #expect(outcome.status == 66)
        #expect(outcome.errors.contains("[input.unreadable]"))
        #expect(outcome.output.isEmpty)
    }

    @Test func `a folder without exports is said`() throws {
        let folder = try ScratchFolder()
        try folder.write("sub/picture.jpg", [0xFF, 0xD8, 0xFF])
        let outcome = try Program.run(["run", folder.path])
        #expect(outcome.status == 65, "\(outcome.errors)")
        #expect(outcome.output.isEmpty)
    }

    @Test func `the first twenty rejects are said, and then a count`() throws {
        let outcome = try Program.run(["run"], input: Self.good + "\n" + String(repeating: "nonsense\n", count: 50))
        #expect(outcome.status == 1)
        let said = outcome.errors.split(separator: "\n").filter { $0.contains("json.syntax") }
        #expect(said.count == 20)
        #expect(outcome.errors.contains("rejected: 50\n"))
        #expect(!outcome.errors.contains("nonsense"))
    }
}
