internal import Synchronization
package import TriageCore

/// Supplies stored answers of language models instead of asking them: nothing leaves the machine.
///
/// It looks answers up by message text, in the set that it was last given.
package final class StoredAnswers: Sendable {
    /// An FAQ entry that was found by vectors.
    package struct Entry: Sendable, Equatable {
        package var id: String
        package var isHigh: Bool
        package var confidence: Float

        package init(id: String, isHigh: Bool, confidence: Float) {
            self.id = id
            self.isHigh = isHigh
            self.confidence = confidence
        }
    }

    private struct State {
        var answers: [String: KeptAnswers] = [:]
        var entries: [String: Entry] = [:]
        var missing = 0
    }

    private let check: DraftGuard
    private let answers: [String: String]
    private let state = Mutex(State())

    /// - Parameters:
    ///   - privateTexts: texts that no draft may quote, except the answer that it is based on.
    ///   - promises: what only the creator's own words may say.
    ///   - judge: weighs what the rules find.
    ///   - library: the answers that drafts may give.
    ///   - contact: where the creator wants business matters to go.
    ///   - voice: how the creator writes.
    package init(
        privateTexts: [String], promises: PhraseRules = PhraseRules(), judge: DraftJudge = DraftJudge(),
        library: FAQLibrary = FAQLibrary(), contact: String = "", voice: String = ""
    ) {
        check = DraftGuard(
            canary: Canary(secret: RunSecret(), instructions: ""), privateTexts: privateTexts, promises: promises,
            judge: judge, contact: contact, library: library.entries.map(\.answer), voice: voice)
        answers = Dictionary(library.entries.map { ($0.id, $0.answer) }, uniquingKeysWith: { first, _ in first })
    }

    /// Replaces the stored answers with those for other messages.
    package func set(_ answers: [String: KeptAnswers], entries: [String: Entry] = [:]) {
        state.withLock { state in
            state.answers = answers
            state.entries = entries
        }
    }

    /// Questions for which there was no stored answer.
    package var missing: Int { state.withLock { $0.missing } }

    func entry(for text: String) -> Entry? { state.withLock { $0.entries[text] } }

    /// The stored verdicts as an answer source.
    package struct Verdicts: AnswerSource {
        let stored: StoredAnswers

        package func ask(_ questions: [MessageQuestion]) async -> [Result<MessageVerdict, CallFailure>] {
            questions.map { stored.verdict(on: $0) }
        }
    }

    /// The stored drafts as an answer source.
    package struct Drafts: AnswerSource {
        let stored: StoredAnswers

        package func ask(_ questions: [DraftQuestion]) async -> [Result<Draft, CallFailure>] {
            questions.map { .success(stored.draft(for: $0)) }
        }
    }

    package var verdicts: Verdicts { Verdicts(stored: self) }
    package var drafts: Drafts { Drafts(stored: self) }

    private func verdict(on question: MessageQuestion) -> Result<MessageVerdict, CallFailure> {
        let kept = state.withLock { $0.answers[question.text]?.text }
        // An entry that is no longer in the library is dropped from the answer; the rest is kept.
        if let kept, let verdict = MessageVerdict(kept: kept, asOf: question.candidates) { return .success(verdict) }
        state.withLock { $0.missing += 1 }
        return .failure(.cancelled)
    }

    private func draft(for question: DraftQuestion) -> Draft {
        guard let kept = state.withLock({ $0.answers[question.message.text]?.draft }) else {
            // The template's draft is kept, as it is when a model's draft was dropped.
            return Draft()
        }
        guard let text = kept.text else { return Draft(none: kept.none) }
        let entries = kept.entries ?? question.entry.map { [$0] } ?? []
        let sources = entries.compactMap { answers[$0] }.joined(separator: "\n")
        switch check.checked(text, answer: sources, message: question.message.text) {
        case .success(let text): return Draft(text: text, entries: entries)
        case .failure(let objection): return Draft(entries: entries, objection: objection)
        }
    }
}

