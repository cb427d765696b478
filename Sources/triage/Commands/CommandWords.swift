import ArgumentParser
import TriageConfig
import TriageCore
import TriageRun

/// Detects misspelt commands, which the default command would take for paths of missing files.
enum CommandWords {
    /// Words that people type for commands with other names.
    private static let other = [
        "ls": "list", "inbox": "list", "view": "show", "cat": "show", "find": "search", "grep": "search",
        "eval": "evaluate", "test": "check", "compare": "evaluate", "setup": "init", "new": "init", "start": "init",
        "create": "init", "doctor": "check", "validate": "check", "lint": "check", "verify": "check", "watch": "stream",
        "follow": "stream", "tail": "stream", "update": "sync", "import": "sync", "ingest": "sync", "delete": "forget",
        "remove": "forget", "erase": "forget", "rm": "forget", "ui": "review", "open": "review", "web": "review",
        "serve": "review", "cost": "estimate", "price": "estimate", "why": "explain", "status": "runs", "log": "runs",
        "history": "runs", "learn": "train", "allow": "trust", "model": "models", "prompt": "prompts", "rule": "rules",
        "questions": "faq", "answers": "faq", "correct": "feedback", "version": "--version", "label": "feedback",
        "fix": "feedback",
    ]

    /// Every command, with its subcommands.
    static let names = TriageCommand.configuration.subcommands.map { $0.commandWord }

    /// Refuses the first word of the command line if it looks like a command and no such file exists.
    ///
    /// - Parameter paths: the paths of a run.
    /// - Throws: ``TriageError`` `usage.unknown-command` (exit 64).
    static func check(_ paths: [String]) throws {
        let typed = ProcessWords.all.first
        guard let first = paths.first, first == typed else { return }
        try check(first)
    }

    /// Refuses a word that looks like a command if no such file exists.
    ///
    /// - Throws: ``TriageError`` `usage.unknown-command` (exit 64).
    static func check(_ word: String) throws {
        // A word with a dot or a slash is meant as a path, and no command contains a digit.
        let looksLikeOne = word.utf8.allSatisfy {
            (0x61...0x7A).contains($0 | 0x20) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
        }
        guard looksLikeOne, word.utf8.count >= 2, word.utf8.count <= 24, !ConfigurationFile.exists(word) else { return }
        guard let meant = other[word.lowercased()] ?? Suggestion.closest(to: word, among: names) else { return }
        throw TriageError(
            "usage.unknown-command", "'\(word)' is neither a command nor a file",
            remedy: "did you mean `triage \(meant)`? `triage --help` lists the commands", exit: .usage)
    }

    /// A suggestion for a word that a group of commands does not know, such as `lsit` in `triage rules lsit`; nil:
    /// none.
    static func meant(by arguments: [String]) -> String? {
        if let first = arguments.first, let meant = rootFlag(first) { return meant }
        var command: any ParsableCommand.Type = TriageCommand.self
        var path: [String] = []
        for word in arguments {
            let below = command.configuration.subcommands
            if let next = below.first(where: { $0.commandWord == word }) {
                command = next
                path.append(word)
                continue
            }
            guard !below.isEmpty, !path.isEmpty, !word.hasPrefix("-") else { break }
            let names = below.map { $0.commandWord }
            if let meant = Suggestion.closest(to: word, among: names) {
                return "did you mean `triage \((path + [meant]).joined(separator: " "))`?"
            }
            // Otherwise it may be an argument of the group's default command.
            if command.configuration.defaultSubcommand == nil {
                return "`triage \(path.joined(separator: " "))` has the commands \(names.joined(separator: ", "))"
            }
            break
        }
        return option(among: arguments, of: command.configuration.defaultSubcommand ?? command)
    }

    /// A suggestion for a misspelt `--help` or `--version`.
    private static func rootFlag(_ word: String) -> String? {
        if word == "-v" || word == "-V" { return "did you mean `triage --version`?" }
        guard word.hasPrefix("--"), word.utf8.count > 4 else { return nil }
        return Suggestion.closest(to: word, among: ["--help", "--version"]).flatMap { meant in
            meant == word ? nil : "did you mean `triage \(meant)`?"
        }
    }

    /// A suggestion for an option that the command does not have; some other errors are reported before the unknown
    /// option.
    private static func option(among arguments: [String], of command: any ParsableCommand.Type) -> String? {
        let help = command.helpMessage(includeHidden: true, columns: 200)
        let known = help.split { !($0.isLetter || $0.isNumber || $0 == "-") }.filter { $0.hasPrefix("--") }.map(
            String.init)
        for argument in arguments.prefix(while: { $0 != "--" }) where argument.hasPrefix("--") {
            let name = String(argument.prefix { $0 != "=" })
            guard !known.contains(name), let meant = Suggestion.closest(to: name, among: known) else { continue }
            return "unknown option '\(name)'; did you mean '\(meant)'?"
        }
        return nil
    }
}

extension ParsableCommand {
    /// The word that names the command on a command line.
    static var commandWord: String { configuration.commandName ?? "" }
}

extension ParsableCommand {
    /// Shows the help, because waiting for a person to type JSON would help nobody.
    static func helped() -> RunEnded {
        try? CheckedWriter.standardError.write(helpMessage(columns: min(100, Terminal.width(2))) + "\n")
        return RunEnded(status: .usage)
    }
}
