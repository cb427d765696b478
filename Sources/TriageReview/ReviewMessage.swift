import TriageInbox
import TriageLLM
import TriageRun
import TriageStore

/// One message with its conversation, as the page shows it.
struct ReviewMessage {
    var entry: InboxEntry
    var before: [InboxEntry]
    var after: [InboxEntry]
    var feedback: [InboxFeedback]
    var signals: SignalWords
    /// The other messages that its row stands for: their number, and the first of them.
    var alike: (count: Int, entries: [InboxEntry])

    /// The most messages of a campaign that are listed with one of them.
    static let alikeShown = 200
    /// The largest record that is sent whole, in bytes; of a larger one only the answers are sent.
    private static let recordLimit = 1 << 20
    /// The most bytes of a text that are sent.
    private static let textLimit = 1 << 20
    /// The most bytes of a neighboring message's text that are sent.
    private static let neighborLimit = 16 << 10

    var json: [UInt8] {
        var item = ReviewItem(entry, signals)
        item.alike = alike.count
        var out = Array("{\"item\":".utf8) + Array(item.json.utf8)
        out += Array(",\"revision\":\(entry.message.revision)".utf8)
        let (text, isCut) = Self.cut(item.text, Self.textLimit)
        out += Array(",\"text\":\(JSONObjectText.string(text)),\"text_cut\":\(isCut)".utf8)
        out += Array(",\"record\":".utf8) + record(item.record)
        var reasons = JSONObjectText()
        for (signal, words) in signals.all(in: item.record.triage) { reasons.add(signal, words) }
        out += Array(",\"reasons\":\(reasons.text)".utf8)
        if let advice = item.advice { out += Array(",\"advice\":\"\(advice.rawValue)\"".utf8) }
        out += Array(",\"corrections\":[".utf8)
        out += Array(feedback.map { FeedbackText.json($0, number: entry.number) }.joined(separator: ",").utf8)
        out += Array("],\"thread\":[".utf8)
        let thread =
            before.map { spoken($0, isThis: false) } + [spoken(entry, isThis: true)]
            + after.map { spoken($0, isThis: false) }
        if alike.count > 0 {
            let items = alike.entries.map { ReviewItem($0, signals).json }.joined(separator: ",")
            return out + Array(thread.joined(separator: ",").utf8) + Array("],\"alike\":[\(items)]}".utf8)
        }
        return out + Array(thread.joined(separator: ",").utf8) + Array("]}".utf8)
    }

    private func record(_ stored: StoredRecord) -> [UInt8] {
        let bytes = entry.message.record
        // A record that does not parse here might be parsed differently by a browser, so it is not sent whole.
        if bytes.count <= Self.recordLimit, stored.value != nil { return bytes }
        guard let triage = stored.triage else { return Array("{}".utf8) }
        return JSONValue.object([JSONMember("triage", triage)]).encoded
    }

    private static func cut(_ text: String, _ limit: Int) -> (String, Bool) {
        guard text.utf8.count > limit else { return (text, false) }
        var end = text.utf8.index(text.utf8.startIndex, offsetBy: limit)
        while end > text.startIndex, end.samePosition(in: text.unicodeScalars) == nil {
            end = text.utf8.index(before: end)
        }
        return (String(text[..<end]), true)
    }

    private func spoken(_ entry: InboxEntry, isThis: Bool) -> String {
        let message = entry.message
        var out = JSONObjectText()
        if message.kind == .message { out.add("key", message.key.hex) }
        out.add("from", message.sender)
        out.add(raw: "is_self", message.kind == .own ? "true" : "false")
        out.add(raw: "is_notice", message.kind == .notMessage ? "true" : "false")
        out.add("sent_at", message.sentAt.map { UTCTime.text($0) })
        let (text, isCut) = Self.cut(
            ReviewItem(entry, signals).text, isThis ? Self.textLimit : Self.neighborLimit)
        out.add("text", text)
        out.add(raw: "text_cut", isCut ? "true" : "false")
        out.add(raw: "is_this", isThis ? "true" : "false")
        return out.text
    }
}

/// A message as a list on the page shows it.
struct ReviewItem {
    let entry: InboxEntry
    let record: StoredRecord
    let signals: SignalWords
    /// The decoded text, in full.
    let text: String
    /// How many more messages its row stands for.
    var alike = 0

    /// The number of characters that a list shows of a text.
    static let previewLength = 240

    init(_ entry: InboxEntry, _ signals: SignalWords) {
        self.entry = entry
        self.signals = signals
        record = StoredRecord(entry.message.record)
        // The store's text column, made for the search, ends at U+0000.
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

    /// What to do instead of replying.
    var advice: ReplyAdvice? { ReplyAdvice(record, of: entry, signals) }

    /// People's decisions by field, with true and false as JSON booleans.
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

    /// A number as written in the record, which is valid JSON.
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
