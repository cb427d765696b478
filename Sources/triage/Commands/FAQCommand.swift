import ArgumentParser
import Platform
import TriageConfig
import TriageCore
import TriageRun
import TriageStages
import TriageStore

/// Manages the creator's library of answers.
struct FAQCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "faq",
        abstract: "Manages the FAQ library: list, add, edit, remove, check, suggest and learn.",
        discussion: """
            EXAMPLES
              triage faq list --faq faq.yaml
              triage faq add --question "Which camera?" --answer "A small one."
              triage faq edit camera --also-asked "What do you film with?"
              triage faq remove camera
              triage faq check
              triage faq suggest export.zip
              triage faq learn corrections.jsonl --dry-run

            The library is the file named by --faq, TRIAGE_FAQ or triage.yaml. Comments
            and entries that a command does not change are kept.
            """,
        subcommands: [
            FAQListCommand.self, FAQAddCommand.self, FAQEditCommand.self, FAQRemoveCommand.self, FAQCheckCommand.self,
            FAQSuggestCommand.self, FAQLearnCommand.self,
        ])
}

/// Selects the library that a command works on.
struct LibraryOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The library (YAML or JSON).", valueName: "file"))
    var faq: String?

    @Option(help: ArgumentHelp("Settings; default: triage.yaml in the current folder.", valueName: "file"))
    var config: String?

    /// - Throws: ``TriageError`` `faq.no-library` (exit 64) when nothing names one.
    func path() throws -> String {
        let faults = FaultCollector()
        let path = LoadedConfiguration.locate(.faq, .ofProcess(config: config, faq: faq), faults: faults)
        try faults.throwIfAny()
        guard let path else {
            throw TriageError(
                "faq.no-library", "no FAQ library is named, and the current folder has no triage.yaml",
                remedy: "name one with --faq FILE, or create one with `triage init`", exit: .usage)
        }
        return path
    }
}

struct FAQListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists the entries of the library.",
        discussion: """
            EXAMPLES
              triage faq list
              triage faq list --category Equipment --json | jq .answer
              triage faq list --store inbox.db

            With a store (or store: in triage.yaml), USED counts the messages an entry
            answers (high or possible), and RIGHT how you rated it with `triage feedback`.
            """)

    @Option(help: "Only entries of this category.")
    var category: String?

    @Flag(help: "Print one JSON object per line.")
    var json = false

    @Option(help: ArgumentHelp("Count how often each entry is used in this store.", valueName: "file"))
    var store: String?

    @OptionGroup(title: "Configuration") var library: LibraryOptions

    func run() throws {
        let uses = try uses()
        let entries = try FAQEditor(path: try library.path()).library.entries.filter { entry in
            category.map { $0.lowercased() == entry.category.lowercased() } ?? true
        }
        if json {
            try CheckedWriter.standardOutput.write(entries.map { FAQEditor.json($0) + "\n" }.joined())
            return
        }
        var table = TextTable(["ID", "CATEGORY"] + (uses == nil ? [] : ["USED", "RIGHT"]) + ["QUESTION"])
        for entry in entries {
            var row = [entry.id, entry.category]
            if let uses {
                let use = uses[entry.id]
                row.append(use.map { "\($0.high + $0.possible)" } ?? "0")
                row.append(
                    use.flatMap { $0.right + $0.wrong > 0 ? "\($0.right) of \($0.right + $0.wrong)" : nil } ?? "")
            }
            table.add(row + [entry.question])
        }
        try CheckedWriter.standardOutput.write(
            table.rendered(width: Terminal.isTerminal(1) ? Terminal.width(1) : nil))
        try CheckedWriter.standardError.write(entries.count.of("entry", "entries") + "\n")
    }

    /// How often each entry is used in a store, by id; nil: no store is named.
    private func uses() throws -> [String: InboxStatistics.FAQUse]? {
        var options = StoreOptions()
        options.store = store
        options.config = library.config
        guard let path = try options.pathIfNamed() else { return nil }
        // A store named in the settings may not exist yet.
        if store == nil, access(path, F_OK) != 0 { return nil }
        let inbox = try InboxStore(path: path, mode: .readOnly)
        defer { inbox.close() }
        return Dictionary(try inbox.faqUse().map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }
}

