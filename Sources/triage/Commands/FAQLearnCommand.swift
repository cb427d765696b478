import ArgumentParser
import TriageConfig
import TriageCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Wordings that were answered wrongly, for the entries they belong to.
struct FAQLearnCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "learn",
        abstract: "Adds wordings, from corrections or your own replies, to the entries that answer them.",
        discussion: """
            EXAMPLES
              triage faq learn corrections.jsonl --faq faq.yaml --dry-run
              triage faq learn gold.jsonl --faq faq-maya.json --creator maya.yaml
              triage faq learn export.zip --own-replies --dry-run

            Reads records with a label: "gold":{"faq_id":"camera"}, or null where no entry answers. Where
            another entry or none was found, the question becomes an also_asked of the right one, as it was
            asked but without handles, addresses and long numbers; never twice. A label null teaches
            nothing here, but counts in the check: half of the conversations are learned from and the other
            half is answered, both ways. Where fewer answers are right then, nothing is added without --force.
            Messages to another creator than --creator are passed over.

            With --own-replies it reads no labels but conversations: where you wrote back what an entry says,
            the message before becomes an also_asked of it. Nothing is checked then; look at --dry-run first.
            Your messages are those with "is_self": true, or of --me.

            EXIT CODES
              0 done, be there something to learn or not · 64 usage · 65 bad labels · 66 input not readable
              73 the library cannot be written · 75 it was changed meanwhile · 78 bad configuration
            """)

    @OptionGroup(title: "Input") var input: InputOptions
    @OptionGroup(title: "Configuration") var configuration: ConfigurationOptions

    @Option(help: ArgumentHelp("New wordings of one entry at most.", valueName: "n"))
    var perEntry: Int = 10

    @Flag(help: "Learn from your own replies in an export instead of labels.")
    var ownReplies = false

    @Flag(help: "Only show what would be added.")
    var dryRun = false

    @Flag(help: "Add the wordings though they do not help with messages that they were not taken from.")
    var force = false

    mutating func validate() throws {
        guard !input.paths.isEmpty, !input.paths.contains("-") else {
            throw ValidationError("Name the files with labels: they are read twice.")
        }
        // Of a pipe the second reading would wait for another writer, or find nothing and take that for good.
        for path in input.paths {
            var info = stat()
            guard stat(path, &info) == 0, ![S_IFREG, S_IFDIR].contains(info.st_mode & S_IFMT) else { continue }
            throw ValidationError("'\(path)' is no file, and files with labels are read twice.")
        }
        guard perEntry >= 1 else { throw ValidationError("--per-entry wants a number of 1 or more.") }
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
        words += "on messages it did not learn from (by halves): \(checked.before.words) before, "
        words += "\(checked.after.words) after\n"
        if lessons.unknown > 0 { words += "\(lessons.unknown.of("label")) name no entry of the library\n" }
        if lessons.left > 0 { words += "\(lessons.left.of("record")) without a label, or to another creator\n" }
        if lessons.unusable > 0 {
            words += "\(lessons.unusable.of("message")) had nothing to add: too long, known, or enough already\n"
        }
        if isWorse, !force, !lessons.lessons.isEmpty {
            words += "fewer of those are right than before: nothing is added; pick the good ones for "
            words += "`triage faq edit ID --also-asked`, or take all with --force\n"
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
        var words = "\(lessons.replies.read.of("reply of your own", "replies of your own")) read, "
        words += "\(lessons.replies.matched) with what an entry says\n"
        if lessons.unusable > 0 {
            words += "\(lessons.unusable.of("message")) had nothing to add: too long, known, or enough already\n"
        }
        words += "\(lessons.lessons.count.of("wording")) \(isSaved ? "added to" : "for") "
        words += Terminal.harmless(editor.path) + "\n"
        try CheckedWriter.standardError.write(words)
    }

    /// Puts the wordings into the library, which is not saved yet; returns them as a table.
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
