/// Where vectors of texts come from.
public protocol VectorSource: Sendable {
    /// One result for each text, in order: vectors of length 1; never throws: a cancelled task gets `.cancelled`.
    ///
    /// - Parameter deadline: nothing is sent from that moment on, and what was not sent is `.deadline`; what is under way is
    ///   waited for. Nil: no limit.
    func vectors(of texts: [String], sendBefore deadline: ContinuousClock.Instant?) async -> [Result<
        [Float], CallFailure
    >]
}

extension VectorSource {
    /// As ``vectors(of:sendBefore:)``, without a limit.
    public func vectors(of texts: [String]) async -> [Result<[Float], CallFailure>] {
        await vectors(of: texts, sendBefore: nil)
    }
}
