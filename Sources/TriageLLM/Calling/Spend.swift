/// Keeps the spending of a run within its limits.
///
/// The most that a request can use is reserved before it is sent, and replaced by its actual use afterwards. No limit
/// is ever exceeded, not even by one token, as long as servers use no more than was reserved and no lost connection
/// causes a request to be sent twice.
package struct Spend: Sendable, Equatable {
    /// The most that a request can use.
    package struct Need: Sendable, Equatable {
        /// Input tokens: estimated and rounded up.
        package var input: Int
        /// The output cap.
        package var output: Int

        /// Counts are clamped to 0–16 million, more than any context window, so that sums cannot overflow.
        package init(input: Int, output: Int) {
            self.input = min(max(input, 0), 16_000_000)
            self.output = min(max(output, 0), 16_000_000)
        }

        /// Both together.
        package var tokens: Int { input.plusClamped(output) }

        fileprivate var usage: TokenUsage { TokenUsage(input: input, output: output, isEstimated: true) }
    }

    /// Whether a need fits within the limits.
    package enum Room: Sendable, Equatable {
        case now
        /// Not while the current requests are in flight, but perhaps once they are settled.
        case later
        case never
    }

    /// How a request ended, as far as spending is concerned.
    package enum Settlement: Sendable, Equatable {
        /// Nothing, or not the whole request, was sent.
        case unsent
        /// The server answered: it reports what it used, or it worked for free.
        case answered(TokenUsage)
        /// It was sent, and nobody knows what it used: the whole reservation counts as spent.
        case unknown
    }

    /// Returned by ``reserve(_:)``, and given back once.
    package struct Reservation: Sendable, Equatable {
        package fileprivate(set) var need: Need
        fileprivate var cost: Int
    }

    private let limits: SpendLimits
    private let costLimit: Int?
    private let price: ExactPrice?
    private var spent = Amount()
    private var reserved = Amount()
    /// The settled tokens, by kind.
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

    /// - Parameter price: nil or invalid (negative, not a number): costs are unknown, and with a cost limit nothing may
    ///   be sent.
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

    /// Reserves what a request may use; nil unless there is room now.
    package mutating func reserve(_ need: Need) -> Reservation? {
        guard room(for: need) == .now else { return nil }
        let wanted = amount(of: need)
        reserved = reserved + wanted
        return Reservation(need: need, cost: wanted.cost)
    }

    /// Replaces a reservation by the actual use.
    ///
    /// - Parameter resent: how often the request was sent again without our asking. Each time counts as the full
    ///   reservation, although nothing was reserved for it; this is the only way in which a limit can be exceeded.
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

    /// The number of requests that were settled as sent.
    package var requests: Int { spent.requests }

    /// In US dollars; nil: the price is unknown.
    package var cost: Double? { price == nil ? nil : Double(spent.cost) / 1e12 }

    /// Requests, tokens and dollars that are spent or reserved now.
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
    /// The usage with implausible counts corrected: none negative, and no more cached input than input.
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

/// The price of a model, in US dollars per million tokens.
package struct ModelPrice: Sendable, Equatable {
    package var input: Double
    /// The price of input that the server had cached; nil: the same as ``input``.
    package var cachedInput: Double?
    package var output: Double

    package init(input: Double, cachedInput: Double? = nil, output: Double) {
        self.input = input
        self.cachedInput = cachedInput
        self.output = output
    }
}

/// Prices in whole millionths of a millionth of a dollar, so that sums are exact and independent of their order.
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
    /// A saturating sum: servers may report any number.
    func plusClamped(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other > 0 ? .max : .min) : sum
    }

    func timesClamped(_ other: Int) -> Int {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? ((self > 0) == (other > 0) ? .max : .min) : product
    }
}

/// What a run spent on requests, for its summary.
package struct SpendReport: Sendable, Equatable {
    /// Attempts to send, whether or not the server was reached.
    package var attempts = 0
    /// Attempts that repeat an earlier one of the same call.
    package var retries = 0
    /// Requests that were sent completely, as a server counts them.
    package var requests = 0
    /// The part of ``requests`` that was sent again after a connection was lost without an answer.
    ///
    /// The server may or may not have received the first one.
    package var resent = 0
    /// The part of ``requests`` that was cancelled in flight: the server may or may not have received them.
    package var interrupted = 0
    package var usage = TokenUsage()
    /// In US dollars; nil: the price is unknown.
    package var cost: Double?
    /// Attempts by outcome: `ok`, or a failure's code.
    package var outcomes: [String: Int] = [:]
    /// Calls by final outcome: `ok`, or a failure's code.
    package var endings: [String: Int] = [:]
    /// Whether a call was given up because it would have exceeded a limit.
    package var isExhausted = false

    /// Features that the server refused and that were not requested again.
    package var refused: ServerFeatures = []
    /// What the server said about failures, by code: the first words for each.
    package var said: [String: ServerWords] = [:]

    package init() {}
}
