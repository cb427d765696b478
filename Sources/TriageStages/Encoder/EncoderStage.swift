import Platform
package import TriageCore

/// Answers sentiment and urgency from what a message means, combined with what the rules and the statistical model found.
///
/// Refines the answers of every message that the sentence encoder read (``SentenceStage``), by the weights in
/// ``SentenceHeads``. It can find danger that the rules missed, but never removes danger that they found; nobody in
/// danger becomes `positive`.
package struct EncoderStage: LocalStage {
    package let name = "text.encoder"
    package let reads: Set<Field>
    package let writes: Set<Field>

    private let heads: SentenceHeads?
    private let thresholds: Thresholds
    /// By signal: whether it names a day by which an answer is wanted.
    private let isDeadline: [Bool]
    private let reason: UInt16

    /// Log-odds above the threshold that make a message urgent that was not urgent before, and that keep one urgent.
    ///
    /// A false alarm costs more trust than a message that is read in its turn. Of 1,360 messages to fourteen creators by
    /// authors whom nothing was learned from, 9 were raised by less than 2.5, and 5 kept by less than 1.1; none of them is
    /// urgent.
    private static let (leastToRaise, leastToKeep): (Float, Float) = (2.5, 1.1)
    /// Log-odds from which somebody is in danger, and from which somebody may be, which makes the message urgent.
    ///
    /// With authors left out, 16 of 22,090 messages without danger reach the higher one and 135 the lower one; of 172 messages of
    /// danger by two authors whom nothing was learned from, 63 and 112 (`Tests/Benchmarks/model.py danger`).
    private static let (leastDanger, leastPossibleDanger): (Float, Float) = (2, 0.5)
    /// Log-odds up to which somebody who is glad, and who writes at length, is in no danger: some part of a long text mostly
    /// sounds like it.
    ///
    /// Of the fourteen creators' messages, a dozen such are there, none of them urgent; of 71 of danger to other creators none
    /// was such.
    private static let (mostIfGlad, mostIfLong): (Float, Float) = (1.5, 2)
    /// From which probability on somebody is glad, and bytes of a long text.
    private static let (surelyGlad, long): (Float, Int) = (0.75, 700)
    /// Log-odds from which somebody is in danger who writes in spam: nobody looks at spam that is only urgent.
    private static let leastDangerInSpam: Float = 1
    /// Sentences of a message that are compared for a quote.
    private static let mostSentences = 8

    /// - Parameters:
    ///   - sentiment: whether it is answered.
    ///   - urgency: whether it is answered.
    package init(sentiment: Bool, urgency: Bool, rules: RuleSet, settings: Settings) {
        self.init(.shipped, sentiment: sentiment, urgency: urgency, rules: rules, settings: settings)
    }

    init(_ heads: SentenceHeads?, sentiment: Bool, urgency: Bool, rules: RuleSet, settings: Settings) {
        self.heads = heads
        reads = Set([.fields, .hits, .sentence, .category, .sentiment, .urgency] + (urgency ? [.danger] : []))
        writes = Set((sentiment ? [.sentiment] : []) + (urgency ? [.urgency] : []))
        thresholds = settings.thresholds
        isDeadline = rules.signals.map { $0.feeds.urgencyKind == .deadline }
        reason = SignalNames(rules: rules).builtIn("encoder.sentence")
    }

    package func annotate(_ batch: inout Batch) {
        guard let heads else { return }
        for index in batch.records.indices {
            guard let found = SentenceHeads.Found(batch.records[index]) else { continue }
            guard let sentence = batch.sentence(of: batch.records[index]) else {
                // The encoder did not read spam, but looked for danger in it.
                if writes.contains(.urgency) { endanger(index, in: &batch, found) }
                continue
            }
            let (sentiment, urgency) = (heads.sentiment(found, sentence), heads.urgency(found, sentence))
            if writes.contains(.urgency) {
                hurry(index, in: &batch, urgency, found, heads)
                let gladness = CategoryMath.softmax(sentiment)[Int(Sentiment.positive.rawValue)]
                endanger(index, in: &batch, found, isGlad: gladness >= Self.surelyGlad)
            }
            // Last, because nobody in danger is called happy.
            if writes.contains(.sentiment) { feel(index, in: &batch, sentiment, found) }
        }
    }

    /// Writes the sentiment.
    ///
    /// Where the label stays, its reasons do; else the reason is the message as a whole.
    private func feel(_ index: Int, in batch: inout Batch, _ logits: SIMD4<Float>, _ found: SentenceHeads.Found) {
        let shares = CategoryMath.softmax(logits)
        let (best, second) = CategoryMath.topTwo(shares)
        guard let label = Sentiment(rawValue: UInt8(best)), var answer = batch.records[index].sentiment else { return }
        if label != found.sentiment {
            if label == .positive, batch.records[index].urgency?.isDanger == true { return }
            answer.because = batch.evidence.count..<batch.evidence.count + 1
            batch.evidence.append(Evidence(signal: reason, weight: logits[best] - logits[second]))
        }
        answer.label = label
        answer.intensity = SentimentAnswer.intensity(of: label, shares[best], besides: found.sentiment, found.intensity)
        (answer.confidence, answer.level) = (shares[best], thresholds.sentimentLevel(shares[best]))
        answer.by = .sentimentEncoder
        batch.records[index].sentiment = answer
    }

    /// Writes the urgency.
    ///
    /// What becomes urgent quotes the sentence that speaks most for it.
    private func hurry(
        _ index: Int, in batch: inout Batch, _ logit: Float, _ found: SentenceHeads.Found, _ heads: SentenceHeads
    ) {
        let record = batch.records[index]
        guard var answer = record.urgency, !answer.isDanger else { return }
        let threshold = thresholds.urgent ?? 0.5
        answer.score = logistic(logit)
        answer.by = .urgencyEncoder
        answer.isUrgent = answer.score >= threshold
        let least = found.isUrgent ? Self.leastToKeep : Self.leastToRaise
        if answer.isUrgent, logit < logf(threshold / (1 - threshold)) + least {
            // The score must not contradict the answer.
            (answer.isUrgent, answer.score) = (false, threshold.nextDown)
        }
        if !answer.isUrgent {
            (answer.kind, answer.because) = (.none, 0..<0)
        } else if !found.isUrgent {
            let hits = batch.hits[record.hits]
            answer.kind = hits.contains { isDeadline[Int($0.signal)] && !$0.isCovered } ? .deadline : .other
            let quote = quote(from: Array(batch.arena[record.fields.text.range]), heads)
            answer.because = batch.evidence.count..<batch.evidence.count + 1
            batch.evidence.append(
                Evidence(
                    signal: reason, weight: max(logit, .leastNormalMagnitude), start: Int32(quote.lowerBound),
                    end: Int32(quote.upperBound)))
        }
        batch.records[index].urgency = answer
    }

    /// Makes a message urgent in which somebody is in danger, or may be; it then quotes the part that tells of it.
    private func endanger(
        _ index: Int, in batch: inout Batch, _ found: SentenceHeads.Found, isGlad: Bool = false
    ) {
        let record = batch.records[index]
        guard let danger = record.danger, danger.odds >= Self.leastPossibleDanger, var answer = record.urgency,
            !answer.isDanger
        else { return }
        let isSpam = record.category?.label == .spam
        // Where no part tells of danger, hurry alone is none.
        let isDanger = danger.odds >= (isSpam ? Self.leastDangerInSpam : Self.leastDanger) && danger.worst >= 0
        guard isDanger || !isSpam else { return }
        let isLong = record.fields.text.count >= Self.long
        guard isDanger || !(isGlad && danger.odds < Self.mostIfGlad || isLong && danger.odds < Self.mostIfLong) else {
            return
        }
        if !answer.isUrgent || isDanger && !found.isUrgent {
            answer.because = batch.evidence.count..<batch.evidence.count + 1
            batch.evidence.append(
                Evidence(
                    signal: reason, weight: danger.odds, start: danger.place.lowerBound, end: danger.place.upperBound))
            answer.kind = .other
        }
        answer.score = max(answer.score, thresholds.urgent ?? 0.5, isDanger ? logistic(danger.odds) : 0)
        (answer.isUrgent, answer.isDanger, answer.by) = (true, isDanger, .urgencyEncoder)
        batch.records[index].urgency = answer
    }

    /// The sentence that speaks most for urgency by itself, or the whole message if it is one sentence.
    private func quote(from text: [UInt8], _ heads: SentenceHeads) -> Range<Int> {
        let spans = FAQSpans(text)
        guard let encoder = SentenceEncoder.shipped else { return spans.ranges[0] }
        let sentences = spans.sentences.prefix(Self.mostSentences)
        let vectors = encoder.vectors(of: sentences.map { Array(text[$0]) })
        let weighed = zip(sentences, vectors).map { ($0, heads.urgency(of: $1)) }
        return weighed.max { $0.1 < $1.1 }?.0 ?? spans.ranges[0]
    }
}
