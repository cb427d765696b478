/// Tokens as a server counted them; any of them may be missing.
struct UsageCount {
    var input: Int?
    var cached: Int?
    var output: Int?
    /// Part of ``output`` that went into thinking.
    var reasoning: Int?

    /// A count of at most a billion; else it is nonsense and counts as missing.
    static func count(_ value: JSONValue?) -> Int? {
        value?.integer.flatMap { (0...1_000_000_000).contains($0) ? $0 : nil }
    }

    /// What the server counted, with estimates for what it left out or says is zero though it is not.
    func settled(for query: ChatQuery, answerBytes: Int) -> TokenUsage {
        let input = input.flatMap { $0 > 0 ? $0 : nil }
        let output = output.flatMap { $0 > 0 || answerBytes == 0 ? $0 : nil }
        let all = input ?? TokenEstimate.input(of: query)
        return TokenUsage(
            input: all, cachedInput: min(cached ?? 0, all),
            output: output ?? TokenEstimate.tokens(bytes: answerBytes), isEstimated: input == nil || output == nil)
    }

    /// What the server counted; nil when it counted nothing.
    var stated: TokenUsage? {
        guard (input ?? 0) > 0 || (output ?? 0) > 0 else { return nil }
        return TokenUsage(
            input: input ?? 0, cachedInput: min(cached ?? 0, input ?? 0), output: output ?? 0,
            isEstimated: input == nil || output == nil)
    }
}
