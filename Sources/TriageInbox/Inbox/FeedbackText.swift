import TriageCore
package import TriageLLM
import TriageRun
package import TriageStore

/// Renders feedback as text and as JSON.
package enum FeedbackText {
    package static func words(_ feedback: InboxFeedback) -> String {
        var words = "\(UTCTime.text(feedback.at))  \(feedback.field.rawValue): "
        if feedback.undoes != nil { return words + "\(feedback.value), undo" }
        words += "\(feedback.before ?? "none") → \(feedback.value)"
        if let note = feedback.note { words += " (\(note))" }
        if feedback.isUndone { words += " (undone later)" }
        return words
    }

    package static func json(_ feedback: InboxFeedback, number: Int64? = nil) -> String {
        var out = JSONObjectText()
        out.add("feedback", Int(feedback.id))
        out.add("number", number.map { Int($0) })
        out.add("key", feedback.key.hex)
        out.add("revision", feedback.revision)
        out.add("at", UTCTime.text(feedback.at))
        out.add("field", feedback.field.rawValue)
        out.add("value", feedback.value)
        out.add("before", feedback.before)
        out.add("note", feedback.note)
        out.add("text", feedback.text)
        out.add("source", feedback.source)
        out.add("request", feedback.request)
        out.add("undoes", feedback.undoes.map { Int($0) })
        out.add(raw: "undone", feedback.isUndone ? "true" : "false")
        return out.text
    }
}

/// Turns feedback on a message into labels that `evaluate`, `train` and `faq learn` read.
package enum GoldLabels {
    /// The labels as JSON members; nil when no feedback is a label.
    package static func members(of entry: InboxEntry) -> [JSONMember]? {
        var members: [JSONMember] = []
        if let category = entry.corrections[.category] { members.append(JSONMember("category", .string(category))) }
        if let sentiment = entry.corrections[.sentiment] { members.append(JSONMember("sentiment", .string(sentiment))) }
        if let urgent = entry.corrections[.urgent] { members.append(JSONMember("urgent", .bool(urgent == "true"))) }
        switch entry.corrections[.faq] {
        case nil: break
        case "right": members.append(JSONMember("faq_id", entry.message.faq.map { .string($0) } ?? .null))
        case "none": members.append(JSONMember("faq_id", .null))
        case let value? where value.hasPrefix("entry:"):
            members.append(JSONMember("faq_id", .string(String(value.dropFirst(6)))))
        default: break
        }
        return members.isEmpty ? nil : members
    }

    package static func json(_ members: [JSONMember]) -> JSONMember { JSONMember("gold", .object(members)) }
}
