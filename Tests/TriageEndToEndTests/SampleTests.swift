import Foundation
import Testing

/// The samples and what README shows of them.
struct SampleTests {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    static let runs: [[String]] = [
        ["run", "Samples/instagram-mara.zip", "--creator", "Samples/creator.yaml", "--faq", "Samples/faq.yaml"],
        ["run", "Samples/messages.jsonl", "--creator", "Samples/creator.yaml", "--faq", "Samples/faq.yaml"],
    ]

    @Test(arguments: runs)
    func `the samples are annotated, and every record fits the schema`(arguments: [String]) throws {
        let outcome = try Program.run(arguments, directory: Self.root)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.lines.count > 5)
        let schema = SchemaReader(try #require(Annotated.object(try Program.run(["schema"]).output[...])))
        for record in outcome.records {
            let record = try #require(record)
            #expect(schema.faults(of: record.whole) == [])
            if record.triage["skipped"] == nil { #expect(RecordPromises.faults(of: record) == []) }
        }
    }

    @Test(arguments: ["jsonl", "json", "csv", "table"])
    func `the samples come out in every format`(format: String) throws {
        let outcome = try Program.run(Self.runs[0] + ["--to", format], directory: Self.root)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(!outcome.output.isEmpty)
    }

    @Test func `a reader of schemas that finds nothing wrong would be no use`() throws {
        let schema = SchemaReader(try #require(Annotated.object(try Program.run(["schema"]).output[...])))
        let outcome = try Program.run(Self.runs[1], directory: Self.root)
        let good = try #require(outcome.records.first??.whole)
        for (member, value) in [("surprise", 1), ("priority", "high"), ("category", ["label": "friend"])]
            as [(String, Any)]
        {
            var record = good
            var triage = try #require(record["triage"] as? [String: Any])
            triage[member] = value
            record["triage"] = triage
            #expect(schema.faults(of: record) != [], "\(member)")
        }
    }

    static let readme = root + "/README.md"

    @Test(.enabled(if: FileManager.default.fileExists(atPath: readme)))
    func `README shows what its commands print`() throws {
        let text = try String(contentsOfFile: Self.readme, encoding: .utf8)
        let blocks = text.components(separatedBy: "```").enumerated().filter { $0.offset % 2 == 1 }
            .map { $0.element.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().map(String.init) }
            .filter { $0.first?.hasPrefix("$ ") == true }
        for block in blocks {
            guard let command = block.first?.dropFirst(2), command.contains("triage ") else { continue }
            let words = command.split(separator: " ").map(String.init)
            guard let name = words.firstIndex(where: { $0 == "triage" || $0.hasSuffix("/triage") }),
                !words.contains("|")
            else {
                continue
            }
            let outcome = try Program.run(Array(words[(name + 1)...]), directory: Self.root)
            let shown = block.dropFirst().reversed().drop { $0.isEmpty }.reversed().joined(separator: "\n")
            let printed = outcome.text + outcome.errors
            #expect(
                printed.trimmingCharacters(in: .newlines) == shown
                    || outcome.text.trimmingCharacters(in: .newlines) == shown,
                "\(command)")
        }
    }
}