struct FAQAddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Adds an entry and prints its id.",
        discussion: """
            EXAMPLES
              triage faq add --question "Do you ship?" --answer "Yes." --category Shop
              triage faq add --id presets --question "Which presets?" --answer - < a.txt

            Creates the file if it does not exist.
            """)

    @Option(help: "The question as people ask it.")
    var question: String

    @Option(help: "The answer; - reads it from stdin.")
    var answer: String

    @Option(help: "A category to group entries.")
    var category: String = ""

    @Option(name: .customLong("also-asked"), help: "Another wording of the question; repeatable.")
    var alsoAsked: [String] = []

    @Option(help: "A short name; default: made from the question.")
    var id: String?

    @OptionGroup(title: "Configuration") var library: LibraryOptions

    func run() throws {
        var editor = try FAQEditor(path: try library.path(), mayCreate: true)
        let entry = FAQEntry(
            id: id ?? editor.freeID(for: question), category: category, question: question, alsoAsked: alsoAsked,
            answer: try answerText(answer))
        try editor.add(entry)
        try editor.save()
        try CheckedWriter.standardOutput.write(entry.id + "\n")
        try CheckedWriter.standardError.write("added to \(Terminal.harmlessLine(editor.path))\n")
    }
}

struct FAQEditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Changes parts of an entry.",
        discussion: """
            EXAMPLES
              triage faq edit camera --answer "A new one."
              triage faq edit camera --also-asked "What do you film with?"
              triage faq edit camera --new-id kit --category Equipment
            """)

    @Argument(help: "Id of the entry.")
    var id: String

    @Option(help: "A new question.")
    var question: String?

    @Option(help: "A new answer; - reads it from stdin.")
    var answer: String?

    @Option(help: "A new category.")
    var category: String?

    @Option(name: .customLong("also-asked"), help: "Another wording to add; repeatable.")
    var alsoAsked: [String] = []

    @Flag(name: .customLong("clear-also-asked"), help: "Remove the existing wordings first.")
    var clearAlsoAsked = false

    @Option(name: .customLong("new-id"), help: "A new id.")
    var newID: String?

    @OptionGroup(title: "Configuration") var library: LibraryOptions

    mutating func validate() throws {
        if question == nil, answer == nil, category == nil, alsoAsked.isEmpty, !clearAlsoAsked, newID == nil {
            throw ValidationError("Say what to change: --question, --answer, --category, --also-asked or --new-id.")
        }
    }

    func run() throws {
        var editor = try FAQEditor(path: try library.path())
        var change = FAQEditor.Change()
        change.id = newID
        change.question = question
        change.answer = try answer.map { try answerText($0) }
        change.category = category
        change.alsoAsked = alsoAsked
        change.clearsAlsoAsked = clearAlsoAsked
        try editor.edit(id, change)
        try editor.save()
        try CheckedWriter.standardError.write("changed in \(Terminal.harmlessLine(editor.path))\n")
    }
}

struct FAQRemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Removes entries from the library.",
        discussion: """
            EXAMPLES
              triage faq remove camera
              triage faq remove camera lens --faq faq.yaml
            """)

    @Argument(help: ArgumentHelp("Ids of entries.", valueName: "id"))
    var ids: [String]

    @OptionGroup(title: "Configuration") var library: LibraryOptions

    func run() throws {
        var editor = try FAQEditor(path: try library.path())
        for id in ids { try editor.remove(id) }
        try editor.save()
        try CheckedWriter.standardError.write("removed from \(Terminal.harmlessLine(editor.path))\n")
    }
}

struct FAQCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Finds entries that are broken, duplicate, contradictory or hard to tell apart.",
        discussion: """
            EXAMPLES
              triage faq check
              triage faq check --faq faq.yaml

            Pairs of entries that ask the same thing, even in other words or languages,
            are named with how their answers differ: numbers, days, links, yes or no.

            EXIT CODES
              0 no findings · 1 findings · 78 the file cannot be read
            """)

    @OptionGroup(title: "Configuration") var library: LibraryOptions

    func run() throws {
        let path = try library.path()
        let bytes = try ConfigurationFile.read(path)
        let count = FAQFile.read(name: path, bytes: bytes, faults: FaultCollector()).entries.count
        try Findings.report(
            FAQCheck.findings(name: path, bytes: bytes, alike: { FAQQuestions().alike(in: $0) }),
            in: count.of("entry", "entries"))
    }
}

/// An answer given on the command line; `-` stands for standard input.
private func answerText(_ argument: String) throws -> String {
    guard argument == "-" else { return argument }
    guard let text = TerminalInput.all(limit: 1 << 16) else {
        throw TriageError(
            "faq.answer-too-long", "the answer is longer than 64 KiB", remedy: "shorten it, or link to a page",
            exit: .usage)
    }
    return text
}
