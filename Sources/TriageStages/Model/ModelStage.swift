package import TriageCore

/// Answers category, sentiment and injection by the statistical model, which weighs the signals of the rules along with
/// the words; what it makes of urgency is left for ``UrgencyModelStage``.
///
/// Reads the words, the hits and what feeling the rules found. A question that is left to the rules stays as it is. So do
/// category and sentiment of a text without a single word: a model of words has nothing to say of hearts and faces. And
/// where the rules find words of self-harm or of a threat, the model alone calls nothing spam, for nobody would look at it,
/// and nobody happy who is not to the rules. Outright words of another emergency, such as a stolen account, and of mourning weigh
/// as much where the model is not sure.
package struct ModelStage: LocalStage {
    package let name = "text.model"
    package let reads: Set<Field>
    package let writes: Set<Field>

    private let scorer: ModelScorer
    private let ruled: CategoryStage
    /// By signal: whether it tells of somebody in danger.
    private let isDanger: [Bool]
    /// By signal: whether it makes a message urgent whatever else is said, or mourns with the creator.
    private let isOutright: [Bool]
    private let heads: Set<ModelHead>
    private let thresholds: Thresholds
    private let injectionThreshold: Float
    private let signals: (word: UInt16, context: UInt16)
    private let evidenceLimit: Int
    private let pool: ObjectPool<Tools>

    /// What reading a batch takes.
    private final class Tools {
        let words: WordRows
        let selection: HitSelection

        init(_ model: borrowing StatisticalModel, signals: Int) {
            words = WordRows(model)
            selection = HitSelection(signals: signals)
        }
    }

    /// - Parameter heads: the questions that the model answers.
    package init(model: StatisticalModel, heads: Set<ModelHead>, rules: RuleSet, settings: Settings) {
        scorer = ModelScorer(model: model, rules: rules)
        ruled = CategoryStage(rules: rules, settings: settings)
        isDanger = rules.signals.map(\.feeds.tellsOfDanger)
        isOutright = rules.signals.map {
            $0.feeds.isUrgentByItself || $0.feeds.facts & (1 << UInt64(FactTag.condolence.rawValue)) != 0
        }
        self.heads = heads
        thresholds = settings.thresholds
        injectionThreshold = settings.thresholds.injection ?? model.injectionThreshold
        let names = SignalNames(rules: rules)
        signals = (names.builtIn("model.word"), names.builtIn("model.context"))
        evidenceLimit = settings.evidenceLimit
        let count = rules.signals.count
        pool = ObjectPool { Tools(model, signals: count) }
        var writes: Set<Field> = [.scores]
        if heads.contains(.category) { writes.insert(.category) }
        if heads.contains(.sentiment) { writes.insert(.sentiment) }
        if heads.contains(.injection) { writes.insert(.injection) }
        reads = [.fields, .folded, .hits, .feelings, .sentiment]
        self.writes = writes
    }

    package func annotate(_ batch: inout Batch) {
        var collector = EvidenceCollector(limit: evidenceLimit)
        collector.begin(after: batch.evidence.count)
        var readings = BatchAdditions<ModelReading>()
        var leftToRules: [Int] = []
        withTools(for: &batch) { view, tables, tools in
            view.forEachAsked(ahead: { tables.expect($0, in: view, tools.words) }) { record in
                guard record.pointee.folded.span.count > 0 else { return }
                let hits = tools.selection.select(from: view.hits(of: record))
                let sums = tables.read(record, in: view, tools.words, hits, &readings)
                record.pointee.urgentLogit = sums.logits[ModelLane.urgent.rawValue]
                let reasons = ModelReasons(
                    readings: readings.appended, hits: hits, sums: sums, tables: tables, signals: signals)
                let places = view.places(of: record)
                if record.pointee.urgentLogit > 0 {
                    reasons.addWords(for: ModelLane.urgent.rawValue, to: &collector)
                    record.pointee.urgentWords = collector.finish(places)
                }
                if heads.contains(.category) {
                    let answer = category(sums.logits, reasons, [], places, &collector)
                    record.pointee.category = answer
                    if isLeftToRules(record, answer, hits) { leftToRules.append(view.index(of: record)) }
                }
                let hasWords = record.pointee.folded.shape.hasLetters
                if heads.contains(.sentiment), hasWords, let ruled = record.pointee.sentiment {
                    let answer = sentiment(sums.logits, ruled, reasons, places, &collector)
                    let isLeft = answer.label == .positive && ruled.label == .negative && tellsOfDanger(hits)
                    record.pointee.sentiment = isLeft ? ruled : answer
                }
                if heads.contains(.injection) {
                    record.pointee.injection = injection(sums.logits, reasons, places, &collector)
                }
            }
        }
        collector.end(into: &batch.evidence)
        for index in leftToRules { ruled.decide(index, in: &batch, &collector, extra: []) }
    }

    @inline(__always)
    private func isLeftToRules(
        _ record: UnsafePointer<Record>, _ answer: CategoryAnswer, _ hits: UnsafeBufferPointer<SignalHit>
    ) -> Bool {
        if !record.pointee.folded.shape.hasLetters { return true }
        guard answer.label == .spam else { return false }
        return tellsOfDanger(hits) || answer.level != .high && hits.contains { isOutright[Int($0.signal)] }
    }

    @inline(__always)
    private func tellsOfDanger(_ hits: UnsafeBufferPointer<SignalHit>) -> Bool {
        hits.contains { isDanger[Int($0.signal)] }
    }

    @inline(__always)
    private func withTools(for batch: inout Batch, _ body: (AnswerView, ModelScorer.Tables, Tools) -> Void) {
        pool.withItem { tools in
            batch.withAnswerView { view in
                scorer.withTables { tables in body(view, tables, tools) }
            }
        }
    }

    private func category(
        _ logits: SIMD8<Float>, _ reasons: ModelReasons, _ extra: [SignalHit], _ places: MessagePlaces,
        _ collector: inout EvidenceCollector
    ) -> CategoryAnswer {
        let scores = CategoryMath.softmax(logits.lowHalf)
        let (best, second) = CategoryMath.topTwo(scores)
        reasons.add(for: best, against: second, extra, to: &collector)
        return CategoryAnswer(
            label: Category(rawValue: UInt8(best)), scores: scores, level: ruled.level(scores[best]), by: method,
            because: collector.finish(places))
    }

    private func sentiment(
        _ logits: SIMD8<Float>, _ ruled: SentimentAnswer, _ reasons: ModelReasons, _ places: MessagePlaces,
        _ collector: inout EvidenceCollector
    ) -> SentimentAnswer {
        let first = ModelLane.positive.rawValue
        let scores = CategoryMath.softmax(SIMD4(logits[first], logits[first + 1], logits[first + 2], 0))
        let (best, second) = CategoryMath.topTwo(scores)
        guard let label = Sentiment(rawValue: UInt8(best)) else { return ruled }
        reasons.add(for: first + best, against: first + second, to: &collector)
        let share = scores[best]
        return SentimentAnswer(
            label: label, confidence: share, level: thresholds.sentimentLevel(share),
            intensity: SentimentAnswer.intensity(of: label, share, besides: ruled.label, ruled.intensity),
            by: .sentimentModel, because: collector.finish(places))
    }

    private func injection(
        _ logits: SIMD8<Float>, _ reasons: ModelReasons, _ places: MessagePlaces, _ collector: inout EvidenceCollector
    ) -> InjectionAnswer {
        let lane = ModelLane.injection.rawValue
        let score = logistic(logits[lane])
        let isSuspected = score >= injectionThreshold
        if isSuspected { reasons.add(for: lane, against: nil, to: &collector) }
        return InjectionAnswer(isSuspected: isSuspected, score: score, because: collector.finish(places))
    }
}

