import Testing
import TriageCore

@testable import TriageStages

struct ModelStageTests {
    /// Texts in several scripts, with long words, signs, emoji, digits, and words that come again.
    private static let texts = [
        "hello there, hello THERE!!", "¿cuánto cobras por un vídeo? 😀😀😀", "", "   ", "!!!", "🔥",
        "pneumonoultramicroscopicsilicovolcanoconiosis is a long word, sixteenletterswd is not",
        "お仕事の依頼です。よろしくお願いします", "12345678901234567890 5 55 555", "a b c a b c", "Straße straße STRASSE",
        String(repeating: "word ", count: 500), String(repeating: "x", count: 5000),
    ]

    private static let rules = RuleSet(
        signals: ["one", "two"].map {
            var feeds = Feeds()
            feeds.feedsCategory = true
            feeds.category = [1, -0.5, 2, 0]
            feeds.urgent = 0.7
            return Signal(
                name: "test.\($0)", why: "", languages: [], onlyIn: [], trigger: .patterns([]), feeds: feeds,
                repeatLimit: 1, examples: Signal.Examples(match: [], noMatch: []), place: "")
        }, digest: "test")

    /// Weights of which no two are alike.
    private static let model: StatisticalModel = {
        var model = StatisticalModel(bits: 14)
        for bucket in model.rows.indices {
            for lane in 0..<8 {
                model.rows[bucket][lane] = Int8(truncatingIfNeeded: (bucket &+ 1) &* 2_654_435_761 >> (lane + 8))
            }
        }
        for lane in 0..<8 {
            model.scale[lane] = 0.01 / Float(lane + 1)
            model.bias[lane] = Float(lane) / 10
            model.rules[lane] = SIMD8(repeating: Float(lane) / 20)
        }
        for fact in model.facts.indices { model.facts[fact] = SIMD8(repeating: Float(fact) / 30) }
        model.signals["test.one"] = SIMD8(repeating: 0.25)
        return model
    }()

    private static func batch(_ texts: [String]) -> Batch {
        var batch = TextBatch.make(texts, languages: texts.map { _ in "en" })
        for index in batch.records.indices {
            batch.records[index].sentiment = SentimentAnswer(
                label: .neutral, confidence: 0.5, level: .low, intensity: 0.2, by: .sentimentRules, because: 0..<0)
            batch.records[index].feelings = Feelings(positive: 1.5, negative: 0.5)
            let first = batch.hits.count
            batch.hits.append(SignalHit(signal: 0))
            batch.hits.append(SignalHit(signal: 1, start: 0, end: 1))
            batch.hits.append(SignalHit(signal: 1, start: 0, end: 1, isCovered: true))
            // Said again it counts no more.
            batch.hits.append(SignalHit(signal: 0))
            batch.hits.append(SignalHit(signal: 1, start: 1, end: 1))
            batch.records[index].hits = first..<batch.hits.count
        }
        return batch
    }

    private static func stage() -> ModelStage {
        ModelStage(model: model, heads: Set(ModelHead.allCases), rules: rules, settings: Settings())
    }

    /// What the training side of the program makes of the same features.
    private static func logits(_ features: TextFeatures) -> SIMD8<Float> {
        var sum = SIMD8<Int32>(repeating: 0)
        for hash in features.hashes { sum &+= SIMD8<Int32>(truncatingIfNeeded: model.rows[Int(hash >> 50)]) }
        var logits = model.bias + SIMD8<Float>(sum) * model.scale * features.share
        for signal in features.signals {
            logits += model.signals[rules.signals[Int(signal)].name] ?? SIMD8(repeating: 0)
        }
        for fact in features.facts { logits += model.facts[fact.rawValue] }
        for lane in 0..<8 { logits += features.rules[lane] * model.rules[lane] }
        return logits
    }

    @Test func `what is trained on is what is weighed`() throws {
        var batch = Self.batch(Self.texts)
        Self.stage().annotate(&batch)
        let reader = FeatureReader(rules: Self.rules)
        for (index, text) in Self.texts.enumerated() {
            guard let features = reader.features(of: index, in: &batch) else {
                #expect(batch.records[index].category == nil, "\(text)")
                continue
            }
            let wanted = Self.logits(features)
            #expect(abs(batch.records[index].urgentLogit - wanted[6]) < 1e-3, "\(text)")
            let scores = CategoryMath.softmax(wanted.lowHalf)
            let answer = try #require(batch.records[index].category, "\(text)")
            // Without a word the rules answer.
            guard answer.by == .categoryModel else {
                #expect(!text.unicodeScalars.contains { $0.properties.isAlphabetic }, "\(text)")
                continue
            }
            for lane in 0..<3 { #expect(abs(answer.scores[lane] - scores[lane]) < 1e-4, "\(text)") }
        }
    }

    @Test func `answers do not depend on what came before`() {
        let stage = Self.stage()
        var together = Self.batch(Self.texts + Self.texts.reversed())
        stage.annotate(&together)
        for (index, text) in (Self.texts + Self.texts.reversed()).enumerated() {
            var alone = Self.batch([text])
            Self.stage().annotate(&alone)
            #expect(alone.records[0].urgentLogit == together.records[index].urgentLogit, "\(text)")
            #expect(alone.records[0].category?.scores == together.records[index].category?.scores, "\(text)")
        }
    }

    @Test func `reasons point into the text, and are no more than configured`() {
        var batch = Self.batch(Self.texts)
        Self.stage().annotate(&batch)
        for (index, record) in batch.records.enumerated() {
            let count = Self.texts[index].utf8.count
            for range in [record.category?.because, record.sentiment?.because, record.injection?.because] {
                guard let range else { continue }
                #expect(range.count <= 8)
                for evidence in batch.evidence[range] where evidence.start >= 0 {
                    #expect(evidence.start <= evidence.end && Int(evidence.end) <= count)
                }
            }
        }
    }

    @Test func `a question that is left to the rules keeps their answer`() {
        var batch = Self.batch(["hello"])
        let before = CategoryAnswer(
            label: .spam, scores: [0, 0, 1, 0], level: .high, by: .categoryRules, because: 0..<0)
        batch.records[0].category = before
        ModelStage(model: Self.model, heads: [.sentiment], rules: Self.rules, settings: Settings()).annotate(&batch)
        #expect(batch.records[0].category?.by == .categoryRules)
        #expect(batch.records[0].injection == nil)
        #expect(batch.records[0].sentiment?.by == .sentimentModel)
    }

    @Test func `feeling that only the model sees lifts no message into the band of strong feeling`() {
        var model = StatisticalModel(bits: 12)
        model.bias[ModelLane.negative.rawValue] = 30
        var batch = Self.batch(["hello"])
        ModelStage(model: model, heads: [.sentiment], rules: Self.rules, settings: Settings()).annotate(&batch)
        #expect(batch.records[0].sentiment?.label == .negative)
        #expect((batch.records[0].sentiment?.intensity ?? 1) < 0.6)
    }
}
