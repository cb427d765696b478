import Foundation
import Testing
import TriageCore

/// The bytes that `triage` writes for the samples, the labelled messages and every format fixture, with one job and two.
///
/// `Tests/Data/golden.txt` holds a digest of each. A change that is meant to keep the output must keep them; a change of
/// answers rewrites the file with `TRIAGE_GOLDEN=write .ci/test --filter Golden`, and the commit says why.
@Suite struct GoldenOutputTests {
    /// A run whose output is frozen: a name of its own, and arguments as they are given from the root of the repository.
    struct Case: CustomTestStringConvertible, Sendable {
        var name: String
        var arguments: [String]
        var testDescription: String { name }
    }

    private static let list = "Tests/Data/golden.txt"
    private static let isWriting = ProcessInfo.processInfo.environment["TRIAGE_GOLDEN"] == "write"

    static let cases: [Case] = {
        let sample = ["--creator", "Samples/creator.yaml", "--faq", "Samples/faq.yaml"]
        var cases = ["jsonl", "json", "csv", "table"].map {
            Case(name: "sample/\($0)", arguments: ["run", "Samples/instagram-mara.zip", "--to", $0] + sample)
        }
        cases.append(Case(name: "sample/messages", arguments: ["run", "Samples/messages.jsonl"] + sample))
        for format in folders("Tests/TriageFormatsTests/Fixtures") {
            cases.append(
                Case(name: "format/\(format)", arguments: ["run", "Tests/TriageFormatsTests/Fixtures/\(format)"]))
        }
        for author in folders("Tests/Data/composed") {
            cases.append(
                Case(name: "messages/\(author)", arguments: ["run", "Tests/Data/composed/\(author)/messages.jsonl"]))
        }
        for folder in ["danger", "obvious"] {
            cases.append(
                Case(name: "messages/\(folder)", arguments: ["run", "Tests/Data/\(folder)", "--from", "jsonl"]))
        }
        for creator in DeterminismTests.creators {
            cases.append(
                Case(
                    name: "messages/creators/\(creator)",
                    arguments: [
                        "run", "Tests/Data/creators/messages.jsonl", "--faq", "Tests/Data/creators/faq-\(creator).json",
                    ] + (creator == "alex" ? ["--limit", "150"] : ["--config", "Tests/Data/without-encoder.yaml"])))
        }
        return cases
    }()

    private static func folders(_ path: String) -> [String] {
        let found = try? FileManager.default.contentsOfDirectory(atPath: SampleTests.root + "/" + path)
        return (found ?? []).filter { !$0.contains(".") }.sorted()
    }

    /// The digest of what a run prints, whatever the version of its rules.
    private static func digest(_ golden: Case, jobs: Int) throws -> String {
        let outcome = try Program.run(
            golden.arguments + ["--quiet", "--jobs", "\(jobs)"], directory: SampleTests.root)
        #expect([0, 1].contains(outcome.status), "\(golden.name): \(outcome.status) \(outcome.errors)")
        var hash = SHA256()
        hash.update(withoutRules(Array(outcome.output)))
        return "\(hash.hex().prefix(16)) \(outcome.output.count)"
    }

    private static let rulesMember = Array(#""rules":""#.utf8)
    private static let digestLength = 12

    /// The output with empty digests of rules.
    ///
    /// A search with a regular expression took minutes for 60 MB.
    private static func withoutRules(_ output: [UInt8]) -> [UInt8] {
        var kept: [UInt8] = []
        kept.reserveCapacity(output.count)
        var copied = 0
        var place = 0
        while place + rulesMember.count + digestLength < output.count {
            var count = 0
            while count < rulesMember.count, output[place + count] == rulesMember[count] { count += 1 }
            place += 1
            guard count == rulesMember.count else { continue }
            let digest = place - 1 + count
            guard output[digest + digestLength] == UInt8(ascii: "\"") else { continue }
            kept += output[copied..<digest]
            copied = digest + digestLength
            place = copied
        }
        return kept + output[copied...]
    }

    @Test(.disabled(if: isWriting), arguments: cases)
    func `what is written is what was written before, with one job and with two`(golden: Case) throws {
        let text = try String(contentsOfFile: SampleTests.root + "/" + Self.list, encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix(golden.name + " ") })
        // The long ones in turn: which number it is matters to all of them alike.
        let isLong = golden.name.hasPrefix("messages/") && !Trials.areFull
        let isOdd = golden.name.utf8.reduce(0) { $0 ^ $1 } & 1 == 1
        for jobs in isLong ? [isOdd ? 1 : 2] : [1, 2] {
            #expect(try "\(golden.name) \(Self.digest(golden, jobs: jobs))" == line, "--jobs \(jobs)")
        }
    }

    @Test func `every list of frozen runs is as long as the runs`() throws {
        #expect(Self.cases.count > 60)
        if Self.isWriting {
            let lines = try Self.cases.map { try "\($0.name) \(Self.digest($0, jobs: 1))\n" }
            try Data(lines.joined().utf8).write(to: URL(fileURLWithPath: SampleTests.root + "/" + Self.list))
        }
        let text = try String(contentsOfFile: SampleTests.root + "/" + Self.list, encoding: .utf8)
        #expect(text.split(separator: "\n").count == Self.cases.count)
    }
}
