import Foundation
import Testing

/// How a run behaves at the command line: what goes where, and what flags do.
struct RunTests {
    static let messages = """
        {"id":"1","text":"Paid collab, $500 for two reels?","sent_at":"2026-10-01T10:00:00Z"}
        {"id":"2","text":"I love your videos, they got me through winter!","sent_at":"2026-10-02T10:00:00Z"}
        {"id":"3","text":"Earn 5% daily with crypto, DM me on telegram @fastcash","sent_at":"2026-10-03T10:00:00Z"}

        """

    private func ids(_ outcome: Program.Outcome) -> [String?] { outcome.records.map { $0?.whole["id"] as? String } }

    @Test func `run is the default command`() throws {
        let named = try Program.run(["run"], input: Self.messages)
        let unnamed = try Program.run([], input: Self.messages)
        #expect(named.status == 0)
        #expect(named.output == unnamed.output)
        #expect(named.records.compactMap { $0?["category", "label"] as? String } == ["business", "fan", "spam"])
    }

    @Test func `records go to stdout, notices to stderr`() throws {
        let outcome = try Program.run(["run"], input: Self.messages)
        #expect(outcome.lines.count == 3)
        #expect(!outcome.records.contains { $0 == nil })
        #expect(outcome.errors.hasPrefix("triage: 3 records read"))
        #expect(!outcome.errors.contains("\u{1B}"))
        #expect(!outcome.errors.contains("\r"))
    }

    @Test func `quiet prints no notices`() throws {
        let outcome = try Program.run(["run", "--quiet"], input: Self.messages)
        #expect(outcome.status == 0)
        #expect(outcome.errors.isEmpty)
        #expect(outcome.lines.count == 3)
    }

    @Test(arguments: [
        (["category"], ["category"]), (["category,faq"], ["category", "faq"]),
        (["draft", "priority"], ["draft", "priority"]),
        (["opportunity"], ["opportunity"]),
    ])
    func `only the asked questions are printed, with the answers of a full run`(asked: [String], shown: [String]) throws
    {
        let full = try Program.run(["run"], input: Self.messages)
        let part = try Program.run(["run"] + asked.flatMap { ["--only", $0] }, input: Self.messages)
        #expect(part.status == 0)
        for (whole, some) in zip(full.records, part.records) {
            let triage = try #require(some?.triage)
            #expect(Set(triage.keys) == Set(shown + ["schema", "provenance"]))
            for question in shown {
                let (a, b) = (whole?.triage[question], triage[question])
                #expect("\(String(describing: a))".count == "\(String(describing: b))".count, "\(question)")
            }
        }
    }

    @Test func `a limit counts messages, and a date skips older ones`() throws {
        #expect(ids(try Program.run(["run", "--limit", "2"], input: Self.messages)) == ["1", "2"])
        #expect(ids(try Program.run(["run", "--since", "2026-10-02"], input: Self.messages)) == ["2", "3"])
        #expect(ids(try Program.run(["run", "--since", "2027-01-01"], input: Self.messages)) == [])
    }

    @Test func `own messages are written unchanged`() throws {
        let line = #"{"text":"thanks!","sender":{"handle":"mara.makes"}}"#
        let outcome = try Program.run(["run", "--me", "@mara.makes"], input: line + "\n")
        #expect(outcome.status == 0)
        #expect(outcome.records.first??.triage["skipped"] as? String == "own")
        #expect(outcome.records.first??.record == Array(line.utf8))
        #expect(outcome.errors.contains("own"))
    }

    @Test(arguments: [([String](), true), (["--me", "@mara.makes"], false), (["--creator", "c.yaml"], false)])
    func `the creator's handle is asked for only where nothing names it`(arguments: [String], isAsked: Bool) throws {
        let folder = try ScratchFolder()
        try folder.write("c.yaml", "name: Mara\nhandles: ['@mara.makes']\n")
        let line = #"{"text":"thanks!","sender":{"handle":"ana"}}"# + "\n"
        let outcome = try Program.run(["run"] + arguments, input: line, directory: folder.path)
        #expect(outcome.errors.contains("--me") == isAsked, "\(outcome.errors)")
    }

