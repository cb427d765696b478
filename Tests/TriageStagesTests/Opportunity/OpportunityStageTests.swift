import Testing
import TriageCore

@testable import TriageStages

struct OpportunityRubricTests {
    private static func facts(_ tags: [FactTag], usd: Double? = nil) -> Facts {
        var facts = Facts()
        for tag in tags { facts.tags |= 1 << UInt64(tag.rawValue) }
        if let usd { facts.budget = MoneyAmount(amount: usd, currency: nil, usd: usd, start: 0, end: 1) }
        return facts
    }

    @Test(
        arguments: [
            ([], nil, 0), ([.unpaid], nil, 0), ([.coversCosts], nil, 0), ([.productGift], nil, 8),
            ([.commission], nil, 8),
            ([.represent], nil, 8), ([.paid], nil, 16), ([.rateAsk], nil, 16), ([.unpaid, .productGift], nil, 8),
            ([.paid, .commission], nil, 8), ([.craftOrder, .commission], nil, 16), ([], 120, 24), ([], 499.99, 24),
            ([], 500, 32), ([], 4999, 32),
            ([], 5000, 40), ([], 1e9, 40),
            ([.owedByCreator], 900, 0), ([.creatorPays], nil, 0), ([.creatorPays, .paid], nil, 0),
        ] as [([FactTag], Double?, Int8)])
    func `gives monetary points by what is offered`(tags: [FactTag], usd: Double?, points: Int8) {
        #expect(OpportunityRubric().monetary(Self.facts(tags, usd: usd)) == points)
    }

    @Test(
        arguments: [
            (0, nil, 10), (24, nil, 10), (25, nil, 8), (48, nil, 8), (49, 3, 6), (160, 7, 6), (200, 8, 4), (740, 31, 4),
            (900, 32, 2), (nil, nil, 0),
        ] as [(Int32?, Int?, Int8)])
    func `gives urgency by the time that is left`(hours: Int32?, days: Int?, points: Int8) {
        var facts = Facts()
        facts.deadlineHours = hours
        facts.deadlineDay = days.map { 20_000 + Int32($0) }
        #expect(OpportunityRubric().urgency(facts, today: 20_000) == points)
    }

    @Test func `gives two points for soon`() {
        var facts = Facts()
        facts.saysSoon = true
        #expect(OpportunityRubric().urgency(facts, today: 0) == 2)
    }

    @Test(
        arguments: [
            ([], 10), ([.role], 12), ([.contract, .brief], 12), ([.role, .contract], 14), ([.pressure, .secrecy], 7),
            ([.credentials, .fee], 4),
            ([.credentials, .pressure], 1),
        ] as [([FactTag], Int8)])
    func `adds and takes legitimacy once for each reason`(tags: [FactTag], points: Int8) {
        #expect(OpportunityRubric().legitimacy(Self.facts(tags), DetectorBits()) == points)
    }

    @Test func `keeps legitimacy within its bounds`() {
        var facts = Self.facts([.credentials, .pressure])
        facts.hasFreeMailAddress = true
        facts.hasShortLink = true
        #expect(OpportunityRubric().legitimacy(facts, DetectorBits()) == 0)
        facts = Self.facts([.role, .contract])
        facts.isCompany = true
        facts.hasCompanyAddress = true
        facts.isDefinite = true
        var found = FactFindings()
        found.detectors.insert(DetectorBits.mask(.senderVerified), if: true)
        #expect(OpportunityRubric().legitimacy(facts, found.detectors) == 20)
    }
}

struct OpportunityStageTests {
    private static func annotated(
        _ sample: DetectionSample, _ settings: Settings = Settings(), category: TriageCore.Category = .business,
        _ change: (inout Record) -> Void = { _ in }
    ) -> Batch {
        var batch = sample.batch()
        batch.records[0].category = CategoryAnswer(
            label: category, scores: [0, 1, 0, 0], level: .high, by: .categoryRules, because: 0..<0)
        change(&batch.records[0])
        OpportunityStage(rules: DetectionSample.rules(), profile: DetectionSample.creator, settings: settings).annotate(
            &batch)
        return batch
    }

    private static func insights(_ batch: Batch) -> [String] {
        guard let answer = batch.records[0].opportunity else { return [] }
        return batch.generatedSpans[answer.insights].map { String(decoding: batch.generated[$0.range], as: UTF8.self) }
    }

    private static let offer = DetectionSample(
        text: "Hi Maya, we loved First Reps. Budget is $5,000, reply by 2026-10-06 please.",
        handle: "petra@northloom.example",
        followers: 512_000, isVerified: true, sentAt: 1_790_856_000)

