package import TriageCore

/// Scores offers for monetary value, brand fit, legitimacy and urgency, each with its reasons, and adds insights in
/// words.
///
/// It reads fields, folded text, hits, facts, thread, category, injection and the readings of a language model. It
/// writes the opportunity and merges the readings into the facts; it skips messages that are not business, so fans and
/// spam cost nothing. A follow-up inherits from its conversation what it does not say itself.
package struct OpportunityStage: LocalStage {
    package let name = "opportunity.rules"
    package let reads: Set<Field> = [.fields, .folded, .hits, .facts, .thread, .category, .injection, .secondOpinion]
    package let writes: Set<Field> = [.opportunity, .facts]

    private let maxima: OpportunityMaxima
    private let kinds: OpportunityKinds
    private let reasons: OpportunityReasons
    private let insights: InsightWriter
    private let readings: OfferReadings

    package init(rules: RuleSet, profile: CreatorProfile, settings: Settings) {
        maxima = settings.opportunity
        kinds = OpportunityKinds(rules: rules)
        reasons = OpportunityReasons(
            rules: rules, limit: settings.evidenceLimit, knowsCreator: profile.saysWhatIsMade)
        insights = InsightWriter(rules: rules, profile: profile)
        readings = OfferReadings(rules: rules)
    }

    package func annotate(_ batch: inout Batch) {
        for reading in batch.offerReadings { readings.take(reading, into: &batch) }
        var evidence = BatchAdditions<Evidence>(after: batch.evidence.count)
        var sentences = InsightSentences(after: batch.generated.count, spans: batch.generatedSpans.count)
        batch.withAnswerView { view in
            kinds.bySignal.withUnsafeBufferPointer { kinds in
                view.forEachAsked { record in
                    guard record.pointee.category?.label == .business else { return }
                    let points = PointMerge(record)
                    let hits = OpportunityHits(view.hits(of: record), kinds: kinds, places: view.places(of: record))
                    let because = reasons.write(points, record, hits, into: &evidence)
                    let words = insights.write(record, hits, view, into: &sentences)
                    var answer = answer(points.merged, because, words)
                    answer.kind = insights.writeKind(record, into: &sentences)
                    record.pointee.opportunity = answer
                }
            }
        }
        evidence.finish(into: &batch.evidence)
        sentences.finish(into: &batch)
    }

    private func answer(
        _ points: RubricPoints, _ because: OpportunityReasons.Ranges, _ insights: Range<Int>
    ) -> OpportunityAnswer {
        OpportunityAnswer(
            monetary: part(points.monetary, of: maxima.monetary, default: 40, because.monetary),
            brandFit: part(points.brandFit, of: maxima.brandFit, default: 30, because.brandFit),
            legitimacy: part(points.legitimacy, of: maxima.legitimacy, default: 20, because.legitimacy),
            urgency: part(points.urgency, of: maxima.urgency, default: 10, because.urgency), insights: insights)
    }

    /// Scales rubric points to the configured maximum, rounding half up.
    private func part(
        _ points: Int8, of maximum: Int, default standard: Int, _ because: EvidenceRange
    ) -> OpportunityAnswer.Part {
        let most = max(0, min(100, maximum))
        let scaled = (2 * Int(max(0, points)) * most + standard) / (2 * standard)
        return OpportunityAnswer.Part(points: min(most, scaled), maximum: most, because: because)
    }
}

/// The points of a message combined with those of its conversation.
struct PointMerge {
    var merged: RubricPoints
    var inheritsMoney = false
    var inheritsFit = false
    var inheritsLegitimacy = false
    var isSteered = false

