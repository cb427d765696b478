import ArgumentParser
import TriageCore
import TriageStore

/// Messages in which words stand.
struct SearchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Finds messages of a store by words in their text, sender or handle.",
        discussion: """
            EXAMPLES
              triage search sponsorship budget --store inbox.db
              triage search '"skin care"' collab --limit 5

            All words have to be there, in the text, the name or the handle. A word finds all that begin with it, and the
            plural the singular; capital letters and accents do not matter. "…" finds whole words, side by side; nothing
            else has a meaning of its own. Chinese, Japanese, Korean, Thai and emoji are found anywhere in a text. Own
            messages are found, too.

            EXIT CODES
              0 found · 1 nothing found · 64 usage · 66 there is no such store · 74 it is damaged, or I/O error
              75 it is locked, or no more files may be open: try again · 78 it is of a later version, or no store
            """)

    @Argument(help: ArgumentHelp("Words to find.", valueName: "word"))
    var words: [String]

    @OptionGroup(title: "Store") var store: StoreOptions

    @Option(help: ArgumentHelp("Show at most so many.", valueName: "n"))
    var limit = 50

    @Option(name: [.customLong("to")], help: ArgumentHelp("table, jsonl or csv.", valueName: "format"))
    var to: ListFormat = .table

    @Option(help: "auto, always or never.")
    var color: ColorChoice = .auto

    mutating func validate() throws {
        if !(1...1_000_000).contains(limit) { throw ValidationError("--limit wants a number of 1 to 1000000.") }
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
