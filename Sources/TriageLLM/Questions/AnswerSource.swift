/// Where a language model's answers to one kind of question come from.
public protocol AnswerSource<Question, Answer>: Sendable {
    associatedtype Question: Sendable
    associatedtype Answer: Sendable

    /// One result for each question, in order; never throws: a cancelled task gets `.cancelled`.
    func ask(_ questions: [Question]) async -> [Result<Answer, CallFailure>]

    /// As ``ask(_:)``, but returns at the deadline, with `.deadline` for what was not answered by then.
    ///
    /// By default the deadline is not kept.
    func ask(
        _ questions: [Question], until deadline: ContinuousClock.Instant?
    ) async -> [Result<Answer, CallFailure>]
}

extension AnswerSource {
    public func ask(
        _ questions: [Question], until deadline: ContinuousClock.Instant?
    ) async -> [Result<Answer, CallFailure>] {
        await ask(questions)
    }
}
