/// A report as a table of numbers, one a row.
package enum ReportCSV {
    /// The text, with a head line.
    package static func text(_ report: EvaluationReport) -> String {
        var out = "method,question,slice,value,metric,records,number,low,high\n"
        func row(
            _ method: String, _ question: EvaluatedQuestion, _ slice: String, _ value: String, _ count: Int,
            _ metric: Metric
        ) {
            let numbers = [metric.value, metric.interval?.low, metric.interval?.high].map { number in
                number.map { "\($0)" } ?? ""
            }
            out +=
                ([method, question.rawValue, slice, value, metric.name].map(cell) + ["\(count)"] + numbers)
                .joined(separator: ",") + "\n"
        }
        for method in report.methods {
            for question in method.questions {
                for metric in question.metrics { row(method.name, question.question, "", "", question.count, metric) }
            }
            for slice in method.slices {
                for metric in slice.metrics {
                    row(method.name, slice.question, slice.dimension, slice.value, slice.count, metric)
                }
            }
        }
        for item in report.comparisons {
            row(
                "\(item.second) - \(item.first)", item.question, "", "", report.records,
                Metric(name: item.metric, value: item.difference, interval: item.interval))
        }
        for change in report.changes {
            row(
                "\(change.second) - \(change.first)", change.question, "", "", change.records,
                Metric(name: "changed", value: Double(change.changed)))
        }
        return out
    }

    /// Quoted where needed, and no formula in any spreadsheet.
    static func cell(_ text: String) -> String {
        var text = text
        if let first = text.unicodeScalars.first, "=+-@\t\r".unicodeScalars.contains(first) { text = "'" + text }
        guard text.unicodeScalars.contains(where: { $0 == "," || $0 == "\"" || $0 == "\n" || $0 == "\r" }) else {
            return text
        }
        return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
