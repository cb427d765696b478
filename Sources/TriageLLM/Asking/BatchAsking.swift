/// Puts questions into batches, one a request, and reads what comes back as the answer to a live request is read.
///
/// A pure value. Everything follows from the question, its digest and the session of the script: the process that
/// collects need not be the one that submitted.
public struct BatchAsking<Question: Sendable, Answer: Sendable & Equatable>: Sendable {
    private let script: any AskingScript<Question, Answer>
    private let limits: AskingLimits

    public init(script: any AskingScript<Question, Answer>, limits: AskingLimits = AskingLimits()) {
        self.script = script
        self.limits = limits
    }

    /// What all answers depend on apart from their questions, 64 hex digits: model, prompt, profile, library.
    public var identity: String { AnswerKey(identity: script.identity).digest(of: []) }

    /// The request about one question; its id in the batch is the digest of its answer.
    ///
    /// - Parameter digest: 64 hex digits, as ``AskingGathering`` has them.
    public func question(_ question: Question, digest: String) -> BatchQuestion {
        BatchQuestion(id: digest, query: exchange(question, digest).query)
    }

    /// The bytes to keep of an answer that is sound, or why there are none.
    public func answer(
        in outcome: Result<ChatReply, CallFailure>, to question: Question, digest: String
    ) -> Result<[UInt8], CallFailure> {
        outcome.flatMap { reply in
            let reading = exchange(question, digest).read(reply)
            let id = Self.name(digest)
            if reading.faults[id] == nil, let answer = reading.answers[id] {
                let bytes = script.bytes(of: answer)
                // What could not be read back would be asked for again and again.
                return script.answer(in: bytes, to: question) == nil
                    ? .failure(.badOutput(.wrongSchema)) : .success(bytes)
            }
            let failure = (reading.faults[id] ?? reading.whole).failure
            if reply.isTruncated, case .badOutput = failure { return .failure(.badOutput(.truncated)) }
            return .failure(failure)
        }
    }

    private func exchange(_ question: Question, _ digest: String) -> AskingExchange<Answer> {
        script.exchange(
            about: [AskedQuestion(id: Self.name(digest), question: question)], maxOutputTokens: limits.output(for: 1))
    }

    /// The id inside the request: that of a pack of one.
    private static func name(_ digest: String) -> String {
        let plan = PackPlan([.init(digest: digest, tokens: 0, travelsAlone: true)], limits: AskingLimits())
        return plan.ids[digest] ?? "m"
    }
}
