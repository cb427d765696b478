import TriageCore

/// What changes did to the answers of every method, ready to be written in any format.
package struct ChangeReport: Sendable {
    /// One measure of one change, or of all changes together.
    package struct Line: Sendable {
        package var measure: ChangeMeasure
        /// Whether answers were to stay as they are; false: to become one.
        package var isSame: Bool
        /// What a direction wants; nil where answers were to stay.
        package var wanted: String?
        package var count: ChangeTally.Count
        /// nil: held against none.
        package var bound: Double?

        package var share: Double? { ratio(count.moved, count.records) }
        package var interval: WilsonInterval? { WilsonInterval(count.moved, of: count.records) }
        /// Whether more moved than may; what no record measured breaks nothing.
        package var isBroken: Bool {
            guard let bound, let share else { return false }
            return share > bound
        }
    }

    /// One change.
    package struct Entry: Sendable {
        package var id: String
        package var why: String
        package var lines: [Line]
    }

    /// One method.
    package struct Method: Sendable {
        package var name: String
        /// In the order of the file; those that applied to no record too.
        package var entries: [Entry]
        /// All changes by which an answer must stay, together; not held against a bound.
        package var total: [Line]
    }

    /// Records that were read.
    package var records: Int
    package var methods: [Method]

    /// - Parameter tallies: of each method, by the place of the change in the list.
    package init(records: Int, list: ChangeList, tallies: [(method: String, changes: [ChangeTally])]) {
        self.records = records
        methods = tallies.map { method, tallies in
            var total: [ChangeMeasure: ChangeTally.Count] = [:]
            let entries = zip(list.changes, tallies).map { change, tally in
                let lines = Self.lines(change, tally)
                for line in lines where line.isSame {
                    total[line.measure, default: ChangeTally.Count()].records += line.count.records
                    total[line.measure, default: ChangeTally.Count()].moved += line.count.moved
                }
                return Entry(id: change.id, why: change.why, lines: lines)
            }
            return Method(
                name: method, entries: entries,
                total: ChangeMeasure.allCases.compactMap { measure in
                    total[measure].map { Line(measure: measure, isSame: true, wanted: nil, count: $0, bound: nil) }
                })
        }
    }

    private static func lines(_ change: TextChange, _ tally: ChangeTally) -> [Line] {
        ChangeMeasure.allCases.compactMap { measure in
            let count = tally.counts[measure]
            var wanted: String?
            if let question = measure.question {
                switch change.expected[question] {
                case nil: return nil
                case .same: break
                case .label(let label): wanted = question.classes[Int(label)]
                }
            } else if count == nil {
                return nil
            }
            return Line(
                measure: measure, isSame: wanted == nil, wanted: wanted, count: count ?? ChangeTally.Count(),
                bound: change.bounds[measure])
        }
    }

    /// Bounds that were broken, of all methods.
    package var brokenCount: Int {
        methods.reduce(0) { $0 + $1.entries.reduce(0) { $0 + $1.lines.count { $0.isBroken } } }
    }

    /// Changes that applied to no record.
    package var unused: [String] {
        (methods.first?.entries ?? []).filter { $0.lines.allSatisfy { $0.count.records == 0 } }.map(\.id)
    }
}

/// Counts what a change did to the answers of one method.
package struct ChangeTally: Sendable {
    /// One measure.
    package struct Count: Sendable, Equatable {
        /// Records that it could have moved.
        package var records = 0
        /// Answers that moved, or of a direction those that did not move as wanted.
        package var moved = 0
        /// Ids of the first of them, at most ``shown``.
        package var examples: [String] = []

        package init() {}

        mutating func add(_ id: String, isMoved: Bool) {
            records += 1
            guard isMoved else { return }
            moved += 1
            if examples.count < ChangeTally.shown { examples.append(EvaluationSet.key(id)) }
        }
    }

    package static let shown = 5

    package private(set) var counts: [ChangeMeasure: Count] = [:]

    package init() {}

    /// Adds a record.
    ///
    /// - Parameters:
    ///   - before: the answers to it as it is.
    ///   - after: those to it changed.
    package mutating func add(_ change: TextChange, id: String, gold: Gold, before: Prediction, after: Prediction) {
        for measure in ChangeMeasure.allCases {
            guard let question = measure.question else { continue }
            switch change.expected[question] {
            case nil: break
            case .same:
                counts[measure, default: Count()].add(
                    id, isMoved: before.label(question) != after.label(question))
            case .label(let wanted):
                counts[measure, default: Count()].add(id, isMoved: after.label(question) != wanted)
            }
        }
        guard change.expected[.category] == .same, before.label(.spam) == 0 else { return }
        let measure: ChangeMeasure
        switch gold.category {
        case Category.fan.rawValue: measure = .fanToSpam
        case Category.business.rawValue: measure = .offerToSpam
        default: return
        }
        counts[measure, default: Count()].add(id, isMoved: after.label(.spam) == 1)
    }
}

/// What is counted of a change.
package enum ChangeMeasure: String, Sendable, CaseIterable {
    case category, sentiment, urgent
    /// Fans whose message was not called spam, and is once it is changed.
    case fanToSpam = "fan_to_spam"
    /// Likewise of offers, which are the dearest to lose.
    case offerToSpam = "offer_to_spam"

    /// What is asked, of the measures that are about all answers to a question.
    var question: EvaluatedQuestion? {
        switch self {
        case .category: .category
        case .sentiment: .sentiment
        case .urgent: .urgent
        case .fanToSpam, .offerToSpam: nil
        }
    }

    /// What people read.
    var words: String {
        switch self {
        case .fanToSpam: "fans to spam"
        case .offerToSpam: "offers to spam"
        default: rawValue
        }
    }

    /// The highest share that may move, where a file does not say.
    package static let standardBounds: [ChangeMeasure: Double] = [
        .category: 0.02, .sentiment: 0.03, .urgent: 0.03, .fanToSpam: 0.01, .offerToSpam: 0,
    ]
}