    init(_ record: UnsafePointer<Record>) {
        merged = record.pointee.facts.points
        if let thread = record.pointee.thread.points {
            if record.pointee.facts.budget == nil, thread.monetary > merged.monetary {
                merged.monetary = thread.monetary
                inheritsMoney = true
            }
            // A message that names no topic has the topic of its deal; an excluded topic remains excluded.
            if merged.brandFit != 0, merged.brandFit != 30, merged.brandFit != thread.brandFit {
                merged.brandFit = thread.brandFit
                inheritsFit = true
            }
            if thread.legitimacy > merged.legitimacy {
                merged.legitimacy = thread.legitimacy
                inheritsLegitimacy = true
            }
        }
        if record.pointee.injection?.isSuspected == true {
            isSteered = true
            merged.legitimacy = max(0, merged.legitimacy - 6)
        }
    }
}

/// Merges what a language model read about an offer: only facts, from which the rubric computes the points.
///
/// What the rules found takes precedence. A model adds a sum or a day only where the rules found none, and its evidence
/// for or against the sender has the same weights as theirs.
private struct OfferReadings: Sendable {
    private let rubric: OpportunityRubric
    private let company = OpportunityKinds.tags(.company)
    private let role = OpportunityKinds.tags(.role)
    private let deliverable = OpportunityKinds.tags(.deliverable)
    private let contract = OpportunityKinds.tags(.contract, .brief)
    private let pressure = OpportunityKinds.tags(.pressure, .secrecy)
    private let credentials = OpportunityKinds.tags(.credentials, .fee)
    /// Tags that tell how an offer is paid.
    private let payment = OpportunityKinds.tags(
        .paid, .rateAsk, .licence, .unpaid, .productGift, .commission, .represent, .creatorPays, .fee, .owedByCreator,
        .moneyOwed)

    init(rules: RuleSet) { rubric = OpportunityRubric(rules: rules) }

    func take(_ reading: OfferReading, into batch: inout Batch) {
        guard batch.records.indices.contains(reading.record) else { return }
        let sentAt = batch.records[reading.record].sentAt
        take(reading, into: &batch.records[reading.record].facts, today: sentAt.map { Int(clamping: $0 / 86_400) })
    }

    private func take(_ reading: OfferReading, into facts: inout Facts, today: Int?) {
        var tags = reading.tags
        // The rules recognise words for payment; the model's tags only count where the rules found none.
        if facts.tags & payment != 0 || facts.budget != nil { tags &= ~payment | credentials }
        let added = tags & ~facts.tags
        facts.points.legitimacy = legitimacy(facts, adding: added)
        facts.tags |= added
        if added & company != 0 { facts.isCompany = true }
        if added & deliverable != 0 { (facts.namesDeliverables, facts.isDefinite) = (true, true) }
        if facts.budget == nil { facts.budget = reading.budget }
        facts.points.monetary = rubric.monetary(facts)
        if let fit = reading.fit, facts.points.brandFit != 0 {
            // Only the rules can find a named work.
            facts.points.brandFit = facts.points.brandFit == 30 && fit == 24 ? 30 : max(0, min(30, fit))
        }
        if facts.deadlineDay == nil, facts.deadlineHours == nil, let day = reading.deadlineDay {
            facts.deadlineDay = day
            facts.deadlineIsReply = reading.deadlineIsReply
            if let today { facts.deadlineHours = hours(from: today, to: Int(day)) }
            facts.points.urgency = rubric.urgency(facts, today: today)
        }
    }

    /// Returns the hours to the given day; nil for a day in the past.
    private func hours(from today: Int, to day: Int) -> Int32? {
        let days = day - today
        return days < 0 ? nil : Int32(clamping: days * 24)
    }

    private func legitimacy(_ facts: Facts, adding added: UInt64) -> Int8 {
        var points = facts.points.legitimacy
        if added & company != 0, !facts.isCompany { points += 2 }
        if added & role != 0 { points += 2 }
        if added & deliverable != 0, !facts.isDefinite { points += 2 }
        if added & contract != 0, facts.tags & contract == 0 { points += 2 }
        if added & pressure != 0, facts.tags & pressure == 0 { points -= 3 }
        if added & credentials != 0, facts.tags & credentials == 0 { points -= 6 }
        return max(0, min(20, points))
    }
}