    @Test func `an array gives the same records as lines`() throws {
        let lines = try Program.run(["run"], input: Self.messages)
        let array = try Program.run(["run", "--to", "json"], input: Self.messages)
        let parsed = try JSONSerialization.jsonObject(with: Data(array.output)) as? [[String: Any]]
        #expect(parsed?.count == 3)
        let joined = array.text.split(separator: "\n").dropFirst().dropLast().joined(separator: "\n")
        #expect(array.text.hasPrefix("["))
        #expect(joined.replacing(",\n", with: "\n") == lines.text.dropLast())
        let none = try Program.run(["run", "--to", "json"], input: "")
        #expect(try JSONSerialization.jsonObject(with: Data(none.output)) as? [Int] == [])
    }

    /// Cells of the first records of a CSV text, by a reader of the test's own.
    private func cells(_ text: String) -> [[String]] {
        var rows: [[String]] = [[]]
        var cell = ""
        var isQuoted = false
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch (scalar, isQuoted) {
            case ("\"", true) where rest.first == "\"":
                cell.unicodeScalars.append("\"")
                rest.removeFirst()
            case ("\"", _): isQuoted.toggle()
            case (",", false):
                rows[rows.count - 1].append(cell)
                cell = ""
            case ("\r", false): continue
            case ("\n", false):
                rows[rows.count - 1].append(cell)
                cell = ""
                rows.append([])
            default: cell.unicodeScalars.append(scalar)
            }
        }
        return rows.dropLast()
    }

    @Test(arguments: [#"=HYPERLINK(\"http://x\")"#, "+1+1", "-2+3", "@SUM(A1)", #"\t=1"#, #"\r=1"#])
    func `no cell of a CSV is a formula, and text keeps its lines and quotes`(text: String) throws {
        let line = "{\"id\":\"\(text)\",\"sender\":{\"name\":\"\(text)\"},\"text\":\"\(text)\"}"
        let outcome = try Program.run(
            ["run", "--to", "csv"], input: line + "\n" + #"{"id":"x","text":"two\nlines, \"quoted\""}"# + "\n")
        #expect(outcome.status == 0)
        let rows = cells(outcome.text)
        try #require(rows.count == 3)
        #expect(rows.allSatisfy { $0.count == rows[0].count })
        for cell in rows[1] { #expect(cell.first.map { !"=+-@\t\r".contains($0) } ?? true, "\(cell)") }
        #expect(rows[2].contains("two\nlines, \"quoted\""))
    }

    @Test func `a table prints no control character from names or texts`() throws {
        let bad = #"\u001b[2J\u0007\u0000\u202e\u009b31mred\r\nnext\ttab\u007f"#
        let line = #"{"id":"\#(bad)","sender":{"handle":"\#(bad)","name":"\#(bad)"},"text":"\#(bad) paid collab $500"}"#
        let outcome = try Program.run(["run", "--to", "table"], input: "\(line)\n\(Self.messages)")
        #expect(outcome.status == 0)
        #expect(!outcome.output.isEmpty)
        for text in [outcome.text, outcome.errors] {
            let scalars = text.unicodeScalars.filter { $0 != "\n" && ($0.properties.generalCategory == .control) }
            #expect(scalars.isEmpty)
            #expect(!text.contains("\u{202E}"))
        }
        let colored = try Program.run(["run", "--to", "table", "--color", "always"], input: Self.messages)
        #expect(colored.text.contains("\u{1B}["))
        var plain = Program.warm
        plain["NO_COLOR"] = "1"
        let uncolored = try Program.run(["run", "--to", "table"], input: Self.messages, environment: plain)
        #expect(!uncolored.text.contains("\u{1B}"))
    }

    @Test(arguments: [
        ["--nonsense"], ["run", "--to", "xml"], ["run", "--only", "mood"], ["run", "--jobs", "0"],
        ["run", "--limit", "0"],
        ["run", "--since", "yesterday"], ["run", "--since", "2026-02-30"], ["run", "--max-line", "big"],
        ["run", "--color", "blue"],
        ["run", "--on-error", "ignore"], ["rules", "nonsense"], ["faq", "add"], ["schema", "sideways"],
        ["run", "--limit"], ["run", "--only", ""], ["run", "--only", ","], ["run", "--map", "foo"],
        ["run", "--map", "bogus=text"], ["run", "--map", "text="], ["run", "--timezone", ""],
    ])
    func `a wrong command line is reported and exits with 64`(arguments: [String]) throws {
        let outcome = try Program.run(arguments, input: Self.messages)
        #expect(outcome.status == 64)
        #expect(outcome.output.isEmpty)
        #expect(!outcome.errors.isEmpty)
    }

    @Test(arguments: [
        ("Mars/Base", "zone name such as Europe/Lisbon"), ("+02:00", "write Etc/GMT-2"),
        ("UTC-5", "write Etc/GMT+5"), ("Berlin", "did you mean 'Europe/Berlin'?"),
        ("Europe/Lisbn", "did you mean 'Europe/Lisbon'?"), ("Europe", "zone name such as Europe/Lisbon"),
    ])
    func `an unknown time zone is refused with a suggestion`(zone: String, mend: String) throws {
        let table = Array("text,date\nhi there,2024-06-01 10:00\n".utf8)
        let outcome = try Program.run(["run", "--timezone", zone], input: table)
        #expect(outcome.status == 64)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.contains(mend), "\(outcome.errors)")
    }

    @Test(arguments: ["", "   ", "\\u200b", "\\n\\u2003\\ufeff"])
    func `invisible text counts as no text`(text: String) throws {
        let outcome = try Program.run(["run"], input: Array(#"{"text":"\#(text)"}"#.utf8) + [0x0A])
        #expect(outcome.errors.contains("passed through unchanged: 1 without text"), "\(outcome.errors)")
    }

    @Test func `no file name breaks a line or controls the terminal`() throws {
        let folder = try ScratchFolder()
        let name = "a\ntriage: all is well\u{1B}[31m.jsonl"
        let path = try folder.write(name, "{\"text\":\"a\"}\nnonsense\n")
        for arguments in [["run", path], ["run", path, "--on-error", "fail"], ["run", path + "x"]] {
            let errors = try Program.run(arguments).errors
            #expect(errors.contains("a\\u{a}triage: all is well\\u{1b}[31m.jsonl"), "\(errors)")
            #expect(!errors.contains("\ntriage: all is well"))
        }
    }

    @Test func `an unknown format is reported with the known ones`() throws {
        let outcome = try Program.run(["run", "--from", "myspace"], input: Self.messages)
        #expect([64, 65].contains(outcome.status), "\(outcome.errors)")
        #expect(outcome.errors.contains("instagram-json"))
    }

    @Test func `explain shows one message's reasons, and all of them as JSON`() throws {
        let outcome = try Program.run(["explain", "--id", "1"], input: Self.messages)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.text.contains("business"))
        #expect(outcome.text.contains("$500"))
        #expect(!outcome.text.contains("crypto"))
        let json = try Program.run(["explain", "--json"], input: Self.messages)
        #expect(json.records.count == 3)
        #expect(!json.records.contains { $0 == nil })
    }

    @Test func `explain finds a message by its generated id, and says when there is none`() throws {
        let input = #"{"text":"Paid collab, $500 for two reels?"}"# + "\n" + #"{"id":"x","text":"hi"}"# + "\n"
        let made = try Program.run(["run"], input: input).records.first??.triage["id"] as? String
        let found = try Program.run(["explain", "--id", try #require(made)], input: input)
        #expect(found.status == 0)
        #expect(found.text.contains("$500") && !found.text.contains("hi\n"))
        let none = try Program.run(["explain", "--id", "nobody"], input: input)
        #expect(none.status == 1 && none.output.isEmpty)
        #expect(none.errors.contains("no record has this id"))
    }

    @Test func `an offer from an unknown sender is named by its budget only`() throws {
        let said = try Program.run(["run"], input: Self.messages).errors
        #expect(said.contains("best offers:") && said.contains(" $500") && !said.contains(", $500"), "\(said)")
    }

    @Test(arguments: ["+026-10-03", "2026-+1-03", "2026-10-", "2026-10-003", "20261003", "0026-1-3 ", "२०२६-10-03"])
    func `a date consists of digits only`(day: String) throws {
        for arguments in [["run", "--since", day], ["forget", "--before", day, "--store", "none.db"]] {
            #expect(try Program.run(arguments).status == 64, "\(arguments)")
        }
    }

    @Test func `a deadline after the year 9999 has no date`() throws {
        let line =
            #"{"text":"Hi Mara, our budget for a reel is $500, please reply by Friday. Lena, Oak","sent_at":"SENT"}"#
        let input = ["2026-10-05", "9999-12-31"].map { line.replacing("SENT", with: $0 + "T08:00:00Z") + "\n" }
        let outcome = try Program.run(["run", "--model", "none"], input: Array(input.joined().utf8))
        #expect(outcome.status == 0, "\(outcome.errors)")
        let deadlines = outcome.records.map { ($0?.triage["opportunity"] as? [String: Any])?["deadline"] as? String }
        #expect(deadlines == ["2026-10-09", nil])
    }

}
