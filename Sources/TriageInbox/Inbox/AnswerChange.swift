import TriageLLM
import TriageStore

/// What of a message's answers is another one now.
struct AnswerChange: Equatable {
    var question: String
    /// nil: there was none.
    var from: String?
    var to: String?

    /// Every question whose answer people would see change; confidence and reasons are none.
    static func all(from old: InboxMessage, to new: InboxMessage) -> [AnswerChange] {
        guard !old.record.elementsEqual(new.record) else { return [] }
        var found: [AnswerChange] = []
        func compare(_ question: String, _ from: String?, _ to: String?) {
            if from != to { found.append(AnswerChange(question: question, from: from, to: to)) }
        }
        compare("category", old.category, new.category)
        compare("sentiment", old.sentiment, new.sentiment)
        compare("urgent", old.isUrgent ? "yes" : "no", new.isUrgent ? "yes" : "no")
        compare("opportunity", old.score.map { "\($0)" }, new.score.map { "\($0)" })
        compare("faq", entry(old), entry(new))
        compare("injection", old.isInjection ? "yes" : "no", new.isInjection ? "yes" : "no")
        compare("priority", old.priority.map { "\($0)" }, new.priority.map { "\($0)" })
        let drafts = (draft(old), draft(new))
        if drafts.0 != drafts.1 {
            // The texts are for `show`.
            found.append(
                AnswerChange(
                    question: "draft", from: drafts.0 == nil ? nil : "a draft",
                    to: drafts.1 == nil ? nil : drafts.0 == nil ? "a draft" : "another draft"))
        }
        return found
    }

    private static func entry(_ message: InboxMessage) -> String? {
        message.faq.map { $0 + (message.faqMatch == "possible" ? " ?" : "") }
    }

    private static func draft(_ message: InboxMessage) -> String? {
        message.hasDraft ? StoredRecord(message.record).answer("draft", "text")?.string : nil
    }
}
