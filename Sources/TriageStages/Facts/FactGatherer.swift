internal import TriageCore

/// What the finders saw in one message, before it is made into facts.
struct FactFindings {
    var links = LinkFindings()
    var deadline = DeadlineResult()
    var creator = CreatorWords.Findings()
    /// `fact.*` tags of the signals that fired.
    var tags: UInt64 = 0
    var detectors = DetectorBits()
    /// Counts something that is to be made or given.
    var namesDeliverables = false
    /// The name of a sender without an address stands in the text.
    var isNamed = false
    /// Ends in a name with a job.
    var signsWithRole = false
}

/// Makes the facts of one message from what the finders saw: the offer, the deadline, the points of the rubric.
struct FactGatherer: Sendable {
    private let exchange: ExchangeRates
    private let zone: TimeZoneRules
    private let isMonthFirst: Bool
    private let companyMail = DetectorBits.mask(.emailCompany)
    private let freeMail = DetectorBits.mask(.emailFree)
    private let handleBrand = DetectorBits.mask(.senderHandleBrand)
    private let rubric = OpportunityRubric()

    init(profile: CreatorProfile, settings: Settings) {
        exchange = settings.exchange
        zone = TimeZoneRules(name: profile.timezone)
        isMonthFirst = Self.writesMonthFirst(profile)
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

    func frame(sentAt: Int64?) -> DateFrame {
        // Beyond four-digit years nobody wrote the message; arithmetic stays small.
        let known = sentAt.flatMap { abs($0) < 253_402_300_800 ? $0 : nil }
        return DateFrame(sentAt: known, zone: zone, isMonthFirst: isMonthFirst)
    }

    /// US dollars by the dated table; without a currency, or with one that is not in it, the number as it is.
    func usd(_ amount: Double, _ currency: Currency?) -> Double {
        guard let currency else { return amount }
        if let rate = exchange.perUSD[currency], rate > 0 { return amount / rate }
        return currency == Currency("XOF") ? amount / 565 : amount
    }

    /// - Parameters:
    ///   - facts: overwritten.
    ///   - money: the amounts of the text.
    func gather(
        _ facts: inout Facts, _ found: FactFindings, money: [MoneyFind], sentAt: Int64?, places: MessagePlaces
    ) {
        facts = Facts()
        facts.tags = found.tags
        facts.links = UInt16(clamping: found.links.links)
        facts.hasShortLink = found.links.kinds.contains(.short)
        facts.hasCompanyAddress = found.detectors.bits & companyMail != 0
        facts.hasFreeMailAddress = found.detectors.bits & freeMail != 0
        facts.isCompany =
            facts.has(.company) || facts.hasCompanyAddress || found.detectors.bits & handleBrand != 0
            || found.isNamed
        facts.namesDeliverables = facts.has(.deliverable) || found.namesDeliverables
        if found.signsWithRole { facts.tags |= 1 << UInt64(FactTag.role.rawValue) }
        facts.amounts = UInt16(clamping: money.count { $0.role != .percent })
        facts.work = Int16(clamping: found.creator.work)
        facts.saysSoon = found.deadline.saysSoon
        if let deadline = found.deadline.deadline {
            let place = places.decodedRange(deadline.start..<deadline.end)
            facts.deadlineDay = deadline.day.map { Int32(clamping: $0) }
            facts.deadlineStart = Int32(clamping: place.lowerBound)
            facts.deadlineEnd = Int32(clamping: place.upperBound)
            facts.deadlineHours = deadline.hours.map { Int32(clamping: $0) }
            facts.deadlineIsReply = deadline.isReply
        }
        if !money.isEmpty, let offer = OfferChooser(tags: facts, usd: usd).offer(among: money) {
            let place = places.decodedRange(offer.start..<offer.end)
            facts.budget = MoneyAmount(
                amount: offer.amount, currency: offer.currency, usd: offer.usd,
                start: Int32(clamping: place.lowerBound),
                end: Int32(clamping: place.upperBound))
        }
        facts.points = rubric.points(
            facts, found: found, today: facts.deadlineDay == nil ? nil : frame(sentAt: sentAt).today)
    }
}

/// The money of a deal, chosen from the amounts that a text names.
struct OfferChooser {
    struct Offer: Equatable {
        var amount: Double
        var currency: Currency?
        var usd: Double
        var start: Int
        var end: Int
    }

    let tags: Facts
    let usd: (Double, Currency?) -> Double

    /// The offer over the whole deal; nil when no figure is offered to the creator.
    func offer(among money: [MoneyFind]) -> Offer? {
        if tags.has(.owedByCreator) { return nil }
        // Amounts that say what they are decide over those that do not.
        let owed = money.filter { $0.role == .owedToCreator }
        let offers = owed.isEmpty ? money.filter { $0.role == .offer } : owed
        let plain = money.filter { $0.role == .plain }
        let creatorPays = tags.has(.creatorPays) || tags.has(.fee)
        let candidates =
            offers.isEmpty
            ? (creatorPays ? [] : plain)
            : creatorPays ? strict(offers) : offers + (tags.has(.job) ? plain : plain.filter(\.isAdded))
        guard !candidates.isEmpty else { return nil }
        var best: Offer?
        var current: Offer?
        for find in candidates.sorted(by: { $0.start < $1.start }) {
            let value = Offer(
                amount: find.total, currency: find.currency, usd: usd(find.total, find.currency), start: find.start,
                end: find.end)
            if find.isAdded, let sum = current, sum.currency == find.currency {
                current = Offer(
                    amount: sum.amount + value.amount, currency: sum.currency, usd: sum.usd + value.usd,
                    start: sum.start,
                    end: value.end)
            } else {
                current = value
            }
            if let sum = current, sum.usd > (best?.usd ?? 0) { best = sum }
        }
        return best
    }

    /// Where the creator is to pay something, an amount near words of pay is still no offer.
    private func strict(_ offers: [MoneyFind]) -> [MoneyFind] { tags.has(.paid) ? offers : [] }
}
