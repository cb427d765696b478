import ArgumentParser
import TriageConfig
import TriageCore
import TriageRun

/// Creates the files that a creator fills in.
struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Creates triage.yaml, creator.yaml, faq.yaml and rules.yaml for you to fill in.",
        discussion: """
            EXAMPLES
              triage init
              triage init my-inbox --name "Mara Lindholm" --handle mara.makes

            Overwrites nothing: existing files stay unchanged. On a terminal it asks for
            your name and handle; otherwise it asks nothing.
            """)

    @Argument(help: ArgumentHelp("The folder; default: the current one.", valueName: "dir"))
    var folder: String = ""

    @Option(help: "Your name.")
    var name: String?

    @Option(help: "Your handle, with or without @.")
    var handle: String?

    func run() throws {
        var starter = StarterFolder(path: folder)
        let asks = Terminal.isTerminal(0) && Terminal.isTerminal(2) && !starter.missing.isEmpty
        starter.name = try name ?? (asks ? ask("Your name (optional): ") : "")
        let given = try handle ?? (asks ? ask("Your handle (optional): ") : "")
        starter.handle = given.hasPrefix("@") ? String(given.dropFirst()) : given

        var isAnyMade = false
        for outcome in try starter.make() {
            isAnyMade = isAnyMade || outcome.isMade
            try say(outcome.isMade ? "created  \(outcome.path)" : "kept     \(outcome.path) (already there)")
        }
        if isAnyMade {
            let enter = folder.isEmpty ? "" : "cd \(folder), "
            try say("Next: \(enter)fill in creator.yaml and faq.yaml, then")
            try say("  triage check             checks your files")
            try say("  triage sync EXPORT       reads an export into inbox.db; repeat for the next one")
            try say("  triage list              shows what to look at first")
            try say("  triage review            opens the inbox as a page in your browser")
        }
    }

    private func say(_ line: String) throws {
        try CheckedWriter.standardError.write(Terminal.harmless(line) + "\n")
    }

    private func ask(_ question: String) throws -> String {
        try CheckedWriter.standardError.write(question)
        return TerminalInput.line()
    }
}
