import Foundation
import Testing

/// Gold that is measured changed, and changed copies to train with, at the command line.
struct PerturbTests {
    private let folder: ScratchFolder
    private let gold: String

    /// The messages of the first test of `evaluate`, with senders and members that must stay.
    private static let records = """
        {"id":"a1","lang":"en","conversation_id":"c","sender":{"handle":"acme.io","name":"Kim Lee"},"text":"Paid collab, $500 for two reels?","x":[1.50],"gold":{"category":"business","sentiment":"neutral","urgent":false}}
        {"id":"a2","lang":"en","text":"I love your videos, they got me through winter!","gold":{"category":"fan","sentiment":"positive","urgent":false},"meta":{"by":"k"}}
        {"id":"a3","lang":"de","text":"Earn 5% daily with crypto, DM me on telegram @fastcash","gold":{"category":"spam","sentiment":"neutral","urgent":false}}

        """

    /// One change that moves nothing, and one that must move and does not.
    private static let changes = """
        changes:
          - {id: dots, expect: {category: same, sentiment: same, urgent: same}, texts: [".."], held_out: ["..."]}
          - {id: nothing, expect: {urgent: yes}, only: {category: [fan]}, texts: ["ok"]}
        """

    init() throws {
        folder = try ScratchFolder()
        gold = try folder.write("gold.jsonl", Self.records)
    }

    private func perturb(_ arguments: [String], input: String = "") throws -> Program.Outcome {
        try Program.run(["evaluate"] + arguments, input: input, directory: folder.path)
    }

