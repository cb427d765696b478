/// How a model is asked for replies, one a request, and what of them a person gets to see.
package struct DraftTask: LLMTask {
    package let identity: [[UInt8]]
    private let session: PromptSession
    private let check: DraftGuard
    private let model: String

    /// Raised when what is kept changes its meaning.
    private static let version = 1

    /// - Parameters:
    ///   - session: of a prompt that asks for drafts, such as `draft/v1`.
    ///   - check: drops what a stranger may have ordered.
    ///   - endpoint: who is asked.
    package init(session: PromptSession, check: DraftGuard, endpoint: Endpoint) {
        self.session = session
        self.check = check
        model = endpoint.model
        identity = [Array("draft".utf8)] + endpoint.identity + [session.identity, session.schema.root.encoded]
    }

    package func essence(of question: DraftQuestion) -> LLMEssence {
        let message = session.prepared(question.message)
        let parts = message.parts + [Array(question.answer.utf8)]
        return LLMEssence(
            parts: parts, tokens: TokenEstimate.tokens(bytes: parts.reduce(80) { $0 + $1.count }), travelsAlone: true)
    }

    package func exchange(about questions: [AskedQuestion<DraftQuestion>], maxOutputTokens: Int) -> LLMExchange<
        Draft
    > {
        let user = questions.first.map {
            session.user(drafting: session.prepared($0.question.message), id: $0.id, answer: $0.question.answer)
        }
        let query = ChatQuery(
            model: model, system: session.system, user: user ?? "", schema: session.schema,
            maxOutputTokens: maxOutputTokens)
        return LLMExchange(query: query) { reply in
            // Two drafts in one answer could not be told apart.
            guard questions.count == 1 else { return LLMReading() }
            switch ReplyText.object(in: reply) {
            case .failure(let fault): return LLMReading(whole: fault)
            case .success(let root):
                switch DraftFormat.read(root) {
                case .failure(let kind): return LLMReading(whole: LLMFault(.badOutput(kind)))
                case .success(let written):
                    return LLMReading(answers: [questions[0].id: draft(written, for: questions[0].question)])
                }
            }
        }
    }

    /// None: a draft is dropped rather than repaired, and a person who sees none writes one.
    package func repair(
        of answer: [UInt8], errors: [String], about question: AskedQuestion<DraftQuestion>, maxOutputTokens: Int
    ) -> LLMExchange<Draft>? { nil }

    /// None: a reply to the half of a message is no reply.
    package func clipped(_ question: DraftQuestion) -> DraftQuestion? { nil }

    /// What the model wrote, with placeholders where something was redacted.
    package func bytes(of answer: Draft) -> [UInt8] {
        JSONValue.object([
            JSONMember("v", .number("\(Self.version)")),
            JSONMember("d", answer.written.map { .string($0) } ?? .null),
            JSONMember("objection", answer.objection.map { .string($0.rawValue) } ?? .null),
        ]).encoded
    }

    package func answer(in bytes: [UInt8], to question: DraftQuestion) -> Draft? {
        guard let value = try? StrictJSON.parse(bytes, limits: .answer), value["v"]?.integer == Self.version,
            let written = value["d"], let objection = value["objection"]
        else { return nil }
        var draft = Draft()
        if let text = written.string {
            draft = self.draft(text, for: question)
        } else if let name = objection.string {
            guard let known = DraftGuard.Objection(rawValue: name) else { return nil }
            draft.objection = known
        }
        // A check that has become stricter drops it, and it is asked for once more; so is what is not ours.
        return self.bytes(of: draft) == bytes ? draft : nil
    }

    private func draft(_ written: String?, for question: DraftQuestion) -> Draft {
        guard let written else { return Draft() }
        let restored = session.prepared(question.message).redaction?.restored(written) ?? written
        switch check.checked(restored, answer: question.answer, message: question.message.text) {
        case .success(let text): return Draft(text: text, written: written)
        case .failure(let objection): return Draft(objection: objection)
        }
    }
}

/// Asks a model for replies: each message gets a checked draft, none, or the reason why not.
package typealias DraftAsker = LLMClient<DraftQuestion, Draft>

extension LLMLimits {
    /// For drafts: one a request, with room for 90 words in any language.
    package static let drafts = LLMLimits(packSize: 1, outputTokens: 600)
}
