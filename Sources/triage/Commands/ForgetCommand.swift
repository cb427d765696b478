import ArgumentParser
import TriageCore
import TriageInbox
import TriageRun
import TriageStages
import TriageStore

/// Removes a person, or old messages, from a store.
struct ForgetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Permanently removes a sender, or everything before a date, from a store.",
        discussion: """
            EXAMPLES
              triage forget ann.smith --store inbox.db --dry-run
              triage forget ann.smith --store inbox.db
              triage forget --before 2025-01-01 --store inbox.db
              triage forget --before 2025-01-01 --store inbox.db --yes

            Removes the messages with their answers, search index, earlier revisions,
            corrections, pending LLM answers, conversation memory and what your voice
            learned from them, and your own messages in conversations where nobody else is
            left.
            The file is rewritten, so the text is gone from it. Hashed ids stay, so that
            the next export does not bring the person back; --ids-too removes them as
            well.

            On a terminal it shows what would be removed, and asks. Elsewhere --before
            requires --yes, because a wrong date removes everything; removing a named
            sender does not.

            Name a sender by id, handle or name. Output files, exports and copies are not
            changed: remove those yourself. What other people wrote about the sender
            stays.

            EXIT CODES
              0 done · 1 nothing to remove, or the answer was no
              64 usage, no --yes, or several senders with that name · 66 no such store
              74 I/O error
              75 another run holds the store, or a program has it open: run it again
              78 it is from a newer version
            """)

    @Argument(help: ArgumentHelp("Id, handle or name.", valueName: "sender"))
    var sender: String?

    @Option(help: ArgumentHelp("Everything sent before this date (YYYY-MM-DD).", valueName: "date"))
    var before: String?

    @Flag(help: "Remove all senders with that name.")
    var all = false

    @Flag(help: "Remove the hashed ids too: the next export brings the messages back.")
    var idsToo = false

    @Flag(help: "Show what would be removed, without removing it.")
    var dryRun = false

    @Flag(name: [.customShort("y"), .long], help: "Remove without asking.")
    var yes = false

    @OptionGroup var patience: PatienceOptions

    @OptionGroup(title: "Store") var store: StoreOptions

    mutating func validate() throws {
        if (sender == nil) == (before == nil) { throw ValidationError("Name a sender, or a date with --before.") }
        if sender?.isEmpty == true { throw ValidationError("The sender is empty.") }
        _ = try DayOption.seconds(before, "--before")
    }

    func run() async throws {
        let path = try store.path()
        // Opened before locking, because a missing store should not leave a lock file behind.
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
        // Checked first: the file may still hold what an earlier call removed.
        guard forgotten.isErased else {
            throw TriageError(
                "store.not-erased", "removed text may still be in the file", at: path,
                remedy: "close programs that have the store open, and run it again", exit: .temporary)
        }
        guard forgotten.messages + forgotten.owed > 0 else { throw RunEnded(status: .finding) }
    }

    /// Says how much would be removed, and asks the user.
    private func confirm(_ found: InboxForgotten, _ path: String) throws {
        guard !yes, found.messages + found.owed > 0 else { return }
        guard Terminal.isTerminal(0) else {
            guard before != nil else { return }
            throw TriageError(
                "forget.unconfirmed",
                "this would remove \(Self.words(found, ofSenders: false)) permanently, without asking",
                at: path,
                remedy: "check with --dry-run, then add --yes", exit: .usage)
        }
        let question = "triage: remove \(Self.words(found, ofSenders: sender != nil)) from \(path) permanently? [y/N] "
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
            words += "not changed: \(copies.joined(separator: ", "))\n"
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
