import ArgumentParser
import TriageCore
import TriageInbox
import TriageRun
public import TriageStore

/// Lists the inbox in a store, the best messages first.
struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists the messages in a store: priority, offers, fans, spam.",
        discussion: """
            EXAMPLES
              triage list --store inbox.db
              triage list --view business --sort value
              triage list --view all --since 2026-11-01 --to csv > november.csv

            VIEWS
              priority   urgent or strongly negative, highest priority first
              business   offers, except dismissed ones
              fan, spam  one category;  all: every message

            SORTS
              score   offers by score, others by priority
              recent  newest first;  value: highest budget first

            The views, except all, leave out what you are done with (`triage done`).
            A * marks answers corrected with `triage feedback`; corrections count in views
            and never change the records. Own messages and notices are not listed. Show a
            message with `triage show NUMBER`.

            EXIT CODES
              0 done · 64 usage · 66 no such store · 74 it is damaged, or I/O error
              75 it is locked, or too many open files: try again
              78 not a store, or from a newer version
            """)

    @OptionGroup(title: "Store") var store: StoreOptions

    @Option(help: ArgumentHelp("all, priority, business, fan or spam.", valueName: "view"))
    var view: InboxQuery.View = .priority

    @Option(help: ArgumentHelp("score, recent or value.", valueName: "order"))
    var sort: InboxQuery.Order = .score

    @Flag(name: .customLong("done"), help: "Also show messages that you are done with.")
    var showsDone = false

    @Option(help: ArgumentHelp("Maximum number to show; default: 50 in a table, else all.", valueName: "n"))
    var limit: Int?

    @Option(help: ArgumentHelp("Only messages sent on or after this day (YYYY-MM-DD).", valueName: "date"))
    var since: String?

    @Option(name: [.customLong("to")], help: ArgumentHelp("table, jsonl or csv.", valueName: "format"))
    var to: ListFormat = .table

    @Option(help: "auto, always or never.")
    var color: ColorChoice = .auto

    mutating func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit must be 1 or more.") }
        _ = try DayOption.seconds(since, "--since")
    }

    func run() throws {
        let inbox = try store.open()
        defer { inbox.close() }
        var query = InboxQuery(view: view, order: sort, since: try DayOption.seconds(since, "--since"))
        query.hidesDone = view != .all && !showsDone
        let most = limit ?? (to == .table ? 50 : Int.max - 1)
        // One extra row shows whether there are more; counting them would mean reading all of them.
        query.limit = most < Int.max - 1 ? most + 1 : nil
        var writer = EntryWriter(to)
        var (count, hasMore) = (0, false)
        try inbox.forEach(query) { entry in
            guard count < most else {
                hasMore = true
                return false
            }
            count += 1
            try writer.add(entry)
            return true
        }
        try writer.finish(color: color)
        if count == 0, to == .table {
            let rest = view == .all ? "the store has no messages" : "see every message with: triage list --view all"
            try CheckedWriter.standardError.write("triage: nothing left in this view; \(rest)\n")
        }
        if hasMore, to == .table {
            try CheckedWriter.standardError.write("triage: more messages available; show them with --limit N\n")
        }
    }
}

extension InboxQuery.View: ExpressibleByArgument {}

extension InboxQuery.Order: ExpressibleByArgument {
    /// The order of arrival is only for internal use.
    public init?(argument: String) {
        guard let order = Self(rawValue: argument), order != .arrival else { return nil }
        self = order
    }

    public static var allValueStrings: [String] { allCases.filter { $0 != .arrival }.map(\.rawValue) }
}

/// Parses the days given in options.
enum DayOption {
    /// The first second of a day in UTC; nil if no day is given.
    ///
    /// - Throws: `ValidationError` for text that is not a day.
    static func seconds(_ text: String?, _ option: String) throws -> Int64? {
        guard let text else { return nil }
        var input = InputOptions()
        input.since = text
        do { return try input.sinceSeconds() } catch is ValidationError {
            throw ValidationError("\(option) must be a date such as 2026-10-03.")
        }
    }
}
