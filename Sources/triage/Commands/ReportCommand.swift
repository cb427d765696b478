import ArgumentParser
import TriageCore
import TriageStore

/// A page to look at and to share.
struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Makes one HTML page of a store or of annotated records: volumes, offers, what is urgent, FAQ use.",
        discussion: """
            EXAMPLES
              triage report --store inbox.db -o report.html
              triage report --store inbox.db --since 2026-11-01 --no-text -o november.html
              triage run export.zip | triage report - -o report.html
              triage report annotated.jsonl --title "Mara, October" -o report.html

            The page is one file: it needs no network, runs no script and can be printed. Its figures are those of
            `triage stats`, with the same names there; what people corrected counts, in records as `triage export
            --corrections` writes it. The newest message stands for today: the same messages give the same page.

            By default it shows names of senders, what is known of their offers, and how urgent messages begin. With
            --no-text every quote, name and id of a record is left out; what stays are counts, scores, budgets, dates,
            platforms, languages, the ids of your FAQ, and numbers in the store.

            EXIT CODES
              0 done · 64 usage · 65 records without answers · 66 input not readable
              73 output cannot be created · 74 the store is damaged, or I/O error (disk full)
              75 it is locked, or no more files may be open: try again · 78 no store, or of a later version
            """)

    @Argument(
        help: ArgumentHelp("Annotated records (JSONL or JSON, packed or not); -: standard input.", valueName: "records")
    )
    var records: [String] = []

    @OptionGroup(title: "Store") var store: StoreOptions

    @Option(help: ArgumentHelp("Only messages sent on or after this day (YYYY-MM-DD).", valueName: "date"))
    var since: String?

    @Option(help: ArgumentHelp("The member of records that holds the text, such as text=body.", valueName: "text=name"))
    var map: [String] = []

    @Option(help: ArgumentHelp("What stands above the page.", valueName: "words"))
    var title = "Messages"

    @Flag(help: "Leave out every quote and name.")
    var noText = false

    @Option(
        name: [.customShort("o"), .long], help: ArgumentHelp("Write to a file, which appears whole.", valueName: "file")
    )
    var output: String?

    mutating func validate() throws {
        _ = try DayOption.seconds(since, "--since")
        if !records.isEmpty, store.store != nil {
            throw ValidationError("Name records or a store, not both.")
        }
        if title.unicodeScalars.count > 200 { throw ValidationError("--title wants 200 characters at most.") }
    }

    func run() throws {
        let path = output.flatMap { $0 == "-" ? nil : $0 }
        if path == nil, Terminal.isTerminal(1) {
            throw TriageError(
                "report.to-terminal", "a page is for a browser, and this would go to the terminal",
                remedy: "add -o report.html", exit: .usage)
        }
        try OutputPlaces.check(path, isNoneOf: records.isEmpty ? store.files() : records)
        let contents = try contents()
        let page = ReportPage(contents: contents, title: title, hasTexts: !noText)
        guard let path else { return try CheckedWriter.standardOutput.write(page.html) }
        try OutputFile.write(Array(page.html.utf8), to: path)
        var words = "triage: a page of \(contents.counts.all.messages.of("message"))"
        if page.showsPeople { words += "; it holds names and words of people who wrote (--no-text leaves them out)" }
        Terminal.tell(words + "\n")
    }

    private func contents() throws -> ReportContents {
        let since = try DayOption.seconds(since, "--since")
        if !records.isEmpty {
            return try ReportReading(paths: records, since: since, columns: map).contents()
        }
        guard try store.pathIfNamed() != nil else {
            throw TriageError(
                "report.unnamed", "neither records nor a store are named",
                remedy: "add --store inbox.db, or pipe records in: triage run FILE | triage report - -o report.html",
                exit: .usage)
        }
        let inbox = try store.open()
        defer { inbox.close() }
        return try ReportContents(of: inbox, since: since)
    }
}
