internal import TriageCore

/// Computes the points of an offer by the rubric of the labelling guide, from facts alone.
struct OpportunityRubric: Sendable {
    /// How the kind of a matter affects its points.
    private struct Kind: Sendable {
        var pay: Int8 = 0
        var takesHints = true
        var fit: Int8 = -1
    }

    /// Whether the profile names a niche or a work; otherwise the brand fit is unknown.
    private let knowsCreator: Bool
    /// Indexed by ``Facts/kind``; the last element is for matters without a kind.
    private let kinds: [Kind]

    init(rules: RuleSet = RuleSet(), knowsCreator: Bool = true) {
        self.knowsCreator = knowsCreator
        kinds = rules.kinds.map { Kind(pay: $0.pay, takesHints: $0.takesHints, fit: $0.fit ?? -1) } + [Kind()]
    }

    @inline(__always)
    private func kind(_ facts: Facts) -> Kind {
        let index = Int(facts.kind)
        return kinds[index >= 0 && index < kinds.count - 1 ? index : kinds.count - 1]
    }

    private let verified = DetectorBits.mask(.senderVerified)
    private let wideReach = DetectorBits.mask(.senderFollowers10k)

    // Groups of tags that count alike.
    private let owedByCreator = OpportunityKinds.tags(.owedByCreator)
    private let creatorPays = OpportunityKinds.tags(.creatorPays, .fee, .legal)
    private let unpaid = OpportunityKinds.tags(.unpaid)
    private let giftOrShare = OpportunityKinds.tags(.productGift, .giftHint, .commission)
    private let shareOrAgent = OpportunityKinds.tags(.commission, .represent)
    private let paid = OpportunityKinds.tags(.paid, .rateAsk, .licence)
    private let gift = OpportunityKinds.tags(.productGift)
    private let craftOrder = OpportunityKinds.tags(.craftOrder)
    private let payHint = OpportunityKinds.tags(.payHint)
    private let giftHint = OpportunityKinds.tags(.giftHint)
    private let legal = OpportunityKinds.tags(.legal)
    private let role = OpportunityKinds.tags(.role)
    private let contract = OpportunityKinds.tags(.contract, .brief)
    private let pressure = OpportunityKinds.tags(.pressure, .secrecy)
    private let credentials = OpportunityKinds.tags(.credentials, .fee)

    func points(_ facts: Facts, found: inout FactFindings) -> RubricPoints {
        var points = RubricPoints()
        points.monetary = monetary(facts)
        points.brandFit = brandFit(facts, found.creator)
        points.legitimacy = legitimacy(facts, found.detectors)
        points.urgency = urgency(facts, today: found.today)
        return points
    }

    /// 0 nothing or the creator pays; 8 product, share or representation; 16 paid without a figure; 24, 32, 40 by
    /// amount.
    func monetary(_ facts: Facts) -> Int8 {
        let tags = facts.tags
        if tags & owedByCreator != 0 { return 0 }
        if let budget = facts.budget, budget.usd > 0 {
            return budget.usd >= 5000 ? 40 : budget.usd >= 500 ? 32 : 24
        }
        if tags & creatorPays != 0 { return 0 }
        if tags & unpaid != 0 { return tags & giftOrShare != 0 ? 8 : 0 }
        // "Can I commission a set of plates?" does not offer a share of anything.
        if tags & craftOrder != 0 { return 16 }
        if tags & shareOrAgent != 0 { return 8 }
        if tags & paid != 0 { return 16 }
        // Hints count only where nothing is said outright.
        if tags & gift != 0 { return 8 }
        let kind = kind(facts)
        if kind.takesHints {
            if tags & payHint != 0 { return 16 }
            if tags & giftHint != 0 { return 8 }
        }
        return kind.pay
    }

