/// What a run spent on asking, for its summary.
public struct SpendReport: Sendable, Equatable {
    /// Tries to send, whether or not the server was reached.
    public var attempts = 0
    /// Attempts that repeat an earlier one of the same call.
    public var retries = 0
    /// Requests that went out whole, as a server counts them.
    public var requests = 0
    /// Part of ``requests`` that went out again because a connection was lost without an answer: the server may have seen
    /// the first or not.
    public var resent = 0
    /// Part of ``requests`` that was cancelled in mid-flight: the server may have seen them or not.
    public var interrupted = 0
    public var usage = TokenUsage()
    /// In US dollars; nil: the price is not known.
    public var cost: Double?
    /// Attempts by what they came to: `ok`, or a failure's code.
    public var outcomes: [String: Int] = [:]
    /// Calls by what they came to in the end: `ok`, or a failure's code.
    public var endings: [String: Int] = [:]
    /// Whether a call was given up because a limit would have been passed.
    public var isExhausted = false

    /// What the server refused and was not asked for again.
    public var refused: ServerFeatures = []
    /// What the server said with failures, by their codes: the first words of each.
    public var said: [String: ServerWords] = [:]

    public init() {}
}
