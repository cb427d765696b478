internal import TriageCore

/// The money of a deal, chosen from the amounts that a text names.
struct OfferChooser {
    struct Offer: Equatable {
        var amount: Double
        var currency: Currency?
        var usd: Double
        var start: Int
        var end: Int
    }

    /// The text's `fact.*` tags.
    let tags: UInt64
    let exchange: ExchangeRates

    private static let owedByCreator = OpportunityKinds.tags(.owedByCreator)
    private static let creatorPays = OpportunityKinds.tags(.creatorPays, .fee)
    private static let paid = OpportunityKinds.tags(.paid)
    private static let job = OpportunityKinds.tags(.job)

    /// The offer over the whole deal; nil when no figure is offered to the creator.
    func offer(among money: [MoneyFind]) -> Offer? {
        if tags & Self.owedByCreator != 0 { return nil }
        // Amounts are found in their order; only ones inside each other are not.
        let isInOrder = zip(money, money.dropFirst()).allSatisfy { $0.start <= $1.start }
        return choose(from: isInOrder ? money : money.sorted { $0.start < $1.start })
    }

    private func choose(from found: [MoneyFind]) -> Offer? {
        // Who haggles names what was asked, and what they would pay: where only the first stands it is all there is.
        let isHaggled = found.contains(where: \.isRefused) && found.contains { !$0.isRefused && Self.isOfDeal($0) }
        let money = isHaggled ? found.filter { !$0.isRefused } : found
        // Amounts that say what they are decide over those that do not.
        let best = money.contains { $0.role == .owedToCreator } ? MoneyFind.Role.owedToCreator : .offer
        let isOffered = money.contains { $0.role == best }
        let creatorPays = tags & Self.creatorPays != 0
        // Where the creator is to pay something, an amount near words of pay is still no offer.
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
