import Testing

@testable import TriageEvaluation

/// Every number is the one that scikit-learn, scipy and numpy give for the same answers.
struct ReferenceTests {
    static let sets = ["all", "absent-class", "spam-only", "no-positives", "one-record"]

    private func report(_ name: String) throws -> EvaluationReport {
        var options = Evaluator.Options()
        options.resamples = 60
        options.seed = 7
        return Evaluator(try ExpectedNumbers.set(name), options: options).report()
    }

    private func expected(_ name: String) throws -> [String: Any] {
        try #require(try ExpectedNumbers().root[name] as? [String: Any])
    }

    @Test(arguments: sets)
    func `metrics and their intervals are those of scikit-learn`(name: String) throws {
        let (report, expected) = (try report(name), try expected(name))
        #expect(report.clusters == expected["conversations"] as? Int)
        let methods = try #require(expected["methods"] as? [[String: [String: Any]]])
        for (method, wanted) in zip(report.methods, methods) {
            #expect(Set(method.questions.map(\.question.rawValue)) == Set(wanted.keys))
            for question in method.questions {
                let entry = try #require(wanted[question.question.rawValue])
                #expect(question.count == entry["records"] as? Int)
                let values = try #require(entry["values"] as? [String: Any])
                let intervals = try #require(entry["intervals"] as? [String: Any])
                #expect(Set(values.keys).isSubset(of: Set(question.metrics.map(\.name))))
                for metric in question.metrics where values[metric.name] != nil {
                    let place = "\(method.name) \(question.question.rawValue).\(metric.name)"
                    #expect(isSame(metric.value, values[metric.name]), "\(place)")
                    let bounds = intervals[metric.name] as? [Double]
                    // Draws that never vary give no interval.
                    let isWanted = bounds.map { $0[0] < $0[1] } ?? false
                    #expect(isSame(metric.interval?.low, isWanted ? bounds?[0] : nil), "\(place) low")
                    #expect(isSame(metric.interval?.high, isWanted ? bounds?[1] : nil), "\(place) high")
                }
            }
        }
    }

    @Test(arguments: sets)
    func `calibration, coverage and confusion are those of numpy and scikit-learn`(name: String) throws {
        let methods = try #require(try expected(name)["methods"] as? [[String: [String: Any]]])
        for (method, wanted) in zip(try report(name).methods, methods) {
            for question in method.questions {
                let entry = try #require(wanted[question.question.rawValue])
                let place = "\(method.name) \(question.question.rawValue)"
                #expect(isSame(question.calibration?.ece, entry["ece"]), "\(place) ece")
                #expect(isSame(question.calibration?.brier, entry["brier"]), "\(place) brier")
                #expect(isSame(question.riskCoverage?.aurc, entry["aurc"]), "\(place) aurc")
                let at = entry["accuracy_at"] as? [Double]
                for (index, share) in [0.5, 0.8, 0.9].enumerated() {
                    #expect(isSame(question.riskCoverage?.accuracy(at: share), at?[index]), "\(place) at \(share)")
                }
                let curve = entry["reliability"] as? [[Double]] ?? []
                #expect((question.calibration?.bins.count ?? 0) == curve.count, "\(place)")
                for (bin, row) in zip(question.calibration?.bins ?? [], curve) {
                    #expect(Double(bin.count) == row[0], "\(place)")
                    #expect(isSame(bin.stated, row[1]) && isSame(bin.observed, row[2]), "\(place)")
                }
                if let counts = entry["confusion"] as? [[Int]] {
                    #expect(question.confusion?.counts == counts.flatMap { $0 }, "\(place)")
                }
            }
        }
    }

    @Test(arguments: sets)
    func `paired differences are those of numpy, and McNemar's test that of scipy`(name: String) throws {
        let wanted = try #require(try expected(name)["comparisons"] as? [String: [String: Any]])
        let comparisons = try report(name).comparisons
        #expect(Set(comparisons.map(\.question.rawValue)) == Set(wanted.keys))
        for comparison in comparisons {
            let entry = try #require(wanted[comparison.question.rawValue])
            #expect(comparison.metric == entry["metric"] as? String)
            let bounds = entry["interval"] as? [Double]
            #expect(isSame(comparison.interval?.low, bounds?[0]), "\(comparison.question)")
            #expect(isSame(comparison.interval?.high, bounds?[1]), "\(comparison.question)")
            #expect(isSame(comparison.interval?.standardError, entry["standard_error"]), "\(comparison.question)")
            let test = entry["mcnemar"] as? [Double]
            #expect(isSame(comparison.mcNemar.map { Double($0.onlyFirst) }, test?[0]), "\(comparison.question)")
            #expect(isSame(comparison.mcNemar.map { Double($0.onlySecond) }, test?[1]), "\(comparison.question)")
            #expect(isSame(comparison.mcNemar?.pValue, test?[2]), "\(comparison.question)")
        }
    }

    @Test func `rank correlations with any number of ties are those of scipy`() throws {
        let rows = try #require(try ExpectedNumbers().root["correlations"] as? [[String: Any]])
        #expect(rows.count >= 15)
        for row in rows {
            let (x, y) = (row["x"] as? [Double] ?? [], row["y"] as? [Double] ?? [])
            #expect(isSame(RankCorrelation.spearman(x, y), row["spearman"]))
        }
    }

    @Test func `the exact test is that of scipy from one record to 80,000`() throws {
        let rows = try #require(try ExpectedNumbers().root["mcnemar"] as? [[Double]])
        for row in rows {
            let test = ExactMcNemar(onlyFirst: Int(row[0]), onlySecond: Int(row[1]))
            #expect(isSame(test.pValue, row[2]), "\(row)")
        }
    }
}
