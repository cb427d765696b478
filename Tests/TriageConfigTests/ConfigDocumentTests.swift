import Testing
import TriageConfig
import TriageCore

struct ConfigDocumentTests {
    private func read(_ text: String, name: String = "f.yaml") -> (root: ConfigNode?, faults: [String]) {
        let collector = FaultCollector()
        let document = ConfigDocument(name: name, bytes: Array(text.utf8), faults: collector)
        return (document.root, collector.faults.map { "\($0.code) \($0.at ?? "-")" })
    }

    @Test func `knows where every value stands`() throws {
        let (root, faults) = read("# head\na: 1\nlist:\n  - x\n  - {k: \"v\"}\n")
        let list = try #require(root?["list"])
        guard case .sequence(let items) = list.value else { throw TriageError("test", "no list") }
        #expect(faults.isEmpty)
        #expect(root?["a"]?.value == .scalar("1", isPlain: true))
        #expect(items[0].line == 4 && items[0].column == 5)
        #expect(items[1]["k"]?.line == 5 && items[1]["k"]?.column == 9)
        #expect(items[1]["k"]?.value == .scalar("v", isPlain: false))
    }

    @Test(arguments: ["", "\n\n", "# only a comment\n", "---\n"])
    func `reads a file of nothing as nothing`(text: String) {
        let (root, faults) = read(text)
        #expect(root == nil || root?.value == .null)
        #expect(faults.isEmpty)
    }

    @Test(arguments: [
        ("a: [1\nb: 2\n", ["config.syntax f.yaml:2:2"]),
        ("a: 1\na: 2\n", ["config.duplicate-key f.yaml:2:1"]),
        ("a: 1\n---\nb: 2\n", ["config.two-documents f.yaml:2:1"]),
        ("a: *b\n", ["config.unknown-alias f.yaml:1:4"]),
        ("? [a]\n: 1\n", ["config.key-not-text f.yaml:1:3"]),
        ("a: &x [1]\n? *x\n: 1\n", ["config.key-not-text f.yaml:2:3"]),
        ("a: 1\nb: \u{7}\n", ["config.syntax f.yaml:2:4"]),
    ])
    func `says what is wrong and where`(text: String, expected: [String]) {
        #expect(read(text).faults == expected)
    }

    @Test(arguments: [
        ("name: Zoë\r\nhandles: [@mara]\r\n", "@", "f.yaml:2:11"), ("a: `b`\n", "`", "f.yaml:1:4"),
        ("a: %b\n", "%", "f.yaml:1:4"),
    ])
    func `advises quotes around a text that begins with a reserved character`(
        text: String, sign: String, place: String
    ) {
        let collector = FaultCollector()
        _ = ConfigDocument(name: "f.yaml", bytes: Array(text.utf8), faults: collector)
        #expect(collector.faults.map(\.at) == [place])
        let advice = "put quotes around a text that begins with '\(sign)'"
        #expect(collector.faults.first?.remedy?.hasPrefix(advice) == true)
    }

    @Test func `names the line that is not UTF-8`() {
        let collector = FaultCollector()
        let document = ConfigDocument(name: "f.yaml", bytes: Array("a: 1\nb: ".utf8) + [0xFF, 0x0A], faults: collector)
        #expect(document.root == nil)
        #expect(collector.faults.map(\.at) == ["f.yaml:2"])
    }

    @Test func `passes over a byte order mark`() {
        #expect(read("\u{FEFF}a: 1\n").root?["a"]?.value == .scalar("1", isPlain: true))
    }

    @Test(arguments: ["yaml", "json"])
    func `refuses deep nesting without recursion`(kind: String) {
        for depth in [65, 900] {
            let text = String(repeating: "[", count: depth)
            let faults = read(text + String(repeating: "]", count: depth), name: "f.\(kind)").faults
            #expect(faults == ["config.too-deep f.\(kind):1:65"])
        }
        #expect(!read(String(repeating: "[", count: 200_000), name: "f.\(kind)").faults.isEmpty)
        let legal = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
        #expect(read(legal, name: "f.\(kind)").faults.isEmpty)
    }

    @Test func `bounds what aliases add up to`() {
        var text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for i in 1...30 {
            let alias = "*a\(i - 1)"
            text += "a\(i): &a\(i) [\(alias), \(alias), \(alias), \(alias), \(alias)]\n"
        }
        #expect(read(text).faults.map { $0.split(separator: " ").first } == ["config.too-many-aliases"])
        #expect(read("a: &x [1, 2]\nb: *x\nc: *x\n").faults.isEmpty)
    }

    @Test func `refuses a file of more than 8 MiB`() {
        let text = "a: " + String(repeating: "x", count: ConfigDocument.byteLimit)
        #expect(read(text).faults == ["config.too-large f.yaml"])
    }

    @Test func `reads JSON with the places of its values`() {
        let (root, faults) = read(
            "{\n \"a\": \"\\ud83d\\ude00\\n\\u00e9\\/\",\n\t\"b\": [1, -2.5e3, true, null]\n}", name: "f.json")
        #expect(faults.isEmpty)
        #expect(root?["a"]?.value == .scalar("😀\né/", isPlain: false))
        #expect(root?["b"]?.line == 3)
        guard case .sequence(let items) = root?["b"]?.value else {
            Issue.record("b is no list")
            return
        }
        #expect(
            items.map(\.value) == [
                .scalar("1", isPlain: true), .scalar("-2.5e3", isPlain: true), .scalar("true", isPlain: true), .null,
            ])
    }

    @Test(arguments: [
        ("{\"a\": 1,}", "config.syntax f.json:1:9"), ("{\"a\" 1}", "config.syntax f.json:1:6"),
        ("[1, 2", "config.syntax f.json:1:6"), ("{\"a\": tru}", "config.syntax f.json:1:10"),
        ("[\"a]", "config.syntax f.json:1:5"), ("[\"\\x\"]", "config.syntax f.json:1:5"),
        ("[1]\n[2]", "config.syntax f.json:2:1"), ("{\"a\":1,\n\"a\":2}", "config.duplicate-key f.json:2:1"),
        ("[01x]", "config.syntax f.json:1:5"),
    ])
    func `says where JSON is broken`(text: String, expected: String) {
        #expect(read(text, name: "f.json").faults == [expected])
    }

    @Test func `takes YAML that begins like JSON for YAML`() {
        #expect(read("{a: 1, b: [x]}").root?["a"]?.value == .scalar("1", isPlain: true))
    }

    @Test func `survives every cut and many mangled bytes of both notations`() {
        let samples = [
            "signals:\n  - name: a.b\n    words: [\"x y\", 'z']\n    feeds: {spam: 1.5}\n    why: |\n      long\n",
            "{\"signals\": [{\"name\": \"a.b\", \"words\": [\"\\u00e9\\ud800\"], \"feeds\": {\"spam\": 1.5}}]}",
        ]
        for sample in samples {
            let bytes = Array(sample.utf8)
            for count in 0..<bytes.count {
                _ = ConfigDocument(name: "f", bytes: Array(bytes[..<count]), faults: FaultCollector())
                for value: UInt8 in [0, 0x22, 0x5B, 0x7B, 0x2A, 0x26, 0x80, 0xFF] {
                    var mangled = bytes
                    mangled[count] = value
                    _ = ConfigDocument(name: "f", bytes: mangled, faults: FaultCollector())
                }
            }
        }
    }
}