    @Test func `scores an offer as the sum of its parts, with reasons in the text`() throws {
        let batch = Self.annotated(Self.offer)
        let answer = try #require(batch.records[0].opportunity)
        #expect(
            [answer.monetary.points, answer.brandFit.points, answer.legitimacy.points, answer.urgency.points] == [
                40, 30, 18, 6,
            ])
        #expect(answer.score == 94)
        #expect(answer.tier == "gold")
        let names = SignalNames(rules: DetectionSample.rules()).names
        let reason = batch.evidence[answer.monetary.because.lowerBound]
        #expect(names[Int(reason.signal)] == "money.offer")
        #expect(
            String(decoding: Array(Self.offer.text.utf8)[Int(reason.start)..<Int(reason.end)], as: UTF8.self)
                == "$5,000")
        #expect(batch.evidence[answer.legitimacy.because].map(\.weight).reduce(0, +) == 18)
    }

    @Test func `says in words what it found`() {
        #expect(
            Self.insights(Self.annotated(Self.offer)) == [
                "Budget mentioned: $5,000", "Verified sender (512K followers)", "Needs a reply by 2026-10-06",
                "Mentions your work: First Reps: 8 weeks of strength for total beginners",
                "Company address: @northloom.example",
            ])
    }

    @Test(arguments: [TriageCore.Category.fan, .spam])
    func `leaves other messages without a score`(category: TriageCore.Category) {
        #expect(Self.annotated(Self.offer, category: category).records[0].opportunity == nil)
    }

    @Test(arguments: [
        (50, 20, 20, 10, [50, 20, 18, 6]), (100, 0, 0, 0, [100, 0, 0, 0]), (25, 25, 25, 25, [25, 25, 23, 15]),
        (41, 29, 21, 9, [41, 29, 19, 5]),
    ])
    func `applies the configured maxima, rounded half up`(
        money: Int, fit: Int, legitimacy: Int, urgency: Int, expected: [Int]
    ) throws {
        var settings = Settings()
        settings.opportunity.monetary = money
        settings.opportunity.brandFit = fit
        settings.opportunity.legitimacy = legitimacy
        settings.opportunity.urgency = urgency
        let answer = try #require(Self.annotated(Self.offer, settings).records[0].opportunity)
        #expect(
            [answer.monetary.points, answer.brandFit.points, answer.legitimacy.points, answer.urgency.points]
                == expected)
    }

    @Test func `lets a follow-up inherit what it does not say`() throws {
        var earlier = RubricPoints()
        earlier.monetary = 40
        earlier.brandFit = 30
        earlier.legitimacy = 18
        earlier.urgency = 4
        let sample = DetectionSample(
            text: "Just following up, a quick yes or no by tomorrow is enough", sentAt: 1_790_856_000)
        let answer = try #require(
            Self.annotated(sample) {
                $0.thread.isFollowUp = true
                $0.thread.points = earlier
            }.records[0].opportunity)
        #expect(
            [answer.monetary.points, answer.brandFit.points, answer.legitimacy.points, answer.urgency.points] == [
                40, 30, 18, 8,
            ])
    }

    @Test func `takes new money over that of the conversation`() throws {
        var earlier = RubricPoints()
        earlier.monetary = 40
        let answer = try #require(
            Self.annotated(DetectionSample(text: "We can only pay $300 now")) { $0.thread.points = earlier }.records[0]
                .opportunity)
        #expect(answer.monetary.points == 24)
    }

    @Test func `lowers only legitimacy for injection`() throws {
        let plain = try #require(Self.annotated(Self.offer).records[0].opportunity)
        let steered = try #require(
            Self.annotated(Self.offer) { $0.injection = InjectionAnswer(isSuspected: true, score: 1, because: 0..<0) }
                .records[0].opportunity)
        #expect(steered.legitimacy.points == plain.legitimacy.points - 6)
        #expect(steered.score == plain.score - 6)
    }

    @Test func `keeps to the limit of reasons`() throws {
        var settings = Settings()
        settings.evidenceLimit = 2
        let answer = try #require(Self.annotated(Self.offer, settings).records[0].opportunity)
        #expect(answer.legitimacy.because.count == 2)
    }

    @Test(arguments: [
        ("a@evil\u{1B}[31m.example", "x"), ("a@\u{202E}evil.example", "x"),
        ("a@" + String(repeating: "b", count: 300) + ".example", "x"),
    ])
    func `lets no stranger's bytes into its sentences`(handle: String, text: String) {
        let insights = Self.insights(Self.annotated(DetectionSample(text: text, handle: handle)))
        #expect(
            insights.allSatisfy { sentence in
                sentence.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } && sentence.utf8.count < 120
            })
    }

    @Test(arguments: [
        (5000.0, "USD", "$5,000"), (800, "EUR", "€800"), (1250.5, "GBP", "£1,250.50"), (95_000, "SEK", "95,000 SEK"),
        (1_234_567, "JPY", "1,234,567 JPY"),
        (0.3, "GBP", "£0.30"),
    ])
    func `writes amounts as people read them`(amount: Double, code: String, expected: String) {
        let money = MoneyAmount(amount: amount, currency: Currency(parsing: code), usd: amount, start: 0, end: 0)
        var sentences = InsightSentences(after: 0, spans: 0)
        sentences.add(money)
        sentences.endSentence()
        var batch = Batch()
        sentences.finish(into: &batch)
        #expect(String(decoding: batch.generated[batch.generatedSpans[0].range], as: UTF8.self) == expected)
    }
}
