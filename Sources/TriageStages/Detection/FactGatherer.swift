internal import TriageCore

/// Combines what the finders found in one message into its facts: the offer, the deadline, the points of the rubric.
final class FactGatherer: Sendable {
    private let exchange: ExchangeRates
    private let clock: DateFrame.Clock
    private let isMonthFirst: Bool
    private let companyMail = DetectorBits.mask(.emailCompany)
    private let freeMail = DetectorBits.mask(.emailFree)
    private let handleBrand = DetectorBits.mask(.senderHandleBrand)
    private let company = OpportunityKinds.tags(.company)
    private let deliverable = OpportunityKinds.tags(.deliverable)
    private let role = OpportunityKinds.tags(.role)
    private let rubric: OpportunityRubric
    private let kinds: KindFinder

    init(rules: RuleSet = RuleSet(), profile: CreatorProfile, settings: Settings) {
        exchange = settings.exchange
        clock = DateFrame.Clock(TimeZoneRules(name: profile.timezone))
        isMonthFirst = Self.writesMonthFirst(profile)
        rubric = OpportunityRubric(rules: rules, knowsCreator: profile.saysWhatIsMade)
        kinds = KindFinder(rules: rules)
    }

    /// Whether 03/10 means March 10: so for creators in the United States; English alone does not imply it.
    private static func writesMonthFirst(_ profile: CreatorProfile) -> Bool {
        let zone = profile.timezone
        if zone.isEmpty { return profile.languages.contains("en-US") }
        return [
            "America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles", "America/Phoenix",
            "America/Detroit", "America/Anchorage", "America/Boise", "Pacific/Honolulu", "America/Puerto_Rico",
        ].contains(zone) || zone.hasPrefix("US/") || zone.hasPrefix("America/Indiana")
            || zone.hasPrefix("America/Kentucky")
    }

    /// Returns the frame in which dates of a message are read.
    ///
    /// - Parameter isDay: whether the time is only a day, given as its midnight in UTC.
    func frame(sentAt: Int64?, isDay: Bool = false) -> DateFrame {
        // Nobody wrote a message beyond the years of four digits, and the limit keeps arithmetic small.
        var known = sentAt.flatMap { $0.magnitude < 253_402_300_800 ? $0 : nil }
        // Midnight of that day where the creator lives; in the west, midnight UTC falls on the previous day.
        if isDay { known = known.map(clock.zone.utc(ofLocal:)) }
        return DateFrame(sentAt: known, clock: clock, isMonthFirst: isMonthFirst)
    }

    /// Converts to US dollars; without a currency, or with one that is not in the table, returns the number unchanged.
    func usd(_ amount: Double, _ currency: Currency?) -> Double { exchange.usd(amount, currency) }

    /// Fills in the facts of a message.
    ///
    /// - Parameters:
    ///   - facts: overwritten.
    ///   - found: only read; passed `inout` because it is large.
    ///   - money: the amounts in the text.
    ///   - hits: the signals that fired.
    func gather(
        _ facts: inout Facts, _ found: inout FactFindings, money: [MoneyFind], places: MessagePlaces,
        hits: UnsafeBufferPointer<SignalHit>
    ) {
        facts = Facts()
        facts.tags = found.tags
        facts.links = UInt16(clamping: found.links.links)
        facts.hasShortLink = found.links.kinds.contains(.short)
        facts.hasCompanyAddress = found.detectors.bits & companyMail != 0
        facts.hasFreeMailAddress = found.detectors.bits & freeMail != 0
        facts.isCompany =
            found.tags & company != 0 || facts.hasCompanyAddress || found.detectors.bits & handleBrand != 0
            || found.isNamed
        facts.namesDeliverables = found.tags & deliverable != 0 || found.namesDeliverables
        if found.signsWithRole { facts.tags |= role }
        facts.amounts = UInt16(clamping: money.count { $0.role != .percent })
        facts.work = Int16(clamping: found.creator.work)
        facts.saysSoon = found.deadline.saysSoon
        if let deadline = found.deadline.deadline {
            let place = places.decodedRange(deadline.start..<deadline.end)
            // The Friday after the last day of 9999 is not a date that can be written.
            facts.deadlineDay = deadline.day.flatMap { CivilDate.writableDays.contains($0) ? Int32($0) : nil }
            facts.deadlineStart = Int32(clamping: place.lowerBound)
            facts.deadlineEnd = Int32(clamping: place.upperBound)
            facts.deadlineHours = deadline.hours.map { Int32(clamping: $0) }
            facts.deadlineIsReply = deadline.isReply
        }
        if !money.isEmpty, let offer = OfferChooser(tags: facts.tags, exchange: exchange).offer(among: money) {
            let place = places.decodedRange(offer.start..<offer.end)
            facts.budget = MoneyAmount(
                amount: offer.amount, currency: offer.currency, usd: offer.usd,
                start: Int32(clamping: place.lowerBound),
                end: Int32(clamping: place.upperBound))
        }
        // An offer about which nothing else is known mostly says what it wants, in words that are in no list.
        facts.isDefinite =
            facts.namesDeliverables || facts.budget != nil || !facts.isCompany && facts.tags & role == 0
        facts.kind = kinds.kind(of: hits, facts)
        facts.points = rubric.points(facts, found: &found)
    }
}

