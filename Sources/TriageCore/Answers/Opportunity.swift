/// What an offer is worth, in parts that add up exactly.
package struct OpportunityAnswer: Sendable {
    package var monetary: Part
    package var brandFit: Part
    package var legitimacy: Part
    package var urgency: Part
    /// Facts in words that can be shown to the creator: a range of ``Batch/generatedSpans``.
    package var insights: Range<Int>
    /// The id of its kind: an index into ``Batch/generatedSpans``; −1 when no kind of the rules fits.
    package var kind = -1

    /// Points of one part.
    package struct Part: Sendable {
        /// Points given, 0…``maximum``.
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

    /// Sum of the parts, 0–100.
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

/// Rubric points of an offer before the creator's maxima are applied (defaults 40, 30, 20, 10).
package struct RubricPoints: Sendable, Equatable {
    package var monetary: Int8 = 0
    package var brandFit: Int8 = 0
    package var legitimacy: Int8 = 0
    package var urgency: Int8 = 0

    package init() {}
}

/// An amount of money found in a text.
package struct MoneyAmount: Sendable, Equatable {
    /// In the currency's main unit; a range at its middle.
    package var amount: Double
    /// ISO 4217; nil when the text names none.
    package var currency: Currency?
    /// In US dollars by the dated table of the configuration.
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

/// An ISO 4217 code packed into three bytes, so that it costs no string.
package struct Currency: Sendable, Hashable {
    package let packed: UInt32

    /// - Parameter code: three ASCII letters, such as `USD`.
    package init(_ code: StaticString) {
        precondition(code.utf8CodeUnitCount == 3)
        let p = code.utf8Start
        packed = UInt32(p[0]) << 16 | UInt32(p[1]) << 8 | UInt32(p[2])
    }

    /// nil unless `code` is three ASCII letters.
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

/// What `opportunity.facts` reads out of a text; fixed in size so that a record costs no allocation.
package struct Facts: Sendable {
    /// The offer's money over the whole deal; nil when no figure is offered.
    package var budget: MoneyAmount?
    /// Day by which an answer is needed, else of the event or delivery, as days since 1970; nil when none is said.
    package var deadlineDay: Int32?
    /// Where the deadline stands in the decoded text.
    package var deadlineStart: Int32 = -1
    package var deadlineEnd: Int32 = -1
    /// Hours from `sent_at` to the deadline; nil when unknown.
    package var deadlineHours: Int32?
    /// Whether the deadline is for the reply (not the event).
    package var deadlineIsReply = false
    /// Says "soon", "asap" or a coming season without a day.
    package var saysSoon = false
    /// `fact.*` tags that fired, by ``FactTag``.
    package var tags: UInt64 = 0
    package var links: UInt16 = 0
    package var amounts: UInt16 = 0
    package var hasCompanyAddress = false
    package var hasFreeMailAddress = false
    package var hasShortLink = false
    /// A company is named: by a rule, an address at its domain, or the sender's name.
    package var isCompany = false
    /// Says concretely what is to be made or given.
    package var namesDeliverables = false
    /// Has something definite in mind, which earns points for legitimacy: says what is to be made, names a sum, or is so
    /// short that nothing but its wish is known.
    package var isDefinite = false
    /// Rubric points of this message alone.
    package var points = RubricPoints()
    /// Index of the creator's work that the text names; −1 when none.
    package var work: Int16 = -1
    /// Index into ``RuleSet/kinds``; −1 when none fits.
    package var kind: Int8 = -1

    package init() {}

    @inlinable
    package func has(_ tag: FactTag) -> Bool { tags & (1 << UInt64(tag.rawValue)) != 0 }
}

/// Facts of an offer that a language model read; what the rules found themselves stays.
package struct OfferReading: Sendable {
    /// Index of the record in its batch.
    package var record: Int
    /// ``FactTag``s that the model saw.
    package var tags: UInt64
    /// A sum that stands in the text; nil when it names none or the rules have it.
    package var budget: MoneyAmount?
    /// Days since 1970; nil when it names none.
    package var deadlineDay: Int32?
    package var deadlineIsReply: Bool
    /// Rubric points for the fit of the topic; nil: as the rules say.
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

/// Tags that rules raise with `feeds: {fact.NAME: 1}`; names are part of the rule-file schema.
package enum FactTag: UInt8, Sendable, CaseIterable {
    case deliverable, contract, brief, role, company, productGift, commission, paid, unpaid, coversCosts, creatorPays
    case represent, secrecy, pressure, credentials, fee, shippingAddress, moneyOwed, rateAsk, licence, press, charity
    case job, event, podcast, owedByCreator, legal
    /// Words that speak of pay or of a gift in an offer, and of anything elsewhere.
    case payHint, giftHint
    /// Wants the creator to make something to order, which is paid work.
    case craftOrder
    /// What a member of the audience writes of, so that a draft strikes no wrong note: trouble with something bought,
    /// condolences, a hard time of their own.
    case orderTrouble, condolence, hardship
    /// Insults somebody; laughs, or is said in fun.
    case insult, laughter
    /// What spam has: a link that hides where it goes, something for sale, a call to write elsewhere.
    case lure

    /// The name behind `fact.`, such as `product-gift`.
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

/// What the conversation adds to a message; filled in order, from a bounded table.
package struct ThreadContext: Sendable {
    /// Whether an earlier message of the conversation is known.
    package var isFollowUp = false
    /// Earlier messages of other people that were called fan, business, spam (saturating).
    package var fan: UInt8 = 0
    package var business: UInt8 = 0
    package var spam: UInt8 = 0
    /// The best points of the conversation's earlier offers; nil when there was none.
    package var points: RubricPoints?
    /// The budget named earlier.
    package var budget: MoneyAmount?

    package init() {}
}