    /// 30 a named work, 24 core niche, 15 adjacent, 8 generic or unknown, 0 excluded; the kind takes precedence.
    func brandFit(_ facts: Facts, _ creator: CreatorWords.Findings) -> Int8 {
        if creator.isExcluded { return 0 }
        if !knowsCreator { return 8 }
        if facts.tags & legal != 0 { return 8 }
        if creator.work >= 0 || creator.isLooseWork { return 30 }
        let fit = kind(facts).fit
        return fit >= 0 ? fit : 24
    }

    /// 10, plus or minus the evidence about the sender, within 0–20.
    func legitimacy(_ facts: Facts, _ detectors: DetectorBits) -> Int8 {
        var points: Int8 = 10
        if facts.isCompany { points += 2 }
        if facts.hasCompanyAddress { points += 2 }
        if facts.tags & role != 0 { points += 2 }
        if detectors.bits & (verified | wideReach) != 0 { points += 2 }
        if facts.isDefinite { points += 2 }
        if facts.tags & contract != 0 { points += 2 }
        if facts.hasFreeMailAddress, !facts.hasCompanyAddress { points -= 2 }
        if facts.hasShortLink { points -= 3 }
        if facts.tags & pressure != 0 { points -= 3 }
        if facts.tags & credentials != 0 { points -= 6 }
        return max(0, min(20, points))
    }

    /// 10 within a day, 8 two days, 6 a week, 4 a month, 2 later or "soon", 0 if nothing is said.
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

/// What signals mean as reasons for an offer: the `fact.*` tags they raise, and a few detectors in the bits above.
struct OpportunityKinds: Sendable {
    static let companyMail: UInt64 = 1 << 58
    static let freeMail: UInt64 = 1 << 59
    static let shortLink: UInt64 = 1 << 60
    static let niche: UInt64 = 1 << 61
    static let excluded: UInt64 = 1 << 62
    static let work: UInt64 = 1 << 63

    /// Indexed by signal.
    let bySignal: [UInt64]

    init(rules: RuleSet) {
        let detectors: [(DetectorName, UInt64)] = [
            (.emailCompany, Self.companyMail), (.emailFree, Self.freeMail), (.linkShort, Self.shortLink),
            (.creatorNiche, Self.niche), (.creatorExcluded, Self.excluded), (.creatorNamesWork, Self.work),
        ]
        bySignal = rules.signals.map { signal in
            var kinds = signal.feeds.facts
            for (name, kind) in detectors where signal.trigger == .detector(name.rawValue) { kinds |= kind }
            return kinds
        }
    }

    /// Returns the kind of signals that raise at least one of the tags.
    static func tags(_ tags: FactTag...) -> UInt64 { tags.reduce(0) { $0 | 1 << UInt64($1.rawValue) } }
}

/// The hits of one record, for looking up the places of reasons.
struct OpportunityHits {
    private let hits: UnsafeBufferPointer<SignalHit>
    private let kinds: UnsafeBufferPointer<UInt64>
    private let places: MessagePlaces
    /// Kinds that have a hit with a place, so that most queries need no search.
    private var held: UInt64 = 0

    init(_ hits: UnsafeBufferPointer<SignalHit>, kinds: UnsafeBufferPointer<UInt64>, places: MessagePlaces) {
        self.hits = hits
        self.kinds = kinds
        self.places = places
        for hit in hits where hit.hasPlace { held |= kind(of: hit) }
    }

    @inline(__always)
    private func kind(of hit: SignalHit) -> UInt64 { Int(hit.signal) < kinds.count ? kinds[Int(hit.signal)] : 0 }

    /// Returns the place in the decoded text of the first hit with one of the kinds.
    func place(of wanted: UInt64) -> Range<Int>? {
        guard held & wanted != 0 else { return nil }
        for hit in hits where hit.hasPlace && kind(of: hit) & wanted != 0 {
            return places.decodedRange(Int(hit.start)..<Int(hit.end))
        }
        return nil
    }

    /// Returns the decoded text at that place.
    func text(of wanted: UInt64) -> UnsafeBufferPointer<UInt8>? {
        place(of: wanted).map { UnsafeBufferPointer(rebasing: places.text[$0.clamped(to: 0..<places.text.count)]) }
    }
}