/// Chooses the money of a deal among the amounts in a text.
private struct OfferChooser {
    struct Offer: Equatable {
        var amount: Double
        var currency: Currency?
        var usd: Double
        var start: Int
        var end: Int
    }

    /// The `fact.*` tags of the text.
    let tags: UInt64
    let exchange: ExchangeRates

    private static let owedByCreator = OpportunityKinds.tags(.owedByCreator)
    private static let creatorPays = OpportunityKinds.tags(.creatorPays, .fee)
    private static let paid = OpportunityKinds.tags(.paid)
    private static let job = OpportunityKinds.tags(.job)

    /// Returns the offer for the whole deal; nil when no figure is offered to the creator.
    func offer(among money: [MoneyFind]) -> Offer? {
        if tags & Self.owedByCreator != 0 { return nil }
        // Amounts are found in order, except those nested inside each other.
        let isInOrder = zip(money, money.dropFirst()).allSatisfy { $0.start <= $1.start }
        return choose(from: isInOrder ? money : money.sorted { $0.start < $1.start })
    }

    private func choose(from found: [MoneyFind]) -> Offer? {
        // Somebody who haggles names the asking price and what they would pay; if only the asking price is there, it
        // counts.
        let isHaggled = found.contains(where: \.isRefused) && found.contains { !$0.isRefused && Self.isOfDeal($0) }
        let money = isHaggled ? found.filter { !$0.isRefused } : found
        // Amounts with an explicit role take precedence over those without.
        let best = money.contains { $0.role == .owedToCreator } ? MoneyFind.Role.owedToCreator : .offer
        let isOffered = money.contains { $0.role == best }
        let creatorPays = tags & Self.creatorPays != 0
        // When the creator is to pay something, an amount near words for pay is still not an offer.
        let takesOffers = !creatorPays || tags & Self.paid != 0
        let takesAnyPlain = !creatorPays && (!isOffered || tags & Self.job != 0)
        var largest: Offer?
        var current: Offer?
        for find in money where !find.isPast {
            let isTaken =
                find.role == best
                ? takesOffers : find.role == .plain && (takesAnyPlain || !creatorPays && find.isAdded)
            guard isTaken else { continue }
            let value = Offer(
                amount: find.total, currency: find.currency, usd: exchange.usd(find.total, find.currency),
                start: find.start, end: find.end)
            if find.isAdded, let sum = current, sum.currency == find.currency {
                current = Offer(
                    amount: sum.amount + value.amount, currency: sum.currency, usd: sum.usd + value.usd,
                    start: sum.start, end: value.end)
            } else {
                current = value
            }
            if let sum = current, sum.usd > (largest?.usd ?? 0) { largest = sum }
        }
        return largest
    }

    private static func isOfDeal(_ find: MoneyFind) -> Bool { find.role == .offer || find.role == .plain }
}

/// Determines the kind of a business matter from the rules' table.
struct KindFinder: Sendable {
    private let kinds: [OfferKind]
    /// For each signal, the kinds that it indicates, as bits.
    private let bySignal: [UInt32]

    init(rules: RuleSet) {
        kinds = Array(rules.kinds.prefix(OfferKind.limit))
        var byName: [String: UInt32] = [:]
        for (index, kind) in kinds.enumerated() {
            for name in kind.signals { byName[name, default: 0] |= 1 << UInt32(index) }
        }
        bySignal = rules.signals.map { byName[$0.name] ?? 0 }
    }

    /// Returns the first kind that a signal or fact indicates; −1 when there is none.
    func kind(of hits: UnsafeBufferPointer<SignalHit>, _ facts: Facts) -> Int8 {
        var told: UInt32 = 0
        for hit in hits { told |= bySignal[Int(hit.signal)] }
        guard told != 0 || facts.tags != 0 else { return -1 }
        for (index, kind) in kinds.enumerated() {
            let isTold = told >> UInt32(index) & 1 != 0 || facts.tags & kind.facts != 0
            guard isTold, facts.tags & kind.unless == 0, !kind.isWithoutBudget || facts.budget == nil else { continue }
            return Int8(index)
        }
        return -1
    }
}

/// What the finders found in one message, before it is combined into ``Facts``.
struct FactFindings {
    var links = LinkFindings()
    var deadline = DeadlineResult()
    /// Day of the message in days since 1970, if dates were searched for and the message has one.
    var today: Int?
    var creator = CreatorWords.Findings()
    /// `fact.*` tags of the signals that fired.
    var tags: UInt64 = 0
    var detectors = DetectorBits()
    /// Whether it names a countable thing to be made or given.
    var namesDeliverables = false
    /// Whether the name of a sender without an address occurs in the text.
    var isNamed = false
    /// Whether it ends in a name with a job title.
    var signsWithRole = false
}
