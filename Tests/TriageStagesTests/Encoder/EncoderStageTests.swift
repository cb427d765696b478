import Testing
import TriageCore

@testable import TriageStages

struct EncoderStageTests {
    /// Heads that say the same of every message.
    private static func heads(
        positive: Float = 0, negative: Float = 0, neutral: Float = 0, urgent: Float = 0
    ) -> SentenceHeads? {
        var bytes = Array("TSH1".utf8)
        for (bias, count) in [(positive, 13), (negative, 13), (neutral, 13), (urgent, 9)] {
            for number in [bias] + [Float](repeating: 0, count: count + Batch.sentenceSize) {
                withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes += $0 }
            }
        }
        return SentenceHeads(bytes)
    }

    private static let rules = RuleSet(signals: [], digest: "test")

    /// A message that the cheaper methods answered: neutral, and not urgent.
    private static func answered(_ text: String, _ category: TriageCore.Category = .fan, isUrgent: Bool = false)
        -> Batch
    {
        var batch = TextBatch.make([text])
        batch.evidence = [Evidence(signal: 0, weight: 1)]
        var scores = SIMD4<Float>(0.1, 0.1, 0.1, 0)
        scores[Int(category.rawValue)] = 0.8
        batch.records[0].category = CategoryAnswer(
            label: category, scores: scores, level: .high, by: .categoryModel, because: 0..<0)
        batch.records[0].sentiment = SentimentAnswer(
            label: .neutral, confidence: 0.6, level: .medium, intensity: 0.2, by: .sentimentModel, because: 0..<1)
        batch.records[0].urgency = UrgencyAnswer(
            isUrgent: isUrgent, score: isUrgent ? 0.8 : 0.2, kind: isUrgent ? .legal : .none, by: .urgencyModel,
            because: isUrgent ? 0..<1 : 0..<0)
        SentenceStage().annotate(&batch)
        return batch
    }

    private static func judged(_ batch: Batch, _ heads: SentenceHeads?) -> Batch {
        var batch = batch
        EncoderStage(heads, sentiment: true, urgency: true, rules: rules, settings: Settings()).annotate(&batch)
        return batch
    }

    @Test func `a label that stays keeps its reasons, and takes the new confidence`() throws {
        let batch = Self.judged(Self.answered("see you on Sunday"), Self.heads(neutral: 3))
        let answer = try #require(batch.records[0].sentiment)
        #expect(answer.label == .neutral)
        #expect(answer.because == 0..<1)
        #expect(answer.confidence > 0.9)
        #expect(answer.by == .sentimentEncoder)
    }

    @Test func `a label that changes has the message as its one reason, which supports it`() throws {
        let batch = Self.judged(Self.answered("see you on Sunday"), Self.heads(negative: 3))
        let answer = try #require(batch.records[0].sentiment)
        #expect(answer.label == .negative)
        let reasons = batch.evidence[answer.because]
        #expect(reasons.map { SignalNames(rules: Self.rules).names[Int($0.signal)] } == ["encoder.sentence"])
        #expect(reasons.allSatisfy { $0.weight > 0 && $0.start < 0 })
        // Not strong enough to lift the message above others.
        #expect(answer.intensity < 0.6)
    }

    @Test(arguments: [
        "There is smoke in the hall.", "  Hello! There is smoke in the hall. Bye now!  ",
        "Дым в коридоре! Помогите нам",
    ])
    func `what becomes urgent quotes one of its sentences`(text: String) throws {
        let batch = Self.judged(Self.answered(text), Self.heads(urgent: 3))
        let answer = try #require(batch.records[0].urgency)
        #expect(answer.isUrgent)
        #expect(answer.kind == .other)
        let reason = try #require(batch.evidence[answer.because].first)
        let quote = String(decoding: Array(text.utf8)[Int(reason.start)..<Int(reason.end)], as: UTF8.self)
        #expect(text.contains(quote))
        #expect(quote.count > 8)
        #expect(quote == quote.trimmingBlanks)
    }

    @Test(arguments: [(false, Float(2.4), false), (false, 2.6, true), (true, 1, false), (true, 1.2, true)])
    func `less is needed to stay urgent than to become so, and no score contradicts the answer`(
        wasUrgent: Bool, odds: Float, isUrgent: Bool
    ) throws {
        let batch = Self.judged(Self.answered("come at once", isUrgent: wasUrgent), Self.heads(urgent: odds))
        let answer = try #require(batch.records[0].urgency)
        #expect(answer.isUrgent == isUrgent && (answer.score >= 0.5) == isUrgent)
    }

    @Test(arguments: [
        // odds, glad, bytes; urgent
        (Float(1.4), true, 60, false), (1.6, true, 60, true), (1.4, false, 60, true), (1.9, false, 700, false),
        (1.9, false, 699, true), (2.1, true, 700, true),
    ])
    func `who is glad or writes at length is only in danger if that is surer`(
        odds: Float, isGlad: Bool, bytes: Int, isUrgent: Bool
    ) {
        let text = String(repeating: "he was here again, and then he left. ", count: 20).prefix(bytes)
        var batch = Self.answered(String(text))
        batch.records[0].danger = DangerAnswer(kind: .violence, odds: odds, place: 0..<10)
        batch = Self.judged(batch, Self.heads(positive: isGlad ? 3 : -3, urgent: -5))
        #expect(batch.records[0].urgency?.isUrgent == isUrgent)
    }

    @Test func `the sentence that is quoted is the urgent one`() throws {
        let text =
            "I love the new season. Someone broke into my account and is asking your fans for money right now! The music is lovely."
        var batch = Self.answered(text)
        // Nearly urgent before.
        batch.records[0].urgency?.score = 0.99
        batch = Self.judged(batch, .shipped)
        let answer = try #require(batch.records[0].urgency)
        #expect(answer.isUrgent)
        let reason = try #require(batch.evidence[answer.because].first)
        let quote = String(decoding: Array(text.utf8)[Int(reason.start)..<Int(reason.end)], as: UTF8.self)
        #expect(quote == "Someone broke into my account and is asking your fans for money right now!")
    }

    @Test func `what is urgent no longer has no kind and no reasons`() throws {
        let batch = Self.judged(Self.answered("my cat is called Lawsuit", isUrgent: true), Self.heads(urgent: -3))
        let answer = try #require(batch.records[0].urgency)
        #expect(!answer.isUrgent && answer.kind == .none && answer.because.isEmpty && answer.score < 0.1)
    }

    @Test func `what stays urgent keeps its kind and its reasons`() throws {
        let batch = Self.judged(Self.answered("our lawyers write today", isUrgent: true), Self.heads(urgent: 3))
        let answer = try #require(batch.records[0].urgency)
        #expect(answer.isUrgent && answer.kind == .legal && answer.because == 0..<1)
    }

    @Test func `who is in danger stays so, and is not called happy`() throws {
        var batch = Self.answered("goodbye everyone", isUrgent: true)
        batch.records[0].urgency?.isDanger = true
        batch = Self.judged(batch, Self.heads(positive: 5, urgent: -5))
        #expect(batch.records[0].urgency?.isUrgent == true)
        #expect(batch.records[0].urgency?.score == 0.8)
        #expect(batch.records[0].sentiment?.label == .neutral)
    }

    @Test func `danger that the rules missed is urgent and quoted, and nobody in it is called happy`() throws {
        var batch = Self.answered("lovely video. he will be home soon and I am scared of him")
        batch.records[0].danger = DangerAnswer(kind: .violence, odds: 3, place: 14..<57)
        batch = Self.judged(batch, Self.heads(positive: 5, urgent: -2))
        let answer = try #require(batch.records[0].urgency)
        #expect(answer.isUrgent && answer.isDanger && answer.score >= 0.9)
        let reason = try #require(batch.evidence[answer.because].first)
        #expect((reason.start, reason.end) == (14, 57))
        #expect(batch.records[0].sentiment?.label == .neutral)
    }

    @Test(arguments: [
        // odds, worst part, category; urgent, in danger
        (Float(0.4), Float(1), TriageCore.Category.fan, false, false), (0.6, 1, .fan, true, false),
        (2.1, 1, .business, true, true), (2.1, -1, .fan, true, false),
        (0.9, 1, .spam, false, false), (1.1, 1, .spam, true, true), (3, -1, .spam, false, false),
    ])
    func `how sure the danger is decides whether a message is urgent, and whether somebody is in danger`(
        odds: Float, worst: Float, category: TriageCore.Category, isUrgent: Bool, isDanger: Bool
    ) {
        var batch = Self.answered("I can hear him on the stairs", category)
        batch.records[0].danger = DangerAnswer(kind: .violence, odds: odds, worst: worst, place: 0..<28)
        batch = Self.judged(batch, Self.heads(urgent: -5))
        #expect(batch.records[0].urgency?.isUrgent == isUrgent)
        #expect(batch.records[0].urgency?.isDanger == isDanger)
    }

    @Test(arguments: [("win a phone now", TriageCore.Category.spam), ("❤️❤️ 100", .fan)])
    func `spam and texts without a letter are not read`(text: String, category: TriageCore.Category) {
        let batch = Self.judged(Self.answered(text, category), Self.heads(positive: 5, urgent: 5))
        #expect(batch.records[0].sentence == -1)
        #expect(batch.records[0].sentiment?.by == .sentimentModel)
        #expect(batch.records[0].urgency?.isUrgent == false)
    }

    @Test func `a message counts the same in whatever company it is read`() throws {
        let texts = ["hello", "there is a fire in my kitchen, what do I do", "nice video"]
        let alone = Self.judged(Self.answered(texts[1]), .shipped).records[0].urgency?.score
        var batch = TextBatch.make(texts)
        let answered = Self.answered(texts[1]).records[0]
        for index in texts.indices {
            (batch.records[index].category, batch.records[index].sentiment) = (answered.category, answered.sentiment)
            batch.records[index].urgency = answered.urgency
        }
        SentenceStage().annotate(&batch)
        #expect(Self.judged(batch, .shipped).records[1].urgency?.score == alone)
    }

    @Test func `only files of its own form are heads`() {
        #expect(SentenceHeads(Array("TSH1".utf8)) == nil)
        #expect(SentenceHeads([]) == nil)
        #expect(SentenceHeads.shipped != nil)
    }
}

extension String {
    fileprivate var trimmingBlanks: String {
        String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }
}
