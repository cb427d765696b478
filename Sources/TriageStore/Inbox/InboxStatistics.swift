/// What a store holds, counted.
package struct InboxStatistics: Sendable, Equatable {
    /// Messages of a day, a week or all.
    package struct Volume: Sendable, Equatable {
        /// Messages of somebody else's.
        package var messages = 0
        package var fan = 0
        package var business = 0
        package var spam = 0
        package var positive = 0
        package var negative = 0
        package var neutral = 0
        package var urgent = 0
        /// Offers with a score of 50 or more.
        package var offers = 0

        package init() {}
    }

    /// How an entry of the library does.
    package struct FAQUse: Sendable, Equatable {
        package var id: String
        /// Messages that it answers, for sure and possibly.
        package var high = 0
        package var possible = 0
        /// What people said of it.
        package var right = 0
        package var wrong = 0

        package init(id: String, high: Int = 0, possible: Int = 0, right: Int = 0, wrong: Int = 0) {
            self.id = id
            self.high = high
            self.possible = possible
            self.right = right
            self.wrong = wrong
        }
    }

    /// How often people agreed with what was answered, of the answers that they spoke of.
    package struct Agreement: Sendable, Equatable {
        package var asked = 0
        package var agreed = 0

        package init() {}
    }

    package var all = Volume()
    package var own = 0
    package var notMessages = 0
    /// By day since 1970; what has no time is in none.
    package var days: [(day: Int, volume: Volume)] = []
    /// Gold, blue and gray.
    package var tiers: [String: Int] = [:]
    package var injections = 0
    package var edited = 0
    package var owed = 0
    package var faq: [FAQUse] = []
    package var drafts = 0
    /// Drafts by what people did with them: accepted, edited, dismissed.
    package var draftDecisions: [String: Int] = [:]
    /// Drafts by what people think of them: good, bad.
    package var draftRatings: [String: Int] = [:]
    package var dismissedOffers = 0
    package var agreement: [InboxFeedback.Field: Agreement] = [:]
    package var spend = InboxSpend()
    package var runs = 0

    package init() {}

    package static func == (a: InboxStatistics, b: InboxStatistics) -> Bool {
        a.all == b.all && a.own == b.own && a.notMessages == b.notMessages && a.days.map(\.day) == b.days.map(\.day)
            && a.days.map(\.volume) == b.days.map(\.volume) && a.tiers == b.tiers && a.injections == b.injections
            && a.edited == b.edited && a.owed == b.owed && a.faq == b.faq && a.drafts == b.drafts
            && a.draftDecisions == b.draftDecisions && a.draftRatings == b.draftRatings
            && a.dismissedOffers == b.dismissedOffers
            && a.agreement == b.agreement && a.spend == b.spend && a.runs == b.runs
    }
}
