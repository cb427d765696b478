public import TriageCore

/// A message that a model is asked about, with what it may know.
public struct MessageQuestion: Sendable, Equatable {
    /// As the sender wrote it, decoded; neutralised on the way out and never printed.
    public var text: String
    /// BCP 47, if known.
    public var language: String?
    /// Day of sending `YYYY-MM-DD` with its weekday, for "by Friday"; nil when unknown.
    public var day: String?
    /// Whether it gets a request of its own.
    ///
    /// No stage sets it: a message with a hint of injection is not sent at all (``SteeringHints``).
    public var travelsAlone: Bool
    /// Ids of the library's entries that may answer it, best first.
    public var candidates: [String]
    /// What the program thinks of it; stays here.
    public var offline: OfflineView?

    public init(
        text: String, language: String? = nil, day: String? = nil, travelsAlone: Bool = false,
        candidates: [String] = [], offline: OfflineView? = nil
    ) {
        self.text = text
        self.language = language
        self.day = day
        self.travelsAlone = travelsAlone
        self.candidates = candidates
        self.offline = offline
    }
}

/// What a model says about one message, checked: every field is in its vocabulary and range.
public struct MessageVerdict: Sendable, Equatable {
    public var category: Category
    public var sentiment: Sentiment
    /// 0–1.
    public var intensity: Float
    public var isUrgent: Bool
    public var urgencyKind: UrgencyAnswer.Kind
    public var steersReader: Bool
    /// Id of an entry that was offered; nil: none answers.
    public var faq: String?
    /// Facts of an offer; nil unless business.
    public var offer: OfferVerdict?

    public init(
        category: Category, sentiment: Sentiment, intensity: Float = 0, isUrgent: Bool = false,
        urgencyKind: UrgencyAnswer.Kind = .none, steersReader: Bool = false, faq: String? = nil,
        offer: OfferVerdict? = nil
    ) {
        self.category = category
        self.sentiment = sentiment
        self.intensity = intensity
        self.isUrgent = isUrgent
        self.urgencyKind = urgencyKind
        self.steersReader = steersReader
        self.faq = faq
        self.offer = offer
    }
}

/// Facts of an offer that a model read; the score is computed from them by code.
public struct OfferVerdict: Sendable, Equatable {
    /// In the currency's main unit, over the whole deal; positive and finite.
    public var amount: Double?
    public var currency: Currency?
    public var pay: Pay
    public var fit: Fit
    /// Day by which an answer is needed, else of the event or delivery: days since 1970.
    public var deadlineDay: Int32?
    public var deadlineIsReply: Bool
    public var signs: Signs

    /// How the creator would be paid.
    public enum Pay: String, Sendable, CaseIterable {
        case money, commission, product, none, unclear, creatorPays = "creator_pays"
    }
    /// How the offer's topic fits the creator's.
    public enum Fit: String, Sendable, CaseIterable { case core, related, neutral, off, excluded }

    public struct Signs: OptionSet, Sendable, Hashable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }
        public static let company = Signs(rawValue: 1)
        public static let role = Signs(rawValue: 2)
        public static let contract = Signs(rawValue: 4)
        public static let brief = Signs(rawValue: 8)
        public static let deliverables = Signs(rawValue: 16)
        public static let asksFee = Signs(rawValue: 32)
        public static let asksCredentials = Signs(rawValue: 64)
        public static let pressure = Signs(rawValue: 128)
        public static let secrecy = Signs(rawValue: 256)
    }

    public init(
        amount: Double? = nil, currency: Currency? = nil, pay: Pay = .unclear, fit: Fit = .neutral,
        deadlineDay: Int32? = nil, deadlineIsReply: Bool = false, signs: Signs = []
    ) {
        self.amount = amount
        self.currency = currency
        self.pay = pay
        self.fit = fit
        self.deadlineDay = deadlineDay
        self.deadlineIsReply = deadlineIsReply
        self.signs = signs
    }
}
