import ArgumentParser
import TriageConfig
import TriageCore
import TriageEvaluation
import TriageLearning
import TriageRun

/// Measures accuracy against labels and compares methods side by side.
struct EvaluateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "evaluate",
        abstract: "Measures methods against labelled messages and compares them with each other.",
        discussion: """
            EXAMPLES
              triage evaluate gold.jsonl --profiles creators/
              triage evaluate gold.jsonl --compare rules,model,model:mine.model
              triage evaluate gold.jsonl --compare model,strict.yaml \\
                --to html -o report.html
              triage evaluate gold.jsonl --compare model,cascade,llm \\
                --config triage.yaml --max-cost 0.50
              triage evaluate gold.jsonl --compare old=before.jsonl,new=after.jsonl
              triage evaluate --compare monday.jsonl,tuesday.jsonl
              triage evaluate gold.jsonl --gate 'category.macro_f1>=0.90' --lock test.lock
              triage evaluate gold.jsonl --perturb default --profiles creators/
              triage evaluate --drafts annotated.jsonl --sample 150 -o sheet.csv
              triage evaluate --drafts annotated.jsonl --marks ann.csv --marks bo.csv
              triage evaluate gold.jsonl --perturb default \\
                --write-changed copies.jsonl --copies 2

            Gold records are JSONL with a member "gold" (category, spam, sentiment,
            urgent, opportunity, faq_id, injection); unlabelled questions are left out.
            Without any labels, it shows what changed between the runs. Verdicts compare
            each method with the first one.

            --perturb answers each record unchanged and with things people add to messages
            (a link, a signature, typos), and counts the answers that moved but must not,
            or did not move but must. --write-changed writes such copies for training.

            --drafts writes a blind sheet (CSV): messages and drafts without their source.
            Each judge marks a copy: send, fill (only a blank is missing), rewrite or bin;
            or, where there is no draft, none-right or none-miss. --marks counts the marks
            by source and language, and says how far the judges agree.

            EXIT CODES
              0 measured, and every gate passed
              1 a gate was missed, the lock was broken, or more answers moved than a bound
                  allows · 64 usage · 65 bad labels, or runs over different records
              66 input not readable · 73 output cannot be created
              74 I/O error (disk full) · 75 too many open files: try again
              78 bad configuration
            """)

    @Argument(help: ArgumentHelp("Labelled records: JSONL or JSON, compressed or not.", valueName: "gold"))
    var gold: [String] = []

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            """
            What to measure: methods (rules, model, model:FILE, cascade, llm, llm:NAME), configurations (.yaml), prediction files \
            (.jsonl); comma-separated. (default: the methods `triage run` uses)
            """,
            valueName: "a,b"))
    var compare: [String] = []

    @Option(
        help: ArgumentHelp(
            "Folder with creators.json and faq-<id>.json; a record's 'creator' selects from them.", valueName: "dir"))
    var profiles: String?

    @OptionGroup(title: "Configuration") var configuration: ConfigurationOptions
    @OptionGroup(title: "LLM") var asking: LLMOptions

    @Option(help: ArgumentHelp("Format of the gold; default: detected from the content.", valueName: "format"))
    var from: String?

    @Option(name: [.customLong("to")], help: ArgumentHelp("table, json, csv, junit or html.", valueName: "format"))
    var to: ReportFormat = .table

    @Option(
        name: [.customShort("o"), .long], help: ArgumentHelp("Write to a file, atomically.", valueName: "file")
    )
    var output: String?

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("Required result, such as 'category.macro_f1>=0.90'; repeatable.", valueName: "gate"))
    var gate: [String] = []

    @Option(
        help: ArgumentHelp("Split lock: created if missing, else records must not change.", valueName: "file"))
    var lock: String?

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("Training records; must not contain locked records; repeatable.", valueName: "file"))
    var train: [String] = []

    @Option(
        help: ArgumentHelp(
            "Measure how changes move the answers: a file of changes (YAML, JSON), or the shipped list.",
            valueName: "file|default"))
    var perturb: String?

    @Option(
        help: ArgumentHelp(
            "With --perturb: write changed copies for training instead of measuring.", valueName: "file"))
    var writeChanged: String?

    @Option(help: ArgumentHelp("Copies of each record with --write-changed (default: 1).", valueName: "n"))
    var copies: Int?

    @Option(help: ArgumentHelp("Workers for --perturb; default: one per processor.", valueName: "n"))
    var jobs: Int?

    @OptionGroup(title: "Drafts") var judging: DraftJudgingOptions

    @Option(help: ArgumentHelp("Bootstrap samples; 0: no intervals.", valueName: "n"))
    var bootstrap: Int = 1000

    @Option(help: ArgumentHelp("Random seed of the bootstrap and of --sample.", valueName: "n"))
    var seed: UInt64 = 20_261_001

    @Flag(help: "Leave out timings, so that the same input gives the same bytes.")
    var noTime = false

    @Flag(name: [.customShort("q"), .long], help: "Print no notices.")
    var quiet = false

    mutating func validate() throws {
        if !(0...100_000).contains(bootstrap) {
            throw ValidationError("--bootstrap must be from 0 to 100000.")
        }
        if !train.isEmpty, lock == nil {
            throw ValidationError("--train needs --lock.")
        }
        if compared().isEmpty { throw ValidationError("--compare is empty.") }
        try validateChanges()
    }

    private func validateChanges() throws {
        if judging.drafts != nil {
            if !gold.isEmpty || !compare.isEmpty || !gate.isEmpty || lock != nil || perturb != nil {
                throw ValidationError("--drafts cannot be combined with gold, --compare, --gate, --lock or --perturb.")
            }
            if to != .table, to != .json || judging.marks.isEmpty {
                throw ValidationError("--drafts writes a CSV sheet, and with --marks table or json.")
            }
        }
        guard perturb != nil else {
            for (name, isGiven) in [
                ("--write-changed", writeChanged != nil), ("--copies", copies != nil), ("--jobs", jobs != nil),
            ] where isGiven { throw ValidationError("\(name) needs --perturb.") }
            return
        }
        if !gate.isEmpty || lock != nil {
            throw ValidationError("--perturb has bounds in its file; it cannot be combined with --gate or --lock.")
        }
        if to == .junit || to == .html { throw ValidationError("--perturb can write table, json or csv.") }
        if let jobs, !(1...1024).contains(jobs) { throw ValidationError("--jobs must be from 1 to 1024.") }
        guard writeChanged != nil else {
            if copies != nil { throw ValidationError("--copies needs --write-changed.") }
            return
        }
        if let copies, !(1...100).contains(copies) { throw ValidationError("--copies must be from 1 to 100.") }
        if output != nil || !compare.isEmpty {
            throw ValidationError("--write-changed measures nothing: omit -o and --compare.")
        }
    }

    private func compared() -> [String] {
        guard !compare.isEmpty else { return [configuration.model == "none" ? "rules" : "model"] }
        return compare.flatMap { $0.split(separator: ",").map(String.init) }
    }

    /// Every argument that may name a file to be read.
    private var files: [String] {
        let compared = compared().flatMap { word in
            // The word itself, and the part after `=` (the name of a label) or `:` (as in `model:FILE`).
            [word]
                + [UInt8(ascii: "="), UInt8(ascii: ":")].compactMap { sign in
                    word.utf8.firstIndex(of: sign).map { String(word[word.utf8.index(after: $0)...]) }
                }
        }
        // A compared configuration names files of its own.
        let named = compared.filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }.flatMap { path in
            var other = configuration
            other.config = path
            return other.files
        }
        return gold + train + compared + named + configuration.files + judging.marks
            + [lock, perturb, judging.drafts].compactMap(\.self)
            + ProfileFolder.files(in: [profiles].compactMap(\.self), called: output)
    }

    func run() throws {
        try OutputPlaces.checkDistinct([output, lock, writeChanged])
        for place in [output, writeChanged].compactMap(\.self) where place != "-" {
            try OutputPlaces.check(place, isNoneOf: files)
            try OutputFile.check(place)
        }
        if judging.drafts != nil {
            return try write(try judging.text(to, seed: seed, notices: Notices(isQuiet: quiet)))
        }
        if let perturb { return try measureChanges(try ChangeLists.read(perturb)) }
        let gates = try gate.map { try Gate($0) }
        let compared = try EvaluationMethods.compared(
            compared(), configuration: configuration, asking: asking)
        // Everything that can be refused is refused before messages are answered, which may take hours and cost money.
        for gate in gates { try gate.place(among: compared.map(\.name)) }
        let lockFile = try lock.map { try LockFile(path: $0, training: train) }
        if gold.isEmpty, compared.contains(where: { if case .method = $0 { true } else { false } }) {
            throw EvaluationRunner.nothingToRead
        }
        let profiles = try profiles.map { try ProfileFolder(path: $0) }
        var set = try EvaluationRunner(
            EvaluationRunner.Request(gold: gold, format: from, compared: compared, profiles: profiles)
        ).run()
        if !set.isLabelled, set.runs.count < 2 {
            throw TriageError(
                "evaluate.no-labels", "no record has labels, and there is no second run to compare with",
                remedy: "add 'gold' to the records, or name two runs with --compare", exit: .usage)
        }
        let notices = Notices(isQuiet: quiet)
        if set.golds.contains(where: { $0.faq != Gold.noEntry }) {
            for run in set.runs where run.predictions.allSatisfy({ $0.faq == Gold.noEntry }) {
                notices.say("'\(run.name)' matched no FAQ entry; name the library with --faq or --profiles")
            }
        }
        if noTime { for index in set.runs.indices { set.runs[index].seconds = nil } }
        var options = Evaluator.Options()
        options.resamples = bootstrap
        options.seed = seed
        var report = Evaluator(set, options: options).report()
        report.gates = try gates.map { try $0.result(in: report) }
        report.lock = try lockFile?.check(set, notices: notices)
        try write(report)
        if report.gates.contains(where: { !$0.isPassed }) || report.lock?.isKept == false {
            throw RunEnded(status: .finding)
        }
    }

    private func measureChanges(_ list: ChangeList) throws {
        guard !gold.isEmpty else { throw EvaluationRunner.nothingToRead }
        let lines = GoldLines(paths: gold, format: from)
        if let writeChanged {
            let made = try CopyWriter(list: list, copies: copies ?? 1).write(lines, to: writeChanged)
            var words = "wrote \(made.copies.of("changed copy", "changed copies")) of \(made.records.of("record"))"
            if made.uncopied > 0 { words += "; no change applies to \(made.uncopied)" }
            return Notices(isQuiet: quiet).say(words)
        }
        let runner = try ChangeRunner(
            list, compared: try EvaluationMethods.compared(compared(), configuration: configuration, asking: asking),
            profiles: try profiles.map { try ProfileFolder(path: $0) }, jobs: jobs)
        let report = try runner.run(lines)
        let text =
            switch to {
            case .json: ChangeReportText.json(report)
            case .csv: ChangeReportText.csv(report)
            case .table, .junit, .html: Terminal.harmless(ChangeReportText.table(report))
            }
        try write(text)
        if report.brokenCount > 0 { throw RunEnded(status: .finding) }
    }

    private func write(_ report: EvaluationReport) throws {
        let text =
            switch to {
            case .table: Terminal.harmless(ReportTable.text(report))
            case .json: ReportJSON.text(report)
            case .csv: ReportCSV.text(report)
            case .junit: ReportJUnit.text(report)
            case .html: ReportHTML.text(report)
            }
        try write(text)
    }

    private func write(_ text: String) throws {
        guard let output, output != "-" else { return try CheckedWriter.standardOutput.write(text) }
        try OutputFile.write(Array(text.utf8), to: output)
    }
}

