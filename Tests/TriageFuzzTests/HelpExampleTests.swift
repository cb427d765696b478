import ArgumentParser
import Testing

@testable import triage

/// What help shows can be pasted.
struct HelpExampleTests {
    /// A command with the words that lead to it.
    struct Command: Sendable, CustomTestStringConvertible {
        var words: [String]
        var type: any ParsableCommand.Type
        var testDescription: String { words.joined(separator: " ") }
    }

    private static func all(_ type: any ParsableCommand.Type, _ words: [String]) -> [Command] {
        [Command(words: words, type: type)]
            + type.configuration.subcommands.flatMap { all($0, words + [$0.commandWord]) }
    }

    static let commands = all(TriageCommand.self, ["triage"])

    /// The lines of help that hold a command to copy.
    private static func examples(_ help: String) -> [String] {
        var examples: [String] = []
        var isContinued = false
        for line in help.split(separator: "\n", omittingEmptySubsequences: false) {
            let text = line.drop { $0 == " " }
            if isContinued {
                examples[examples.count - 1] += "\n" + line
            } else if line.hasPrefix("  "), text.hasPrefix("triage ") || text.contains("| triage") {
                examples.append(String(line))
            } else {
                continue
            }
            isContinued = line.hasSuffix("\\")
        }
        return examples
    }

    /// The words of each `triage` of a line as a shell reads them.
    private static func calls(_ line: String) -> [[String]] {
        var calls: [[String]] = [[]]
        var word: String?
        var quote: Character?
        var isTarget = false
        func end() {
            if let done = word, !isTarget { calls[calls.count - 1].append(done) }
            if word != nil { isTarget = false }
            word = nil
        }
        for character in line.replacing("\\\n", with: " ") {
            switch (quote, character) {
            case (let open?, _) where character == open: quote = nil
            case (.some, _): word = (word ?? "") + String(character)
            case (nil, "'"), (nil, "\""):
                quote = character
                word = word ?? ""
            case (nil, "|"):
                end()
                calls.append([])
            case (nil, ">"), (nil, "<"):
                end()
                isTarget = true
            case (nil, " "): end()
            default: word = (word ?? "") + String(character)
            }
        }
        end()
        return calls.filter { $0.first == "triage" }
    }

    @Test(arguments: commands)
    func `what a command says of itself fits a terminal of 80 columns`(command: Command) {
        for line in command.type.configuration.discussion.split(separator: "\n") {
            #expect(line.count <= 80, "\(line)")
        }
    }

    @Test(arguments: commands)
    func `no example is broken by the width of a terminal, and each is one that the program takes`(
        command: Command
    ) throws {
        let narrow = Self.examples(command.type.helpMessage(columns: 80))
        #expect(narrow == Self.examples(command.type.helpMessage(columns: 4000)))
        for example in narrow {
            for line in example.split(separator: "\n") { #expect(line.count <= 78, "\(line)") }
            let calls = Self.calls(example)
            #expect(!calls.isEmpty, "\(example)")
            for call in calls { #expect(throws: Never.self) { try TriageCommand.parseAsRoot(Array(call.dropFirst())) } }
        }
    }

    @Test func `examples are found at all`() {
        let found = Self.commands.reduce(0) { $0 + Self.examples($1.type.helpMessage(columns: 80)).count }
        #expect(Self.commands.count > 40 && found > 60, "\(Self.commands.count) \(found)")
    }

    @Test(arguments: [
        ("evalute", "evaluate"), ("lits", "list"), ("Review", "review"), ("ls", "list"), ("serach", "search"),
        ("feed-back", "feedback"), ("doctor", "check"), ("exprot", "export"), ("strem", "stream"),
    ])
    func `a misspelt command is told from a file`(word: String, meant: String) throws {
        do {
            try CommandWords.check(word)
            Issue.record("\(word) was taken for a file")
        } catch {
            let text = "\(error)"
            #expect(text.contains("`triage \(meant)`"), "\(text)")
        }
    }

    @Test(arguments: ["export.zip", "./evalute", "in/evalute", "messages2", "-", "x", "wholly-other-thing"])
    func `what may be a path is left to whoever opens it`(word: String) throws { try CommandWords.check(word) }

    @Test(arguments: [
        (["rules", "lsit"], "triage rules list"), (["feedback", "exprot"], "triage feedback export"),
        (["batch", "sumbit"], "triage batch submit"), (["models", "x"], "list, check"),
    ])
    func `a group says which of its commands was meant`(words: [String], meant: String) throws {
        #expect(CommandWords.meant(by: words)?.contains(meant) == true)
    }
}
