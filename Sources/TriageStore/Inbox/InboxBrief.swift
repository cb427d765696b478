/// What a list has to know of a message to put it in its place: a few bytes, so that all of a store fit into memory.
public struct InboxBrief: Sendable, Equatable {
    /// The number of the message in the store.
    public var number: Int64
    /// Seconds since 1970; nil: unknown.
    public var sentAt: Int64?
    /// The budget in US dollars.
    public var usd: Float?
    /// 0–100, of an offer.
    public var score: Int16?
    /// 0–100.
    public var priority: Int16?
    public var category: Category
    public var isUrgent: Bool
    /// Whether it is negative enough that a person should look at it first.
    public var isStronglyNegative: Bool

    /// What it is.
    public enum Category: UInt8, Sendable {
        case none, fan, business, spam

        /// - Parameter name: as it stands in the store.
        public init(name: String?) {
            self =
                switch name {
                case "fan": .fan
                case "business": .business
                case "spam": .spam
                default: .none
                }
        }
    }

    public init(
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
public struct InboxOutline: Sendable, Equatable {
    /// By number.
    public var briefs: [InboxBrief] = []
    /// What people say, by the number of the message; only what still counts.
    public var said: [Int64: [InboxFeedback.Field: String]] = [:]
    /// The campaign of each message whose text several senders sent nearly alike, by the number of the message.
    public var campaigns: [Int64: UInt64] = [:]

    public init() {}
}
