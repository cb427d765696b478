/// A report for people on a terminal.
package struct ReportTable {
    private let report: EvaluationReport
    private var out = ""

    package init(_ report: EvaluationReport) { self.report = report }

    /// The whole text, without control characters of its own; names and ids in it are as they came, but on
    /// one line.
    package static func text(_ report: EvaluationReport) -> String {
        var table = ReportTable(report)
        table.write()
        return table.out
    }

    private mutating func write() {
        out += "\(report.records) records, \(report.clusters) conversations"
        out +=
            report.resamples > 0
            ? "; 95 % intervals from \(report.resamples) bootstrap samples of conversations\n" : "\n"
        if !report.changes.isEmpty { return writeChanges() }
        writeQuestions()
        writeConfusions()
        writeSlices()
        writeCost()
        writeComparisons()
        writeSuspects()
        writeLock()
        writeGates()
    }

    /// Metrics that the overview shows; the others are in JSON, CSV and HTML.
    private static func overview(_ question: EvaluatedQuestion) -> [String] {
        switch question {
        case .category: ["macro_f1", "accuracy", "f1.fan", "f1.business", "f1.spam", "ece", "brier", "accuracy_at_80"]
        case .sentiment:
            ["macro_f1", "accuracy", "f1.positive", "f1.negative", "f1.neutral", "ece", "brier", "accuracy_at_80"]
        case .spam, .urgent, .injection: ["f1", "precision", "recall", "false_alarms", "ece", "brier"]
        case .faq:
            [
                "f1", "precision", "recall", "none_correct", "high_precision", "recall_at_1", "recall_at_3",
                "recall_at_5",
            ]
        case .opportunity:
            ["spearman", "mae", "mae.monetary", "mae.brand_fit", "mae.legitimacy", "mae.urgency", "found"]
        }
    }

    private mutating func writeQuestions() {
        for question in EvaluatedQuestion.allCases {
            let reports = report.methods.compactMap { method in method.question(question).map { (method.name, $0) } }
            guard let first = reports.first?.1 else { continue }
            out += "\n\(question.rawValue)  (\(first.count) labelled)\n"
            var rows = [["", ""] + reports.map(\.0)]
            for name in Self.overview(question) {
                let metrics = reports.map { $0.1.metric(name) }
                guard metrics.contains(where: { $0?.value != nil }) else { continue }
                rows.append(
                    ["", name]
                        + metrics.map { metric in
                            let interval = NumberText.interval(name, metric?.interval)
                            let value = NumberText.metric(name, metric?.value)
                            return interval.isEmpty ? value : "\(value)  \(interval)"
                        })
            }
            out += Self.align(rows)
        }
    }

    private mutating func writeConfusions() {
        for method in report.methods {
            for report in method.questions {
                guard let matrix = report.confusion, matrix.total > 0 else { continue }
                out +=
                    "\nconfusion of \(report.question.rawValue), \(method.name): rows are gold, columns are answers\n"
                var rows = [["", ""] + matrix.classes + ["none"]]
                for gold in matrix.classes.indices where matrix.support(gold) > 0 {
                    rows.append(["", matrix.classes[gold]] + (0...matrix.classes.count).map { "\(matrix[gold, $0])" })
                }
                out += Self.align(rows)
            }
        }
    }

    private mutating func writeSlices() {
        let slices = report.methods.first?.slices ?? []
        guard !slices.isEmpty else { return }
        out += "\nslices\n"
        var rows = [["", "by", "", "question", "metric", "n"] + report.methods.map(\.name)]
        for slice in slices {
            let name = slice.question.headline
            rows.append(
                ["", slice.dimension, slice.value, slice.question.rawValue, name, "\(slice.count)"]
                    + report.methods.map { method in
                        let same = method.slices.first {
                            $0.dimension == slice.dimension && $0.value == slice.value && $0.question == slice.question
                        }
                        let metric = same?.metrics.first { $0.name == name }
                        let interval = NumberText.interval(name, metric?.interval)
                        let value = NumberText.metric(name, metric?.value)
                        return interval.isEmpty ? value : "\(value)  \(interval)"
                    })
        }
        out += Self.align(rows)
    }

    private mutating func writeCost() {
        guard report.methods.contains(where: { $0.seconds != nil || $0.tokens != nil || $0.cost != nil }) else {
            return
        }
        out += "\nper 1,000 messages\n"
        var rows = [["", "method", "seconds", "tokens", "US dollars"]]
        for method in report.methods {
            rows.append([
                "", method.name, method.seconds.map { NumberText.fixed($0, places: 4) } ?? "unknown",
                method.tokens.map { NumberText.fixed($0, places: 0) } ?? "unknown",
                method.cost.map { NumberText.fixed($0, places: 4) } ?? "unknown",
            ])
        }
        out += Self.align(rows)
    }

    private mutating func writeComparisons() {
        guard !report.comparisons.isEmpty else { return }
        out += "\ncompared with \(report.comparisons[0].first), on the same samples\n"
        var rows = [["", "question", "metric", "method", "difference", "95 %", "verdict", "seen from", "McNemar p"]]
        for item in report.comparisons {
            rows.append([
                "", item.question.rawValue, item.metric, item.second, NumberText.metric(item.metric, item.difference),
                NumberText.interval(item.metric, item.interval), item.verdict.rawValue,
                NumberText.metric(item.metric, item.smallestSeen),
                item.mcNemar.map { "\(NumberText.p($0.pValue)) (\($0.onlyFirst):\($0.onlySecond))" } ?? "",
            ])
        }
        out += Self.align(rows)
    }

    private mutating func writeSuspects() {
        guard report.suspectCount > 0 else { return }
        let shown = report.suspects.prefix(20)
        out += "\nlabels that are probably wrong: \(report.suspectCount)"
        out += report.suspectCount > shown.count ? ", the \(shown.count) most confident\n" : "\n"
        let rows = shown.map {
            [
                "", $0.id, $0.question.rawValue, "gold \($0.gold)", "all say \($0.answer)",
                NumberText.fixed($0.confidence),
            ]
        }
        out += Self.align(rows)
    }

    private mutating func writeLock() {
        guard let lock = report.lock else { return }
        out += "\nsplit lock: \(lock.frozen) frozen"
        if lock.isNew { out += ", just created" }
        out += lock.isKept ? ", kept\n" : "\n"
        for (count, what, ids) in [
            (lock.missing, "are missing", []), (lock.addedCount, "were not frozen", lock.added),
            (lock.changedCount, "have changed text", lock.changed),
            (lock.trainedCount, "are used for training", lock.trained),
        ] where count > 0 {
            let more = count > ids.count && !ids.isEmpty ? ", …" : ""
            let named = ids.map(Self.oneLine).joined(separator: ", ")
            out += "  \(count) \(what)\(ids.isEmpty ? "" : ": ")\(named)\(more)\n"
        }
    }

    private mutating func writeGates() {
        guard !report.gates.isEmpty else { return }
        out += "\ngates\n"
        out += Self.align(
            report.gates.map {
                [
                    "", $0.isPassed ? "passed" : "missed", $0.text, "is \(NumberText.fixed($0.value, places: 4))",
                    $0.method,
                ]
            })
    }

    private mutating func writeChanges() {
        for change in report.changes {
            out += "\n\(change.question.rawValue): \(change.changed) of \(change.records) changed"
            out += " from \(change.first) to \(change.second)"
            if let mean = change.meanDifference { out += ", by \(NumberText.fixed(mean, places: 2)) points on average" }
            out += "\n"
            out += Self.align(change.transitions.prefix(10).map { ["", $0.from, "->", $0.to, "\($0.count)"] })
            let examples = change.examples.prefix(10).map(Self.oneLine)
            if !examples.isEmpty { out += "  such as \(examples.joined(separator: ", "))\n" }
        }
        writeCost()
        writeLock()
    }

    /// With blanks for line breaks, so that no name passes for a line of the report.
    static func oneLine(_ name: String) -> String {
        guard name.utf8.contains(0x0A) else { return name }
        return String(String.UnicodeScalarView(name.unicodeScalars.map { $0 == "\n" ? " " : $0 }))
    }

    /// Columns under each other, two blanks between them.
    static func align(_ rows: [[String]]) -> String {
        let rows = rows.map { $0.map(oneLine) }
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.map { $0.indices.contains(column) ? $0[column].count : 0 }.max() ?? 0
        }
        return rows.map { row in
            var line = ""
            for (column, cell) in row.enumerated() {
                line += cell
                if column + 1 < row.count { line += String(repeating: " ", count: widths[column] - cell.count + 2) }
            }
            while line.last == " " { line.removeLast() }
            return line + "\n"
        }.joined()
    }
}
