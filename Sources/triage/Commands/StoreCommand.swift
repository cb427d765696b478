import ArgumentParser
import TriageCore
import TriageInbox
import TriageRun
import TriageStore

/// Checks and repairs a store.
struct StoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Checks a store, and repairs a damaged one.",
        discussion: """
            EXAMPLES
              triage store check --store inbox.db
              triage store repair --store inbox.db
            """,
        subcommands: [StoreCheckCommand.self, StoreRepairCommand.self])
}

/// Checks the integrity of a store.
struct StoreCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks a store: its file, its tables, every message in it.",
        discussion: """
            EXAMPLES
              triage store check --store inbox.db

            Changes nothing, and shows none of the store's contents except the number of
            rows of each kind.

            EXIT CODES
              0 the store is intact · 1 it is damaged · 64 usage · 66 no such store
              74 the disk fails · 75 another process has it locked, or too many open files
              78 not a store
            """)

    @OptionGroup(title: "Store") var store: StoreOptions

    func run() throws {
        let path = try store.path()
        let health = try InboxStore.examine(path)
        var out = "tables: \(health.version ?? "unknown")"
        if let version = health.version, version != health.latest {
            out += ", upgraded to \(health.latest) by the next command, after a backup"
        }
        out += "\n" + health.counts.map { "\($0.name): \($0.rows)\n" }.joined()
        try CheckedWriter.standardOutput.write(Terminal.harmless(out))
        try Findings.report(
            health.problems.map {
                TriageError(
                    "store.damaged", $0, at: path,
                    remedy: "repair it with: triage store repair --store PATH", exit: .finding)
            }, in: path)
    }
}

/// Recovers what it can from a damaged store.
struct StoreRepairCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair",
        abstract: "Copies everything readable from a damaged store into a new one.",
        discussion: """
            EXAMPLES
              triage store repair --store inbox.db
              triage store repair --store inbox.db -o saved.db

            When complete, the new store replaces the damaged one, which becomes
            STORE.damaged.bak. With -o the damaged store is left untouched. First close
            `triage review` and other programs that have the store open. Lost messages
            come back with the next `triage sync` of exports that contain them.

            EXIT CODES
              0 everything was saved · 1 something is lost · 64 usage · 66 no such store
              73 the new store cannot be created
              74 nothing can be saved, or the disk is full · 75 another run holds it
              78 not a store
            """)

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp("Write the new store here, and keep the damaged one.", valueName: "file"))
    var output: String?

    @OptionGroup var patience: PatienceOptions

    @OptionGroup(title: "Store") var store: StoreOptions

    func run() async throws {
        let path = try store.path()
        try OutputPlaces.checkDistinct([path, output])
        try OutputPlaces.check(output, isNoneOf: store.files())
        // Checked first, because a missing store should not leave a lock file behind.
        _ = try InboxStore.examine(path)
        let lock = try await RunLock.take(store: path, command: "triage store repair", patience: patience.wait ?? 0)
        try lock.confirm()
        let repair = try InboxStore.repair(path, to: output)
        var words = ""
        for part in repair.parts where part.saved + part.lost > 0 || part.isCut {
            words += "\(part.name): \(part.saved) saved"
            if part.lost > 0 || part.isCut { words += ", \(part.isCut ? "at least " : "")\(part.lost) lost" }
            words += "\n"
        }
        if let backup = repair.backup { words += "the damaged store: \(backup)\n" }
        words += "the new store: \(output ?? path)\n"
        try CheckedWriter.standardError.write(Terminal.harmless(words))
        if repair.hasLosses { throw RunEnded(status: .finding) }
    }
}
