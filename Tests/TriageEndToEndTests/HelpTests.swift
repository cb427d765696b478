import Testing

/// What the program says about itself is true.
struct HelpTests {
    static let commands: [[String]] = [
        [], ["run"], ["explain"], ["rules"], ["rules", "list"], ["rules", "show"], ["rules", "check"],
        ["rules", "test"],
        ["faq"], ["faq", "list"], ["faq", "add"], ["faq", "edit"], ["faq", "remove"], ["faq", "check"],
        ["faq", "suggest"], ["faq", "learn"], ["init"],
        ["check"], ["trust"], ["schema"], ["evaluate"], ["list"], ["show"], ["search"], ["feedback"],
        ["feedback", "give"],
        ["feedback", "list"], ["feedback", "export"], ["stats"], ["export"], ["forget"], ["rescore"], ["report"],
        ["store"], ["store", "check"], ["store", "repair"],
        ["voice"], ["voice", "learn"], ["voice", "show"], ["voice", "forget"], ["voice", "suggest"],
    ]

    private func help(_ command: [String]) throws -> String {
        let outcome = try Program.run(command + ["--help"])
        #expect(outcome.status == 0)
        #expect(outcome.errors.isEmpty)
        return outcome.text
    }

    @Test(arguments: commands)
    func `every command has help whose examples use only existing options`(command: [String]) throws {
        let text = try help(command)
        #expect(text.contains("EXAMPLES"))
        #expect(text.contains("USAGE: triage"))
        var examples: [[String]] = []
        for line in text.split(separator: "\n") {
            for part in line.split(separator: "|") {
                let words = part.split(separator: " ").map(String.init)
                if words.count > 1, words[0] == "triage" { examples.append(words) }
            }
        }
        #expect(!examples.isEmpty)
        for example in examples {
            let words = Array(example.dropFirst())
            let named = Self.commands.filter { !$0.isEmpty && words.starts(with: $0) }.max { $0.count < $1.count }
            let known = try help(named ?? ["run"])
            for word in words where word.hasPrefix("-") && word != "-" {
                #expect(
                    known.contains("\(word) ") || known.contains("\(word),") || known.contains("\(word)\n"), "\(word)")
            }
        }
    }

    @Test(arguments: commands)
    func `help contains no control character`(command: [String]) throws {
        let text = try help(command)
        #expect(!text.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control })
    }

    @Test func `the version is one line`() throws {
        let outcome = try Program.run(["--version"])
        #expect(outcome.status == 0)
        #expect(outcome.lines.count == 1)
        #expect(outcome.text.contains("."))
    }

    static let hostile = ["\u{1B}[31m\u{1B}]0;x\u{7}", "\u{9B}31m", "\u{202E}x\r\u{8}"]

    @Test(arguments: hostile)
    func `argument errors print no control characters`(word: String) throws {
        let all = [
            ["run", "--bogus\(word)"], ["run", "--jobs", word], ["run", "--to", word], ["evaluate", "--seed", word],
            ["faq", "list", word, "x"], ["rules", "list", "--\(word)"], ["batch", word],
        ]
        for arguments in all {
            let outcome = try Program.run(arguments)
            #expect(outcome.status == 64, "\(arguments) \(outcome.errors)")
            #expect(outcome.errors.contains("Error: ") && outcome.errors.hasSuffix("\n"))
            for scalar in outcome.errors.unicodeScalars where scalar != "\n" {
                #expect(scalar.properties.generalCategory != .control && scalar != "\u{202E}", "\(arguments)")
            }
        }
    }

    @Test(arguments: [["--help"], ["--version"], ["--generate-completion-script", "bash"]])
    func `help or version output that cannot be written is an error`(arguments: [String]) throws {
        let full = try Program.run(arguments, output: .file("/dev/full"))
        #expect(full.status == 74 && full.errors.contains("output.io"), "\(full.errors)")
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `shell completions are generated`(shell: String) throws {
        let outcome = try Program.run(["--generate-completion-script", shell])
        #expect(outcome.status == 0)
        #expect(outcome.text.contains("creator"))
    }
}
