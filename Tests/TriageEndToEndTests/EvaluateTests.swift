import Foundation
import Testing

/// How methods are measured at the command line: what is read, what is refused, what gates and locks say.
struct EvaluateTests {
    static let data = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Data").path
    static let creators = "\(data)/creators"

    /// Gold with every label there is.
    static let gold = """
        {"id":"a1","lang":"en","text":"Paid collab, $500 for two reels?","gold":{"category":"business","sentiment":"neutral","urgent":false,"injection":false}}
        {"id":"a2","lang":"en","text":"I love your videos, they got me through winter!","gold":{"category":"fan","sentiment":"positive","urgent":false,"injection":false}}
        {"id":"a3","lang":"de","text":"Earn 5% daily with crypto, DM me on telegram @fastcash","gold":{"category":"spam","sentiment":"neutral","urgent":false,"injection":false}}

        """

    private let folder: ScratchFolder
    private let goldPath: String

    init() throws {
        folder = try ScratchFolder()
        goldPath = try folder.write("gold.jsonl", Self.gold)
    }

    private func evaluate(_ arguments: [String]) throws -> Program.Outcome {
        try Program.run(["evaluate"] + arguments + ["--bootstrap", "20"], directory: folder.path)
    }

    private func json(_ outcome: Program.Outcome) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
    }

    private func questions(_ report: [String: Any], _ method: Int = 0) throws -> [String: [String: Any]] {
        let methods = try #require(report["methods"] as? [[String: Any]])
        return try #require(methods[method]["questions"] as? [String: [String: Any]])
    }

    private func value(_ questions: [String: [String: Any]], _ question: String, _ metric: String) -> Double? {
        ((questions[question]?["metrics"] as? [String: Any])?[metric] as? [String: Any])?["value"] as? Double
    }

    /// Predictions that say the same category for every record of the gold.
    private func predictions(_ name: String, ids: [String] = ["a1", "a2", "a3"], category: String) throws -> String {
        let lines = ids.map { #"{"id":"\#($0)","prediction":{"category":"\#(category)"}}"# + "\n" }
        return try folder.write(name, lines.joined())
    }

    @Test func `each record is answered with the profile and the library of its creator`() throws {
        let outcome = try evaluate(
            [
                "\(Self.creators)/messages.jsonl", "--profiles", Self.creators, "--to", "json", "--no-time",
            ] + VoiceTests.withoutEncoder)
        #expect(outcome.status == 0)
        let report = try json(outcome)
        #expect(report["records"] as? Int == 750)
        let found = try questions(report)
        #expect(Set(found.keys) == ["category", "sentiment", "urgent", "opportunity", "faq", "injection"])
        // Without the libraries no question would find its entry, without the profiles no offer its fit.
        #expect(try #require(value(found, "faq", "recall")) > 0.3)
        #expect(try #require(value(found, "opportunity", "spearman")) > 0.6)
    }

    @Test(arguments: [
        (#"{"id":"x","text":"hi","gold":{"category":"fan"}}"#, "evaluate.no-creator", Int32(65)),
        (#"{"id":"x","creator":"nobody","text":"hi","gold":{"category":"fan"}}"#, "evaluate.unknown-creator", 65),
    ])
    func `with profiles, a record that is to no known creator is an error with its line`(
        line: String, code: String, status: Int32
    ) throws {
        let path = try folder.write(
            "odd.jsonl",
            Self.gold.split(separator: "\n")[0].replacing("{\"id\"", with: "{\"creator\":\"maya\",\"id\"") + "\n" + line
                + "\n")
        let outcome = try evaluate([path, "--profiles", Self.creators])
        #expect(outcome.status == status)
        #expect(outcome.errors.contains("[\(code)]"))
        #expect(outcome.errors.contains("odd.jsonl:2"))
        #expect(outcome.errors.contains("fix:"))
        #expect(outcome.output.isEmpty)
    }

    @Test func `what a run wrote is measured as the method itself`() throws {
        let annotated = try folder.write("run.jsonl", try Program.run(["run", goldPath, "--quiet"]).output)
        let report = try json(try evaluate([goldPath, "--compare", "rules,\(annotated)", "--to", "json"]))
        let (method, file) = (try questions(report), try questions(report, 1))
        for (question, metric) in [("category", "accuracy"), ("sentiment", "accuracy"), ("urgent", "accuracy")] {
            #expect(value(method, question, metric) == value(file, question, metric))
        }
        let comparisons = try #require(report["comparisons"] as? [[String: Any]])
        #expect(comparisons.allSatisfy { $0["verdict"] as? String == "no difference seen" })
        #expect(comparisons.contains { $0["second"] as? String == "run.jsonl" })
    }

    @Test func `the same input gives the same bytes when nothing is timed`() throws {
        for format in ["table", "json", "csv", "junit", "html"] {
            let arguments = [goldPath, "--to", format, "--no-time"]
            let outcome = try evaluate(arguments)
            #expect(outcome.status == 0)
            #expect(!outcome.output.isEmpty)
            #expect(outcome.output == (try evaluate(arguments)).output, "\(format)")
        }
    }

    @Test func `runs over different records are refused, and which ones is said`() throws {
        let other = try predictions("other.jsonl", ids: ["a1", "a3", "zz"], category: "fan")
        let outcome = try evaluate([goldPath, "--compare", "rules,\(other)"])
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("[evaluate.different-records]"))
        #expect(outcome.errors.contains("1 are missing (a2)"))
        #expect(outcome.errors.contains("1 are others (zz)"))
        #expect(outcome.output.isEmpty)
    }

    @Test func `answers to another text under the same id are refused`() throws {
        let lines = Self.gold.replacing("two reels", with: "three reels").replacing(
            #""gold":"#, with: #""prediction":"#)
        let path = try folder.write("edited.jsonl", lines)
        let outcome = try evaluate([goldPath, "--compare", path])
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("1 have different text (a1)"))
        #expect(!outcome.errors.contains("reels"))
    }

    @Test(arguments: [
        ([String](), Int32(64), "evaluate.no-gold"), (["--compare", "modle"], 64, "evaluate.unknown-method"),
        (["GOLD", "--compare", "modle"], 64, "evaluate.unknown-method"),
        (["GOLD", "--compare", "rules,rules"], 64, "evaluate.same-name"),
        (["GOLD", "--gate", "category.macro_f2>=0.9"], 64, "evaluate.unknown-metric"),
        (["GOLD", "--gate", "category.macro_f1"], 64, "evaluate.bad-gate"),
        (["GOLD", "--gate", "category.macro_f1>=high"], 64, "evaluate.bad-gate"),
        (["GOLD", "--gate", "category.macro_f1@mood=bad>=0.5"], 64, "evaluate.bad-gate"),
        (["GOLD", "--gate", "rules:category.macro_f1>=0.5"], 64, "evaluate.unknown-method"),
        (["GOLD", "--compare", "GOLD"], 65, "evaluate.no-predictions"),
        (["nothing-here.jsonl"], 66, "input.unreadable"),
        // Said before anything is read and answered.
        (["nothing-here.jsonl", "--gate", "rules:category.macro_f1>=0.5"], 64, "evaluate.unknown-method"),
        (["nothing-here.jsonl", "--lock", "GOLD"], 65, "evaluate.bad-lock"),
        (["nothing-here.jsonl", "--lock", "/no/such/folder/test.lock"], 73, "output."),
        (["GOLD", "--profiles", "."], 78, "evaluate.no-creators"),
    ])
    func `impossible requests fail with their own code and a fix`(
        arguments: [String], status: Int32, code: String
    ) throws {
        let outcome = try evaluate(arguments.map { $0 == "GOLD" ? goldPath : $0 })
        #expect(outcome.status == status, "\(outcome.errors)")
        #expect(outcome.errors.contains("[\(code)"), "\(outcome.errors)")
        #expect(outcome.errors.contains("fix:"))
        #expect(outcome.output.isEmpty)
    }

    @Test(arguments: [
        (#"{"id":"a1","text":"t","gold":{"category":"friend"}}"#, "evaluate.bad-label"),
        (#"{"id":"a1","text":"t","gold":{"urgent":"yes"}}"#, "evaluate.bad-label"),
        (#"{"id":"a1","text":"t","gold":{"opportunity":{"monetary":10}}}"#, "evaluate.bad-label"),
        (#"{"id":"a1","text":"t","gold":{"opportunity":5}}"#, "evaluate.bad-label"),
        (#"{"id":"a1","text":"t","gold":{"faq_id":7}}"#, "evaluate.bad-label"),
        (#"{"text":"t","gold":{"category":"fan"}}"#, "evaluate.no-id"),
        (#"{"id":"ok","text":"t","gold":{"category":"fan"}}"#, "evaluate.same-id"),
        (#"{"id":"a1","gold":{"category":"fan"}}"#, "input.no-text"), (#"{"id":"a1","text":"#, "json."),
    ])
    func `gold that cannot be trusted stops the evaluation at its line`(line: String, code: String) throws {
        let first = #"{"id":"ok","text":"hello","gold":{"category":"fan"}}"#
        let path = try folder.write("bad.jsonl", "\(first)\n\(line)\n")
        let outcome = try evaluate([path])
        #expect(outcome.status == 65, "\(outcome.errors)")
        #expect(outcome.errors.contains("[\(code)"), "\(outcome.errors)")
        #expect(outcome.errors.contains("bad.jsonl:2"), "\(outcome.errors)")
    }

    @Test(arguments: [
        ("category.accuracy>=1", Int32(0)), ("category.accuracy>1", 1), ("category.accuracy<=1", 0),
        ("category.accuracy<1", 1), ("category.macro_f1 >= 0.5", 0), ("category.accuracy@language=de>=1", 0),
        ("category.accuracy@english=no>=1", 0),
        ("category.accuracy@language=xx>=0", 1), ("model:category.f1.fan>=0.5", 0), ("faq.f1>=0", 1),
    ])
    func `a gate decides the exit code, and a number that is not there passes none`(
        gate: String, status: Int32
    ) throws {
        let outcome = try evaluate([goldPath, "--gate", gate])
        #expect(outcome.status == status, "\(outcome.text)")
        #expect(outcome.text.contains(status == 0 ? "passed" : "missed"))
    }

    @Test(arguments: [
        ("model: category.accuracy @ creator = Jane Doe >= 1", Int32(0)), ("category.accuracy@creator=JaneDoe>=0", 1),
    ])
    func `blanks inside a value that a gate names are part of it`(gate: String, status: Int32) throws {
        let path = try folder.write(
            "creators.jsonl",
            ["Jane Doe", "Ann"].map {
                #"{"id":"\#($0)","creator":"\#($0)","text":"I love your videos","gold":{"category":"fan"}}"# + "\n"
            }.joined())
        let outcome = try evaluate([path, "--gate", gate])
        #expect(outcome.status == status, "\(outcome.text)")
    }

    @Test(arguments: [([], "model"), (["--model", "none"], "rules")])
    func `what is measured without being named is what a run answers by`(arguments: [String], name: String) throws {
        let methods = try json(try evaluate([goldPath, "--to", "json"] + arguments))["methods"] as? [[String: Any]]
        #expect(methods?.map { $0["name"] as? String } == [name])
    }

    @Test func `only questions that the gold labels are asked`() throws {
        let path = try folder.write(
            "spam.jsonl",
            #"{"id":"1","text":"Earn 5% daily with crypto","gold":{"spam":true}}"# + "\n"
                + #"{"id":"2","text":"lovely video","gold":{"spam":false}}"# + "\n")
        let found = try questions(try json(try evaluate([path, "--to", "json"])))
        #expect(Array(found.keys) == ["spam"])
        #expect(value(found, "spam", "f1") != nil)
    }

    @Test func `without labels two runs show what changed, and no gold file is needed`() throws {
        let first = try predictions("monday.jsonl", category: "fan")
        let second = try folder.write(
            "tuesday.jsonl",
            try String(contentsOfFile: first, encoding: .utf8).replacing(
                #"a2","prediction":{"category":"fan"#, with: #"a2","prediction":{"category":"spam"#))
        let outcome = try evaluate(["--compare", "\(first),\(second)", "--to", "json"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let changes = try #require(try json(outcome)["changes"] as? [[String: Any]])
        let category = try #require(changes.first { $0["question"] as? String == "category" })
        #expect(category["changed"] as? Int == 1)
        #expect(category["examples"] as? [String] == ["a2"])
        let alone = try evaluate(["--compare", first])
        #expect(alone.status == 64)
        #expect(alone.errors.contains("[evaluate.no-labels]"))
    }

    @Test func `two runs over records without ids are compared by the ids that were made`() throws {
        let texts = ["love your videos", "paid collab, $500 for two reels?", "love your videos"]
        let input = texts.map { "{\"text\":\"\($0)\"}\n" }.joined()
        let made = try Program.run(["run", "-q"], input: Array(input.utf8)).text
        let first = try folder.write("monday.jsonl", made)
        let second = try folder.write(
            "tuesday.jsonl", made.replacing(#""label":"business""#, with: #""label":"spam""#))
        let outcome = try evaluate(["--compare", "\(first),\(second)", "--to", "json"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let changes = try #require(try json(outcome)["changes"] as? [[String: Any]])
        let category = try #require(changes.first { $0["question"] as? String == "category" })
        #expect(category["changed"] as? Int == 1)
    }

    @Test func `a lock freezes the records: none may come, go, change or be trained on`() throws {
        let lock = folder.place("test.lock")
        let made = try evaluate([goldPath, "--lock", lock])
        #expect(made.status == 0)
        #expect(made.errors.contains("froze 3 records"))
        let frozen = try folder.text("test.lock")
        #expect(frozen.split(separator: "\n").dropFirst().allSatisfy { $0.allSatisfy { $0.isHexDigit || $0 == " " } })
        #expect(try evaluate([goldPath, "--lock", lock]).text.contains("3 frozen, kept"))

        let edited = try folder.write(
            "edited.jsonl", Self.gold.replacing("two reels", with: "three reels").replacing("\"a2\"", with: "\"b2\""))
        let broken = try evaluate([edited, "--lock", lock])
        #expect(broken.status == 1)
        for words in ["1 are missing", "1 were not frozen: b2", "1 have changed text: a1"] {
            #expect(broken.text.contains(words), "\(broken.text)")
        }
        // Under another id, but the same text.
        let train = try folder.write(
            "train.jsonl", Self.gold.replacing("\"a3\"", with: "\"c3\"").split(separator: "\n")[2] + "\n")
        let trained = try evaluate([goldPath, "--lock", lock, "--train", train])
        #expect(trained.status == 1)
        #expect(trained.text.contains("1 are used for training: c3"))
        #expect(try folder.text("test.lock") == frozen)
    }

    @Test(arguments: [false, true])
    func `training records that cannot be read are said before anything is answered`(isFrozen: Bool) throws {
        let lock = folder.place("test.lock")
        if isFrozen { #expect(try evaluate([goldPath, "--lock", lock]).status == 0) }
        let outcome = try evaluate(["nothing-here.jsonl", "--lock", lock, "--train", "no-such-training.jsonl"])
        #expect(outcome.status == 66 && outcome.errors.contains("no-such-training.jsonl"), "\(outcome.errors)")
        #expect(FileManager.default.fileExists(atPath: lock) == isFrozen)
    }

    @Test(.timeLimit(.minutes(1))) func `a pipe is no lock, and nobody waits for its other end`() throws {
        let pipe = folder.place("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let outcome = try evaluate([goldPath, "--lock", pipe])
        #expect(outcome.status == 65 && outcome.errors.contains("[evaluate.bad-lock]"), "\(outcome.errors)")
    }

    @Test(arguments: [false, true])
    func `training records may come through a pipe`(isFrozen: Bool) throws {
        let lock = folder.place("test.lock")
        if isFrozen { #expect(try evaluate([goldPath, "--lock", lock]).status == 0) }
        let program = try Program(
            ["evaluate", goldPath, "--lock", lock, "--train", "/dev/stdin", "--bootstrap", "0"], input: .pipe,
            directory: folder.path)
        program.write(Array(Self.gold.utf8))
        let outcome = try program.wait()
        #expect(outcome.status == 1 && outcome.text.contains("3 are used for training: a1, a2, a3"), "\(outcome.text)")
    }

    @Test func `ids that look alike are different records`() throws {
        let gold = ["caf\u{E9}", "cafe\u{301}"].map {
            #"{"id":"\#($0)","text":"I love your videos","gold":{"category":"fan"}}"# + "\n"
        }.joined()
        let outcome = try evaluate([try folder.write("alike.jsonl", gold), "--to", "json"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try json(outcome)["records"] as? Int == 2)
    }

    @Test func `a page stands alone and holds nothing that records could run`() throws {
        let hostile = #"<script>alert(1)</script>"#
        let gold = try folder.write(
            "hostile.jsonl",
            #"{"id":"\#(hostile)","lang":"\"><img src=x onerror=alert(1)>","text":"Earn 5% daily with crypto, DM me on telegram @fastcash","gold":{"category":"fan"}}"#
                + "\n" + #"{"id":"2","lang":"de","text":"I love your videos!","gold":{"category":"fan"}}"# + "\n")
        let page = folder.place("report.html")
        let outcome = try evaluate([gold, "--compare", "<b>bold</b>=rules", "--to", "html", "-o", page])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.isEmpty)
        let text = try folder.text("report.html")
        #expect(text.contains("default-src 'none'"))
        for markup in ["<script", "<img", "<b>", "http://", "https://", "url(", "@import", " style=", "javascript:"] {
            #expect(!text.contains(markup), "\(markup)")
        }
        #expect(text.contains("&lt;script&gt;"))
    }

    @Test(.enabled(if: BrowserScript.isUsed, BrowserScript.reason))
    func `a page opens in a browser without the network, in both themes and on every screen`() throws {
        let gold = HostileTexts.all.enumerated().map { number, text in
            #"{"id":"\#(text)\#(number)","lang":"\#(text)","platform":"\#(text)","text":"\#(text)","gold":{"category":"fan"}}"#
                + "\n"
        }
        let profiles = ChildServer.tests.appendingPathComponent("Data/creators").path
        let pages = ["honest.html", "hostile.html"].map { folder.place($0) }
        let runs = [
            [profiles + "/messages.jsonl", "--profiles", profiles, "--compare", "rules,model"]
                + VoiceTests.withoutEncoder,
            [try folder.write("hostile.jsonl", gold.joined()), "--compare", "</title><b>x=rules,model"],
        ]
        for (run, page) in zip(runs, pages) {
            let outcome = try evaluate(run + ["--bootstrap", "20", "--to", "html", "-o", page])
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        let outcome = try BrowserScript.run(BrowserScript.stillPages, pages)
        #expect(outcome.status == 0, "\(outcome.printed.prefix(3000))")
    }

    @Test func `what files state of tokens and money is told per 1,000 messages, and unknown is not free`() throws {
        let lines = ["a1", "a2", "a3"].map {
            #"{"id":"\#($0)","prediction":{"category":"fan","usage":{"tokens":300,"cost":0.002}}}"# + "\n"
        }
        let path = try folder.write("paid.jsonl", lines.joined())
        let report = try json(try evaluate([goldPath, "--compare", "rules,\(path)", "--to", "json"]))
        let methods = try #require(report["methods"] as? [[String: Any]])
        let paid = try #require(methods[1]["per_1000_messages"] as? [String: Any])
        #expect(paid["tokens"] as? Double == 300_000)
        #expect(abs((paid["usd"] as? Double ?? 0) - 2) < 1e-9)
        let free = try #require(methods[0]["per_1000_messages"] as? [String: Any])
        #expect(free["usd"] is NSNull)
    }

    @Test func `texts do not stay in memory`() throws {
        let text = String(repeating: "lorem ipsum ", count: 4000)
        let count = 600
        let gold = (0..<count).map { #"{"id":"\#($0)","text":"\#(text)","gold":{"category":"fan"}}"# + "\n" }.joined()
        let goldPath = try folder.write("large.jsonl", gold)
        let answers = try predictions("answers.jsonl", ids: (0..<count).map(String.init), category: "fan")
        let outcome = try evaluate([goldPath, "--compare", answers])
        #expect(outcome.status == 0)
        let small = try evaluate([self.goldPath, "--compare", try predictions("few.jsonl", category: "fan")])
        // Of 29 MB, one batch at a time.
        #expect(outcome.peakMemory - small.peakMemory < 16 << 20, "\(outcome.peakMemory) \(small.peakMemory)")
    }
}
