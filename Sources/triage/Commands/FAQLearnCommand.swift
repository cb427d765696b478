import ArgumentParser
import Platform
import TriageConfig
import TriageCore
import TriageLearning
import TriageRun

/// Suggests wordings that were answered wrongly for the entries they belong to.
struct FAQLearnCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "learn",
        abstract: "Adds wordings from corrections or your own replies to the entries that answer them.",
        discussion: """
            EXAMPLES
              triage faq learn corrections.jsonl --faq faq.yaml --dry-run
              triage faq learn gold.jsonl --faq faq-maya.json --creator maya.yaml
              triage faq learn export.zip --own-replies --dry-run

            Reads records with a label: "gold":{"faq_id":"camera"}, or null if no entry
            answers. If another entry or none was found, the question becomes an
            also_asked of the right one, as asked but without handles, addresses and long
            numbers, and never twice. A null label teaches nothing but counts in the
            check: it learns from half of the conversations and answers the other half,
            both ways. If fewer answers are then right, nothing is added without --force.
            Messages to a creator other than --creator are skipped.

            --own-replies reads conversations instead of labels: if your reply says what
            an entry says, the message before it becomes an also_asked of that entry. This
            is not checked; use --dry-run first. Your messages are those with "is_self":
            true, or from --me.

            EXIT CODES
              0 done, with or without new wordings · 64 usage · 65 bad labels
              66 input not readable · 73 the library cannot be written
              75 it changed in the meantime · 78 bad configuration
            """)

    @OptionGroup(title: "Input") var input: InputOptions
    @OptionGroup(title: "Configuration") var configuration: ConfigurationOptions

    @Option(help: ArgumentHelp("Maximum number of new wordings per entry.", valueName: "n"))
    var perEntry: Int = 10

    @Flag(help: "Learn from your own replies in an export instead of labels.")
    var ownReplies = false

    @Flag(help: "Show what would be added, without adding it.")
    var dryRun = false

    @Flag(help: "Add the wordings even if they do not help with other messages.")
    var force = false

    mutating func validate() throws {
        guard !input.paths.isEmpty, !input.paths.contains("-") else {
            throw ValidationError("Name the files with labels; stdin cannot be used because they are read twice.")
        }
        // Inputs are read twice. The second reading of a pipe would wait for another writer, or find nothing without
        // noticing.
        for path in input.paths {
            var info = stat()
            guard stat(path, &info) == 0, ![S_IFREG, S_IFDIR].contains(info.st_mode & S_IFMT) else { continue }
            throw ValidationError("'\(path)' is not a regular file; files with labels are read twice.")
        }
        guard perEntry >= 1 else { throw ValidationError("--per-entry must be 1 or more.") }
    }

    func run() async throws {
        var options = LibraryOptions()
        options.faq = configuration.faq
        options.config = configuration.config
        var editor = try FAQEditor(path: try options.path())
        let reading = try MessageReading(configuration, me: input.me)
        let lessons = FAQLessons(library: editor.library, limit: perEntry)
        guard !ownReplies else { return try learnFromReplies(lessons, reading, &editor) }
        let before = try lessons.read(input, with: reading, learns: true)
        let table = try Self.add(lessons, to: &editor)
        let after = try lessons.read(input, with: reading, library: lessons.taught, learns: false)
        let checked = try FAQLessons.crossChecked(lessons.library, limit: perEntry, input, with: reading)
        let isWorse = checked.after.right + checked.after.rightNone < checked.before.right + checked.before.rightNone
        let isSaved = !dryRun && !lessons.lessons.isEmpty && (force || !isWorse)
        if !lessons.lessons.isEmpty {
            try CheckedWriter.standardOutput.write(
                table.rendered(width: Terminal.isTerminal(1) ? Terminal.width(1) : nil))
        }
        if isSaved { try editor.save() }
        var words = "before: \(before.words)\nafter, on the same messages: \(after.words)\n"
        words += "on held-out messages (by halves): \(checked.before.words) before, "
        words += "\(checked.after.words) after\n"
        if lessons.unknown > 0 { words += "\(lessons.unknown.of("label")) without an entry in the library\n" }
        if lessons.left > 0 { words += "\(lessons.left.of("record")) without a label or for another creator\n" }
        if lessons.unusable > 0 {
            words += "\(lessons.unusable.of("message")) had nothing to add: too long, already known, or limit reached\n"
        }
        if isWorse, !force, !lessons.lessons.isEmpty {
            words += "fewer held-out answers are right than before, so nothing is added; add good ones with "
            words += "`triage faq edit ID --also-asked`, or all with --force\n"
        }
        words += "\(lessons.lessons.count.of("wording")) \(isSaved ? "added to" : "for") "
        words += Terminal.harmless(editor.path) + "\n"
        try CheckedWriter.standardError.write(words)
    }

    private func learnFromReplies(
        _ lessons: FAQLessons, _ reading: MessageReading, _ editor: inout FAQEditor
    ) throws {
        try lessons.readReplies(input, with: reading)
        let table = try Self.add(lessons, to: &editor)
        let isSaved = !dryRun && !lessons.lessons.isEmpty
        if !lessons.lessons.isEmpty {
            try CheckedWriter.standardOutput.write(
                table.rendered(width: Terminal.isTerminal(1) ? Terminal.width(1) : nil))
        }
        if isSaved { try editor.save() }
        var words = "\(lessons.replies.read.of("own reply", "own replies")) read, "
        words += "\(lessons.replies.matched) match an entry\n"
        if lessons.unusable > 0 {
            words += "\(lessons.unusable.of("message")) had nothing to add: too long, already known, or limit reached\n"
        }
        words += "\(lessons.lessons.count.of("wording")) \(isSaved ? "added to" : "for") "
        words += Terminal.harmless(editor.path) + "\n"
        try CheckedWriter.standardError.write(words)
    }

    /// Adds the wordings to the unsaved library and returns them as a table.
    private static func add(_ lessons: FAQLessons, to editor: inout FAQEditor) throws -> TextTable {
        var table = TextTable(["ID", "WORDING"])
        for lesson in lessons.lessons.sorted(by: { $0.entry < $1.entry }) {
            let id = lessons.library.entries[lesson.entry].id
            var change = FAQEditor.Change()
            change.alsoAsked = [lesson.wording]
            try editor.edit(id, change)
            table.add([id, lesson.wording])
        }
        return table
    }
}
