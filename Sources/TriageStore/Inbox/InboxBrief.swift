/// What a list has to know of a message to put it in its place: a few bytes, so that all of a store fit into memory.
package struct InboxBrief: Sendable, Equatable {
    /// The number of the message in the store.
    package var number: Int64
    /// Seconds since 1970; nil: unknown.
    package var sentAt: Int64?
    /// The budget in US dollars.
    package var usd: Float?
    /// 0–100, of an offer.
    package var score: Int16?
    /// 0–100.
    package var priority: Int16?
    package var category: Category
    package var isUrgent: Bool
    /// Whether it is negative enough that a person should look at it first.
    package var isStronglyNegative: Bool

    /// What it is.
    package enum Category: UInt8, Sendable {
        case none, fan, business, spam

        /// - Parameter name: as it stands in the store.
        package init(name: String?) {
            self =
                switch name {
                case "fan": .fan
                case "business": .business
                case "spam": .spam
                default: .none
                }
        }
    }

    package init(
        number: Int64, sentAt: Int64? = nil, usd: Float? = nil, score: Int16? = nil, priority: Int16? = nil,
        category: Category = .none, isUrgent: Bool = false, isStronglyNegative: Bool = false
    ) {
        self.number = number
        self.sentAt = sentAt
        self.usd = usd
        self.score = score
        self.priority = priority
        self.category = category
        self.isUrgent = isUrgent
        self.isStronglyNegative = isStronglyNegative
    }
}

/// Every message of somebody else's in a store, in brief, and what people say of them now, at one moment.
package struct InboxOutline: Sendable, Equatable {
    /// By number.
    package var briefs: [InboxBrief] = []
    /// What people say, by the number of the message; only what still counts.
    package var said: [Int64: [InboxFeedback.Field: String]] = [:]
    /// The campaign of each message whose text several senders sent nearly alike, by the number of the message.
    package var campaigns: [Int64: UInt64] = [:]

    package init() {}
}
