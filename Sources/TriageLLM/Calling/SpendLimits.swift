/// The most that a run may spend; nil: no limit.
public struct SpendLimits: Sendable, Equatable {
    /// In US dollars.
    public var cost: Double?
    public var requests: Int?
    /// Input and output together.
    public var tokens: Int?

    public init(cost: Double? = nil, requests: Int? = nil, tokens: Int? = nil) {
        self.cost = cost
        self.requests = requests
        self.tokens = tokens
    }
}

/// What a model costs, in US dollars per million tokens.
public struct ModelPrice: Sendable, Equatable {
    public var input: Double
    /// Input that the server had in its cache; nil: as ``input``.
    public var cachedInput: Double?
    public var output: Double

    public init(input: Double, cachedInput: Double? = nil, output: Double) {
        self.input = input
        self.cachedInput = cachedInput
        self.output = output
    }
}

/// Prices in whole millionths of a millionth of a dollar, so that sums are exact and in any order the same.
struct ExactPrice: Sendable, Equatable {
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
