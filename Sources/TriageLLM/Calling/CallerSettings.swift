/// How a run asks: everything that ``ReliableCaller`` can be told.
public struct CallerSettings: Sendable, Equatable {
    public var retry = RetryPolicy()
    public var retryBudget = RetryBudget()
    public var breaker = CircuitBreaker.Policy()
    /// For one request, from the moment at which it goes out: what waits in our queue is charged nothing.
    public var requestTimeout: Duration = .seconds(120)
    /// How long a call may wait for its turn, all turns of its retries together; nil: as long as it takes.
    public var queueTimeout: Duration?
    /// Longest pause that a server may ask for.
    public var longestPause: Duration = .seconds(120)
    /// For one request, at least, until a first call has succeeded: a server may have to load its model.
    public var firstCallTimeout: Duration = .seconds(180)
    /// How long a call waits for a server that worked and then failed; later openings of the breaker are not waited for.
    public var patience: Duration = .seconds(15)
    /// Bound of the adaptive limit, 1–1,024.
    public var maxConcurrency = 8
    /// Where the adaptive limit starts; nil: 4, or 1 for a server on this machine.
    public var startConcurrency: Int?
    /// Whether the server is on this machine.
    public var isLocal = false
    /// Nil: what the server tells.
    public var requestsPerMinute: Int?
    /// Input and output; nil: what the server tells.
    public var tokensPerMinute: Int?
    public var limits = SpendLimits()
    /// Nil: not known, and so is what the run costs.
    public var price: ModelPrice?
    /// Replies of no use in a row after which the asking ends.
    public var badOutputsInARow = 20

    public init() {}
}
