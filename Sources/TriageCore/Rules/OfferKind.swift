/// A kind of business matter, as the table `kinds` of a rule file describes it: what tells it, how it is scored, and
/// what an answer to it asks for.
package struct OfferKind: Sendable, Equatable {
    /// Short and stable, such as `hire`; stands in the output.
    package var id: String
    /// One line for people.
    package var why: String
    /// Names of signals of which any tells it.
    package var signals: [String]
    /// `fact.*` tags of which any tells it, as bits of ``FactTag``.
    package var facts: UInt64
    /// `fact.*` tags of which none may be there.
    package var unless: UInt64
    /// Whether it is of this kind only where no sum is offered.
    package var isWithoutBudget: Bool
    /// Whether somebody offers something; a bill, a dispute and a claim do not.
    package var isOffer: Bool
    /// Rubric points for money where the text names neither a sum nor how it is paid.
    package var pay: Int8
    /// Whether words that only hint at pay, or at a gift, count in it.
    package var takesHints: Bool
    /// Rubric points for the fit, where the kind decides it; nil: the topic does.
    package var fit: Int8?
    /// The words for a draft, such as `business.rates`.
    package var reply: String
    /// What has to be known before it can be agreed, such as `quantity`; ``fee`` and ``date`` are left out where the
    /// text says them.
    package var asks: [String]

    package static let fee = "fee"
    package static let date = "date"
    /// Kinds of a rule set; a set of them is held in 32 bits.
    package static let limit = 32

    package init(
        id: String, why: String = "", signals: [String] = [], facts: UInt64 = 0, unless: UInt64 = 0,
        isWithoutBudget: Bool = false, isOffer: Bool = true, pay: Int8 = 0, takesHints: Bool = true, fit: Int8? = nil,
        reply: String = "business.offer", asks: [String] = []
    ) {
        self.id = id
        self.why = why
        self.signals = signals
        self.facts = facts
        self.unless = unless
        self.isWithoutBudget = isWithoutBudget
        self.isOffer = isOffer
        self.pay = pay
        self.takesHints = takesHints
        self.fit = fit
        self.reply = reply
        self.asks = asks
    }
}
