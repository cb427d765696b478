import Testing

@testable import TriageEvaluation

/// What is counted of changes, and how it is told.
struct ChangeReportTests {
    /// As R's `prop.test(x, n, correct = FALSE)$conf.int`.
    @Test(
        arguments: [
            (0, 10, 0, 0.2775327998628892), (1, 10, 0.0178762131, 0.4041500268), (5, 10, 0.2365930905, 0.7634069095),
            (10, 10, 0.7224672001371107, 1), (3, 750, 0.0013611888, 0.0116940044),
        ] as [(Int, Int, Double, Double)])
    func `the interval is Wilson's`(count: Int, total: Int, low: Double, high: Double) throws {
        let interval = try #require(WilsonInterval(count, of: total))
        #expect(abs(interval.low - low) < 1e-6 && abs(interval.high - high) < 1e-6, "\(interval)")
        #expect(WilsonInterval(0, of: 0) == nil)
    }

    private static func prediction(_ category: UInt8, _ sentiment: UInt8 = 2, _ urgent: UInt8 = 0) -> Prediction {
        var prediction = Prediction()
        (prediction.category, prediction.sentiment, prediction.urgent) = (category, sentiment, urgent)
        return prediction
    }

    private static let stay = TextChange(
        id: "stay", work: .operation(.quote), expected: [.category: .same, .sentiment: .same, .urgent: .same])
    private static let urge = TextChange(
        id: "urge", work: .operation(.quote), expected: [.urgent: .label(1)], bounds: [.urgent: 0.5])

    /// Gold category, answers before and after, and what moved by measure.
    @Test(
        arguments: [
            (0, prediction(0), prediction(0), [.category: 0, .sentiment: 0, .urgent: 0, .fanToSpam: 0]),
            (0, prediction(0), prediction(2), [.category: 1, .sentiment: 0, .urgent: 0, .fanToSpam: 1]),
            (0, prediction(2), prediction(2), [.category: 0, .sentiment: 0, .urgent: 0]),
            (1, prediction(0), prediction(2), [.category: 1, .sentiment: 0, .urgent: 0, .offerToSpam: 1]),
            (1, prediction(1), prediction(0, 1, 1), [.category: 1, .sentiment: 1, .urgent: 1, .offerToSpam: 0]),
            (2, prediction(0), prediction(2), [.category: 1, .sentiment: 0, .urgent: 0]),
            (Gold.absent, prediction(0), prediction(2), [.category: 1, .sentiment: 0, .urgent: 0]),
        ] as [(UInt8, Prediction, Prediction, [ChangeMeasure: Int])])
    func `answers that move are counted, and real messages that become spam besides`(
        category: UInt8, before: Prediction, after: Prediction, moved: [ChangeMeasure: Int]
    ) {
        var gold = Gold()
        gold.category = category
        var tally = ChangeTally()
        tally.add(Self.stay, id: "r", gold: gold, before: before, after: after)
        #expect(tally.counts.mapValues(\.moved) == moved)
        #expect(tally.counts.values.allSatisfy { $0.records == 1 && $0.examples == ($0.moved == 1 ? ["r"] : []) })
    }

    @Test func `of a direction those are counted that did not come to what was wanted`() {
        var tally = ChangeTally()
        for urgent in [1, 0, 1] as [UInt8] {
            tally.add(
                Self.urge, id: "r\(urgent)", gold: Gold(), before: Self.prediction(0),
                after: Self.prediction(2, 2, urgent))
        }
        #expect(tally.counts.mapValues(\.records) == [.urgent: 3])
        #expect(tally.counts[.urgent]?.moved == 1)
        #expect(tally.counts[.urgent]?.examples == ["r0"])
    }

    /// 100 fans by the first change, of whom `moved` become spam, and one record by the second.
    private func report(moved: Int, urged: Bool = true) -> ChangeReport {
        var (stay, urge) = (ChangeTally(), ChangeTally())
        var gold = Gold()
        gold.category = 0
        for number in 0..<100 {
            stay.add(
                Self.stay, id: "=r\(number)\n,", gold: gold, before: Self.prediction(0),
                after: Self.prediction(number < moved ? 2 : 0))
        }
        urge.add(
            Self.urge, id: "u", gold: gold, before: Self.prediction(0), after: Self.prediction(0, 2, urged ? 1 : 0))
        let unused = TextChange(id: "unused", work: .operation(.quote), expected: [.category: .same])
        return ChangeReport(
            records: 101, list: ChangeList(changes: [Self.stay, Self.urge, unused]),
            tallies: [("=m\n1", [stay, urge, ChangeTally()])])
    }

    @Test(arguments: [(0, true, 0), (1, true, 0), (2, true, 1), (3, true, 2), (0, false, 1)])
    func `a bound is broken by more than it, not by as much`(moved: Int, urged: Bool, broken: Int) {
        let report = report(moved: moved, urged: urged)
        #expect(report.brokenCount == broken)
        #expect(report.unused == ["unused"])
        #expect(report.methods[0].total.map(\.measure) == [.category, .sentiment, .urgent, .fanToSpam])
        #expect(report.methods[0].total.allSatisfy { $0.count.records == 100 && !$0.isBroken })
    }

    @Test func `every format tells the same numbers, and no name passes for a line or a formula`() {
        let report = report(moved: 3)
        let table = ChangeReportText.table(report)
        #expect(
            table.contains(
                "  stay                category      same     100      3      0.030  0.010..0.085  0.020  exceeded\n"))
        #expect(table.contains("bounds exceeded: 2\n") && table.contains("applied to no record: unused\n"))
        #expect(table.split(separator: "\n").allSatisfy { !$0.hasPrefix("1") || $0.hasPrefix("101 records") })
        let csv = ChangeReportText.csv(report).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(csv.contains { $0.hasPrefix("1\",stay,fan_to_spam,,100,3,0.03,0.01") && $0.hasSuffix(",0.01,yes") })
        #expect(csv.contains { $0 == "1\",urge,urgent,urgent,1,0,0.0,0.0,0.7934506856227626,0.5,no" })
        #expect(csv.contains { $0 == "1\",unused,category,same,0,0,,,,0.02,no" })
        let json = ChangeReportText.json(report)
        #expect(
            json.hasPrefix(#"{"schema":1,"records":101,"broken":2,"methods":[{"name":"=m\n1","changes":[{"id":"stay""#))
        #expect(json.contains(#""fan_to_spam":{"wanted":"same","records":100,"moved":3,"share":0.03,"#))
    }
}
