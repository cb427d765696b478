/// Where verdicts on messages come from.
public protocol VerdictSource: Sendable {
    /// One result for each question, in order; never throws: a cancelled task gets `.cancelled`.
    func ask(_ questions: [MessageQuestion]) async -> [Result<MessageVerdict, CallFailure>]
}
