internal import TriageCore

/// An amount found in a text, before it is turned into the offer.
struct MoneyFind: Equatable {
    /// What the amount is to the creator.
    enum Role: Equatable {
        /// Offered, in words that say so.
        case offer
        /// No word says what it is.
        case plain
        /// The creator, or anyone, would pay it.
        case price
        /// What a product or a company is worth.
        case worth
        /// Earnings of somebody, prizes, funding.
        case revenue
        /// Paid for each thousand views, whose number nobody says.
        case rate
        case owedToCreator
        case owedByCreator
        case percent
    }

    /// In the currency's main unit; the middle of a range.
    var value: Double
    var currency: Currency?
    var role = Role.plain
    /// How often it is paid; 1 when it is paid once.
    var count = 1.0
    /// Whether it was paid to somebody in time past, which is no offer of today.
    var isPast = false
    /// Whether it is what the sender will not pay: "we can't do $2,000", "your rate of $2,000 is over our budget"; looked
    /// at only where the text names another sum.
    var isRefused = false
    /// Whether it adds to the amount before it ("+ €500", "plus").
    var isAdded = false
    /// Offsets in the folded text.
    var start: Int
    var end: Int

    /// Over the whole deal.
    var total: Double { value * count }
}
