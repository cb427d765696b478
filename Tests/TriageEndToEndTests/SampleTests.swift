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
    func `the samples are written in every format`(format: String) throws {
        let outcome = try Program.run(Self.runs[0] + ["--to", format], directory: Self.root)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(!outcome.output.isEmpty)
    }

    @Test func `the schema reader finds errors`() throws {
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

    @Test func `a queue's worker and a cluster's partition bear long batches and rejected records, and refuse lies`()
        throws
    {
        let cache = Program.warm["XDG_CACHE_HOME"].map { ["--rule-cache", $0 + "/triage"] } ?? []
        let command = [Program.path, "stream", "--quiet"] + cache
        let script = Self.root + "/Tests/Peers/samples.py"
        let checked = try Tool.run(["python3", script, "--"] + command, mixesErrors: true)
        let lines = checked.printed.split(separator: "\n")
        #expect(checked.status == 0, "\(lines.filter { !$0.hasPrefix("ok ") }.prefix(20))")
        #expect(lines.count { $0.hasPrefix("ok ") } == 7)
    }

    static let readme = root + "/README.md"

    @Test(.enabled(if: FileManager.default.fileExists(atPath: readme)))
    func `README shows what its commands print`() throws {
        let text = try String(contentsOfFile: Self.readme, encoding: .utf8)
        var shown: [(command: String, output: [String])] = []
        for (index, block) in text.components(separatedBy: "```").enumerated() where index % 2 == 1 {
            let lines = block.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            guard lines.count > 1, lines[1].hasPrefix("$ ") else { continue }
            for line in lines.dropFirst() {
                if line.hasPrefix("$ ") {
                    shown.append((String(line.dropFirst(2)), []))
                } else {
                    shown[shown.count - 1].output.append(line)
                }
            }
        }
        try #require(!shown.isEmpty)
        for (command, output) in shown {
            #expect(
                try printed(by: command) == output.joined(separator: "\n").trimmingCharacters(in: .newlines),
                "\(command)")
        }
    }

    /// What a person sees who types the command in the folder of the repository.
    private func printed(by command: String) throws -> String {
        let folder = URL(fileURLWithPath: Program.path).deletingLastPathComponent().path
        return try Tool.run(
            ["/bin/sh", "-c", "{ \(command)\n} 2>&1"],
            environment: Program.warm.merging(["PATH": "\(folder):/usr/bin:/bin"]) { $1 }, directory: Self.root
        ).printed.trimmingCharacters(in: .newlines)
    }
}
