import TriageCore
import TriageRun
package import TriageStore

/// What people said, in words and as JSON.
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