    @Test func `the shipped changes are measured, and a broken bound is exit 1`() throws {
        let outcome = try perturb([gold, "--perturb", "default", "--to", "json"])
        let report = try #require(try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
        let broken = try #require(report["broken"] as? Int)
        #expect(outcome.status == (broken > 0 ? 1 : 0), "\(outcome.errors)")
        #expect(report["records"] as? Int == 3)
        let methods = try #require(report["methods"] as? [[String: Any]])
        #expect(methods.map { $0["name"] as? String } == ["model"])
        let changes = try #require(methods[0]["changes"] as? [[String: Any]])
        #expect(changes.count >= 25)
        #expect(
            Set(changes.compactMap { $0["id"] as? String }).isSuperset(of: [
                "company-link", "typing-errors", "self-harm",
            ]))
        #expect(changes.allSatisfy { ($0["why"] as? String)?.isEmpty == false })
    }

    @Test func `a direction that is not taken breaks its bound, and what stays does not`() throws {
        let file = try folder.write("c.yaml", Self.changes)
        let outcome = try perturb([gold, "--perturb", file, "--compare", "rules,model"])
        #expect(outcome.status == 1, "\(outcome.errors)")
        #expect(outcome.text.contains("3 records"))
        #expect(outcome.text.contains("bounds exceeded: 2"), "\(outcome.text)")
        #expect(outcome.text.contains("\nrules\n") && outcome.text.contains("\nmodel\n"))
        let loose = try folder.write(
            "d.yaml", Self.changes.replacing("texts: [\"ok\"]", with: "texts: [\"ok\"], bound: 1"))
        #expect(try perturb([gold, "--perturb", loose]).status == 0)
    }

    @Test func `the same bytes come out for any number of workers`() throws {
        // More than fills one batch.
        let many = (0..<60).flatMap { number in
            Self.records.split(separator: "\n").map { $0.replacing("\"id\":\"a", with: "\"id\":\"\(number)-") + "\n" }
        }.joined()
        let path = try folder.write("many.jsonl", many)
        let outcomes = try ["1", "2", "7"].map {
            try perturb([path, "--perturb", "default", "--to", "csv", "--jobs", $0, "--compare", "rules,model"])
        }
        #expect(!outcomes[0].output.isEmpty && outcomes[0].status <= 1, "\(outcomes[0].errors)")
        #expect(outcomes.allSatisfy { $0.output == outcomes[0].output && $0.status == outcomes[0].status })
    }

    @Test func `gold may come through a pipe, and the report goes to a file`() throws {
        let file = try folder.write("c.yaml", Self.changes)
        let piped = try perturb(["-", "--perturb", file, "--to", "csv"], input: Self.records)
        #expect(piped.output == (try perturb([gold, "--perturb", file, "--to", "csv"]).output))
        let outcome = try perturb([gold, "--perturb", file, "--to", "csv", "-o", "r.csv"])
        #expect(outcome.status == 1 && outcome.output.isEmpty)
        #expect(try folder.bytes("r.csv") == piped.output)
    }

    @Test func `a message is answered by itself, whatever its conversation holds`() throws {
        let line = Self.records.split(separator: "\n")[1]
        let other = String(line).replacing("\"a2\"", with: "\"a0\"").replacing(
            "I love your videos, they", with: "We pay $900, contract")
        let file = try folder.write("c.yaml", Self.changes)
        func rows(_ lines: [String]) throws -> [Substring] {
            let talk = lines.map { $0.replacing("\"lang\"", with: "\"conversation_id\":\"q\",\"lang\"") + "\n" }
                .joined()
            return try perturb(["-", "--perturb", file, "--to", "csv"], input: talk).text.split(separator: "\n")
        }
        // The offer before it would have a say in the answers to it.
        let (alone, together) = (try rows([String(line)]), try rows([other, String(line)]))
        #expect(alone.count == together.count)
        #expect(together.contains { $0.hasPrefix("model,dots,category,same,2,0,") }, "\(together)")
    }

    // MARK: Copies

    @Test func `copies keep all but id, text and the names of the changes, and are trained with`() throws {
        let outcome = try perturb([gold, "--perturb", "default", "--write-changed", "copies.jsonl", "--copies", "3"])
        #expect(outcome.status == 0 && outcome.output.isEmpty, "\(outcome.errors)")
        #expect(outcome.errors.contains("wrote 9 changed copies of 3 records"))
        let originals = Self.records.split(separator: "\n").compactMap { Annotated.object(Array($0.utf8)[...]) }
        let lines = try folder.bytes("copies.jsonl").split(separator: 0x0A)
        #expect(lines.count == 9)
        for (number, line) in lines.enumerated() {
            var copy = try #require(Annotated.object(line))
            var original = originals[number / 3]
            let id = try #require(original["id"] as? String)
            var meta = try #require(copy["meta"] as? [String: Any])
            let changed = try #require(meta.removeValue(forKey: "changed") as? [String])
            #expect(copy["id"] as? String == ([id] + changed).joined(separator: "+"))
            #expect(copy["text"] as? String != original["text"] as? String)
            for key in ["id", "text", "meta"] { copy[key] = nil }
            #expect(
                NSDictionary(dictionary: original["meta"] as? [String: Any] ?? [:]) == NSDictionary(dictionary: meta))
            for key in ["id", "text", "meta"] { original[key] = nil }
            #expect(NSDictionary(dictionary: copy) == NSDictionary(dictionary: original))
        }
        #expect(String(decoding: lines[0], as: UTF8.self).contains("\"x\":[1.50]"))
        let again = try perturb([gold, "--perturb", "default", "--write-changed", "-", "--copies", "3"])
        #expect(again.output == (try folder.bytes("copies.jsonl")))
        let trained = try Program.run(
            ["train", gold, "copies.jsonl", "--folds", "2", "-o", "m.model"], directory: folder.path)
        #expect(trained.status == 0, "\(trained.errors)")
    }

    /// Nothing of one message tells the label of another; only a copy on the other side of a split could.
    ///
    /// With one there the mean over three classes, of which two occur, would be near 2/3 and not near 1/3.
    @Test(arguments: [false, true])
    func `copies and originals are on one side of every split, in three files or one`(isOneFile: Bool) throws {
        var state: UInt64 = 7
        func draw() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 33
        }
        let lines = (0..<240).map { number in
            let words = (0..<4).map { _ in "w\(draw() % 100_000)q" }.joined(separator: " ")
            let label = draw() % 2 == 0 ? "fan" : "spam"
            return
                #"{"id":"n\#(number)","creator":"alex","text":"\#(words)","gold":{"category":"\#(label)","sentiment":"neutral","urgent":false}}"#
                + "\n"
        }
        let parts = (0..<3).map { part in lines[(part * 80)..<(part * 80 + 80)].joined() }
        let changes = try folder.write(
            "own.yaml",
            """
            changes:
              - {id: one, expect: {category: same, sentiment: same, urgent: same}, texts: ["end"]}
              - {id: two, expect: {category: same, sentiment: same, urgent: same}, place: before, texts: ["start"]}
            """)
        var (originals, copies) = ([String](), [String]())
        for (number, part) in parts.enumerated() {
            let path = try folder.write("part\(number).jsonl", part)
            let made = try perturb([path, "--perturb", changes, "--write-changed", "-", "--copies", "2"])
            #expect(made.status == 0)
            originals.append(path)
            copies.append(try folder.write("copies\(number).jsonl", made.output))
        }
        // Files are dealt by size and order: the copies of the first would be held out with the second.
        var files = copies + [originals[1], originals[2], originals[0]]
        if isOneFile {
            let all = try (originals + copies).map { try Data(contentsOf: URL(filePath: $0)) }.reduce(Data(), +)
            files = [try folder.write("all.jsonl", [UInt8](all))]
        }
        let outcome = try Program.run(
            ["train"] + files + ["--base", "none", "--bits", "14", "--folds", "3", "-o", "m.model"],
            directory: folder.path)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let score = outcome.errors.firstMatch(of: /category[^\n]*macro-F1 ([0-9.]+)/).flatMap { Double($0.output.1) }
        #expect(try #require(score) < 0.45, "\(outcome.errors)")
    }

    @Test func `a copy of a frozen record is told from training data`() throws {
        #expect(try perturb([gold, "--lock", "t.lock", "--bootstrap", "0"]).status == 0)
        #expect(try perturb([gold, "--perturb", "default", "--write-changed", "copies.jsonl"]).status == 0)
        let outcome = try perturb([gold, "--lock", "t.lock", "--train", "copies.jsonl", "--bootstrap", "0"])
        #expect(outcome.status == 1)
        #expect(outcome.text.contains("3 are used for training: a1, a2, a3"), "\(outcome.text)")
    }

    // MARK: Refusals

    @Test(arguments: [
        (["GOLD", "--perturb", "nothing.yaml"], Int32(78), "config.not-readable"),
        (["GOLD", "--perturb", "BAD"], 78, "changes.unknown-operation"),
        (["GOLD", "--perturb", "BAD"], 78, "changes.same-id"),
        (["--perturb", "default"], 64, "evaluate.no-gold"),
        (["--perturb", "default", "--write-changed", "x"], 64, "evaluate.no-gold"),
        (["EMPTY", "--perturb", "default"], 65, "evaluate.no-records"),
        (["EMPTY", "--perturb", "default", "--write-changed", "x"], 65, "evaluate.no-records"),
        (["BARE", "--perturb", "FAN"], 65, "evaluate.nothing-changed"),
        (["BARE", "--perturb", "FAN", "--write-changed", "x"], 65, "evaluate.nothing-changed"),
        (["TWICE", "--perturb", "default"], 65, "evaluate.same-id"),
        (["BROKEN", "--perturb", "default", "--write-changed", "x"], 65, "json."),
        (["CUT", "--perturb", "FAN", "--write-changed", "x"], 65, "json."),
        (["BROKEN", "--perturb", "default"], 65, "json."),
        (["LABEL", "--perturb", "default"], 65, "evaluate.bad-label"),
        (["nothing.jsonl", "--perturb", "default"], 66, "input.unreadable"),
        (["GOLD", "--perturb", "default", "--compare", "GOLD"], 65, "evaluate.no-predictions"),
        (["GOLD", "--perturb", "default", "--compare", "ANSWERS"], 64, "evaluate.cannot-perturb"),
        (["GOLD", "--perturb", "default", "--write-changed", "GOLD"], 64, "output.is-input"),
        (["GOLD", "--perturb", "FAN", "-o", "FAN"], 64, "output.is-input"),
        (["GOLD", "--perturb", "default", "-o", "/no/folder/x"], 73, "output."),
    ])
    func `impossible requests fail with their own code and a fix, and create no file`(
        arguments: [String], status: Int32, code: String
    ) throws {
        let files = [
            "BAD":
                "changes:\n - {id: a, expect: {category: same}, operation: x}\n - {id: a, expect: {category: same}, texts: [y]}\n",
            "FAN": "changes:\n - {id: a, expect: {category: same}, only: {category: [fan]}, texts: [x]}\n",
            "EMPTY": "\n", "BARE": #"{"id":"a","text":"hello"}"# + "\n",
            "TWICE": Self.records + Self.records, "BROKEN": Self.records + "{\"id\":\n",
            "CUT": #"{"id":"a","gold":{"category":"fan"},"text":"x"# + "\n",
            "LABEL": #"{"id":"a","text":"x","gold":{"category":"friend"}}"# + "\n",
            "ANSWERS": #"{"id":"a1","prediction":{"category":"fan"}}"# + "\n", "GOLD": Self.records,
        ]
        for (name, text) in files { _ = try folder.write(name, text) }
        let outcome = try perturb(arguments)
        #expect(outcome.status == status, "\(outcome.errors)")
        #expect(outcome.errors.contains("[\(code)"), "\(outcome.errors)")
        #expect(outcome.errors.contains("fix:"))
        #expect(outcome.output.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: folder.place("x")))
        #expect(try folder.bytes("GOLD") == Array(Self.records.utf8))
    }

    @Test(arguments: [
        ["--write-changed", "x"], ["--copies", "2"], ["--jobs", "2"], ["--perturb", "default", "--copies", "2"],
        ["--perturb", "default", "--write-changed", "x", "--copies", "0"], ["--perturb", "default", "--jobs", "0"],
        ["--perturb", "default", "--to", "html"], ["--perturb", "default", "--gate", "category.accuracy>=0"],
        ["--perturb", "default", "--lock", "l"], ["--perturb", "default", "--write-changed", "x", "-o", "y"],
    ])
    func `flags that do not go together are a wrong use`(arguments: [String]) throws {
        let outcome = try perturb([gold] + arguments)
        #expect(outcome.status == 64, "\(outcome.errors)")
        #expect(outcome.output.isEmpty)
    }
}
