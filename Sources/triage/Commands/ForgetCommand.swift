import ArgumentParser
import TriageCore
import TriageStages
import TriageStore

/// Removes a person, or what is old, from a store.
struct ForgetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Removes a sender, or everything before a day, from a store for good.",
        discussion: """
            EXAMPLES
              triage forget ann.smith --store inbox.db --dry-run
              triage forget ann.smith --store inbox.db
              triage forget --before 2025-01-01 --store inbox.db
              triage forget --before 2025-01-01 --store inbox.db --yes

            Removes the messages with their answers, words to search for, earlier revisions, corrections, what a model
            still owes and what is remembered of the conversations; own messages, too, where nobody else is left in a
            conversation. The file is written anew, so that the text is not in it any more. The hashed ids stay, so that
            the next export does not bring the person back; --ids-too removes them, and then it does.

            On a terminal it says what would go, and asks. Elsewhere --before wants --yes, for a wrong day removes
            everything; a sender who is named is removed without.

            A sender is named by id, handle or name. Output files, exports and copies are not touched: remove those
            yourself. What other people wrote about somebody stays.

            EXIT CODES
              0 done · 1 nothing to remove, or the answer was no · 64 usage, no --yes, or more than one sender of that
              name · 66 there is no such store · 74 I/O error · 75 another run holds the store, or somebody has it open:
              run it again · 78 it is of a later version
            """)

    @Argument(help: ArgumentHelp("Id, handle or name.", valueName: "sender"))
    var sender: String?

    @Option(help: ArgumentHelp("Everything that was sent before this day (YYYY-MM-DD).", valueName: "date"))
    var before: String?

    @Flag(help: "Remove all senders of that name.")
    var all = false

    @Flag(help: "Remove the hashed ids too: the next export brings the messages back.")
    var idsToo = false

    @Flag(help: "Only say what would be removed.")
    var dryRun = false

    @Flag(name: [.customShort("y"), .long], help: "Remove without asking.")
    var yes = false

    @OptionGroup var patience: PatienceOptions

    @OptionGroup(title: "Store") var store: StoreOptions

    mutating func validate() throws {
        if (sender == nil) == (before == nil) { throw ValidationError("Name a sender, or a day with --before.") }
        if sender?.isEmpty == true { throw ValidationError("The sender has no name.") }
        _ = try DayOption.seconds(before, "--before")
    }

    func run() async throws {
        let path = try store.path()
        // Before the lock: where there is no store, none is left beside it.
        let inbox = try InboxStore(path: path, mode: .existing)
        defer { inbox.close() }
        let what: InboxForgetting
        if let sender {
            what = .sender(sender)
        } else {
            what = .before(try DayOption.seconds(before, "--before") ?? 0)
        }
        let key: (String?, String) -> UInt64 = { ConversationStage.key(platform: $0, conversation: $1) }
        if dryRun {
            try say("would remove", try inbox.forget(what, isTried: true, conversationKey: key), inbox)
            return
        }
        try confirm(try inbox.forget(what, isTried: true, conversationKey: key), path)
        let lock = try await RunLock.take(store: path, command: "triage forget", patience: patience.wait ?? 0)
        try lock.confirm()
        let forgotten = try inbox.forget(what, removesIDs: idsToo, onlyOne: !all, conversationKey: key)
        try say("removed", forgotten, inbox)
        // First: what an earlier call removed may be in the file until now.
        guard forgotten.isErased else {
            throw TriageError(
                "store.not-erased", "what was removed may still be in the file", at: path,
                remedy: "close what has the store open, and run it again", exit: .temporary)
        }
        guard forgotten.messages + forgotten.owed > 0 else { throw RunEnded(status: .finding) }
    }

    /// Says how much would go, and asks whoever sits there.
    private func confirm(_ found: InboxForgotten, _ path: String) throws {
        guard !yes, found.messages + found.owed > 0 else { return }
        guard Terminal.isTerminal(0) else {
            guard before != nil else { return }
            throw TriageError(
                "forget.unconfirmed",
                "this would remove \(Self.words(found, ofSenders: false)) for good, and nobody is there to ask",
                at: path,
                remedy: "look with --dry-run, and add --yes", exit: .usage)
        }
        let question = "triage: remove \(Self.words(found, ofSenders: sender != nil)) from \(path) for good? [y/N] "
        try CheckedWriter.standardError.write(Terminal.harmless(question))
        guard ["y", "yes"].contains(TerminalInput.line().lowercased()) else {
            try CheckedWriter.standardError.write("triage: nothing was removed\n")
            throw RunEnded(status: .finding)
        }
    }

    private func say(_ verb: String, _ forgotten: InboxForgotten, _ inbox: InboxStore) throws {
        var words = "\(verb) \(Self.words(forgotten, ofSenders: sender != nil))\n"
        let copies = try inbox.outputs().map(\.path) + InboxStore.copies(beside: inbox.path)
        if forgotten.messages > 0, !copies.isEmpty {
            words += "not touched: \(copies.joined(separator: ", "))\n"
        }
        try CheckedWriter.standardError.write(Terminal.harmless(words))
    }

    private static func words(_ forgotten: InboxForgotten, ofSenders: Bool) -> String {
        var words = forgotten.messages.of("message")
        if ofSenders, forgotten.messages > 0 { words += " of \(forgotten.senders.of("sender"))" }
        if forgotten.context > 0 {
            words += ", \(forgotten.context.of("own message or notice", "own messages and notices"))"
        }
        if forgotten.revisions > 0 { words += ", \(forgotten.revisions.of("earlier revision"))" }
        if forgotten.feedback > 0 { words += ", \(forgotten.feedback.of("decision"))" }
        if forgotten.owed > 0 { words += ", \(forgotten.owed) still owed" }
        return words
    }
}
