/// Keeps what a run spends within its limits: the most that a request can take is reserved before it is sent, and what it
/// took is settled after.
///
/// As long as servers use no more than was reserved, and no connection is lost in a way that has the request sent twice, no
/// limit is ever passed, not by a token.
package struct Spend: Sendable, Equatable {
    /// The most that a request can take.
    package struct Need: Sendable, Equatable {
        /// Estimated, rounded up.
        package var input: Int
        /// Cap of the answer.
        package var output: Int

        /// Counts are taken as 0–16 million, beyond any window, so that no sum of them overflows.
        package init(input: Int, output: Int) {
            self.input = min(max(input, 0), 16_000_000)
            self.output = min(max(output, 0), 16_000_000)
        }

        /// Both together.
        package var tokens: Int { input.plusClamped(output) }

        fileprivate var usage: TokenUsage { TokenUsage(input: input, output: output, isEstimated: true) }
    }

    /// Whether a need fits under the limits.
    package enum Room: Sendable, Equatable {
        case now
        /// Not beside what is in flight, but perhaps when that is settled.
        case later
        case never
    }

    /// What became of a request.
    package enum Settlement: Sendable, Equatable {
        /// Nothing, or not the whole request, went out.
        case unsent
        /// The server answered, and says what it used, or worked for nothing.
        case answered(TokenUsage)
        /// It went out, and nobody knows what it used: spent as reserved.
        case unknown
    }

    /// Handed out by ``reserve(_:)``, and back once.
    package struct Reservation: Sendable, Equatable {
        package fileprivate(set) var need: Need
        fileprivate var cost: Int
    }

    private let limits: SpendLimits
    private let costLimit: Int?
    private let price: ExactPrice?
    private var spent = Amount()
    private var reserved = Amount()
    /// Tokens that were settled, by kind.
    package private(set) var usage = TokenUsage()

    private struct Amount: Sendable, Equatable {
        var requests = 0
        var tokens = 0
        var cost = 0

        static func + (left: Amount, right: Amount) -> Amount {
            Amount(
                requests: left.requests + right.requests, tokens: left.tokens.plusClamped(right.tokens),
                cost: left.cost.plusClamped(right.cost))
        }

        static func - (left: Amount, right: Amount) -> Amount {
            Amount(
                requests: left.requests - right.requests, tokens: left.tokens - right.tokens,
                cost: left.cost - right.cost)
        }
    }

    /// - Parameter price: nil, or of no sense (negative, not a number): money is unknown, and with a limit on it nothing
    ///   may be sent.
    package init(limits: SpendLimits = SpendLimits(), price: ModelPrice? = nil) {
        self.limits = limits
        self.price = price.flatMap(ExactPrice.init)
        costLimit = limits.cost.map { dollars in
            guard dollars > 0 else { return 0 }
            return Int(min(dollars, 9_000_000) * 1e12)
        }
    }

    package func room(for need: Need) -> Room {
        if costLimit != nil, price == nil { return .never }
        let wanted = amount(of: need)
        guard fits(spent + wanted) else { return .never }
        return fits(spent + reserved + wanted) ? .now : .later
    }

    /// Sets aside what a request may take; nil unless there is room now.
    package mutating func reserve(_ need: Need) -> Reservation? {
        guard room(for: need) == .now else { return nil }
        let wanted = amount(of: need)
        reserved = reserved + wanted
        return Reservation(need: need, cost: wanted.cost)
    }

    /// Puts what was used in place of what was reserved.
    ///
    /// - Parameter resent: how often the request went out beyond the first time without our asking; each is spent as
    ///   reserved, though nothing was reserved for it: the one way in which a limit can be passed.
    package mutating func settle(_ reservation: Reservation, as settlement: Settlement, resent: Int = 0) {
        for _ in 0..<max(resent, 0) { add(reservation.need.usage) }
        reserved =
            reserved - Amount(requests: 1, tokens: reservation.need.tokens, cost: reservation.cost)
        let used: TokenUsage
        switch settlement {
        case .unsent: return
        case .answered(let usage): used = usage.sane
        case .unknown: used = reservation.need.usage
        }
        add(used)
    }

    private mutating func add(_ used: TokenUsage) {
        usage.input = usage.input.plusClamped(used.input)
        usage.cachedInput = usage.cachedInput.plusClamped(used.cachedInput)
        usage.output = usage.output.plusClamped(used.output)
        usage.isEstimated = usage.isEstimated || (used.isEstimated && used.input.plusClamped(used.output) > 0)
        spent =
            spent
            + Amount(
                requests: 1, tokens: used.input.plusClamped(used.output), cost: price?.cost(used) ?? 0)
    }

    /// Requests that were settled as sent.
    package var requests: Int { spent.requests }

    /// In US dollars; nil: the price is not known.
    package var cost: Double? { price == nil ? nil : Double(spent.cost) / 1e12 }

    /// Requests, tokens and dollars that are spent or set aside at this moment.
    package var committed: (requests: Int, tokens: Int, cost: Double) {
        let all = spent + reserved
        return (all.requests, all.tokens, Double(all.cost) / 1e12)
    }

    private func amount(of need: Need) -> Amount {
        Amount(requests: 1, tokens: need.tokens, cost: price?.cost(need.usage) ?? 0)
    }

    private func fits(_ amount: Amount) -> Bool {
        amount.requests <= limits.requests ?? .max && amount.tokens <= limits.tokens ?? .max
            && amount.cost <= costLimit ?? .max
    }
}