extension SentimentAnswer {
    /// How strong a feeling is: what an earlier method found of it, or, where that found another, less than lifts a message.
    ///
    /// - Parameters:
    ///   - share: probability of the label.
    ///   - earlier: the other method's label, and what it found.
    static func intensity(
        of label: Sentiment, _ share: Float, besides earlier: Sentiment?, _ found: Float
    ) -> Float {
        if label == earlier { return found }
        return label == .neutral ? min(found, 0.3) : min(0.55, share * share)
    }
}

extension ModelStage: CategoryWeigher {
    var method: Decider { .categoryModel }

    func weights(of signal: UInt16) -> SIMD4<Float> { scorer.weights(of: signal).lowHalf * SIMD4(1, 1, 1, 0) }

    func level(_ confidence: Float) -> Level { ruled.level(confidence) }

    func decide(
        _ index: Int, in batch: inout Batch, _ collector: inout EvidenceCollector, extra: [SignalHit]
    ) {
        collector.begin(after: batch.evidence.count)
        var readings = BatchAdditions<ModelReading>()
        var isLeft = false
        withTools(for: &batch) { view, tables, tools in
            guard let first = view.records.baseAddress, first[index].folded.span.count > 0 else { return }
            let record = first + index
            let hits = tools.selection.select(from: view.hits(of: record))
            var sums = tables.read(record, in: view, tools.words, hits, &readings)
            for hit in extra { sums.logits += tables.signals[Int(hit.signal)] }
            let reasons = ModelReasons(
                readings: readings.appended, hits: hits, sums: sums, tables: tables, signals: signals)
            let answer = category(sums.logits, reasons, extra, view.places(of: record), &collector)
            record.pointee.category = answer
            isLeft = isLeftToRules(record, answer, hits)
        }
        collector.end(into: &batch.evidence)
        if isLeft { ruled.decide(index, in: &batch, &collector, extra: extra) }
    }
}
