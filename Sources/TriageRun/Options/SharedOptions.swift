package import ArgumentParser
import TriageConfig
package import TriageCore
package import TriageFormats
import TriageMatching

/// The files a creator writes.
package struct ConfigurationOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Creator profile (YAML or JSON).", valueName: "file"))
    package var creator: String?

    @Option(help: ArgumentHelp("FAQ library (YAML or JSON).", valueName: "file"))
    package var faq: String?

    @Option(help: ArgumentHelp("Your own signals, added to the shipped ones (YAML or JSON).", valueName: "file"))
    package var rules: String?

    @Option(
        help: ArgumentHelp("How you answer, written by `triage voice learn`; none: plain words.", valueName: "file"))
    package var voice: String?

    @Option(help: ArgumentHelp("Settings; default: triage.yaml in the current folder.", valueName: "file"))
    package var config: String?

    @Option(
        help: ArgumentHelp("A model from `triage train` to use instead; none: rules only.", valueName: "file")
    )
    package var model: String?

    @Option(
        help: ArgumentHelp(
            "Folder for compiled rules, or off; default: the user's cache folder.", valueName: "folder"))
    package var ruleCache: String?

    /// The folder of compiled rules; nil: none are kept, and every start compiles them.
    package var ruleCacheFolder: String? {
        switch ruleCache {
        case nil: RuleCache.standardFolder(environment: Terminal.environment)
        case "off": nil
        case let folder?: folder
        }
    }

    /// The files that answers depend on, named or found.
    package var files: [String] {
        ConfigurationRequest.ofProcess(config: config, creator: creator, faq: faq, rules: rules, voice: voice).files
            + [model].compactMap { $0 == "none" ? nil : $0 }
    }

    /// The statistical model that answers; nil: the rules answer.
    ///
    /// - Throws: ``TriageError`` when the file is not a model.
    package func statisticalModel() throws -> StatisticalModel? {
        switch model {
        case nil: try ShippedFiles.model()
        case "none": nil
        case let path?: try ModelFile.read(path)
        }
    }

    package init() {}
}

/// Options for reading inputs.
package struct InputOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("Exports, JSONL, JSON, CSV or TSV; - or nothing: stdin.", valueName: "path"))
    package var paths: [String] = []

    @Option(help: ArgumentHelp("Input format; default: detected from the content.", valueName: "format"))
    package var from: String?

    @Option(help: ArgumentHelp("Maps a field to a column, such as text=body; repeatable.", valueName: "field=column"))
    package var map: [String] = []

    @Option(help: ArgumentHelp("Your own handle, name or address; repeatable.", valueName: "handle"))
    package var me: [String] = []

    @Option(help: ArgumentHelp("Time zone for times without one, such as Europe/Berlin.", valueName: "zone"))
    package var timezone: String?

    @Option(help: ArgumentHelp("Order of ambiguous dates: dmy, mdy or ymd.", valueName: "order"))
    package var dateOrder: DateOrder?

    @Option(help: ArgumentHelp("Maximum line length in bytes (k, M allowed).", valueName: "size"))
    package var maxLine: String = "16M"

    @Option(help: ArgumentHelp("Stop after this many messages.", valueName: "n"))
    package var limit: Int?

    @Option(
        help: ArgumentHelp(
            "Only messages sent on or after this date (YYYY-MM-DD), or without a time.", valueName: "date"))
    package var since: String?

    package mutating func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit must be 1 or more.") }
        _ = try maximumLine()
        _ = try sinceSeconds()
        if let timezone, !TimeZoneName.isKnown(timezone) {
            throw ValidationError(
                "--timezone '\(Terminal.harmlessLine(String(timezone.prefix(60))))' is not a time zone; "
                    + TimeZoneName.remedy(for: timezone) + ".")
        }
    }

    /// `--max-line` in bytes.
    package func maximumLine() throws -> Int {
        var digits = Substring(maxLine)
        var factor = 1
        switch digits.last {
        case "k", "K": factor = 1 << 10
        case "m", "M": factor = 1 << 20
        default: break
        }
        if factor > 1 { digits = digits.dropLast() }
        guard let number = Int(digits), number > 0,
            number <= (1 << 30) / factor
        else { throw ValidationError("--max-line must be from 1 byte to 1024M, such as 16M.") }
        return number * factor
    }

    /// Start of the `--since` day in UTC, seconds since 1970.
    package func sinceSeconds() throws -> Int64? {
        guard let since else { return nil }
        let parts = since.split(separator: "-", omittingEmptySubsequences: false)
        // Checked by hand, because Int would accept a sign.
        let isDigits = parts.allSatisfy { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } && $0.utf8.count <= 4 }
        guard parts.count == 3, isDigits, parts[0].count == 4, parts[1].count <= 2, parts[2].count <= 2,
            let year = Int(parts[0]), let month = Int(parts[1]),
            let day = Int(parts[2]), (1...12).contains(month),
            (1...CivilDate.daysIn(month: month, year: year)).contains(day)
        else { throw ValidationError("--since must be a date such as 2026-10-03.") }
        return Int64(CivilDate(year: year, month: month, day: day).daysSince1970) * 86_400
    }

    package init() {}
}

