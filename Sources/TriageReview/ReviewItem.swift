import TriageInbox
import TriageLLM
import TriageRun
import TriageStore

/// A message as a list of the page shows it.
struct ReviewItem {
    let entry: InboxEntry
    let record: StoredRecord
    let signals: SignalWords
    /// The decoded text, all of it.
    let text: String
    /// How many more messages its row stands for.
    var alike = 0

    /// Letters of the text that a list shows.
    static let previewLength = 240

    init(_ entry: InboxEntry, _ signals: SignalWords) {
        self.entry = entry
        self.signals = signals
        record = StoredRecord(entry.message.record)
        // The column, for the search, ends at U+0000.
        let found = record["text"]?.string
        let isLonger = found.map {
            $0.utf8.count > entry.message.text.utf8.count && $0.utf8.starts(with: entry.message.text.utf8)
        }
        text = isLonger == true ? found ?? "" : entry.message.text
    }

    var json: String {
        let message = entry.message
        var out = JSONObjectText()
        out.add("key", message.key.hex)
        out.add("number", Int(entry.number))
        out.add("id", message.id)
        out.add("platform", message.platform)
        out.add("conversation", message.conversation)
        out.add("from", message.sender)
        out.add("handle", message.handle)
        out.add("preview", String(String.UnicodeScalarView(text.unicodeScalars.prefix(Self.previewLength))))
        out.add("sent_at", message.sentAt.map { UTCTime.text($0) })
        out.add("category", entry.category)
        out.add("level", record.answer("category", "level")?.string)
        out.add("sentiment", entry.sentiment)
        out.add(raw: "intensity", Self.number(record.answer("sentiment", "intensity")))
        out.add(raw: "urgent", entry.isUrgent ? "true" : "false")
        if entry.isUrgent { out.add("urgency_kind", signals.urgency(in: record.triage)) }
        out.add("priority", message.priority)
        out.add("score", message.score)
        out.add("tier", message.tier)
        out.add(raw: "stars", Self.number(record.answer("opportunity", "stars")))
        out.add(raw: "value", value)
        out.add("deadline", record.answer("opportunity", "deadline")?.string)
        out.add(raw: "faq", faq)
        out.add("language", message.language)
        out.add(raw: "injection", message.isInjection ? "true" : "false")
        if alike > 0 { out.add("alike", alike) }
        out.add(raw: "draft", message.hasDraft && advice == nil ? "true" : "false")
        out.add(raw: "decided", entry.corrections.keys.contains { $0.settles } ? "true" : "false")
        out.add(raw: "corrected", Self.json(entry.corrections))
        return out.text
    }

    /// What to do in place of replying.
    var advice: ReplyAdvice? { ReplyAdvice(record, of: entry, signals) }

    /// What people say, by field; what is true or false as JSON has it.
    static func json(_ said: [InboxFeedback.Field: String]) -> String {
        var out = JSONObjectText()
        for field in InboxFeedback.Field.allCases {
            guard let value = said[field] else { continue }
            if value == "true" || value == "false" {
                out.add(raw: field.rawValue, value)
            } else {
                out.add(field.rawValue, value)
            }
        }
        return out.text
    }

    /// A number as it stands in the record, which is how JSON has it.
    private static func number(_ value: JSONValue?) -> String {
        if case .number(let digits)? = value { return digits }
        return "null"
    }

    private var value: String {
        guard let budget = record.answer("opportunity", "budget"), budget["amount"] != nil else { return "null" }
        var out = JSONObjectText()
        out.add(raw: "amount", Self.number(budget["amount"]))
        out.add("currency", budget["currency"]?.string)
        out.add(raw: "usd", Self.number(budget["usd"]))
        return out.text
    }

    private var faq: String {
        guard let id = entry.message.faq else { return "null" }
        var out = JSONObjectText()
        out.add("id", id)
        out.add("match", entry.message.faqMatch)
        return out.text
    }
}
