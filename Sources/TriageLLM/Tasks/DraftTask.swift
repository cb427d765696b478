internal import TriageCore

/// Asks a model for replies, one per request, and decides which of them people get to see.
package struct DraftTask: LLMTask {
    package let identity: [[UInt8]]
    private let session: PromptSession
    private let check: DraftGuard
    private let model: String

    /// Increased when the meaning of stored drafts changes; since version 3, a draft that may be amended has been
    /// amended.
    private static let version = 3

    /// - Parameters:
    ///   - session: the session of a prompt that asks for drafts, such as `draft/v1`.
    ///   - check: drops text that a stranger may have ordered.
    ///   - model: the model to ask; nil: the endpoint's.
    ///   - endpoint: the server to ask.
    package init(session: PromptSession, check: DraftGuard, model: String? = nil, endpoint: Endpoint) {
        self.session = session
        self.check = check
        self.model = model ?? endpoint.model
        var asked = endpoint
        asked.model = self.model
        identity = [Array("draft".utf8)] + asked.identity + [session.identity, session.schema.root.encoded]
    }

    package func essence(of question: DraftQuestion) -> LLMEssence {
        let message = session.prepared(question.message)
        let parts =
            message.parts + [Array((question.entry ?? "").utf8), question.isMail ? [1] : []]
            + question.examples.flatMap { [Array($0.asked.utf8), Array($0.answered.utf8)] }
        return LLMEssence(
            parts: parts, tokens: TokenEstimate.tokens(bytes: parts.reduce(80) { $0 + $1.count }), travelsAlone: true)
    }

    package func exchange(about questions: [AskedQuestion<DraftQuestion>], maxOutputTokens: Int) -> LLMExchange<
        Draft
    > {
        let user = questions.first.map {
            session.user(drafting: $0.question, id: $0.id)
        }
        return exchange(session.system, user ?? "", questions, maxOutputTokens)
    }

    private func exchange(
        _ system: String, _ user: String, _ questions: [AskedQuestion<DraftQuestion>], _ maxOutputTokens: Int
    ) -> LLMExchange<Draft> {
        let query = ChatQuery(
            model: model, system: system, user: user, schema: session.schema, maxOutputTokens: maxOutputTokens)
        return LLMExchange(query: query) { reply in
            // Two drafts in one answer could not be told apart.
            guard questions.count == 1 else { return LLMReading() }
            switch ReplyText.object(in: reply) {
            case .failure(let fault): return LLMReading(whole: fault)
            case .success(let root):
                switch session.draftFormat.read(root) {
                case .failure(let kind): return LLMReading(whole: LLMFault(.badOutput(kind)))
                case .success(let written):
                    return LLMReading(answers: [questions[0].id: draft(written, for: questions[0].question)])
                }
            }
        }
    }

    /// Asks a model that wrote a promise by mistake for a draft without one.
    ///
    /// If the text looks like a stranger's orders, the model is not asked again.
    package func amendment(
        of answer: Draft, reply: [UInt8], about question: AskedQuestion<DraftQuestion>, maxOutputTokens: Int
    ) -> LLMExchange<Draft>? {
        guard let objection = answer.objection, let fault = objection.fault, let system = session.repairSystem else {
            return nil
        }
        // Someone who got a link or an address written once would get it written again.
        if objection == .link || objection == .address, DraftGuard.namesPlaces(question.question.message.text) {
            return nil
        }
        let user = session.user(drafting: question.question, id: question.id, insteadOf: reply, faults: [fault])
        return exchange(system, user, [question], maxOutputTokens)
    }

    /// Nil: an invalid answer is dropped rather than repaired, and a person who sees no draft writes one.
    package func repair(
        of answer: [UInt8], errors: [String], about question: AskedQuestion<DraftQuestion>, maxOutputTokens: Int
    ) -> LLMExchange<Draft>? { nil }

    /// Nil: a reply to half of a message is not useful.
    package func clipped(_ question: DraftQuestion) -> DraftQuestion? { nil }

    /// What the model wrote, with placeholders where something was redacted.
    package func bytes(of answer: Draft) -> [UInt8] { bytes(of: answer, version: Self.version) }

    private func bytes(of answer: Draft, version: Int) -> [UInt8] {
        JSONValue.object([
            JSONMember("v", .number("\(version)")),
            JSONMember("q", .array(answer.entries.map { .string($0) })),
            JSONMember("d", answer.written.map { .string($0) } ?? .null),
            JSONMember("no", answer.none.map { .string($0.name) } ?? .null),
            JSONMember("objection", answer.objection.map { .string($0.rawValue) } ?? .null),
        ]).encoded
    }

    package func answer(in bytes: [UInt8], to question: DraftQuestion) -> Draft? {
        guard let value = try? StrictJSON.parse(bytes, limits: .answer), let version = value["v"]?.integer,
            let written = value["d"], let objection = value["objection"],
            // Version 2 is the same, except that no draft had been amended.
            version == Self.version || version == 2 && objection.isNull
        else { return nil }
        var draft = Draft()
        var kept = DraftFormat.Written()
        kept.entries = value["q"]?.array?.compactMap(\.string) ?? []
        kept.text = written.string
        kept.none = value["no"]?.string.flatMap { name in NoDraft.allCases.first { $0.name == name } }
        if objection.isNull {
            draft = self.draft(kept, for: question)
        } else if let name = objection.string {
            guard let known = DraftGuard.Objection(rawValue: name) else { return nil }
            draft.objection = known
            draft.entries = kept.entries
        }
        // Dropped if a check has become stricter, and then requested again; so is anything that is not ours.
        return self.bytes(of: draft, version: version) == bytes ? draft : nil
    }

    private func draft(_ said: DraftFormat.Written, for question: DraftQuestion) -> Draft {
        guard let written = said.text else { return Draft(entries: said.entries, none: said.none) }
        let restored = session.prepared(question.message).redaction?.restored(written) ?? written
        let sources = session.sources(of: said.entries, found: question.entry)
        switch check.checked(restored, answer: sources, message: question.message.text) {
        case .success(let text): return Draft(text: text, entries: said.entries, written: written)
        case .failure(let objection): return Draft(entries: said.entries, objection: objection)
        }
    }
}

/// Asks a model for replies: each message gets a checked draft, none, or the reason why not.
package typealias DraftAsker = LLMClient<DraftQuestion, Draft>

extension LLMLimits {
    /// The limits for drafts: one per request, with room for 90 words in any language.
    package static let drafts = LLMLimits(packSize: 1, outputTokens: 600)
}
