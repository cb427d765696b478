internal import TriageCore

/// The points of an offer by the labelling guide's rubric, from facts alone.
struct OpportunityRubric: Sendable {
    private let verified = DetectorBits.mask(.senderVerified)
    private let wideReach = DetectorBits.mask(.senderFollowers10k)

    func points(_ facts: Facts, found: FactFindings, today: Int?) -> RubricPoints {
        var points = RubricPoints()
        points.monetary = monetary(facts)
        points.brandFit = brandFit(facts, found.creator)
        points.legitimacy = legitimacy(facts, found)
        points.urgency = urgency(facts, today: today)
        return points
    }

    /// 0 none or the creator pays; 8 product, share or representation; 16 paid without a figure; 24, 32, 40 by the sum.
    func monetary(_ facts: Facts) -> Int8 {
        if facts.has(.owedByCreator) { return 0 }
        if let budget = facts.budget, budget.usd > 0 {
            return budget.usd >= 5000 ? 40 : budget.usd >= 500 ? 32 : 24
        }
        if facts.has(.creatorPays) || facts.has(.fee) || facts.has(.legal) { return 0 }
        if facts.has(.unpaid) { return facts.has(.productGift) || facts.has(.commission) ? 8 : 0 }
        if facts.has(.commission) || facts.has(.represent) { return 8 }
        if facts.has(.paid) || facts.has(.rateAsk) || facts.has(.licence) { return 16 }
        if facts.has(.productGift) { return 8 }
        return 0
    }

    /// 30 core niche and a named work, 24 core niche, 15 adjacent, 8 generic, 0 excluded.
    func brandFit(_ facts: Facts, _ creator: CreatorWords.Findings) -> Int8 {
        if !creator.excludedPlace.isEmpty { return 0 }
        if facts.has(.legal) { return 8 }
        let base: Int8 = 24
        let namesWork = creator.work >= 0 || creator.isLooseWork
        return namesWork ? 30 : base
    }

    /// 10 and what speaks for or against the sender, within 0–20.
    func legitimacy(_ facts: Facts, _ found: FactFindings) -> Int8 {
        var points: Int8 = 10
        if facts.isCompany { points += 2 }
        if facts.hasCompanyAddress { points += 2 }
        if facts.has(.role) { points += 2 }
        if found.detectors.bits & (verified | wideReach) != 0 { points += 2 }
        if facts.namesDeliverables { points += 2 }
        if facts.has(.contract) || facts.has(.brief) { points += 2 }
        if facts.hasFreeMailAddress, !facts.hasCompanyAddress { points -= 2 }
        if facts.hasShortLink { points -= 3 }
        if facts.has(.pressure) || facts.has(.secrecy) { points -= 3 }
        if facts.has(.credentials) || facts.has(.fee) { points -= 6 }
        return max(0, min(20, points))
    }

    /// 10 within a day, 8 two days, 6 a week, 4 a month, 2 later or "soon", 0 nothing said.
    func urgency(_ facts: Facts, today: Int?) -> Int8 {
        if let hours = facts.deadlineHours {
            if hours <= 24 { return 10 }
            if hours <= 48 { return 8 }
        }
        if let day = facts.deadlineDay, let today {
            let days = Int(day) - today
            return days <= 7 ? 6 : days <= 31 ? 4 : 2
        }
        if let hours = facts.deadlineHours { return hours <= 7 * 24 ? 6 : hours <= 31 * 24 ? 4 : 2 }
        return facts.saysSoon ? 2 : 0
    }
}
