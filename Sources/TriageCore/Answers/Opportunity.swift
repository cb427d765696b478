/// The score of an offer, in parts that add up exactly.
package struct OpportunityAnswer: Sendable {
    package var monetary: Part
    package var brandFit: Part
    package var legitimacy: Part
    package var urgency: Part
    /// Sentences about the offer that can be shown to the creator: a range of ``Batch/generatedSpans``.
    package var insights: Range<Int>
    /// The id of the offer's kind: an index into ``Batch/generatedSpans``; −1 when no kind of the rule set fits.
    package var kind = -1

    /// Points of one part.
    package struct Part: Sendable {
        /// Points awarded, 0…``maximum``.
        package var points: Int
        /// The configured maximum.
        package var maximum: Int
        package var because: EvidenceRange

        package init(points: Int, maximum: Int, because: EvidenceRange) {
            self.points = points
            self.maximum = maximum
            self.because = because
        }
    }

    package init(monetary: Part, brandFit: Part, legitimacy: Part, urgency: Part, insights: Range<Int>) {
        self.monetary = monetary
        self.brandFit = brandFit
        self.legitimacy = legitimacy
        self.urgency = urgency
        self.insights = insights
    }

    /// Sum of the four parts, 0–100.
    package var score: Int { monetary.points + brandFit.points + legitimacy.points + urgency.points }

    /// `gold` 90–100, `blue` 70–89, `gray` 50–69, nil below.
    package var tier: String? {
        switch score {
        case 90...: "gold"
        case 70..<90: "blue"
        case 50..<70: "gray"
        default: nil
        }
    }
}

/// Rubric points of an offer, before they are scaled to the creator's maxima (defaults 40, 30, 20, 10).
package struct RubricPoints: Sendable, Equatable {
    package var monetary: Int8 = 0
    package var brandFit: Int8 = 0
    package var legitimacy: Int8 = 0
    package var urgency: Int8 = 0

    package init() {}
}

/// An amount of money found in a text.
package struct MoneyAmount: Sendable, Equatable {
    /// In the currency's main unit; the midpoint if the text gives a range.
    package var amount: Double
    /// ISO 4217 code; nil when the text names no currency.
    package var currency: Currency?
    /// In US dollars, converted with the dated table of the configuration.
    package var usd: Double
    /// UTF-8 byte offsets into the decoded text.
    package var start: Int32
    package var end: Int32

    package init(amount: Double, currency: Currency?, usd: Double, start: Int32, end: Int32) {
        self.amount = amount
        self.currency = currency
        self.usd = usd
        self.start = start
        self.end = end
    }
}

/// An ISO 4217 code packed into three bytes, which avoids allocating a string.
package struct Currency: Sendable, Hashable {
    package let packed: UInt32

    /// Packs a code.
    ///
    /// - Parameter code: three ASCII letters, such as `USD`.
    package init(_ code: StaticString) {
        precondition(code.utf8CodeUnitCount == 3)
        let p = code.utf8Start
        packed = UInt32(p[0]) << 16 | UInt32(p[1]) << 8 | UInt32(p[2])
    }

    /// Parses a code; nil unless `code` is three ASCII letters.
    package init?(parsing code: String) {
        let bytes = Array(code.uppercased().utf8)
        guard bytes.count == 3, bytes.allSatisfy({ (0x41...0x5A).contains($0) }) else { return nil }
        packed = UInt32(bytes[0]) << 16 | UInt32(bytes[1]) << 8 | UInt32(bytes[2])
    }

    package var code: String {
        String(
            decoding: [UInt8(packed >> 16 & 0xFF), UInt8(packed >> 8 & 0xFF), UInt8(packed & 0xFF)], as: UTF8.self)
    }
}