/// A share with the 95 % interval of Wilson, *JASA* 22 (1927): as R's `prop.test(…, correct = FALSE)`.
///
/// It takes records as independent.
package struct WilsonInterval: Sendable, Equatable {
    package var low: Double
    package var high: Double

    /// nil for none of none.
    package init?(_ count: Int, of total: Int) {
        guard total > 0 else { return nil }
        let z = 1.959963984540054
        let (n, share) = (Double(total), Double(count) / Double(total))
        let middle = (share + z * z / (2 * n)) / (1 + z * z / n)
        let half = z / (1 + z * z / n) * (share * (1 - share) / n + z * z / (4 * n * n)).squareRoot()
        low = count == 0 ? 0 : max(0, middle - half)
        high = count == total ? 1 : min(1, middle + half)
    }
}

/// A report on changes in the formats it is written in.
package enum ChangeReportText {
    // MARK: People

    /// A table for people on a terminal; names and ids in it are as they came, but on one line.
    package static func table(_ report: ChangeReport) -> String {
        let changes = report.methods.first?.entries.count ?? 0
        var out = "\(report.records) records, each unchanged and with each of the \(changes) changes that apply to it\n"
        out += "moved: answers that changed, or did not become the expected one; 95 % Wilson intervals\n"
        for method in report.methods {
            out += "\n\(ReportTable.oneLine(method.name))\n"
            var rows = [["", "change", "answer", "must be", "records", "moved", "share", "95 %", "bound", ""]]
            for entry in method.entries { rows += entry.lines.map { row(entry.id, $0) } }
            rows += method.total.map { row("all that must stay", $0) }
            out += ReportTable.align(rows)
            out += broken(method)
        }
        let unused = report.unused.map(ReportTable.oneLine)
        if !unused.isEmpty { out += "\napplied to no record: \(unused.joined(separator: ", "))\n" }
        let count = report.brokenCount
        out += count == 0 ? "\nno bound exceeded\n" : "\nbounds exceeded: \(count)\n"
        return out
    }

    private static func row(_ change: String, _ line: ChangeReport.Line) -> [String] {
        [
            "", change, line.measure.words, wanted(line), "\(line.count.records)", "\(line.count.moved)",
            NumberText.fixed(line.share), interval(line), line.bound.map { NumberText.fixed($0) } ?? "",
            line.isBroken ? "exceeded" : "",
        ]
    }

    private static func broken(_ method: ChangeReport.Method) -> String {
        let rows = method.entries.flatMap { entry in
            entry.lines.filter(\.isBroken).map { line in
                [
                    "", entry.id, line.measure.words,
                    "\(line.count.moved) of \(line.count.records), such as \(line.count.examples.joined(separator: ", "))",
                ]
            }
        }
        return rows.isEmpty ? "\n" : "\n  exceeded, with original ids\n" + ReportTable.align(rows)
    }

    private static func wanted(_ line: ChangeReport.Line) -> String {
        line.wanted ?? (line.measure.question == nil ? "" : "same")
    }

    private static func interval(_ line: ChangeReport.Line) -> String {
        line.interval.map { "\(NumberText.fixed($0.low))..\(NumberText.fixed($0.high))" } ?? ""
    }

    // MARK: Machines

    /// One row for each measure of each change, with a head line.
    package static func csv(_ report: ChangeReport) -> String {
        var out = "method,change,measure,wanted,records,moved,share,low,high,bound,broken\n"
        for method in report.methods {
            for entry in method.entries {
                for line in entry.lines {
                    let numbers = [line.share, line.interval?.low, line.interval?.high, line.bound].map { number in
                        number.map { "\($0)" } ?? ""
                    }
                    let names = [method.name, entry.id, line.measure.rawValue, wanted(line)].map(ReportCSV.cell)
                    let cells = names + ["\(line.count.records)", "\(line.count.moved)"] + numbers
                    out += (cells + [line.isBroken ? "yes" : "no"]).joined(separator: ",") + "\n"
                }
            }
        }
        return out
    }

    /// Every number with all its digits, one JSON object, with a line break at its end.
    package static func json(_ report: ChangeReport) -> String {
        var bytes: [UInt8] = []
        var json = JSONObjectWriter(&bytes)
        json.member("schema", 1)
        json.member("records", report.records)
        json.member("broken", report.brokenCount)
        json.objects("methods", report.methods) { method, json in
            json.member("name", method.name)
            json.objects("changes", method.entries) { entry, json in
                json.member("id", entry.id)
                json.member("why", entry.why)
                lines(entry.lines, &json)
            }
            json.object("all_that_must_stay") { json in lines(method.total, &json) }
        }
        bytes = json.finish()
        return String(decoding: bytes, as: UTF8.self) + "\n"
    }

    private static func lines(_ lines: [ChangeReport.Line], _ json: inout JSONObjectWriter) {
        json.key("measures")
        json.open("{")
        for line in lines {
            json.key(line.measure.rawValue)
            json.open("{")
            json.member("wanted", line.wanted ?? "same")
            json.member("records", line.count.records)
            json.member("moved", line.count.moved)
            for (name, value) in [
                ("share", line.share), ("low", line.interval?.low), ("high", line.interval?.high),
                ("bound", line.bound),
            ] {
                json.key(name)
                json.raw(NumberText.exact(value))
            }
            json.member("broken", line.isBroken)
            if !line.count.examples.isEmpty { json.strings("examples", line.count.examples) }
            json.close("}")
        }
        json.close("}")
    }
}
