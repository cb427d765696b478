import ArgumentParser
import TriageCore
import TriageInbox
import TriageRun
import TriageStore

/// Shows one message with everything known about it.
struct ShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows one message in a store: text, conversation, answers, reasons, corrections, revisions.",
        discussion: """
            EXAMPLES
              triage show 12 --store inbox.db
              triage show id:17912345678901234 --context 20
              triage show 12 --to jsonl | jq .record.triage.draft.text

            Name the message by its number in the store (see `triage list`), its id, or
            the first digits of its key; prefix no:, id: or key: to be explicit.

            EXIT CODES
              0 done · 64 usage, or several messages with that name
              66 no such message, or no such store · 74 the store is damaged, or I/O error
              75 it is locked, or too many open files: try again
              78 not a store, or from a newer version
            """)

    @OptionGroup var message: MessageOptions
    @OptionGroup(title: "Store") var store: StoreOptions

    @Option(help: ArgumentHelp("Messages of the conversation before and after it.", valueName: "n"))
    var context = 5

    @Option(name: [.customLong("to")], help: ArgumentHelp("text or jsonl.", valueName: "format"))
    var to: Format = .text

    enum Format: String, ExpressibleByArgument, CaseIterable { case text, jsonl }

    mutating func validate() throws {
        if !(0...1000).contains(context) { throw ValidationError("--context must be from 0 to 1000.") }
    }

    func run() throws {
        let inbox = try store.open()
        defer { inbox.close() }
        let entry = try message.entry(in: inbox)
        let (before, after) = try inbox.conversation(around: entry, before: context, after: context)
        let page = MessagePage(
            entry: entry, before: before, after: after, feedback: try inbox.feedback(on: entry.message.key),
            revisions: try inbox.revisions(of: entry.message.key), signals: try SignalWords.load(.ofProcess()))
        try CheckedWriter.standardOutput.write(
            to == .jsonl ? page.json + [0x0A] : Array(page.text(width: min(Terminal.width(1), 120)).utf8))
    }
}
