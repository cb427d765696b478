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
    /// Other messages that its row stands for: how many, and the first of them.
    var alike: (count: Int, entries: [InboxEntry])

    /// Messages of a campaign that are listed with one of them.
    static let alikeShown = 200
    /// Bytes of a record up to which all of it is sent; of a larger one the answers are.
    private static let recordLimit = 1 << 20
    /// Bytes of a text that is sent.
    private static let textLimit = 1 << 20
    /// Bytes of a neighbor's text that are sent.
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
        // What cannot be taken apart is none that a browser could be trusted to take apart in the same way.
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
