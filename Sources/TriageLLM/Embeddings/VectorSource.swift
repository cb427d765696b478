/// Where vectors of texts come from.
public protocol VectorSource: Sendable {
    /// One result for each text, in order: vectors of length 1; never throws: a cancelled task gets `.cancelled`.
    func vectors(of texts: [String]) async -> [Result<[Float], CallFailure>]
}
