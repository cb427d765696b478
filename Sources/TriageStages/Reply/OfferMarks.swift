internal import TriageCore

/// What the words of a business message say that decides on its draft, as signals of the rules find it.
struct OfferMarks: OptionSet, Sendable {
    let rawValue: UInt16

    /// Plainly a deal: sponsorship, a campaign, paid content.
    static let deal = OfferMarks(rawValue: 1)
    /// Sells the creator something: a service, goods, a stall.
    static let sells = OfferMarks(rawValue: 2)
    /// A matter that only looks like an offer: a permission, a quote for the press, wholesale, a loan, a joint video.
    static let otherMatter = OfferMarks(rawValue: 4)
    /// Names a day on which something closes, goes to print or comes out.
    static let closingDay = OfferMarks(rawValue: 8)
    /// Speaks of something that takes place on a day: a recording, a panel, a judging.
    static let takesPlace = OfferMarks(rawValue: 16)
    /// Its sum is one of a part, a piece or a share.
    static let partSum = OfferMarks(rawValue: 32)
    /// Asks what the creator takes.
    static let asksPrice = OfferMarks(rawValue: 64)

    /// Wants a post for a gift.
    static let postForGift = OfferMarks(rawValue: 128)

    /// Says that the creator uses what belongs to the sender.
    static let rightsClaim = OfferMarks(rawValue: 256)
    /// A bill for what nobody ordered: a domain that runs out, an entry in a directory.
    static let falseBill = OfferMarks(rawValue: 512)

    /// The signals that say so; rules without one of them never do.
    private static let bySignal: [String: OfferMarks] = [
        "offer.deal": .deal, "fact.paid-words": .deal,
        "offer.sells-plainly": .sells, "offer.sells-trade": .sells,
        "offer.other-matter": .otherMatter,
        "draft.rights-claim": .rightsClaim, "draft.false-bill": .falseBill,
        "part.post-for-it": .postForGift, "business.gift-for-post": .postForGift,
        "offer.closing-day": .closingDay,
        "offer.takes-place": .takesPlace,
        "offer.part-sum": .partSum,
        "offer.asks-price": .asksPrice, "offer.rate-words": .asksPrice, "fact.rate-words": .asksPrice,
        "business.rates-question": .asksPrice, "business.rate-asked": .asksPrice, "business.asks-quote": .asksPrice,
    ]

    /// By signal of some rules.
    static func of(_ rules: RuleSet) -> [OfferMarks] { rules.signals.map { bySignal[$0.name] ?? [] } }
}

extension OfferMarks {
    /// - Parameter marks: ``of(_:)`` of the rules that found the hits.
    init(_ hits: UnsafeBufferPointer<SignalHit>, _ marks: [OfferMarks]) {
        self = hits.reduce(into: []) { $0.formUnion(marks[Int($1.signal)]) }
    }
}
