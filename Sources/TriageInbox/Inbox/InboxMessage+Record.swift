import TriageCore
import TriageFormats
import TriageLLM
import TriageStore

extension InboxMessage {
    /// A record as a store keeps it.
    ///
    /// - Parameters:
    ///   - record: a message, or what is context only.
    ///   - id: its own, or the made one.
    ///   - line: the annotated record without line break.
    ///   - library: that answers refer to.
    ///   - llm: the model that was asked; nil: none.
    init(
        _ record: Record, of batch: borrowing Batch, key: RecordKey, revision: Int, id: String, line: [UInt8],
        library: FAQLibrary, llm: LLMName?
    ) {
        let fields = record.fields
        self.init(key: key, id: Self.visible(id), text: batch.string(fields.text) ?? "", record: line)
        self.revision = revision
        kind =
            switch record.status {
            case .own: .own
            case .notMessage: .notMessage
            default: .message
            }
        platform = Self.present(batch.string(fields.platform))
        conversation = Self.present(batch.string(fields.conversationID))
        senderID = Self.present(batch.string(fields.senderID))
        handle = Self.present(batch.string(fields.senderHandle))
        sender = Self.present(batch.string(fields.senderName)) ?? handle ?? senderID
        sentAt = record.sentAt
        category = record.category?.label?.name
        confidence = record.category.map { Double($0.confidence) }
        sentiment = record.sentiment?.label?.name
        intensity = record.sentiment.map { Double($0.intensity) }
        isUrgent = record.urgency?.isUrgent ?? false
        urgency = record.urgency.map { Double($0.score) }
        score = record.opportunity?.score
        tier = record.opportunity?.tier
        if record.opportunity != nil {
            usd = (record.facts.budget ?? record.thread.budget).map(\.usd)
            deadline = record.facts.deadlineDay.map { Int($0) }
        }
        if let answer = record.faq, library.entries.indices.contains(answer.entry) {
            faq = library.entries[answer.entry].id
            faqMatch = answer.isHigh ? "high" : "possible"
        }
        if let answer = record.language, LanguageTable.tags.indices.contains(Int(answer.language)) {
            language = LanguageTable.tags[Int(answer.language)]
        }
        hasDraft = record.draft != nil
        isInjection = record.injection?.isSuspected ?? false
        priority = record.priority
        if let llm {
            facts =
                KeptAnswers(
                    of: record, in: batch, model: llm.model, textPrompt: llm.textPrompt, draftPrompt: llm.draftPrompt
                )?.bytes
        }
    }

    private static func present(_ text: String?) -> String? { text?.isEmpty == false ? text.map(visible) : nil }

    /// Columns end at U+0000; a name that goes on behind it must not look like one that does not.
    private static func visible(_ text: String) -> String {
        guard text.utf8.contains(0) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value == 0 ? "\u{FFFD}" : $0 }))
    }
}
