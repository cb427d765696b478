/// A report for build servers: one test case for each gate and each promise of the lock.
package enum ReportJUnit {
    /// The XML text.
    package static func text(_ report: EvaluationReport) -> String {
        var cases: [(name: String, failure: String?)] = report.gates.map { gate in
            (
                "\(gate.method): \(gate.text)",
                gate.isPassed ? nil : "is \(gate.value.map { "\($0)" } ?? "not defined on these records")"
            )
        }
        if let lock = report.lock {
            cases.append(("split lock: no record left", lock.missing == 0 ? nil : "\(lock.missing) are missing"))
            cases.append(("split lock: no record came", list(lock.addedCount, lock.added)))
            cases.append(("split lock: no text changed", list(lock.changedCount, lock.changed)))
            cases.append(("split lock: no record is trained on", list(lock.trainedCount, lock.trained)))
        }
        if cases.isEmpty { cases.append(("evaluation came to its end", nil)) }
        let failures = cases.filter { $0.failure != nil }.count
        var out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        out += "<testsuites tests=\"\(cases.count)\" failures=\"\(failures)\">\n"
        out += "  <testsuite name=\"triage evaluate\" tests=\"\(cases.count)\" failures=\"\(failures)\">\n"
        out += "    <properties>\n"
        for method in report.methods {
            for question in method.questions {
                for metric in question.metrics {
                    guard let value = metric.value else { continue }
                    let name = "\(method.name): \(question.question.rawValue).\(metric.name)"
                    out += "      <property name=\"\(MarkupText.escaped(name))\" value=\"\(value)\"/>\n"
                }
            }
        }
        out += "    </properties>\n"
        for item in cases {
            out += "    <testcase classname=\"triage.evaluate\" name=\"\(MarkupText.escaped(item.name))\""
            guard let failure = item.failure else {
                out += "/>\n"
                continue
            }
            out += ">\n      <failure message=\"\(MarkupText.escaped(failure))\"/>\n    </testcase>\n"
        }
        return out + "  </testsuite>\n</testsuites>\n"
    }

    private static func list(_ count: Int, _ ids: [String]) -> String? {
        count == 0 ? nil : "\(count): \(ids.joined(separator: ", "))"
    }
}
