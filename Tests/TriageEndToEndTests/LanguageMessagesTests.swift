import Foundation
import Testing

/// Messages in languages that one file added, with what must come out: `Tests/Data/languages/<tag>.jsonl`.
struct LanguageMessagesTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Data/languages").path
    static let files = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
        .filter { $0.hasSuffix(".jsonl") }.sorted()

    @Test(arguments: files) func `are read as they are meant`(file: String) throws {
        let outcome = try Program.run(["run", Self.folder + "/" + file, "--quiet"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(!outcome.records.isEmpty)
        for record in outcome.records {
            let record = try #require(record)
            let expected = try #require(record.whole["expect"] as? [String: Any])
            for (key, value) in expected {
                let found = Self.value(key, record)
                #expect("\(found ?? "null")" == "\(value)", "\(record.whole["id"] ?? ""): \(key)")
            }
        }
    }

    private static func value(_ key: String, _ record: Annotated) -> Any? {
        switch key {
        case "category": record["category", "label"]
        case "sentiment": record["sentiment", "label"]
        case "urgent": record["urgency", "urgent"]
        case "budget": record["opportunity", "budget", "amount"]
        case "currency": record["opportunity", "budget", "currency"]
        case "deadline": record["opportunity", "deadline"]
        case "draft": (record["draft", "based_on"] as? String)?.replacingOccurrences(of: "template:", with: "")
        case "no_draft": record["no_draft"]
        default: "no such key"
        }
    }
}
