import Testing
import TriageConfig
import TriageCore

struct StarterTests {
    private let folder: TemporaryFolder
    private static let shipped = [
        RuleSource(
            name: "s.yaml",
            bytes: Array(
                "signals: [{name: link.short, detector: link.short, feeds: {}}, {name: shape.caps, words: [x], feeds: {}}]"
                    .utf8))
    ]

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: [("", ""), ("Mara: \"L\" #1", "mara.makes"), ("no", "12"), ("- x", "a], b: {c")])
    func `makes files that are valid as they are`(name: String, handle: String) throws {
        var starter = StarterFolder(path: folder.path)
        starter.name = name
        starter.handle = handle
        let made = try starter.make()
        #expect(made.map(\.isMade) == [true, true, true, true])
        #expect(folder.listing == ["creator.yaml", "faq.yaml", "rules.yaml", "triage.yaml"])
        #expect(folder.listing.map(folder.mode) == [0o600, 0o600, 0o600, 0o600])
        let loaded = try LoadedConfiguration.load(ConfigurationRequest(folder: folder.path), shipped: Self.shipped)
        #expect(loaded.creator.name == name && loaded.creator.handles == (handle.isEmpty ? [] : [handle]))
        #expect(loaded.files.map(\.origin) == [.found, .file, .file, .file])
        #expect(
            loaded.models.store == "\(folder.path)/inbox.db"
                && loaded.withheld == Withheld(path: "\(folder.path)/triage.yaml", standing: .unknown))
    }

    /// What is commented out must be right too: people take the `#` away.
    @Test func `shows examples that are valid once the mark is taken away`() throws {
        _ = try StarterFolder(path: folder.path).make()
        for name in folder.listing {
            let lines = try folder.text(name).split(separator: "\n", omittingEmptySubsequences: false)
            let keys = [
                "opportunity", "thresholds", "category", "sentiment", "faq", "urgency", "exchange", "date", "rates",
            ]
            let active = lines.map { line -> String in
                guard line.hasPrefix("# ") else { return String(line) }
                let content = line.dropFirst(2)
                let trimmed = content.drop { $0 == " " }
                let isKey =
                    name == "triage.yaml"
                    ? keys.contains { trimmed.hasPrefix("\($0):") }
                    : content.hasPrefix("- ") || (content.hasPrefix("  ") && name != "creator.yaml")
                return isKey ? String(content) : String(line)
            }
            try folder.write(name, active.joined(separator: "\n"))
        }
        let loaded = try LoadedConfiguration.load(ConfigurationRequest(folder: folder.path), shipped: Self.shipped)
        #expect(loaded.faq.entries.map(\.id) == ["camera"])
        #expect(loaded.rules.signals.map(\.name).sorted() == ["link.short", "mine.course-question"])
        #expect(loaded.settings == Settings())
    }

    @Test func `leaves alone what is there`() throws {
        try folder.write("creator.yaml", "id: mine\n")
        let made = try StarterFolder(path: folder.path).make()
        #expect(made.map(\.isMade) == [true, false, true, true])
        #expect(try folder.text("creator.yaml") == "id: mine\n")
        let again = try StarterFolder(path: folder.path).make()
        #expect(again.allSatisfy { !$0.isMade })
    }

    @Test func `says when it cannot make a folder`() {
        #expect { try StarterFolder(path: "\(folder.path)/a/b").make() } throws: {
            ($0 as? TriageError)?.code == "output.cannot-create"
        }
    }
}

struct FolderCheckTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func check() -> FolderCheck {
        FolderCheck(
            ConfigurationRequest(folder: folder.path),
            shipped: [RuleSource(name: "s.yaml", bytes: Array("signals: [{name: a, words: [x], feeds: {}}]".utf8))])
    }

    @Test func `finds nothing wrong with a whole folder`() throws {
        try folder.write("triage.yaml", "")
        try folder.write("creator.yaml", "name: A\nhandles: [a]\nniches: [x]\ntimezone: UTC\n")
        try folder.write("faq.yaml", "- {id: a, question: Which camera?, answer: A}\n")
        let check = check()
        #expect(check.lines.allSatisfy { $0.verdict == .ok })
        #expect(check.lines.count == 4)
    }

    @Test func `warns about improvements and says how to make them`() throws {
        try folder.write("triage.yaml", "llm: {base_url: https://x, model: m}\n")
        try folder.write("creator.yaml", "name: A\n")
        try folder.write("faq.yaml", "[]\n")
        try folder.write("rules.yaml", "signals: [{name: mine, words: [x], feeds: {}}]\n")
        let check = check()
        #expect(check.count(.warn) == 7 && check.count(.fail) == 0)
        #expect(check.lines.allSatisfy { $0.verdict == .ok || $0.remedy != nil })
    }

    @Test func `fails for every error, whichever file it is in`() throws {
        try folder.write("triage.yaml", "faq: none.yaml\nstoer: x\n")
        try folder.write("creator.yaml", "nmae: A\n")
        try folder.write("rules.yaml", "signals: [{name: mine, when: {all: [b]}, feeds: {}}]\n")
        let check = check()
        #expect(
            check.lines.filter { $0.verdict == .fail }.map(\.subject) == [
                "\(folder.path)/triage.yaml:2:1", "\(folder.path)/creator.yaml:1:1", "\(folder.path)/none.yaml",
                "\(folder.path)/rules.yaml:1",
            ])
    }

    @Test func `looks at nothing where there is nothing`() {
        let check = check()
        #expect(check.lines.map(\.verdict) == [.ok, .warn, .warn, .ok])
        #expect(check.rules.signals.count == 1)
    }
}
