import Foundation
import Testing

/// `replies.yaml`: drafts in words that the creator wrote.
struct OwnWordingTests {
    private let messages = """
        {"id":"1","text":"I love your mugs so much, they are wonderful!","sender":{"name":"Dana"}}
        {"id":"2","text":"i want to kill myself tonight","sender":{"name":"Ole"}}

        """

    private func drafts(_ folder: ScratchFolder) throws -> [String?] {
        let outcome = try Program.run(
            ["run", "--quiet", "--config", folder.place("triage.yaml")], input: messages, environment: Program.warm)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome.records.compactMap(\.self).map { $0["draft", "text"] as? String }
    }

    @Test func `a draft has the creator's words where there are any, beside triage yaml or named by it`() throws {
        let folder = try ScratchFolder()
        try folder.write("triage.yaml", "version: 1\n")
        let before = try drafts(folder)
        try folder.write("replies.yaml", "en: {fan.praise: Mugs love you back.}\n")
        let found = try drafts(folder)
        #expect(found[0]?.contains("Mugs love you back.") == true && before[0]?.contains("Mugs") == false)
        // Words for danger are not the creator's to change.
        #expect(found[1] == before[1] && found[1] != nil)
        try folder.write("words.yaml", "en: {fan.praise: Named.}\n")
        try folder.write("triage.yaml", "replies: words.yaml\n")
        #expect(try drafts(folder)[0]?.contains("Named.") == true)
    }

    @Test func `what is wrong with the words is told with its place, and a check shows how many there are`() throws {
        let folder = try ScratchFolder()
        try folder.write("triage.yaml", "version: 1\n")
        try folder.write("replies.yaml", "en:\n  urgent.threat: Ha.\n")
        let refused = try Program.run(["run", "--config", folder.place("triage.yaml")], input: messages)
        #expect(refused.status == 78 && refused.errors.contains("replies.fixed-words"))
        #expect(refused.errors.contains("replies.yaml:2:18"))
        try folder.write("replies.yaml", "en:\n  fan.praise: [Thanks!, Ta!]\n")
        let check = try Program.run(["check", folder.path])
        #expect((check.output + Data(check.errors.utf8)).range(of: Data("2 own wordings".utf8)) != nil)
    }
}
