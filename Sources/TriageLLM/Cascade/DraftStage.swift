package import TriageCore

/// Lets a language model draft replies in the creator's voice, replacing the template drafts.
///
/// It never asks about spam, senders that take no replies, or abuse; about people in danger or legal matters, whose
/// sober wording stays as it is; or about messages that may be injections. It asks about jokes and messages that
/// request nothing only if the model is asked about everything. Every draft has passed the draft guard; a person reads
/// it, edits it, and decides whether to send it.
package struct DraftStage: RemoteStage {
    package let name = "reply.llm"
    package let reads: Set<Field> = [
        .secondOpinion, .fields, .language, .category, .urgency, .opportunity, .faq, .injection, .draft,
    ]
    package let writes: Set<Field> = [.draft, .secondOpinion]

    private let source: any AnswerSource<DraftQuestion, Draft>
    private let mode: Escalation.Mode
    private let library: FAQLibrary
    private let steers: @Sendable (UnsafeBufferPointer<UInt8>) -> Bool
    private let cancellation: LLMCancellation
    private let manner: DraftManner

    /// The lowest score of an offer that deserves its own wording: the lowest tier.
    private static let leastScore = 50

    package init(
        source: any AnswerSource<DraftQuestion, Draft>, settings: Settings, library: FAQLibrary,
        steers: @escaping @Sendable (UnsafeBufferPointer<UInt8>) -> Bool,
        manner: DraftManner = DraftManner(), cancellation: LLMCancellation = LLMCancellation()
    ) {
        self.manner = manner
        self.source = source
        mode = settings.escalation.draft
        self.library = library
        self.steers = steers
        self.cancellation = cancellation
    }

    package func annotate(_ batch: inout Batch) async throws {
        let chosen = choose(batch)
        guard !chosen.isEmpty else { return }
        let questions = chosen.map { question(batch.records[$0], in: batch) }
        try await cancellation.ask(questions, of: source, for: name, about: chosen, in: &batch) { draft, index, batch in
            use(draft, for: index, of: &batch)
        }
    }

    private func choose(_ batch: borrowing Batch) -> [Int] {
        batch.records.indices.filter { index in
            let record = batch.records[index]
            guard record.isAsked, record.draft != nil || mayFind(record.noDraft),
                record.injection?.isSuspected != true, wants(record)
            else { return false }
            return batch.arena.withUnsafeBufferPointer { arena in
                !steers(UnsafeBufferPointer(rebasing: arena[record.fields.text.range]))
            }
        }
    }

    /// Whether a model may write a draft if the templates have none.
    ///
    /// Never for abuse. For what looks like a joke, or needs no answer, only if the model is asked about everything.
    private func mayFind(_ reason: NoDraft?) -> Bool {
        switch reason {
        case .needsAFact, .unsure: true
        case .joke, .nothingToAnswer: mode == .always
        case .abuse, nil: false
        }
    }

    private func wants(_ record: Record) -> Bool {
        if record.urgency?.isDanger == true { return false }
        if let urgency = record.urgency, urgency.isUrgent, urgency.kind != .deadline, urgency.kind != .other {
            return false
        }
        switch mode {
        case .never: return false
        case .always: return true
        case .cascade:
            if record.category?.label == .business { return (record.opportunity?.score ?? 0) >= Self.leastScore }
            // A model may find words if the templates have none.
            return record.draft == nil || record.faq == nil && record.folded.shape.questionMarks > 0
        }
    }

    private func question(_ record: Record, in batch: borrowing Batch) -> DraftQuestion {
        let language = record.language?.language ?? LanguageTable.undetermined
        let tag = language == LanguageTable.undetermined ? nil : LanguageTable.tags[Int(language)]
        let text = batch.string(record.fields.text) ?? ""
        let entry = record.faq.flatMap {
            library.entries.indices.contains($0.entry) ? library.entries[$0.entry].id : nil
        }
        return DraftQuestion(
            message: MessageQuestion(text: text, language: tag), entry: entry,
            isMail: batch.string(record.fields.platform) == "email",
            examples: manner.examples(text, tag ?? ""))
    }

    private func use(_ draft: Draft, for index: Int, of batch: inout Batch) {
        if let text = draft.text { return write(text, from: draft.entries, to: index, of: &batch) }
        // If a model that read the message would rather not reply, its judgment outweighs a template, but not an answer
        // of the creator's own that certainly fits.
        guard let none = draft.none, batch.records[index].faq?.isHigh != true else { return }
        batch.records[index].draft = nil
        batch.records[index].noDraft = none
        batch.records[index].askedOfModel.insert(.draft)
        batch.note(KeptDraft(none: none).bytes, for: .draft, at: index)
    }

    private func write(_ written: String, from entries: [String], to index: Int, of batch: inout Batch) {
        let text = manner.named(written, batch.records[index], batch)
        let before = batch.records[index].draft
        let span = batch.generate(text.utf8)
        // The first library entry whose answer the draft gives.
        let basedOn = batch.generate((entries.first.map { "faq:\($0)" } ?? "llm:draft").utf8)
        let first = batch.generatedSpans.count
        for place in Self.placeholders(in: Array(text.utf8)) {
            batch.generatedSpans.append(Span32(start: Int(span.start) + place.lowerBound, count: place.count))
        }
        batch.records[index].draft = DraftAnswer(
            text: span,
            language: batch.records[index].language?.language ?? before?.language ?? LanguageTable.undetermined,
            basedOn: basedOn,
            fill: first..<batch.generatedSpans.count, by: .replyLLM)
        batch.records[index].noDraft = nil
        batch.records[index].askedOfModel.insert(.draft)
        batch.note(KeptDraft(text: written, entries: entries).bytes, for: .draft, at: index)
    }

    /// Names in braces that a person must fill in, each once, at most eight.
    static func placeholders(in text: [UInt8]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var names: Set<ArraySlice<UInt8>> = []
        var open: Int?
        for (index, byte) in text.enumerated() {
            if byte == UInt8(ascii: "{") {
                open = index + 1
            } else if byte == UInt8(ascii: "}"), let start = open {
                open = nil
                guard (1...40).contains(index - start), found.count < 8, names.insert(text[start..<index]).inserted
                else {
                    continue
                }
                found.append(start..<index)
            }
        }
        return found
    }
}

/// What a model's draft needs to know of the creator's manner.
package struct DraftManner: Sendable {
    /// The creator's replies to messages similar to a text, in a language; empty unless they may leave the machine.
    package var examples: @Sendable (_ text: String, _ language: String) -> [DraftExample]
    /// A draft with the sender's first name in place of `{name}`, or without it if no name is known.
    package var named: @Sendable (_ draft: String, _ record: Record, _ batch: borrowing Batch) -> String

    package init(
        examples: @escaping @Sendable (String, String) -> [DraftExample] = { _, _ in [] },
        named: @escaping @Sendable (String, Record, borrowing Batch) -> String = { draft, _, _ in draft }
    ) {
        self.examples = examples
        self.named = named
    }
}
