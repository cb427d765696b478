/// Tokens guessed from bytes, where nobody counted.
public enum TokenEstimate {
    /// One token for 3.5 bytes, rounded up: on the high side for languages in Latin script, whose tokens are about 4.
    public static func tokens(bytes: Int) -> Int {
        let bytes = max(0, min(bytes, 1 << 40))
        return (bytes * 2 + 6) / 7
    }

    /// Tokens of everything that a query sends, its schema included.
    public static func input(of query: ChatQuery) -> Int {
        let schema = query.schema.map { $0.root.encoded.count } ?? 0
        return tokens(bytes: query.system.utf8.count + query.user.utf8.count + schema)
    }
}
