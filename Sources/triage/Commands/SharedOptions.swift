public import ArgumentParser
import TriageConfig
public import TriageCore
public import TriageFormats
import TriageMatching

/// The files a creator writes.
struct ConfigurationOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Who the creator is (YAML or JSON).", valueName: "file"))
    var creator: String?

    @Option(help: ArgumentHelp("The creator's answers to frequent questions (YAML or JSON).", valueName: "file"))
    var faq: String?

    @Option(help: ArgumentHelp("Own signals on top of the shipped ones (YAML or JSON).", valueName: "file"))
    var rules: String?

    @Option(help: ArgumentHelp("How you answer, as `triage voice learn` writes it.", valueName: "file"))
    var voice: String?

    @Option(help: ArgumentHelp("Settings; default: triage.yaml of this folder, if there.", valueName: "file"))
    var config: String?

    @Option(
        help: ArgumentHelp("A model of `triage train` instead of the shipped one; none: rules only.", valueName: "file")
    )
    var model: String?

    @Option(
        help: ArgumentHelp(
            "Where compiled rules are kept, or off; default: the user's cache folder.", valueName: "folder"))
    var ruleCache: String?

    /// Where compiled rules are kept; nil: nowhere, and every start compiles them.
    var ruleCacheFolder: String? {
        switch ruleCache {
        case nil: RuleCache.standardFolder(environment: Terminal.environment)
        case "off": nil
        case let folder?: folder
        }
    }

    /// Files that answers are made with, named or found.
    var files: [String] {
        ConfigurationRequest.ofProcess(config: config, creator: creator, faq: faq, rules: rules, voice: voice).files
            + [model].compactMap { $0 == "none" ? nil : $0 }
    }

    /// The model that answers; nil: the rules do.
    ///
    /// - Throws: ``TriageError`` when the file is no model.
    func statisticalModel() throws -> StatisticalModel? {
        switch model {
        case nil: try ShippedFiles.model()
        case "none": nil
        case let path?: try ModelFile.read(path)
        }
    }
}

/// How inputs are read.
struct InputOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("Exports, JSONL, JSON, CSV or TSV; - or nothing: standard input.", valueName: "path"))
    var paths: [String] = []

    @Option(help: ArgumentHelp("The format, instead of finding it by content.", valueName: "format"))
    var from: String?

    @Option(help: ArgumentHelp("Which column is which, such as text=body; may be repeated.", valueName: "field=column"))
    var map: [String] = []

    @Option(help: ArgumentHelp("Your own handle, name or address; may be repeated.", valueName: "handle"))
    var me: [String] = []

    @Option(help: ArgumentHelp("Zone of times that say none, such as Europe/Berlin.", valueName: "zone"))
    var timezone: String?

    @Option(help: ArgumentHelp("Order in dates that do not show it: dmy, mdy or ymd.", valueName: "order"))
    var dateOrder: DateOrder?

    @Option(help: ArgumentHelp("Longest line that is read, in bytes (k, M allowed).", valueName: "size"))
    var maxLine: String = "16M"

    @Option(help: ArgumentHelp("Stop after this many messages.", valueName: "n"))
    var limit: Int?

    @Option(
        help: ArgumentHelp(
            "Only messages sent on or after this day (YYYY-MM-DD); those without a time pass.", valueName: "date"))
    var since: String?

    mutating func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit wants a number of 1 or more.") }
        _ = try maximumLine()
        _ = try sinceSeconds()
        if let timezone, !TimeZoneName.isKnown(timezone) {
            throw ValidationError(
                "--timezone '\(Terminal.harmlessLine(String(timezone.prefix(60))))' is no time zone; "
                    + TimeZoneName.remedy(for: timezone) + ".")
        }
    }

    /// `--max-line` in bytes.
    func maximumLine() throws -> Int {
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
        else { throw ValidationError("--max-line wants a size of 1 byte to 1024M, such as 16M.") }
        return number * factor
    }

    /// Start of the `--since` day in UTC, seconds since 1970.
    func sinceSeconds() throws -> Int64? {
        guard let since else { return nil }
        let parts = since.split(separator: "-", omittingEmptySubsequences: false)
        // Numbers might have a sign.
        let isDigits = parts.allSatisfy { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } && $0.utf8.count <= 4 }
        guard parts.count == 3, isDigits, parts[0].count == 4, parts[1].count <= 2, parts[2].count <= 2,
            let year = Int(parts[0]), let month = Int(parts[1]),
            let day = Int(parts[2]), (1...12).contains(month),
            (1...CivilDate.daysIn(month: month, year: year)).contains(day)
        else { throw ValidationError("--since wants a day such as 2026-10-03.") }
        return Int64(CivilDate(year: year, month: month, day: day).daysSince1970) * 86_400
    }
}

extension DateOrder: ExpressibleByArgument {}

/// How results come out.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
    case jsonl, json, csv, table
}

extension RejectPolicy: ExpressibleByArgument {}
extension Question: ExpressibleByArgument {}

/// When colour is used.
enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
    case auto, always, never
}
