import ArgumentParser
import TriageCore
import TriageInbox
import TriageRun
import TriageStore

/// Finds messages that contain words.
struct SearchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Searches a store by words in text, sender or handle.",
        discussion: """
            EXAMPLES
              triage search sponsorship budget --store inbox.db
              triage search '"skin care"' collab --limit 5

            All words must match, in the text, the name or the handle. A word matches
            words that begin with it, and a plural also its singular; case and accents are
            ignored. "…" matches whole adjacent words; there is no other syntax. Chinese,
            Japanese, Korean, Thai and emoji match anywhere in a text. Your own messages
            are searched too.

            EXIT CODES
              0 found · 1 nothing found · 64 usage · 66 no such store
              74 it is damaged, or I/O error
              75 it is locked, or too many open files: try again
              78 not a store, or from a newer version
            """)

    @Argument(help: ArgumentHelp("Words to find.", valueName: "word"))
    var words: [String]

    @OptionGroup(title: "Store") var store: StoreOptions

    @Option(help: ArgumentHelp("Maximum number to show.", valueName: "n"))
    var limit = 50

    @Option(name: [.customLong("to")], help: ArgumentHelp("table, jsonl or csv.", valueName: "format"))
    var to: ListFormat = .table

    @Option(help: "auto, always or never.")
    var color: ColorChoice = .auto

    mutating func validate() throws {
        if !(1...1_000_000).contains(limit) { throw ValidationError("--limit must be from 1 to 1000000.") }
    }

    func run() throws {
        let inbox = try store.open()
        defer { inbox.close() }
        let found = try inbox.search(words.joined(separator: " "), limit: limit)
        var writer = EntryWriter(to)
        for entry in found { try writer.add(entry) }
        try writer.finish(color: color)
        if found.isEmpty { throw RunEnded(status: .finding) }
    }
}
