package import TriageCore

/// Has a language model draft replies in the creator's voice, in place of the templates' where it does.
///
/// Never asked: spam, senders that take no replies, jokes, abuse and what asks for nothing; messages of people
/// in danger and of legal matters, whose sober words stay as they are written; and messages that may be injections.
/// What the model writes has passed the draft guard; a person reads it, changes it and sends it, or not.
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

    /// Scores from which an offer is worth words of its own: the lowest tier.
    private static let leastScore = 50

    package init(
        source: any AnswerSource<DraftQuestion, Draft>, settings: Settings, library: FAQLibrary,
        steers: @escaping @Sendable (UnsafeBufferPointer<UInt8>) -> Bool,
        cancellation: LLMCancellation = LLMCancellation()
    ) {
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
            if let text = draft.text { write(text, to: index, of: &batch) }
        }
    }

    private func choose(_ batch: borrowing Batch) -> [Int] {
        batch.records.indices.filter { index in
            let record = batch.records[index]
            guard record.isAsked, record.draft != nil || Self.mayFind(record.noDraft),
                record.injection?.isSuspected != true, wants(record)
            else { return false }
            return batch.arena.withUnsafeBufferPointer { arena in
                !steers(UnsafeBufferPointer(rebasing: arena[record.fields.text.range]))
            }
        }
    }

    /// Whether a model may find words where the templates have none: not for abuse, nor where nothing is said.
    private static func mayFind(_ reason: NoDraft?) -> Bool { reason == .needsAFact || reason == .unsure }

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
            return record.faq == nil && record.folded.shape.questionMarks > 0
        }
    }

    private func question(_ record: Record, in batch: borrowing Batch) -> DraftQuestion {
        let language = record.language?.language ?? LanguageTable.undetermined
        let answer = record.faq.flatMap { library.entries.indices.contains($0.entry) ? library.entries[$0.entry] : nil }
        let message = MessageQuestion(
            text: batch.string(record.fields.text) ?? "",
            language: language == LanguageTable.undetermined ? nil : LanguageTable.tags[Int(language)])
        return DraftQuestion(message: message, answer: answer?.answer ?? "")
    }

    private func write(_ text: String, to index: Int, of batch: inout Batch) {
        let before = batch.records[index].draft
        let span = batch.generate(text.utf8)
        let basedOn: Span32
        let isAnswered = batch.records[index].faq != nil
        // The name of the library's entry stays where the model had its answer.
        if isAnswered, let before {
            basedOn = before.basedOn
        } else if isAnswered, let faq = batch.records[index].faq, library.entries.indices.contains(faq.entry) {
            basedOn = batch.generate("faq:\(library.entries[faq.entry].id)".utf8)
        } else {
            basedOn = batch.generate("llm:draft".utf8)
        }
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
        batch.note(Array(text.utf8), for: .draft, at: index)
    }

    /// Names in braces that a person must fill, each once, at most eight.
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
