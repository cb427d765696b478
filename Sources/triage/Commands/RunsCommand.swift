import ArgumentParser
import TriageConfig
import TriageCore
import TriageFormats
import TriageInbox
import TriageRun
import TriageStore

/// Lists the history of a store's runs.
struct RunsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "runs",
        abstract: "Lists the sync runs of a store and their results, newest first.",
        discussion: """
            EXAMPLES
              triage runs --store inbox.db
              triage runs --store inbox.db --to jsonl --limit 1
            """)

    @OptionGroup(title: "Store") var store: StoreOptions

    @Option(name: [.customLong("to")], help: ArgumentHelp("table or jsonl.", valueName: "format"))
    var to: RunsFormat = .table

    @Option(help: ArgumentHelp("Maximum number to show.", valueName: "n"))
    var limit = 20

    mutating func validate() throws {
        if !(1...1_000_000).contains(limit) { throw ValidationError("--limit must be 1 or more.") }
    }

    func run() throws {
        let path = try store.path()
        let isRunning = RunLock.isTaken(store: path)
        let inbox = try InboxStore(path: path, mode: .readOnly)
        defer { inbox.close() }
        let runs = try inbox.runs(limit: limit)
        let newest = runs.first?.id
        let lines = runs.map { run in
            // A killed process could not record its end.
            let state = run.state == .running && !(isRunning && run.id == newest) ? "killed" : run.state.rawValue
            return to == .jsonl ? Self.json(run, state) : Self.row(run, state)
        }
        let head = to == .table ? Self.head + "\n" : ""
        try CheckedWriter.standardOutput.write(head + lines.map { $0 + "\n" }.joined())
    }

    private static func json(_ run: InboxRun, _ state: String) -> String {
        var out = JSONObjectText()
        out.add("run", Int(run.id))
        out.add("command", run.command)
        out.add("started", UTCTime.text(run.started))
        out.add("ended", run.ended.map { UTCTime.text($0) })
        out.add("state", state)
        out.add("exit", run.exit.map { Int($0) })
        out.add("version", run.version)
        out.add("rules", run.rules)
        out.add(raw: "inputs", run.inputs)
        out.add(raw: "counts", run.counts)
        out.add("requests", run.spend.requests)
        out.add("input_tokens", run.spend.inputTokens)
        out.add("output_tokens", run.spend.outputTokens)
        out.add(raw: "usd", run.spend.unpriced > 0 ? "null" : DecimalText.dollars(run.spend.cost))
        return out.text
    }

    private static let head =
        "run   started               seconds  state    exit   new  edited    known  rejected  urgent  owed   usd"

    private static func row(_ run: InboxRun, _ state: String) -> String {
        let counts = CountsText(run.counts)
        func right(_ text: String, _ width: Int) -> String { TerminalText.paddedBefore(text, columns: width) }
        let seconds = run.ended.map { String(max(0, $0 &- run.started)) } ?? "-"
        let cost = run.spend.unpriced > 0 ? "?" : run.spend.requests == 0 ? "-" : DecimalText.dollars(run.spend.cost)
        return TerminalText.padded(String(run.id), columns: 5) + " " + UTCTime.text(run.started) + right(seconds, 9)
            + "  " + TerminalText.padded(state, columns: 8) + right(run.exit.map { String($0) } ?? "-", 5)
            + right(counts["new"], 6) + right(counts["edited"], 8) + right(counts["known"], 9)
            + right(counts["rejected"], 10) + right(counts["urgent"], 8) + right(counts["owed"], 6) + "  "
            + right(cost, 4)
    }
}

/// Integers in a flat JSON object that this program wrote.
struct CountsText {
    private let text: String

    init(_ text: String) { self.text = text }

    /// The number, or `-` if there is none.
    subscript(_ key: String) -> String {
        guard let place = text.firstRange(of: "\"\(key)\":") else { return "-" }
        let digits = text[place.upperBound...].prefix { $0.isNumber }
        return digits.isEmpty ? "-" : String(digits)
    }
}
