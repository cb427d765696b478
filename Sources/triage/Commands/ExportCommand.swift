import ArgumentParser
import TriageCore
import TriageInbox
import TriageRun
import TriageStore

/// Writes the records of a store in the format of `run`.
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes the records of a store as JSONL or CSV, in order of arrival.",
        discussion: """
            EXAMPLES
              triage export --store inbox.db -o all.jsonl
              triage export --view business --since 2026-11-01 --to csv -o offers.csv
              triage export --corrections | jq -c 'select(.corrections)'

            JSONL has the original bytes, including own messages and notices; CSV and
            every view except all have triaged messages only. With --corrections, a
            corrected record has one more member, "corrections" (in CSV: more columns);
            the answers stay unchanged.

            EXIT CODES
              0 done · 64 usage · 66 no such store · 73 output cannot be created
              74 the store is damaged, or I/O error (disk full)
              75 it is locked, or too many open files: try again
              78 not a store, or from a newer version
            """)

    @OptionGroup(title: "Store") var store: StoreOptions

    @Option(help: ArgumentHelp("all, priority, business, fan or spam.", valueName: "view"))
    var view: InboxQuery.View = .all

    @Option(help: ArgumentHelp("Only messages sent on or after this day (YYYY-MM-DD).", valueName: "date"))
    var since: String?

    @Option(name: [.customLong("to")], help: ArgumentHelp("jsonl or csv.", valueName: "format"))
    var to: Format = .jsonl

    @Flag(help: "Add the corrections to each record.")
    var corrections = false

    @Option(
        name: [.customShort("o"), .long], help: ArgumentHelp("Write to a file, atomically.", valueName: "file")
    )
    var output: String?

    enum Format: String, ExpressibleByArgument, CaseIterable { case jsonl, csv }

    mutating func validate() throws { _ = try DayOption.seconds(since, "--since") }

    func run() throws {
        try OutputPlaces.check(output, isNoneOf: store.files())
        let inbox = try store.open()
        defer { inbox.close() }
        var query = InboxQuery(view: view, order: .arrival, since: try DayOption.seconds(since, "--since"))
        query.includesContext = view == .all
        let file = try output.flatMap { $0 == "-" ? nil : $0 }.map { try OutputFile(path: $0) }
        do {
            var writer = EntryWriter(
                to == .csv ? .csv : .jsonl, hasCorrections: corrections, to: file?.writer ?? .standardOutput)
            try inbox.forEach(query) { entry in
                try writer.add(entry)
                return true
            }
            try writer.finish()
        } catch {
            file?.discard()
            throw error
        }
        try file?.commit()
    }
}
