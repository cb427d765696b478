import TriageCore

/// A report for machines: every number with all its digits, one JSON object.
package enum ReportJSON {
    /// The text, with a line break at its end.
    package static func text(_ report: EvaluationReport) -> String {
        var bytes: [UInt8] = []
        var json = JSONObjectWriter(&bytes)
        json.member("schema", 1)
        json.member("records", report.records)
        json.member("conversations", report.clusters)
        json.key("bootstrap")
        json.open("{")
        json.member("draws", report.resamples)
        json.key("seed")
        json.raw("\(report.seed)")
        json.close("}")
        list("methods", report.methods, &json, method)
        list("comparisons", report.comparisons, &json, comparison)
        json.member("suspected_gold_errors_count", report.suspectCount)
        list("suspected_gold_errors", report.suspects, &json) { suspect, json in
            json.member("id", suspect.id)
            json.member("question", suspect.question.rawValue)
            json.member("gold", suspect.gold)
            json.member("answer", suspect.answer)
            number("confidence", suspect.confidence, &json)
        }
        list("changes", report.changes, &json, change)
        list("gates", report.gates, &json) { gate, json in
            json.member("gate", gate.text)
            json.member("method", gate.method)
            number("value", gate.value, &json)
            json.member("passed", gate.isPassed)
        }
        if let finding = report.lock { lock(finding, &json) }
        bytes = json.finish()
        return String(decoding: bytes, as: UTF8.self) + "\n"
    }

    private static func method(_ method: MethodReport, _ json: inout JSONObjectWriter) {
        json.member("name", method.name)
        json.key("per_1000_messages")
        json.open("{")
        number("seconds", method.seconds, &json)
        number("tokens", method.tokens, &json)
        number("usd", method.cost, &json)
        json.close("}")
        json.key("questions")
        json.open("{")
        for question in method.questions {
            json.key(question.question.rawValue)
            json.open("{")
            json.member("records", question.count)
            metrics(question.metrics, &json)
            if let matrix = question.confusion { confusion(matrix, &json) }
            if let calibration = question.calibration {
                list("reliability", calibration.bins, &json) { bin, json in
                    json.member("records", bin.count)
                    number("stated", bin.stated, &json)
                    number("observed", bin.observed, &json)
                }
            }
            if let curve = question.riskCoverage {
                list("risk_coverage", curve.points, &json) { point, json in
                    number("coverage", point.coverage, &json)
                    number("accuracy", point.accuracy, &json)
                }
            }
            json.close("}")
        }
        json.close("}")
        list("slices", method.slices, &json) { slice, json in
            json.member("by", slice.dimension)
            json.member("value", slice.value)
            json.member("question", slice.question.rawValue)
            json.member("records", slice.count)
            metrics(slice.metrics, &json)
        }
    }

    private static func metrics(_ metrics: [Metric], _ json: inout JSONObjectWriter) {
        json.key("metrics")
        json.open("{")
        for metric in metrics {
            json.key(metric.name)
            json.open("{")
            number("value", metric.value, &json)
            if let interval = metric.interval {
                number("low", interval.low, &json)
                number("high", interval.high, &json)
            }
            json.close("}")
        }
        json.close("}")
    }

    private static func confusion(_ matrix: ConfusionMatrix, _ json: inout JSONObjectWriter) {
        json.key("confusion")
        json.open("{")
        for gold in matrix.classes.indices {
            json.key(matrix.classes[gold])
            json.open("{")
            for answer in matrix.classes.indices { json.member(matrix.classes[answer], matrix[gold, answer]) }
            json.member("none", matrix[gold, matrix.classes.count])
            json.close("}")
        }
        json.close("}")
    }

    private static func comparison(_ item: Comparison, _ json: inout JSONObjectWriter) {
        json.member("question", item.question.rawValue)
        json.member("metric", item.metric)
        json.member("first", item.first)
        json.member("second", item.second)
        number("first_value", item.firstValue, &json)
        number("second_value", item.secondValue, &json)
        number("difference", item.difference, &json)
        number("low", item.interval?.low, &json)
        number("high", item.interval?.high, &json)
        json.member("verdict", item.verdict.rawValue)
        number("smallest_difference_seen", item.smallestSeen, &json)
        guard let test = item.mcNemar else { return }
        json.key("mcnemar")
        json.open("{")
        json.member("only_first_right", test.onlyFirst)
        json.member("only_second_right", test.onlySecond)
        number("p", test.pValue, &json)
        json.close("}")
    }

    private static func change(_ change: Change, _ json: inout JSONObjectWriter) {
        json.member("question", change.question.rawValue)
        json.member("first", change.first)
        json.member("second", change.second)
        json.member("records", change.records)
        json.member("changed", change.changed)
        if let mean = change.meanDifference { number("mean_difference", mean, &json) }
        list("transitions", change.transitions, &json) { transition, json in
            json.member("from", transition.from)
            json.member("to", transition.to)
            json.member("records", transition.count)
        }
        strings("examples", change.examples, &json)
    }

    private static func lock(_ finding: SplitLock.Finding, _ json: inout JSONObjectWriter) {
        json.key("lock")
        json.open("{")
        json.member("frozen", finding.frozen)
        json.member("kept", finding.isKept)
        json.member("written", finding.isNew)
        json.member("missing", finding.missing)
        json.member("not_frozen", finding.addedCount)
        strings("not_frozen_ids", finding.added, &json)
        json.member("text_changed", finding.changedCount)
        strings("text_changed_ids", finding.changed, &json)
        json.member("in_training", finding.trainedCount)
        strings("in_training_ids", finding.trained, &json)
        json.close("}")
    }

    private static func list<T>(
        _ name: String, _ items: [T], _ json: inout JSONObjectWriter,
        _ write: (T, inout JSONObjectWriter) -> Void
    ) {
        json.key(name)
        json.open("[")
        for item in items {
            json.element()
            json.open("{")
            write(item, &json)
            json.close("}")
        }
        json.close("]")
    }

    private static func strings(_ name: String, _ texts: [String], _ json: inout JSONObjectWriter) {
        json.key(name)
        json.open("[")
        for text in texts {
            json.element()
            json.string(text)
        }
        json.close("]")
    }

    /// A number with all its digits, or null.
    static func number(_ name: String, _ value: Double?, _ json: inout JSONObjectWriter) {
        json.key(name)
        json.raw(NumberText.exact(value))
    }
}
