/// What asking about messages would take, before anything is sent: by ``TokenEstimate``, nothing in the cache.
public struct AskingEstimate: Sendable, Equatable {
    /// If every answer is of use at once.
    public var requests: Int
    /// If none is: packs divided down to single messages, each with its second chance.
    public var mostRequests: Int
    /// Of ``requests``: instructions once a request, and every message.
    public var inputTokens: Int
    /// Of ``requests``, as answers usually come out.
    public var outputTokens: Int
    /// Of ``requests``, with every allowance used up: what is reserved.
    public var mostOutputTokens: Int

    /// A message to be asked about.
    public struct Message: Sendable, Equatable {
        /// With its context, by ``TokenEstimate``.
        public var tokens: Int
        public var travelsAlone: Bool

        public init(tokens: Int, travelsAlone: Bool = false) {
            self.tokens = tokens
            self.travelsAlone = travelsAlone
        }
    }

    /// - Parameters:
    ///   - messages: distinct ones; packed in this order, so that the count of requests may differ a little from a run's.
    ///   - instructions: tokens of a request without its messages.
    ///   - answer: tokens that an answer about one message usually takes.
    public init(_ messages: [Message], instructions: Int, answer: Int, limits: AskingLimits = AskingLimits()) {
        let items = messages.map {
            PackPlan.Item(digest: "", tokens: $0.tokens, travelsAlone: $0.travelsAlone)
        }
        let packs = PackPlan.packs(of: items, order: Array(items.indices), limits: limits)
        requests = packs.count
        mostRequests = packs.reduce(0) { $0 + Self.mostRequests(of: $1.count) }
        inputTokens = Self.sum(Self.product(packs.count, instructions), messages.reduce(0) { Self.sum($0, $1.tokens) })
        outputTokens = Self.product(messages.count, answer)
        mostOutputTokens = packs.reduce(0) { Self.sum($0, limits.output(for: $1.count)) }
    }

    /// What two kinds of questions take together.
    public static func + (a: AskingEstimate, b: AskingEstimate) -> AskingEstimate {
        var both = a
        both.requests = sum(a.requests, b.requests)
        both.mostRequests = sum(a.mostRequests, b.mostRequests)
        both.inputTokens = sum(a.inputTokens, b.inputTokens)
        both.outputTokens = sum(a.outputTokens, b.outputTokens)
        both.mostOutputTokens = sum(a.mostOutputTokens, b.mostOutputTokens)
        return both
    }

    /// Requests that a pack takes if nothing ever is of use.
    static func mostRequests(of count: Int, isPart: Bool = false) -> Int {
        if count <= 1 { return 2 * max(0, count) }
        if isPart, count <= 4 { return 1 + 2 * count }
        return 1 + mostRequests(of: count / 2, isPart: true) + mostRequests(of: count - count / 2, isPart: true)
    }

    private static func sum(_ a: Int, _ b: Int) -> Int {
        let (sum, overflow) = a.addingReportingOverflow(max(0, b))
        return overflow ? Int.max : sum
    }

    private static func product(_ a: Int, _ b: Int) -> Int {
        let (product, overflow) = a.multipliedReportingOverflow(by: max(0, b))
        return overflow ? Int.max : product
    }
}