extension DateOrder: ExpressibleByArgument {}

/// The format of the results.
package enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
    case jsonl, json, csv, table
}

extension RejectPolicy: ExpressibleByArgument {}
extension Question: ExpressibleByArgument {}

/// When colour is used.
package enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
    case auto, always, never
}

/// The format for listing runs, and for what a run over stored answers changed.
package enum RunsFormat: String, ExpressibleByArgument, CaseIterable { case table, jsonl }

/// Reads model files from disk.
package enum ModelFile {
    /// - Throws: ``TriageError`` when the file cannot be read or is not a model.
    package static func read(_ path: String) throws -> StatisticalModel {
        let bytes = try ConfigurationFile.read(path, limit: 1 << 28)
        return try bytes.withUnsafeBytes { try StatisticalModel(decoding: $0, at: path) }
    }
}

/// Options that choose which answers are printed.
package struct QuestionOptions: ParsableArguments {
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("Print only these questions, comma-separated.", valueName: "questions"))
    package var only: [String] = []

    /// The questions of `--only`; empty: all questions.
    package func questions() throws -> Set<Question> {
        var asked: Set<Question> = []
        for name in only.flatMap({ $0.split(separator: ",") }) {
            let trimmed = name.filter { $0 != " " }
            guard let question = Question(rawValue: trimmed) else {
                let known = Question.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError(
                    "--only does not know '\(Terminal.harmless(trimmed))'; the questions are \(known).")
            }
            asked.insert(question)
        }
        if asked.isEmpty, !only.isEmpty {
            let known = Question.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("--only is empty; the questions are \(known).")
        }
        return asked
    }

    package init() {}
}

/// Options for splitting up the work of a run, and for how much it reports.
package struct WorkOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Workers; default: one per processor.", valueName: "n"))
    package var jobs: Int?

    @Flag(name: [.customShort("q"), .long], help: "Print no summary and no notices.")
    package var quiet = false

    @Option(help: ArgumentHelp("Messages per batch.", visibility: .hidden))
    package var batchSize: Int?

    package mutating func validate() throws {
        if let jobs, !(1...1024).contains(jobs) { throw ValidationError("--jobs must be from 1 to 1024.") }
        if let batchSize, !(1...65_536).contains(batchSize) {
            throw ValidationError("--batch-size must be from 1 to 65536.")
        }
    }

    package init() {}
}

/// Options for what a run writes besides answers.
package struct OutcomeOptions: ParsableArguments {
    @Option(help: ArgumentHelp("File for rejected records, with --on-error skip.", valueName: "file"))
    package var rejects: String?

    @Option(
        help: ArgumentHelp(
            "Write counts and digests of input and output as JSON at the end; a file or fd:3.", valueName: "file"))
    package var summary: String?

    package init() {}
}

/// How long a command waits for a store that another run has locked.
package struct PatienceOptions: ParsableArguments {
    @Option(
        defaultAsFlag: 86_400,
        help: ArgumentHelp("Wait for another run to end, at most this long.", valueName: "seconds"))
    package var wait: Int?

    package mutating func validate() throws {
        if let wait, !(0...604_800).contains(wait) {
            throw ValidationError("--wait must be at most 604800 seconds.")
        }
    }

    package init() {}
}
