/// How much is asked in one request, and how much at once.
public struct AskingLimits: Sendable, Equatable {
    /// Most messages in a request, 1–64.
    ///
    /// Packing saves the tokens of the instructions, and costs accuracy as packs grow: the default is the most that is
    /// thought to be safe after Cheng et al. 2023 ("Batch Prompting", six) and Lin et al. 2024 ("BatchPrompt").
    public var packSize: Int { didSet { packSize = min(max(1, packSize), 64) } }
    /// Most tokens of messages and their context in a pack, by ``TokenEstimate``; a longer message goes alone.
    public var packTokens: Int { didSet { packTokens = max(1, packTokens) } }
    /// Tokens of output that the answer about one message may take.
    ///
    /// Rate limits count the allowance where it is more than the use, so a tight one buys speed.
    public var outputTokens: Int { didSet { outputTokens = min(max(16, outputTokens), 1 << 16) } }
    /// Tokens of output that a request may take before the first message's.
    public var outputBase: Int { didSet { outputBase = min(max(0, outputBase), 1 << 16) } }
    /// Tokens of output that every request may take, thinking included; nil: by the allowances above, and by
    /// ``thinkingTokens`` for a model that turns out to think.
    public var fixedOutput: Int? { didSet { fixedOutput = fixedOutput.map { min(max(16, $0), 1 << 20) } } }
    /// Added to the allowances for a model that thinks.
    public static let thinkingTokens = 16_000
    /// Whether the model is known to think.
    public var thinks = false
    /// How long a question may wait until its first request goes out; nil: as long as it takes.
    public var queueTimeout: Duration?
    /// Most requests on their way or waiting for their turn at the caller, 1–4,096.
    ///
    /// Bounds memory, and what is still sent after a model has shown that it is of no use. The load of the server is the
    /// caller's to bound, so the default is well above any concurrency that a server is given.
    public var inFlight: Int { didSet { inFlight = min(max(1, inFlight), 4_096) } }

    public init(
        packSize: Int = 8, packTokens: Int = 3_000, outputTokens: Int = 192, outputBase: Int = 64,
        inFlight: Int = 64
    ) {
        self.packSize = min(max(1, packSize), 64)
        self.packTokens = max(1, packTokens)
        self.outputTokens = min(max(16, outputTokens), 1 << 16)
        self.outputBase = min(max(0, outputBase), 1 << 16)
        self.inFlight = min(max(1, inFlight), 4_096)
    }

    /// Allowance of output for a request about `count` messages.
    ///
    /// - Parameter thinks: whether the model has turned out to think.
    func output(for count: Int, thinks: Bool = false) -> Int {
        if let fixedOutput { return fixedOutput }
        return outputBase + outputTokens * count + (thinks || self.thinks ? Self.thinkingTokens : 0)
    }
}