/// The format of a report.
enum ReportFormat: String, ExpressibleByArgument, CaseIterable {
    case table, json, csv, junit, html
}

/// Options for drafts judged by people.
struct DraftJudgingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Write a sheet in which judges mark the drafts of these records: what `triage run` wrote.",
            valueName: "file"))
    var drafts: String?

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "With --drafts: count the marks of a sheet that was filled in; repeatable.", valueName: "sheet"))
    var marks: [String] = []

    @Option(help: ArgumentHelp("Rows of the sheet, drawn at random with --seed (default: all).", valueName: "n"))
    var sample: Int?

    func validate() throws {
        guard drafts != nil else {
            for (name, isGiven) in [("--marks", !marks.isEmpty), ("--sample", sample != nil)] where isGiven {
                throw ValidationError("\(name) needs --drafts.")
            }
            return
        }
        if let sample, !(1...1_000_000).contains(sample) {
            throw ValidationError("--sample must be from 1 to 1000000.")
        }
        if sample != nil, !marks.isEmpty { throw ValidationError("--sample is for writing a sheet: omit --marks.") }
    }

    /// The output: a sheet to be marked, or a summary of the marks.
    func text(_ format: ReportFormat, seed: UInt64, notices: Notices) throws -> String {
        let sheet = try DraftSheet(annotated: drafts ?? "")
        guard !marks.isEmpty else {
            let rows = min(sample ?? sheet.items.count, sheet.items.count)
            notices.say(
                "\(rows.of("row")): fill in 'mark' (\(DraftMark.allCases.map(\.rawValue).joined(separator: ", "))) "
                    + "and 'specific' (yes if the draft refers to what the message says), then name the sheet with --marks"
            )
            return sheet.text(sample: sample, seed: seed)
        }
        let judging = DraftJudging(sheet.items, try marks.map { try sheet.marks(in: $0) })
        return format == .json ? DraftJudgingText.json(judging) : Terminal.harmless(DraftJudgingText.table(judging))
    }
}
