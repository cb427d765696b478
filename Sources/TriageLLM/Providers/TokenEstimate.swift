/// Tokens by our own guess, for what no server has counted: before sending, and where an answer does not say.
///
/// A token is taken for 3.5 bytes of UTF-8, rounded up: English comes to about 4 bytes a token with the vocabularies
/// in use, other languages and JSON to about 3, so the guess is high for the one and fair for the others. It is a guess
/// for packing, reserving and forecasts; what was spent is what the server counted, where it counts.
public enum TokenEstimate {
    /// Tokens that the marks around a turn take: role, start and end, in the chat templates of common models.
    public static let perTurn = 8

    /// - Parameter bytes: of UTF-8; below 0 counts as 0.
    /// - Returns: 0 or more; never traps, and stays below `Int.max / 2`.
    public static func tokens(bytes: Int) -> Int {
        guard bytes > 0 else { return 0 }
        let (whole, rest) = bytes.quotientAndRemainder(dividingBy: 7)
        return whole * 2 + (rest * 2 + 6) / 7
    }

    public static func tokens(of text: String) -> Int {
        tokens(bytes: text.utf8.count)
    }

    /// Input of a query: its two turns and the schema, which servers put before the model in some form.
    public static func input(of query: ChatQuery) -> Int {
        var bytes = query.system.utf8.count + query.user.utf8.count
        if let schema = query.schema { bytes += schema.name.utf8.count + schema.size }
        return tokens(bytes: bytes) + 2 * perTurn
    }

    /// The most that a query can take, and so what is reserved for it: its input and its whole allowance for output.
    public static func most(of query: ChatQuery) -> Int {
        let (sum, overflow) = input(of: query).addingReportingOverflow(max(0, query.maxOutputTokens))
        return overflow ? Int.max : sum
    }
}
