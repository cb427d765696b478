internal import TriageCore

/// Takes in what a language model read of an offer: facts only, of which the rubric makes the points.
///
/// What the rules found stays. A model adds a sum or a day only where they found none, and speaks for or against the
/// sender by the same weights as they do.
struct OfferReadings: Sendable {
    private let rubric: OpportunityRubric
    private let company = OpportunityKinds.tags(.company)
    private let role = OpportunityKinds.tags(.role)
    private let deliverable = OpportunityKinds.tags(.deliverable)
    private let contract = OpportunityKinds.tags(.contract, .brief)
    private let pressure = OpportunityKinds.tags(.pressure, .secrecy)
    private let credentials = OpportunityKinds.tags(.credentials, .fee)
    /// What says how an offer is paid.
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
        // The rules read the words of payment; a model only speaks where they found none.
        if facts.tags & payment != 0 || facts.budget != nil { tags &= ~payment | credentials }
        let added = tags & ~facts.tags
        facts.points.legitimacy = legitimacy(facts, adding: added)
        facts.tags |= added
        if added & company != 0 { facts.isCompany = true }
        if added & deliverable != 0 { (facts.namesDeliverables, facts.isDefinite) = (true, true) }
        if facts.budget == nil { facts.budget = reading.budget }
        facts.points.monetary = rubric.monetary(facts)
        if let fit = reading.fit, facts.points.brandFit != 0 {
            // A named work is the rules' to find.
            facts.points.brandFit = facts.points.brandFit == 30 && fit == 24 ? 30 : max(0, min(30, fit))
        }
        if facts.deadlineDay == nil, facts.deadlineHours == nil, let day = reading.deadlineDay {
            facts.deadlineDay = day
            facts.deadlineIsReply = reading.deadlineIsReply
            if let today { facts.deadlineHours = hours(from: today, to: Int(day)) }
            facts.points.urgency = rubric.urgency(facts, today: today)
        }
    }

    /// To the end of that day; a day that is over counts as none.
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
