import ArgumentParser
import TriageCore
import TriageInbox
import TriageRun
import TriageStore

/// Counts what a store holds.
struct StatsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Shows a store's statistics: volumes, categories, FAQ use, drafts, time saved, LLM costs.",
        discussion: """
            EXAMPLES
              triage stats --store inbox.db
              triage stats --since 2026-11-01
              triage stats --to json | jq '.days[-7:]'

            Corrected answers count as corrected. Days and weeks are in UTC. Time saved
            rests on assumptions, which are shown with it. FAQ entries and drafts are
            judged only by your `triage feedback`. With --since, LLM costs and the number
            of runs are still those of the whole store.

            EXIT CODES
              0 done · 64 usage · 66 no such store · 74 it is damaged, or I/O error
              75 it is locked, or too many open files: try again
              78 not a store, or from a newer version
            """)

    @OptionGroup(title: "Store") var store: StoreOptions

    @Option(help: ArgumentHelp("Only messages sent on or after this day (YYYY-MM-DD).", valueName: "date"))
    var since: String?

    @Option(name: [.customLong("to")], help: ArgumentHelp("text or json.", valueName: "format"))
    var to: Format = .text

    enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }

    mutating func validate() throws { _ = try DayOption.seconds(since, "--since") }

    func run() throws {
        let inbox = try store.open()
        defer { inbox.close() }
        let text = StatisticsText(counts: try inbox.statistics(since: try DayOption.seconds(since, "--since")))
        try CheckedWriter.standardOutput.write(to == .json ? text.json + "\n" : text.words)
    }
}
