/// Where verdicts on messages come from.
public protocol VerdictSource: Sendable {
    /// One result for each question, in order; never throws: a cancelled task gets `.cancelled`.
    func ask(_ questions: [MessageQuestion]) async -> [Result<MessageVerdict, CallFailure>]

    /// As ``ask(_:)``, but returns at the deadline, with `.deadline` for what was not answered by then.
    ///
    /// By default the deadline is not kept.
    func ask(
        _ questions: [MessageQuestion], until deadline: ContinuousClock.Instant?
    ) async -> [Result<MessageVerdict, CallFailure>]
}

extension VerdictSource {
    public func ask(
        _ questions: [MessageQuestion], until deadline: ContinuousClock.Instant?
    ) async -> [Result<MessageVerdict, CallFailure>] {
        await ask(questions)
    }
}
