import ArgumentParser
import TriageCore
import TriageReports
import TriageRun
import TriageStore

/// Writes a report page to look at and to share.
struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Makes an HTML report from a store or annotated records: volumes, offers, urgent messages, FAQ use.",
        discussion: """
            EXAMPLES
              triage report --store inbox.db -o report.html
              triage report --store inbox.db --since 2026-11-01 --no-text -o november.html
              triage run export.zip | triage report - -o report.html
              triage report annotated.jsonl --title "Mara, October" -o report.html

            The page is one file: it needs no network, runs no script and can be printed.
            Its figures are those of `triage stats`, under the same names; corrections
            count (in records, as written by `triage export --corrections`). The newest
            message's date is used as today, so the same messages give the same page.

            By default it shows senders' names, known facts about their offers, and how
            urgent messages begin. --no-text leaves out every quote, name and record id;
            counts, scores, budgets, dates, platforms, languages, FAQ ids and numbers in
            the store stay.

            EXIT CODES
              0 done · 64 usage · 65 records without answers · 66 input not readable
              73 output cannot be created
              74 the store is damaged, or I/O error (disk full)
              75 it is locked, or too many open files: try again
              78 not a store, or from a newer version
            """)

    @Argument(
        help: ArgumentHelp("Annotated records (JSONL or JSON, compressed or not); -: stdin.", valueName: "records")
    )
    var records: [String] = []

    @OptionGroup(title: "Store") var store: StoreOptions

    @Option(help: ArgumentHelp("Only messages sent on or after this day (YYYY-MM-DD).", valueName: "date"))
    var since: String?

    @Option(help: ArgumentHelp("Member that holds the text, such as text=body.", valueName: "text=name"))
    var map: [String] = []

    @Option(help: ArgumentHelp("The page title.", valueName: "words"))
    var title = "Messages"

    @Flag(help: "Leave out all quotes and names.")
    var noText = false

    @Option(
        name: [.customShort("o"), .long], help: ArgumentHelp("Write to a file, atomically.", valueName: "file")
    )
    var output: String?

    mutating func validate() throws {
        _ = try DayOption.seconds(since, "--since")
        if !records.isEmpty, store.store != nil {
            throw ValidationError("Name records or a store, not both.")
        }
        if title.unicodeScalars.count > 200 { throw ValidationError("--title can have at most 200 characters.") }
    }

    func run() throws {
        let path = output.flatMap { $0 == "-" ? nil : $0 }
        if path == nil, Terminal.isTerminal(1) {
            throw TriageError(
                "report.to-terminal", "the HTML page would be printed to the terminal",
                remedy: "add -o report.html", exit: .usage)
        }
        try OutputPlaces.check(path, isNoneOf: records.isEmpty ? store.files() : records)
        let contents = try contents()
        let page = ReportPage(contents: contents, title: title, hasTexts: !noText)
        guard let path else { return try CheckedWriter.standardOutput.write(page.html) }
        try OutputFile.write(Array(page.html.utf8), to: path)
        var words = "triage: wrote a page with \(contents.counts.all.messages.of("message"))"
        if page.showsPeople { words += "; it contains names and quotes of senders (--no-text leaves them out)" }
        Terminal.tell(words + "\n")
    }

    private func contents() throws -> ReportContents {
        let since = try DayOption.seconds(since, "--since")
        if !records.isEmpty {
            return try ReportReading(paths: records, since: since, columns: map).contents()
        }
        guard try store.pathIfNamed() != nil else {
            throw TriageError(
                "report.unnamed", "no records and no store named",
                remedy: "add --store inbox.db, or pipe records in: triage run FILE | triage report - -o report.html",
                exit: .usage)
        }
        let inbox = try store.open()
        defer { inbox.close() }
        return try ReportContents(of: inbox, since: since)
    }
}