/// Restores the FAQ entries found by an embedding model, where the offline matcher is not sure.
package struct StoredFAQStage: LocalStage {
    package let name = "faq.stored"
    package let reads: Set<Field> = [.fields, .faq]
    package let writes: Set<Field> = [.faq]

    private let stored: StoredAnswers
    private let places: [String: Int]

    package init(stored: StoredAnswers, library: FAQLibrary) {
        self.stored = stored
        places = Dictionary(
            library.entries.enumerated().map { ($0.element.id, $0.offset) }, uniquingKeysWith: { first, _ in first })
    }

    package func annotate(_ batch: inout Batch) {
        for index in batch.records.indices where batch.records[index].isAsked {
            let record = batch.records[index]
            guard record.faq?.isHigh != true, let text = batch.string(record.fields.text),
                let entry = stored.entry(for: text), let place = places[entry.id]
            else { continue }
            batch.records[index].faq = FAQAnswer(
                entry: place, isHigh: entry.isHigh, confidence: entry.confidence, by: .faqEmbeddings)
        }
    }
}

/// The answers of language models about one message, and the models' names.
///
/// They are stored with the message, so that they can be weighed again without asking.
package struct KeptAnswers: Sendable, Equatable {
    package var model: String
    /// The ids of the prompts, such as `triage/v1`.
    package var textPrompt: String
    package var draftPrompt: String
    /// The model that wrote the draft, if it differs from ``model``.
    package var draftModel: String?
    /// Labels and figures in the format of the cache; nil: the model was not asked, or did not answer.
    package var text: [UInt8]?
    /// What a draft was made from.
    package var draft: KeptDraft?

    /// Increased when the meaning of a member changes.
    private static let version = 1

    /// The model answers that a batch holds for a record; nil: no model answered.
    package init?(
        of record: Record, in batch: borrowing Batch, model: String, textPrompt: String, draftPrompt: String,
        draftModel: String? = nil
    ) {
        self.model = model
        self.draftModel = draftModel == model ? nil : draftModel
        self.textPrompt = textPrompt
        self.draftPrompt = draftPrompt
        text = batch.modelAnswer(for: .text, of: record)
        draft = batch.modelAnswer(for: .draft, of: record).flatMap { KeptDraft($0) }
        if text == nil, draft == nil { return nil }
    }

    /// Decodes ``bytes``; nil for anything else.
    package init?(_ bytes: [UInt8]) {
        guard let value = try? StrictJSON.parse(bytes, limits: .answer), value["v"]?.integer == Self.version,
            let model = value["model"]?.string, let textPrompt = value["prompt"]?.string,
            let draftPrompt = value["draft_prompt"]?.string
        else { return nil }
        self.model = model
        self.textPrompt = textPrompt
        self.draftPrompt = draftPrompt
        draftModel = value["draft_model"]?.string
        text = value["text"]?.string.map { Array($0.utf8) }
        draft = KeptDraft(value)
    }

    /// Compact JSON, the same for equal answers.
    package var bytes: [UInt8] {
        var members = [
            JSONMember("v", .number("\(Self.version)")), JSONMember("model", .string(model)),
            JSONMember("prompt", .string(textPrompt)), JSONMember("draft_prompt", .string(draftPrompt)),
        ]
        if let draftModel { members.append(JSONMember("draft_model", .string(draftModel))) }
        if let text { members.append(JSONMember("text", .string(String(decoding: text, as: UTF8.self)))) }
        return JSONValue.object(members + (draft?.members ?? [])).encoded
    }
}

/// A model's draft, or the reason for having none, as stored with a message.
package struct KeptDraft: Sendable, Equatable {
    /// The checked text of the model, with `{name}` in place of the sender's name; nil: there should be no draft.
    package var text: String?
    /// The ids of the library entries whose answers it gives; nil: stored before models named them.
    package var entries: [String]?
    package var none: NoDraft?

    package init(text: String? = nil, entries: [String]? = nil, none: NoDraft? = nil) {
        self.text = text
        self.entries = entries
        self.none = none
    }

    /// nil: the value holds neither a draft nor a reason.
    init?(_ value: JSONValue) {
        text = value["draft"]?.string
        entries = value["draft_entries"]?.array?.compactMap(\.string)
        none = value["no_draft"]?.string.flatMap { name in NoDraft.allCases.first { $0.name == name } }
        if text == nil, none == nil { return nil }
    }

    init?(_ bytes: [UInt8]) {
        guard let value = try? StrictJSON.parse(bytes, limits: .answer) else { return nil }
        self.init(value)
    }

    var members: [JSONMember] {
        var members: [JSONMember] = []
        if let text { members.append(JSONMember("draft", .string(text))) }
        if let entries, !entries.isEmpty || text != nil {
            members.append(JSONMember("draft_entries", .array(entries.map { .string($0) })))
        }
        if let none { members.append(JSONMember("no_draft", .string(none.name))) }
        return members
    }

    package var bytes: [UInt8] { JSONValue.object(members).encoded }
}
