import Foundation
import Testing
import TriageConfig
import TriageCore

/// What people read in place of the names of signals.
struct ReasonsFileTests {
    private static let rules = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Sources/ShippedRules")

    @Test func `every signal that the program raises itself has words, and so has every kind of urgency`() throws {
        let bytes = [UInt8](try Data(contentsOf: Self.rules.appendingPathComponent("reasons.yaml")))
        let file = try ReasonsFile(RuleSource(name: "reasons.yaml", bytes: bytes))
        #expect(Set(file.signals.keys) == Set(SignalNames.builtIn))
        #expect(Set(file.kinds.keys) == ["self-harm", "threat", "account", "impersonation", "legal", "deadline"])
        for words in Array(file.signals.values) + Array(file.kinds.values) + [file.unknown, file.unexplained] {
            #expect(!words.isEmpty && words.allSatisfy { !$0.isNewline })
            #expect(!SignalNames.builtIn.contains { words.contains($0) })
        }
    }

    @Test func `what is wrong in it is said with its line`() {
        let text = "signals:\n  a: b\nwords: [x]\n"
        #expect { try ReasonsFile(RuleSource(name: "r.yaml", bytes: Array(text.utf8))) } throws: {
            ($0 as? TriageErrors)?.all.map(\.at) == ["r.yaml:3:1"]
        }
    }
}