extension TokenUsage {
    /// The same within reason: no negative counts, no more in the cache than there was.
    fileprivate var sane: TokenUsage {
        let input = max(input, 0)
        return TokenUsage(
            input: input, cachedInput: min(max(cachedInput, 0), input), output: max(output, 0),
            isEstimated: isEstimated)
    }
}

/// The most that a run may spend; nil: no limit.
package struct SpendLimits: Sendable, Equatable {
    /// In US dollars.
    package var cost: Double?
    package var requests: Int?
    /// Input and output together.
    package var tokens: Int?

    package init(cost: Double? = nil, requests: Int? = nil, tokens: Int? = nil) {
        self.cost = cost
        self.requests = requests
        self.tokens = tokens
    }
}

/// What a model costs, in US dollars per million tokens.
package struct ModelPrice: Sendable, Equatable {
    package var input: Double
    /// Input that the server had in its cache; nil: as ``input``.
    package var cachedInput: Double?
    package var output: Double

    package init(input: Double, cachedInput: Double? = nil, output: Double) {
        self.input = input
        self.cachedInput = cachedInput
        self.output = output
    }
}

/// Prices in whole millionths of a millionth of a dollar, so that sums are exact and in any order the same.
private struct ExactPrice: Sendable, Equatable {
    private var input: Int
    private var cachedInput: Int
    private var output: Int

    /// Nil when a price is negative, not a number, or above ten thousand dollars per million tokens.
    init?(_ price: ModelPrice) {
        func exact(_ dollars: Double) -> Int? {
            dollars >= 0 && dollars <= 10_000 ? Int((dollars * 1_000_000).rounded()) : nil
        }
        guard let input = exact(price.input), let output = exact(price.output),
            let cachedInput = exact(price.cachedInput ?? price.input)
        else { return nil }
        self.input = input
        self.cachedInput = cachedInput
        self.output = output
    }

    func cost(_ usage: TokenUsage) -> Int {
        (usage.input - usage.cachedInput).timesClamped(input)
            .plusClamped(usage.cachedInput.timesClamped(cachedInput))
            .plusClamped(usage.output.timesClamped(output))
    }
}

extension Int {
    /// A sum that stays at the end of the range in place of passing it: servers send any number.
    func plusClamped(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other > 0 ? .max : .min) : sum
    }

    func timesClamped(_ other: Int) -> Int {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? ((self > 0) == (other > 0) ? .max : .min) : product
    }
}

/// What a run spent on asking, for its summary.
package struct SpendReport: Sendable, Equatable {
    /// Tries to send, whether or not the server was reached.
    package var attempts = 0
    /// Attempts that repeat an earlier one of the same call.
    package var retries = 0
    /// Requests that went out whole, as a server counts them.
    package var requests = 0
    /// Part of ``requests`` that went out again because a connection was lost without an answer: the server may have seen
    /// the first or not.
    package var resent = 0
    /// Part of ``requests`` that was cancelled in mid-flight: the server may have seen them or not.
    package var interrupted = 0
    package var usage = TokenUsage()
    /// In US dollars; nil: the price is not known.
    package var cost: Double?
    /// Attempts by what they came to: `ok`, or a failure's code.
    package var outcomes: [String: Int] = [:]
    /// Calls by what they came to in the end: `ok`, or a failure's code.
    package var endings: [String: Int] = [:]
    /// Whether a call was given up because a limit would have been passed.
    package var isExhausted = false

    /// What the server refused and was not asked for again.
    package var refused: ServerFeatures = []
    /// What the server said with failures, by their codes: the first words of each.
    package var said: [String: ServerWords] = [:]

    package init() {}
}
