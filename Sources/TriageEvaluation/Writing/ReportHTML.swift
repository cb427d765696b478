import ShippedPages
import TriageCore

/// A report as one page that stands alone: no script, no request, no style from elsewhere.
///
/// The page's policy forbids everything but its own style, which is named by its digest; whatever comes from records is
/// escaped. It follows the light or dark scheme of the reader.
package struct ReportHTML {
    private let report: EvaluationReport
    private var out = ""

    private init(_ report: EvaluationReport) { self.report = report }

    /// The page.
    package static func text(_ report: EvaluationReport) -> String {
        var page = ReportHTML(report)
        page.write()
        return page.out
    }

    private func e(_ text: String) -> String { MarkupText.escaped(text) }

    private mutating func write() {
        // Without the last line break of the file.
        let file = UnsafeBufferPointer(start: shipped_evaluation_css.bytes, count: shipped_evaluation_css.count)
        let style = String(decoding: file.dropLast(), as: UTF8.self)
        out += "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        out +=
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-\(SHA256.base64(style))'; base-uri 'none'; form-action 'none'\">\n"
        out += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        out += "<meta name=\"referrer\" content=\"no-referrer\">\n<meta name=\"color-scheme\" content=\"light dark\">\n"
        out += "<title>triage evaluate: \(e(report.methods.map(\.name).joined(separator: ", ")))</title>\n"
        out +=
            "<style>\(style)</style>\n</head>\n<body>\n<main>\n<h1>\(e(report.methods.map(\.name).joined(separator: " against ")))</h1>\n"
        out += "<p class=\"lead\">\(report.records) records in \(report.clusters) conversations."
        if report.resamples > 0 {
            out +=
                " Ranges hold 95 % of \(report.resamples) bootstrap samples of whole conversations (seed \(report.seed))."
        }
        out += "</p>\n"
        legend()
        gates()
        comparisons()
        for question in EvaluatedQuestion.allCases { section(question) }
        changes()
        cost()
        suspects()
        out += "</main>\n</body>\n</html>\n"
    }

    private mutating func legend() {
        guard report.methods.count > 1 else { return }
        out += "<p class=\"legend\">"
        for (series, method) in report.methods.enumerated() {
            let mark = SVGPlot.marker(series, 8, 8, 5, style: "s\(series % 4 + 1)", note: method.name)
            out += "<span><svg width=\"16\" height=\"16\" aria-hidden=\"true\">\(mark)</svg>\(e(method.name))</span> "
        }
        out += "</p>\n"
    }

    /// What may be wider than the screen is scrolled by itself, by keys too.
    private func scroll(_ name: String) -> String {
        "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"\(e(name))\">"
    }

    /// - Parameter name: another one for each table of the page.
    private mutating func table(_ name: String, _ head: [String], _ rows: [[String]], numbersFrom: Int) {
        out += scroll("Table: " + name) + "<table>\n<thead><tr>"
        for (column, cell) in head.enumerated() {
            out += "<th scope=\"col\"\(column >= numbersFrom ? " class=\"number\"" : "")>\(e(cell))</th>"
        }
        out += "</tr></thead>\n<tbody>\n"
        for row in rows {
            out += "<tr>"
            for (column, cell) in row.enumerated() {
                if column == 0 {
                    out += "<th scope=\"row\">\(e(cell))</th>"
                } else {
                    out += "<td\(column >= numbersFrom ? " class=\"number\"" : "")>\(e(cell))</td>"
                }
            }
            out += "</tr>\n"
        }
        out += "</tbody></table></div>\n"
    }

    private mutating func gates() {
        if !report.gates.isEmpty {
            out += "<h2>Gates</h2>\n"
            table(
                "gates", ["gate", "method", "result", "is"],
                report.gates.map {
                    [$0.text, $0.method, $0.isPassed ? "✓ passed" : "✗ missed", NumberText.fixed($0.value, places: 4)]
                }, numbersFrom: 3)
        }
        guard let lock = report.lock else { return }
        out += "<h2>Split lock</h2>\n<p>\(lock.frozen) records frozen: "
        out += lock.isKept ? "✓ kept.</p>\n" : "✗ broken.</p>\n"
        guard !lock.isKept else { return }
        table(
            "split lock", ["what", "records", "such as"],
            [
                ["missing", "\(lock.missing)", ""],
                ["not frozen", "\(lock.addedCount)", lock.added.joined(separator: ", ")],
                ["text changed", "\(lock.changedCount)", lock.changed.joined(separator: ", ")],
                ["used for training", "\(lock.trainedCount)", lock.trained.joined(separator: ", ")],
            ], numbersFrom: 9)
    }

    private mutating func comparisons() {
        guard let first = report.comparisons.first else { return }
        out += "<h2>Compared with \(e(first.first))</h2>\n"
        table(
            "comparisons",
            [
                "question", "method", "metric", "verdict", "difference", "95 %", "seen from", "McNemar p",
                "only first right : only this right",
            ],
            report.comparisons.map {
                [
                    $0.question.rawValue, $0.second, $0.metric, $0.verdict.rawValue,
                    NumberText.metric($0.metric, $0.difference), NumberText.interval($0.metric, $0.interval),
                    NumberText.metric($0.metric, $0.smallestSeen), $0.mcNemar.map { NumberText.p($0.pValue) } ?? "",
                    $0.mcNemar.map { "\($0.onlyFirst) : \($0.onlySecond)" } ?? "",
                ]
            }, numbersFrom: 4)
        out +=
            "<p class=\"note\">The verdict says whether the bootstrap range of the difference excludes 0. “Seen from” is the difference that four of five such evaluations would detect.</p>\n"
    }

    private mutating func section(_ question: EvaluatedQuestion) {
        let methods = report.methods.filter { $0.question(question) != nil }
        guard let count = methods.first?.question(question)?.count else { return }
        out += "<h2>\(e(question.rawValue)) <small>\(count) labelled</small></h2>\n"
        let names = methods[0].question(question)?.metrics.map(\.name) ?? []
        table(
            "metrics of " + question.rawValue, ["metric"] + methods.map(\.name),
            names.compactMap { name in
                let metrics = methods.map { $0.question(question)?.metric(name) }
                guard metrics.contains(where: { $0?.value != nil }) else { return nil }
                return [name]
                    + metrics.map { metric in
                        let interval = NumberText.interval(name, metric?.interval)
                        let value = NumberText.metric(name, metric?.value)
                        return interval.isEmpty ? value : "\(value) (\(interval))"
                    }
            }, numbersFrom: 1)
        out += "<div class=\"plots\">\n"
        reliability(question, methods)
        coverage(question, methods)
        for method in methods {
            guard let matrix = method.question(question)?.confusion, matrix.total > 0 else { continue }
            figure(
                SVGConfusion.svg(matrix, title: "confusion of \(question.rawValue), \(method.name)"),
                "Confusion, \(method.name)")
        }
        out += "</div>\n"
        let slices = SVGSlices.svg(methods, question: question)
        if !slices.isEmpty {
            out +=
                "<details open><summary>\(e(question.headline)) by slice</summary>\(scroll("Slices of " + question.rawValue))\(slices)</div></details>\n"
        }
    }

    private mutating func figure(_ svg: String, _ caption: String) {
        out += "<figure>\(svg)<figcaption>\(e(caption))</figcaption></figure>\n"
    }

    private mutating func reliability(_ question: EvaluatedQuestion, _ methods: [MethodReport]) {
        var plot = SVGPlot(title: "reliability of \(question.rawValue)", xLabel: "confidence", yLabel: "accuracy")
        plot.addDiagonal()
        var hasAny = false
        for (series, method) in report.methods.enumerated() {
            guard let calibration = method.question(question)?.calibration else { continue }
            hasAny = true
            plot.add(
                series: series,
                calibration.bins.map { bin in
                    (
                        bin.stated, bin.observed, Double(bin.count) / Double(max(1, calibration.count)),
                        "\(method.name): confidence \(NumberText.fixed(bin.stated)), accuracy \(NumberText.fixed(bin.observed)), \(bin.count) records"
                    )
                }, markers: true)
        }
        if hasAny { figure(plot.svg, "Reliability: confidence against accuracy; larger marks hold more records") }
    }

    private mutating func coverage(_ question: EvaluatedQuestion, _ methods: [MethodReport]) {
        let curves = report.methods.enumerated().compactMap { series, method in
            method.question(question)?.riskCoverage.map { (series, method.name, $0) }
        }
        guard !curves.isEmpty else { return }
        let least = curves.flatMap { $0.2.points.map(\.accuracy) }.min() ?? 0
        var plot = SVGPlot(
            title: "risk and coverage of \(question.rawValue)", xLabel: "share answered", yLabel: "accuracy",
            lowest: (least * 5 - 0.5).rounded(.down) / 5)
        for (series, name, curve) in curves {
            plot.add(
                series: series,
                curve.points.enumerated().map { index, point in
                    (
                        point.coverage, point.accuracy, 0,
                        "\(name): the most confident \(NumberText.fixed(point.coverage * 100, places: 0)) % have accuracy \(NumberText.fixed(point.accuracy))"
                    )
                }, markers: curve.points.count <= 12)
        }
        figure(plot.svg, "Risk and coverage: accuracy when only the most confident answers count")
    }

    private mutating func changes() {
        for change in report.changes {
            out +=
                "<h2>\(e(change.question.rawValue)) <small>\(change.changed) of \(change.records) changed from \(e(change.first)) to \(e(change.second))</small></h2>\n"
            if let mean = change.meanDifference {
                out += "<p>By \(NumberText.fixed(mean, places: 2)) points on average.</p>\n"
            }
            if !change.transitions.isEmpty {
                table(
                    "changes of \(change.question.rawValue) from \(change.first) to \(change.second)",
                    ["from", "to", "records"], change.transitions.map { [$0.from, $0.to, "\($0.count)"] },
                    numbersFrom: 2)
            }
            if !change.examples.isEmpty {
                out += "<p class=\"note\">For example \(e(change.examples.joined(separator: ", "))).</p>\n"
            }
        }
    }

    private mutating func cost() {
        guard report.methods.contains(where: { $0.seconds != nil || $0.tokens != nil || $0.cost != nil }) else {
            return
        }
        out += "<h2>Per 1,000 messages</h2>\n"
        table(
            "costs", ["method", "seconds", "tokens", "US dollars"],
            report.methods.map {
                [
                    $0.name, $0.seconds.map { NumberText.fixed($0, places: 4) } ?? "unknown",
                    $0.tokens.map { NumberText.fixed($0, places: 0) } ?? "unknown",
                    $0.cost.map { NumberText.fixed($0, places: 4) } ?? "unknown",
                ]
            }, numbersFrom: 1)
    }

    private mutating func suspects() {
        guard report.suspectCount > 0 else { return }
        out += "<h2>Labels that are probably wrong <small>\(report.suspectCount)</small></h2>\n"
        table(
            "labels", ["id", "question", "gold", "all methods say", "confidence"],
            report.suspects.map {
                [$0.id, $0.question.rawValue, $0.gold, $0.answer, NumberText.fixed($0.confidence)]
            }, numbersFrom: 4)
    }
}

/// Text inside XML and HTML.
enum MarkupText {
    /// Without anything that could be markup, and without characters that XML forbids or that turn the direction of
    /// what follows; those are shown as U+FFFD.
    static func escaped(_ text: String) -> String {
        var out = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "\"": out += "&quot;"
            case "'": out += "&#39;"
            case "\n", "\t": out += " "
            default:
                switch scalar.value {
                case 0..<0x20, 0x7F..<0xA0, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFFE, 0xFFFF,
                    0xE0000...0xE007F:
                    out += "\u{FFFD}"
                default: out.unicodeScalars.append(scalar)
                }
            }
        }
        return out
    }
}
