import ArgumentParser
import TriageCore
import TriageInbox
import TriageRun
import TriageStore

/// Takes messages off the lists once nothing is left to do about them.
struct DoneCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "done",
        abstract: "Marks messages as done: `triage list` no longer shows them.",
        discussion: """
            EXAMPLES
              triage done 2 8 20
              triage done 8 --undo
              triage list --done

            Answers and labels stay as they are. A message whose draft you accepted or
            edited with `triage feedback` or `triage review` is done, too.

            EXIT CODES
              0 saved · 64 usage, or several messages with that name
              66 no such message, or no such store · 74 the store is damaged, or I/O error
              75 it is busy, or too many open files: try again
              78 not a store, or from a newer version
            """)

    @Argument(help: ArgumentHelp("Numbers in the store, ids, or first digits of keys.", valueName: "id"))
    var ids: [String]

    @Flag(help: "Show them in lists again.")
    var undo = false

    @OptionGroup(title: "Store") var store: StoreOptions

    func run() throws {
        let inbox = try store.open(.existing)
        defer { inbox.close() }
        // All names have to be right before anything is saved.
        let entries = try ids.map { try MessageOptions.entry($0, in: inbox) }
        let numbers = entries.map { "\($0.number)" }.joined(separator: ", ")
        if undo {
            let undone = try entries.count { entry in
                try inbox.undo(entry.message.key, .seen, at: UTCTime.now, source: "command") != nil
            }
            return try say("No \(numbers): \(undone) of \(entries.count) shown again")
        }
        try inbox.keep(try entries.map { try Decision.seen.row(on: $0, source: "command") })
        try say("No \(numbers): done")
    }

    private func say(_ words: String) throws {
        try CheckedWriter.standardError.write("triage: \(Terminal.harmless(words))\n")
    }
}
