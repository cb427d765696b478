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
        json.object("bootstrap") { json in
            json.member("draws", report.resamples)
            json.key("seed")
            json.raw("\(report.seed)")
        }
        json.objects("methods", report.methods, method)
        json.objects("comparisons", report.comparisons, comparison)
        json.member("suspected_gold_errors_count", report.suspectCount)
        json.objects("suspected_gold_errors", report.suspects) { suspect, json in
            json.member("id", suspect.id)
            json.member("question", suspect.question.rawValue)
            json.member("gold", suspect.gold)
            json.member("answer", suspect.answer)
            number("confidence", suspect.confidence, &json)
        }
        json.objects("changes", report.changes, change)
        json.objects("gates", report.gates) { gate, json in
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
        json.object("per_1000_messages") { json in
            number("seconds", method.seconds, &json)
            number("tokens", method.tokens, &json)
            number("usd", method.cost, &json)
        }
        json.object("questions") { json in
            for question in method.questions {
                json.object(question.question.rawValue) { json in
                    json.member("records", question.count)
                    metrics(question.metrics, &json)
                    if let matrix = question.confusion { confusion(matrix, &json) }
                    if let calibration = question.calibration {
                        json.objects("reliability", calibration.bins) { bin, json in
                            json.member("records", bin.count)
                            number("stated", bin.stated, &json)
                            number("observed", bin.observed, &json)
                        }
                    }
                    if let curve = question.riskCoverage {
                        json.objects("risk_coverage", curve.points) { point, json in
                            number("coverage", point.coverage, &json)
                            number("accuracy", point.accuracy, &json)
                        }
                    }
                }
            }
        }
        json.objects("slices", method.slices) { slice, json in
            json.member("by", slice.dimension)
            json.member("value", slice.value)
            json.member("question", slice.question.rawValue)
            json.member("records", slice.count)
            metrics(slice.metrics, &json)
        }
    }

    private static func metrics(_ metrics: [Metric], _ json: inout JSONObjectWriter) {
        json.object("metrics") { json in
            for metric in metrics {
                json.object(metric.name) { json in
                    number("value", metric.value, &json)
                    if let interval = metric.interval {
                        number("low", interval.low, &json)
                        number("high", interval.high, &json)
                    }
                }
            }
        }
    }

    private static func confusion(_ matrix: ConfusionMatrix, _ json: inout JSONObjectWriter) {
        json.object("confusion") { json in
            for gold in matrix.classes.indices {
                json.object(matrix.classes[gold]) { json in
                    for answer in matrix.classes.indices { json.member(matrix.classes[answer], matrix[gold, answer]) }
                    json.member("none", matrix[gold, matrix.classes.count])
                }
            }
        }
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
        json.object("mcnemar") { json in
            json.member("only_first_right", test.onlyFirst)
            json.member("only_second_right", test.onlySecond)
            number("p", test.pValue, &json)
        }
    }

    private static func change(_ change: Change, _ json: inout JSONObjectWriter) {
        json.member("question", change.question.rawValue)
        json.member("first", change.first)
        json.member("second", change.second)
        json.member("records", change.records)
        json.member("changed", change.changed)
        if let mean = change.meanDifference { number("mean_difference", mean, &json) }
        json.objects("transitions", change.transitions) { transition, json in
            json.member("from", transition.from)
            json.member("to", transition.to)
            json.member("records", transition.count)
        }
        json.strings("examples", change.examples)
    }

    private static func lock(_ finding: SplitLock.Finding, _ json: inout JSONObjectWriter) {
        json.object("lock") { json in
            json.member("frozen", finding.frozen)
            json.member("kept", finding.isKept)
            json.member("written", finding.isNew)
            json.member("missing", finding.missing)
            json.member("not_frozen", finding.addedCount)
            json.strings("not_frozen_ids", finding.added)
            json.member("text_changed", finding.changedCount)
            json.strings("text_changed_ids", finding.changed)
            json.member("in_training", finding.trainedCount)
            json.strings("in_training_ids", finding.trained)
        }
    }

    /// A number with all its digits, or null.
    static func number(_ name: String, _ value: Double?, _ json: inout JSONObjectWriter) {
        json.key(name)
        json.raw(NumberText.exact(value))
    }
}
