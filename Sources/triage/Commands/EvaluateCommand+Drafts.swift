import ArgumentParser
import TriageConfig
import TriageCore
import TriageEvaluation
import TriageLearning
import TriageRun

/// Drafts judged by people.
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

    /// What is written: a sheet, or what the marks come to.
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
