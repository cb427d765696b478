import TriageCore

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
        json.key("methods")
        json.open("[")
        for method in report.methods {
            json.element()
            json.open("{")
            json.member("name", method.name)
            json.key("changes")
            json.open("[")
            for entry in method.entries {
                json.element()
                json.open("{")
                json.member("id", entry.id)
                json.member("why", entry.why)
                lines(entry.lines, &json)
                json.close("}")
            }
            json.close("]")
            json.key("all_that_must_stay")
            json.open("{")
            lines(method.total, &json)
            json.close("}")
            json.close("}")
        }
        json.close("]")
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
            if !line.count.examples.isEmpty {
                json.key("examples")
                json.open("[")
                for id in line.count.examples {
                    json.element()
                    json.string(id)
                }
                json.close("]")
            }
            json.close("}")
        }
        json.close("}")
    }
}
