import Foundation
import Testing

/// `triage evaluate --drafts`: a blind sheet goes out, and filled-in sheets come back.
struct DraftJudgingTests {
    private let folder: ScratchFolder
    private let annotated: String

    init() throws {
        folder = try ScratchFolder()
        let inbox = [
            #"{"id":"m1","platform":"instagram","sender":{"name":"=Ann"},"text":"I love your videos so much, thank you!"}"#,
            #"{"id":"m2","text":"Hi, we offer $900 for one reel, \"as is\".\nBest, Kim"}"#,
            #"{"id":"m3","text":"first song u ever made?"}"#,
            #"{"id":"m4","text":"Earn 5% daily with crypto, DM me on telegram @fastcash"}"#,
        ]
        let outcome = try Program.run(["run", "--quiet"], input: inbox.map { $0 + "\n" }.joined())
        annotated = try folder.write("annotated.jsonl", outcome.output)
    }

    private func evaluate(_ arguments: [String]) throws -> Program.Outcome {
        try Program.run(["evaluate", "--drafts", annotated] + arguments, directory: folder.path)
    }

    /// The sheet with a mark for each record.
    private func filled(_ marks: [String: String], specific: String = "", name: String = "ann.csv") throws -> String {
        let sheet = try evaluate([]).text
        var lines = sheet.split(separator: "\r\n", omittingEmptySubsequences: true).map(String.init)
        for index in lines.indices.dropFirst() {
            for (record, mark) in marks where lines[index].contains(",\(record),") {
                precondition(lines[index].hasSuffix(",,"))
                lines[index] = String(lines[index].dropLast(2)) + "\(mark),\(specific),"
            }
        }
        return try folder.write(name, lines.joined(separator: "\r\n") + "\r\n")
    }

    @Test func `a sheet holds every message that may have a draft, and nothing of its source`() throws {
        let outcome = try evaluate([])
        #expect(outcome.status == 0)
        #expect(outcome.text.hasPrefix("number,record,platform,sender,message,draft,mark,specific,note\r\n"))
        for record in ["m1", "m2", "m3"] { #expect(outcome.text.contains(",\(record),")) }
        #expect(!outcome.text.contains("m4") && !outcome.text.contains("template"))
        // What a spreadsheet would run is text.
        #expect(outcome.text.contains("'=Ann"))
    }

    @Test func `a sample is the same for the same seed`() throws {
        let first = try evaluate(["--sample", "2", "--seed", "7"]).text
        #expect(first.split(separator: "\r\n").count == 3)
        #expect(try evaluate(["--sample", "2", "--seed", "7"]).text == first)
    }

    @Test func `marks of two judges are counted, and their agreement`() throws {
        let ann = try filled(["m1": "send", "m2": "rewrite", "m3": "none-right"], specific: "yes")
        let bo = try filled(["m1": "Send", "m2": "bin", "m3": "none-right"], name: "bo.csv")
        let outcome = try evaluate(["--marks", ann, "--marks", bo, "--to", "json"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let report = try #require(try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
        let judges = try #require(report["judges"] as? [[String: Any]])
        #expect(judges.map { $0["judge"] as? String } == ["ann", "bo"])
        let all = try #require(judges[0]["all"] as? [String: Any])
        #expect((all["send_or_fill"] as? [String: Any])?["count"] as? Int == 1)
        #expect((all["specific"] as? [String: Any])?["count"] as? Int == 2)
        let agreement = try #require((report["agreement"] as? [[String: Any]])?.first)
        #expect(agreement["messages"] as? Int == 3)
        #expect(abs((agreement["alike"] as? Double ?? 0) - 2.0 / 3) < 1e-9)
        let table = try evaluate(["--marks", ann, "--marks", bo]).text
        #expect(table.contains("Cohen's kappa") && table.contains("Krippendorff's alpha"))
    }

    @Test(arguments: [
        (["m1": "great"], "this is not a mark"), (["m1": "none-right"], "there is a draft"),
        (["m3": "send"], "there is no draft"), ([:], "no row has a mark"),
    ])
    func `a mark that cannot be meant says where and what is allowed`(marks: [String: String], words: String) throws {
        let sheet = try filled(marks)
        let outcome = try evaluate(["--marks", sheet])
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains(words) && outcome.errors.contains("ann.csv"), "\(outcome.errors)")
    }

    @Test(
        arguments: [
            (["--marks", "/no/such/sheet.csv"], 66), (["--sample", "0"], 64), (["--to", "html"], 64),
            (["--gate", "category.macro_f1>=0.9"], 64), (["--marks", "a.csv", "--sample", "3"], 64),
        ] as [([String], Int32)])
    func `what cannot be done is refused`(arguments: [String], status: Int32) throws {
        #expect(try evaluate(arguments).status == status)
    }

    @Test func `records that were not asked for a draft make no sheet`() throws {
        let file = try folder.write("plain.jsonl", "{\"id\":\"1\",\"text\":\"hi\"}\n")
        let outcome = try Program.run(["evaluate", "--drafts", file])
        #expect(outcome.status == 65 && outcome.errors.contains("drafts.none"))
    }
}
