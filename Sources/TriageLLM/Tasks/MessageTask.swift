/// Asks a model about messages with a prompt, and turns its answers into verdicts.
package struct MessageTask: LLMTask {
    package let identity: [[UInt8]]
    /// The tokens of a request without its messages, by ``TokenEstimate``.
    package let instructionTokens: Int
    private let session: PromptSession
    private let format: AnswerFormat
    private let model: String

    /// The shortest text, in bytes, that is worth cutting when a model's window is too small.
    private static let leastCut = 64

    /// - Parameters:
    ///   - session: the session of a prompt that asks for a complete verdict, such as `triage/v1`.
    ///   - endpoint: the server to ask; neither its address nor its key becomes part of stored data.
    /// - Returns: nil for the session of a prompt that does not ask about messages.
    package init?(session: PromptSession, endpoint: Endpoint) {
        guard let format = session.format else { return nil }
        self.session = session
        self.format = format
        model = endpoint.model
        identity = [Array("message".utf8)] + endpoint.identity + [session.identity, session.schema.root.encoded]
        instructionTokens = TokenEstimate.input(
            of: ChatQuery(
                model: model, system: session.system, user: "", schema: session.schema, maxOutputTokens: 0))
    }

    package func essence(of question: MessageQuestion) -> LLMEssence {
        let message = session.prepared(question)
        // Includes the boundary, the id and the line breaks around it.
        let bytes = message.parts.reduce(40) { $0 + $1.count }
        return LLMEssence(
            parts: message.parts, tokens: TokenEstimate.tokens(bytes: bytes), travelsAlone: false)
    }

    package func exchange(
        about questions: [AskedQuestion<MessageQuestion>], maxOutputTokens: Int
    ) -> LLMExchange<MessageVerdict> {
        let messages = prepared(questions)
        return exchange(session.system, session.user(messages), messages, maxOutputTokens)
    }

    package func repair(
        of answer: [UInt8], errors: [String], about question: AskedQuestion<MessageQuestion>, maxOutputTokens: Int
    ) -> LLMExchange<MessageVerdict>? {
        guard let system = session.repairSystem else { return nil }
        let messages = prepared([question])
        let user = session.user(repairing: answer, faults: errors, about: messages)
        return exchange(system, user, messages, maxOutputTokens)
    }

    package func clipped(_ question: MessageQuestion) -> MessageQuestion? {
        let sent = session.prepared(question).neutral.text.utf8.count
        guard sent >= Self.leastCut else { return nil }
        var clipped = question
        clipped.text = Neutralizer.cut(question.text, to: sent / 2) + Neutralizer.cutMark
        return clipped
    }

    package func doubtful(_ answers: [(question: MessageQuestion, answer: MessageVerdict)]) -> [Int] {
        PackDoubt.doubtful(answers.map { ($0.question.offline, $0.answer) })
    }

    package func unconfirmed(_ answer: MessageVerdict, to question: MessageQuestion) -> MessageVerdict {
        question.offline?.without(changesBy: answer) ?? answer
    }

    package func bytes(of answer: MessageVerdict) -> [UInt8] { answer.kept }

    package func answer(in bytes: [UInt8], to question: MessageQuestion) -> MessageVerdict? {
        MessageVerdict(kept: bytes, candidates: question.candidates)
    }

    private func prepared(_ questions: [AskedQuestion<MessageQuestion>]) -> [(id: String, message: PreparedMessage)] {
        questions.map { ($0.id, session.prepared($0.question)) }
    }

    private func exchange(
        _ system: String, _ user: String, _ messages: [(id: String, message: PreparedMessage)], _ room: Int
    ) -> LLMExchange<MessageVerdict> {
        let query = ChatQuery(
            model: model, system: system, user: user, schema: format.schema(for: messages.map(\.id)),
            maxOutputTokens: room)
        let candidates = Dictionary(
            messages.map { ($0.id, $0.message.candidates) }, uniquingKeysWith: { first, _ in first })
        let (format, canary) = (format, session.canary)
        return LLMExchange(query: query) { reply in
            // Only labels are read, so they could not reveal anything; but a text that caused a leak is not trusted.
            if ReplyText.leaks(canary, in: reply) {
                return LLMReading(whole: LLMFault(.badOutput(.leak)))
            }
            switch ReplyText.object(in: reply) {
            case .failure(let fault): return LLMReading(whole: fault)
            case .success(let root): return Self.reading(format.read(root, candidates: candidates))
            }
        }
    }

    private static func reading(_ answer: AnswerReading) -> LLMReading<MessageVerdict> {
        var reading = LLMReading<MessageVerdict>()
        for (id, result) in answer.verdicts {
            switch result {
            case .success(let verdict): reading.answers[id] = verdict
            case .failure(let kind):
                reading.faults[id] = LLMFault(.badOutput(kind), errors: answer.faults[id] ?? [])
            }
        }
        return reading
    }
}
