/// What a store holds, counted.
public struct InboxStatistics: Sendable, Equatable {
    /// Messages of a day, a week or all.
    public struct Volume: Sendable, Equatable {
        /// Messages of somebody else's.
        public var messages = 0
        public var fan = 0
        public var business = 0
        public var spam = 0
        public var positive = 0
        public var negative = 0
        public var neutral = 0
        public var urgent = 0
        /// Offers with a score of 50 or more.
        public var offers = 0

        public init() {}
    }

    /// How an entry of the library does.
    public struct FAQUse: Sendable, Equatable {
        public var id: String
        /// Messages that it answers, for sure and possibly.
        public var high = 0
        public var possible = 0
        /// What people said of it.
        public var right = 0
        public var wrong = 0

        public init(id: String, high: Int = 0, possible: Int = 0, right: Int = 0, wrong: Int = 0) {
            self.id = id
            self.high = high
            self.possible = possible
            self.right = right
            self.wrong = wrong
        }
    }

    /// How often people agreed with what was answered, of the answers that they spoke of.
    public struct Agreement: Sendable, Equatable {
        public var asked = 0
        public var agreed = 0

        public init() {}
    }

    public var all = Volume()
    public var own = 0
    public var notMessages = 0
    /// By day since 1970; what has no time is in none.
    public var days: [(day: Int, volume: Volume)] = []
    /// Gold, blue and gray.
    public var tiers: [String: Int] = [:]
    public var injections = 0
    public var edited = 0
    public var owed = 0
    public var faq: [FAQUse] = []
    public var drafts = 0
    /// Drafts by what people did with them: accepted, edited, dismissed.
    public var draftDecisions: [String: Int] = [:]
    /// Drafts by what people think of them: good, bad.
    public var draftRatings: [String: Int] = [:]
    public var dismissedOffers = 0
    public var agreement: [InboxFeedback.Field: Agreement] = [:]
    public var spend = InboxSpend()
    public var runs = 0

    public init() {}

    public static func == (a: InboxStatistics, b: InboxStatistics) -> Bool {
        a.all == b.all && a.own == b.own && a.notMessages == b.notMessages && a.days.map(\.day) == b.days.map(\.day)
            && a.days.map(\.volume) == b.days.map(\.volume) && a.tiers == b.tiers && a.injections == b.injections
            && a.edited == b.edited && a.owed == b.owed && a.faq == b.faq && a.drafts == b.drafts
            && a.draftDecisions == b.draftDecisions && a.draftRatings == b.draftRatings
            && a.dismissedOffers == b.dismissedOffers
            && a.agreement == b.agreement && a.spend == b.spend && a.runs == b.runs
    }
}
