internal import TriageCore

/// Makes the facts of one message from what the finders saw: the offer, the deadline, the points of the rubric.
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

    /// 03/10 is March 10 for creators in the United States; English alone does not say so.
    private static func writesMonthFirst(_ profile: CreatorProfile) -> Bool {
        let zone = profile.timezone
        if zone.isEmpty { return profile.languages.contains("en-US") }
        return [
            "America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles", "America/Phoenix",
            "America/Detroit", "America/Anchorage", "America/Boise", "Pacific/Honolulu", "America/Puerto_Rico",
        ].contains(zone) || zone.hasPrefix("US/") || zone.hasPrefix("America/Indiana")
            || zone.hasPrefix("America/Kentucky")
    }

    /// - Parameter isDay: whether the time is a day alone, read as its midnight in UTC.
    func frame(sentAt: Int64?, isDay: Bool = false) -> DateFrame {
        // Beyond four-digit years nobody wrote the message; arithmetic stays small.
        var known = sentAt.flatMap { $0.magnitude < 253_402_300_800 ? $0 : nil }
        // The midnight of that day where the creator lives: in the west that of UTC lies in the day before.
        if isDay { known = known.map(clock.zone.utc(ofLocal:)) }
        return DateFrame(sentAt: known, clock: clock, isMonthFirst: isMonthFirst)
    }

    /// US dollars by the dated table; without a currency, or with one that is not in it, the number as it is.
    func usd(_ amount: Double, _ currency: Currency?) -> Double { exchange.usd(amount, currency) }

    /// - Parameters:
    ///   - facts: overwritten.
    ///   - found: only read; in place, for it is large.
    ///   - money: the amounts of the text.
    ///   - hits: the signals that fired in it.
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
            // The Friday after the last day of 9999 is none that could be written.
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
        // An offer of which nothing else is known mostly says what it wants, in words that no list has.
        facts.isDefinite =
            facts.namesDeliverables || facts.budget != nil || !facts.isCompany && facts.tags & role == 0
        facts.kind = kinds.kind(of: hits, facts)
        facts.points = rubric.points(facts, found: &found)
    }
}
