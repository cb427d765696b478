import Testing
import TriageCore

@testable import TriageStages

struct KindFinderTests {
    private static func tags(_ tags: FactTag...) -> UInt64 { tags.reduce(0) { $0 | 1 << UInt64($1.rawValue) } }

    private static let rules = RuleSet(
        signals: ["business.bulk", "business.other"].map {
            Signal(name: $0, why: "", trigger: .detector("x"), feeds: Feeds(), place: "test:1")
        },
        kinds: [
            OfferKind(id: "bill", facts: tags(.owedByCreator), isOffer: false, fit: 8),
            OfferKind(id: "press", facts: tags(.press), takesHints: false, asks: ["questions", "date"]),
            OfferKind(id: "gift", facts: tags(.productGift), unless: tags(.paid), isWithoutBudget: true, pay: 8),
            OfferKind(
                id: "purchase", signals: ["business.bulk"], pay: 16, asks: ["quantity", "fee", "date"]),
        ])

    private static func facts(_ tags: UInt64, usd: Double? = nil) -> Facts {
        var facts = Facts()
        facts.tags = tags
        facts.budget = usd.map { MoneyAmount(amount: $0, currency: nil, usd: $0, start: 0, end: 1) }
        return facts
    }

    private static func kind(_ facts: Facts, signals: [UInt16] = []) -> Int8 {
        let hits = signals.map { SignalHit(signal: $0, start: 0, end: 1) }
        return hits.withUnsafeBufferPointer { KindFinder(rules: rules).kind(of: $0, facts) }
    }

    @Test(
        arguments: [
            (0, [], nil, -1), (0, [1], nil, -1), (0, [0], nil, 3), (tags(.press), [0], nil, 1),
            (tags(.press, .owedByCreator), [], nil, 0), (tags(.productGift), [], nil, 2),
            (tags(.productGift, .paid), [], nil, -1), (tags(.productGift), [], 300, -1),
            (tags(.productGift), [0], 300, 3),
        ] as [(UInt64, [UInt16], Double?, Int8)])
    func `the first kind that a fact or a signal tells counts`(
        tags: UInt64, signals: [UInt16], usd: Double?, expected: Int8
    ) {
        #expect(Self.kind(Self.facts(tags, usd: usd), signals: signals) == expected)
    }

    @Test(
        arguments: [
            (3, [], 16), (2, [], 8), (1, [], 0), (-1, [], 0), (3, [.giftHint], 8), (-1, [.payHint], 16),
            (1, [.payHint], 0), (1, [.paid], 16), (3, [.unpaid], 0),
        ] as [(Int8, [FactTag], Int8)])
    func `a kind says what is paid where the text does not`(kind: Int8, tags: [FactTag], points: Int8) {
        var facts = Self.facts(tags.reduce(0) { $0 | Self.tags($1) })
        facts.kind = kind
        #expect(OpportunityRubric(rules: Self.rules).monetary(facts) == points)
    }

    @Test(arguments: [(0, 8), (1, 24), (-1, 24), (100, 24)] as [(Int8, Int8)])
    func `a kind that is no offer has a fit of its own`(kind: Int8, points: Int8) {
        var facts = Facts()
        facts.kind = kind
        #expect(OpportunityRubric(rules: Self.rules).brandFit(facts, CreatorWords.Findings()) == points)
        #expect(
            OpportunityRubric(rules: Self.rules, knowsCreator: false).brandFit(facts, CreatorWords.Findings()) == 8)
    }

    @Test(
        arguments: [
            (3, nil, false, "purchase", "Still to ask: quantity, fee, date"),
            (3, 700, false, "purchase", "Still to ask: quantity, date"),
            (3, 700, true, "purchase", "Still to ask: quantity"),
            (0, nil, false, "bill", nil),
        ] as [(Int8, Double?, Bool, String, String?)])
    func `an answer names the kind, and what is still to be asked`(
        kind: Int8, usd: Double?, hasDate: Bool, id: String, sentence: String?
    ) throws {
        var batch = DetectionSample(text: "hello").batch()
        batch.records[0].category = CategoryAnswer(
            label: .business, scores: [0, 1, 0, 0], level: .high, by: .categoryRules, because: 0..<0)
        batch.records[0].facts = Self.facts(0, usd: usd)
        batch.records[0].facts.kind = kind
        if hasDate { batch.records[0].facts.deadlineDay = 20_000 }
        OpportunityStage(rules: Self.rules, profile: CreatorProfile(), settings: Settings()).annotate(&batch)
        let answer = try #require(batch.records[0].opportunity)
        func text(_ index: Int) -> String {
            String(decoding: batch.generated[batch.generatedSpans[index].range], as: UTF8.self)
        }
        #expect(text(answer.kind) == id)
        #expect(answer.insights.map(text).first { $0.hasPrefix("Still") } == sentence)
    }
}
