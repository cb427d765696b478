import Testing
import TriageCore

@testable import TriageStages

struct UrgencyModelStageTests {
    /// A reason that a person would accept, a mere shade, and a sign against urgency.
    private static let rules = RuleSet(
        signals: ([
            ("test.reason", 3), ("test.shade", 2), ("test.calm", -2), ("test.dying", 4), ("test.story", 0),
        ] as [(String, Float)]).map { name, weight in
            var feeds = Feeds()
            feeds.urgent = weight
            if name == "test.dying" { feeds.urgencyKind = .selfHarm }
            if name == "test.story" { feeds.danger = -8 }
            return Signal(
                name: name, why: "", languages: [], onlyIn: [], trigger: .patterns([]), feeds: feeds,
                repeatLimit: 1, examples: Signal.Examples(match: [], noMatch: []), place: "")
        }, digest: "test")

    private static let hits: [(what: String, hits: [SignalHit], isUrgent: Bool)] = [
        ("a reason in the text", [SignalHit(signal: 0, start: 0, end: 4)], true),
        (
            "a reason beside others", [SignalHit(signal: 2, start: 0, end: 4), SignalHit(signal: 0, start: 5, end: 8)],
            true
        ),
        ("words of dying", [SignalHit(signal: 3, start: 0, end: 4)], true),
        ("words of dying in a story", [SignalHit(signal: 3, start: 0, end: 4), SignalHit(signal: 4)], false),
        ("another reason in a story", [SignalHit(signal: 0, start: 0, end: 4), SignalHit(signal: 4)], true),
        ("nothing", [], false),
        ("a shade", [SignalHit(signal: 1, start: 0, end: 4)], false),
        ("a reason that stands nowhere", [SignalHit(signal: 0)], false),
        ("a reason that a longer find covers", [SignalHit(signal: 0, start: 0, end: 4, isCovered: true)], false),
    ]

    @Test(arguments: hits)
    func `what the model calls urgent has a reason that can be quoted, or is not urgent`(
        what: String, hits: [SignalHit], isUrgent: Bool
    ) throws {
        var batch = TextBatch.make(["help me now"], languages: ["en"])
        batch.records[0].urgentLogit = 4
        batch.hits = hits
        batch.records[0].hits = 0..<hits.count
        let model = StatisticalModel(bits: 12)
        UrgencyModelStage(model: model, rules: Self.rules, settings: Settings()).annotate(&batch)
        let answer = try #require(batch.records[0].urgency)
        #expect(answer.isUrgent == isUrgent, "\(what)")
        #expect(batch.evidence[answer.because].contains { $0.start >= 0 } == isUrgent, "\(what)")
        #expect(batch.evidence[answer.because].allSatisfy { $0.weight > 0 }, "\(what)")
        #expect(isUrgent || answer.score < Settings().thresholds.urgent ?? model.urgentThreshold, "\(what)")
    }

    /// The score, the words that the model would quote, and whether the message is urgent by them alone.
    private static let words: [(logit: Float, count: Int, isUrgent: Bool)] = [
        (0.1, 1, true), (4, 2, true), (4, 0, false), (-0.1, 1, false),
    ]

    @Test(arguments: words)
    func `without a reason of the rules it takes words to quote and a score above a half`(
        logit: Float, count: Int, isUrgent: Bool
    ) throws {
        var batch = TextBatch.make(["help me now"], languages: ["en"])
        batch.evidence = (0..<count).map { Evidence(signal: 0, weight: 1, start: Int32($0), end: Int32($0) + 4) }
        batch.records[0].urgentLogit = logit
        batch.records[0].urgentWords = 0..<count
        var settings = Settings()
        settings.thresholds.urgent = 0.2
        UrgencyModelStage(model: StatisticalModel(bits: 12), rules: Self.rules, settings: settings).annotate(&batch)
        let answer = try #require(batch.records[0].urgency)
        #expect(answer.isUrgent == isUrgent)
        #expect(answer.because == (isUrgent ? 0..<count : 0..<0))
    }
}
