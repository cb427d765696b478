import ArgumentParser
import TriageCore
import TriageStore

/// The health of a store.
struct StoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Looks whether a store is whole, and saves what can be saved of a damaged one.",
        discussion: """
            EXAMPLES
              triage store check --store inbox.db
              triage store repair --store inbox.db
            """,
        subcommands: [StoreCheckCommand.self, StoreRepairCommand.self])
}

/// Tells whether a store is whole.
struct StoreCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Looks whether a store is whole: its file, its tables, every message in it.",
        discussion: """
            EXAMPLES
              triage store check --store inbox.db

            Changes nothing, and shows nothing of what the store holds but how many rows of each kind.

            EXIT CODES
              0 the store is whole · 1 it is damaged · 64 usage · 66 there is no such store · 74 the disk fails
              75 another process keeps it locked, or no more files may be open · 78 it is no store
            """)

    @OptionGroup(title: "Store") var store: StoreOptions

    func run() throws {
        let path = try store.path()
        let health = try InboxStore.examine(path)
        var out = "tables: \(health.version ?? "unknown")"
        if let version = health.version, version != health.latest {
            out += ", brought up to \(health.latest) by the next command, after a copy"
        }
        out += "\n" + health.counts.map { "\($0.name): \($0.rows)\n" }.joined()
        try CheckedWriter.standardOutput.write(Terminal.harmless(out))
        try Findings.report(
            health.problems.map {
                TriageError(
                    "store.damaged", $0, at: path,
                    remedy: "save what can be saved with: triage store repair --store PATH", exit: .finding)
            }, in: path)
    }
}

/// Saves what can be saved of a damaged store.
struct StoreRepairCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair",
        abstract: "Writes all of a damaged store that can be read into a new one.",
        discussion: """
            EXAMPLES
              triage store repair --store inbox.db
              triage store repair --store inbox.db -o saved.db

            The new store takes the place of the damaged one when it is whole; the damaged one is then beside it, as
            STORE.damaged.bak. With -o the damaged one stays where it is, untouched. Close `triage review` and whatever else
            has the store open first. What is lost comes back with the next `triage sync` of exports that hold it.

            EXIT CODES
              0 everything was saved · 1 something is lost · 64 usage · 66 there is no such store
              73 the new one cannot be made · 74 nothing can be saved, or the disk is full · 75 another run holds it
              78 it is no store
            """)

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp("Write the new store here, and leave the damaged one.", valueName: "file"))
    var output: String?

    @OptionGroup var patience: PatienceOptions

    @OptionGroup(title: "Store") var store: StoreOptions

    func run() async throws {
        let path = try store.path()
        try OutputPlaces.checkDistinct([path, output])
        try OutputPlaces.check(output, isNoneOf: store.files())
        // First: where there is no store, no lock is left beside it.
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
        if let backup = repair.backup { words += "the store as it was: \(backup)\n" }
        words += "the new store: \(output ?? path)\n"
        try CheckedWriter.standardError.write(Terminal.harmless(words))
        if repair.hasLosses { throw RunEnded(status: .finding) }
    }
}