/// What `opportunity.facts` reads from a text.
///
/// The size is fixed, so a record needs no allocation.
package struct Facts: Sendable {
    /// The money offered for the whole deal; nil when no figure is offered.
    package var budget: MoneyAmount?
    /// The day by which an answer is needed, or else the day of the event or delivery, in days since 1970; nil when
    /// none is given.
    package var deadlineDay: Int32?
    /// Byte offsets of the deadline in the decoded text.
    package var deadlineStart: Int32 = -1
    package var deadlineEnd: Int32 = -1
    /// Hours from `sent_at` to the deadline; nil when unknown.
    package var deadlineHours: Int32?
    /// Whether the deadline is for the reply rather than for the event.
    package var deadlineIsReply = false
    /// Whether the text says "soon", "asap" or names a coming season, but no day.
    package var saysSoon = false
    /// The `fact.*` tags that fired, as bits of ``FactTag``.
    package var tags: UInt64 = 0
    package var links: UInt16 = 0
    package var amounts: UInt16 = 0
    package var hasCompanyAddress = false
    package var hasFreeMailAddress = false
    package var hasShortLink = false
    /// Whether a company is named, by a rule, by an address at its own domain, or by the sender's name.
    package var isCompany = false
    /// Whether the text says concretely what is to be made or given.
    package var namesDeliverables = false
    /// Whether the offer is definite, which earns points for legitimacy: it says what is to be made, names a sum, or is
    /// so short that it says nothing but what it wants.
    package var isDefinite = false
    /// Rubric points of this message alone.
    package var points = RubricPoints()
    /// Index of the creator's work that the text names; −1 when it names none.
    package var work: Int16 = -1
    /// Index into ``RuleSet/kinds``; −1 when no kind fits.
    package var kind: Int8 = -1

    package init() {}

    @inlinable
    package func has(_ tag: FactTag) -> Bool { tags & (1 << UInt64(tag.rawValue)) != 0 }
}

/// Facts about an offer that a language model read.
///
/// A sum or a day is used only where the rules found none.
package struct OfferReading: Sendable {
    /// Index of the record in its batch.
    package var record: Int
    /// The ``FactTag``s that the model found, as bits.
    package var tags: UInt64
    /// A sum that stands in the text; nil when the text names none or the rules already found it.
    package var budget: MoneyAmount?
    /// Days since 1970; nil when the text names no deadline.
    package var deadlineDay: Int32?
    package var deadlineIsReply: Bool
    /// Rubric points for topic fit; nil: keep those of the rules.
    package var fit: Int8?

    package init(
        record: Int, tags: UInt64 = 0, budget: MoneyAmount? = nil, deadlineDay: Int32? = nil,
        deadlineIsReply: Bool = false, fit: Int8? = nil
    ) {
        self.record = record
        self.tags = tags
        self.budget = budget
        self.deadlineDay = deadlineDay
        self.deadlineIsReply = deadlineIsReply
        self.fit = fit
    }
}

/// Tags that rules set with `feeds: {fact.NAME: 1}`.
///
/// Their names are part of the rule-file schema.
package enum FactTag: UInt8, Sendable, CaseIterable {
    case deliverable, contract, brief, role, company, productGift, commission, paid, unpaid, coversCosts, creatorPays
    case represent, secrecy, pressure, credentials, fee, shippingAddress, moneyOwed, rateAsk, licence, press, charity
    case job, event, podcast, owedByCreator, legal
    /// Words that mean pay or a gift inside an offer, but may mean anything elsewhere.
    case payHint, giftHint
    /// Wants the creator to make something to order, which is paid work.
    case craftOrder
    /// What a member of the audience writes about: trouble with something they bought, condolences, or a hard time of
    /// their own. Drafts use these tags to avoid the wrong tone.
    case orderTrouble, condolence, hardship
    /// Insults somebody; laughs, or is said in fun.
    case insult, laughter
    /// Typical of spam: a link that hides its target, something for sale, or a call to write elsewhere.
    case lure

    /// The name that follows `fact.`, such as `product-gift`.
    package var name: String {
        switch self {
        case .productGift: "product-gift"
        case .coversCosts: "covers-costs"
        case .creatorPays: "creator-pays"
        case .shippingAddress: "shipping-address"
        case .moneyOwed: "money-owed"
        case .rateAsk: "rate-ask"
        case .owedByCreator: "owed-by-creator"
        case .payHint: "pay-hint"
        case .giftHint: "gift-hint"
        case .craftOrder: "craft-order"
        case .orderTrouble: "order-trouble"
        default: "\(self)"
        }
    }
}

/// What earlier messages of the conversation add to a message; filled in input order from a table of bounded size.
package struct ThreadContext: Sendable {
    /// Whether an earlier message of the conversation is known.
    package var isFollowUp = false
    /// How many earlier messages of other people were classified as fan, business and spam (saturating).
    package var fan: UInt8 = 0
    package var business: UInt8 = 0
    package var spam: UInt8 = 0
    /// The best points among the conversation's earlier offers; nil when there was none.
    package var points: RubricPoints?
    /// The budget named earlier in the conversation.
    package var budget: MoneyAmount?

    package init() {}
}
