import TriageCore
import TriageFormats
import TriageLLM
package import TriageRun
package import TriageStore

/// Everything known about one message, as text for people or as JSON.
package struct MessagePage {
    package var entry: InboxEntry
    package var before: [InboxEntry]
    package var after: [InboxEntry]
    package var feedback: [InboxFeedback]
    package var revisions: [InboxRevision]
    /// The wording of signals, for giving reasons.
    package var signals: SignalWords

    package init(
        entry: InboxEntry, before: [InboxEntry], after: [InboxEntry], feedback: [InboxFeedback],
        revisions: [InboxRevision], signals: SignalWords
    ) {
        self.entry = entry
        self.before = before
        self.after = after
        self.feedback = feedback
        self.revisions = revisions
        self.signals = signals
    }

    // MARK: - JSON

    /// One JSON object; `record` and the revisions are the exact bytes that were written.
    package var json: [UInt8] {
        var out = Array("{\"number\":\(entry.number),\"key\":\"\(entry.message.key.hex)\"".utf8)
        out += Array(",\"revision\":\(entry.message.revision),\"record\":".utf8) + entry.message.record
        func list(_ name: String, _ items: [[UInt8]]) {
            out += Array(",\"\(name)\":[".utf8) + Array(items.joined(separator: [UInt8(ascii: ",")]))
            out.append(UInt8(ascii: "]"))
        }
        list("feedback", feedback.map { Array(FeedbackText.json($0).utf8) })
        list("revisions", revisions.map(\.record))
        list("before", before.map(\.message.record))
        list("after", after.map(\.message.record))
        return out + [UInt8(ascii: "}")]
    }

    // MARK: - Text

    /// Plain text without control characters, wrapped to about `width` columns.
    package func text(width: Int) -> String {
        let record = StoredRecord(entry.message.record)
        var out = TextBlock(width: width)
        head(&out)
        if entry.message.kind == .message { answers(record, &out) }
        out.section("Text")
        out.paragraph(entry.message.text)
        draft(record, &out)
        reasons(record, &out)
        conversation(&out)
        if !feedback.isEmpty {
            out.section("Your decisions")
            for row in feedback { out.line(FeedbackText.words(row)) }
        }
        if !revisions.isEmpty {
            out.section("Before")
            for revision in revisions { out.line(Self.summary(revision)) }
        }
        return out.text
    }

    private func head(_ out: inout TextBlock) {
        let message = entry.message
        var name = "No \(entry.number) · \(message.id)"
        if let platform = message.platform { name += " · \(platform)" }
        if message.revision > 1 { name += " · revision \(message.revision)" }
        out.line(name)
        var sender = message.sender ?? "unknown"
        if let handle = message.handle, handle != message.sender { sender += " (\(handle))" }
        switch message.kind {
        case .message: break
        case .own: sender += ", your own"
        case .notMessage: sender += ", not a message"
        }
        out.pair("From", sender)
        if let sentAt = message.sentAt { out.pair("Sent", UTCTime.text(sentAt)) }
    }

    private func corrected(_ field: InboxFeedback.Field) -> String {
        entry.corrections[field].map { ", corrected: \($0)" } ?? ""
    }

    private func answers(_ record: StoredRecord, _ out: inout TextBlock) {
        func answer(_ value: JSONValue?) -> String { StoredRecord.text(value) }
        func by(_ question: String) -> String {
            let (level, method) = (answer(record.answer(question, "level")), answer(record.answer(question, "by")))
            let words = [level, method].filter { !$0.isEmpty }.joined(separator: ", ")
            return words.isEmpty ? "" : " (\(words))"
        }
        let message = entry.message
        out.pair("Priority", message.priority.map { "\($0)" } ?? "none")
        out.pair(
            "Kind",
            (message.category ?? "unknown") + " " + answer(record.answer("category", "confidence")) + by("category")
                + corrected(.category))
        var feeling = message.sentiment ?? "unknown"
        if let intensity = message.intensity, message.sentiment != "neutral" {
            feeling += ", intensity \(Self.hundredths(intensity))"
        }
        out.pair("Feeling", feeling + by("sentiment") + corrected(.sentiment))
        out.pair(
            "Urgent",
            (message.isUrgent ? "yes " : "no ") + answer(record.answer("urgency", "score")) + by("urgency")
                + corrected(.urgent))
        if let score = message.score {
            var offer = "\(score) of 100" + (message.tier.map { ", \($0)" } ?? "")
            for (part, name) in [
                ("monetary", "money"), ("brand_fit", "fit"), ("legitimacy", "legitimacy"), ("urgency", "urgency"),
            ] {
                let points = answer(record.answer("opportunity", "breakdown", part, "points"))
                let maximum = answer(record.answer("opportunity", "breakdown", part, "of"))
                if !points.isEmpty { offer += " · \(name) \(points)/\(maximum)" }
            }
            out.pair("Offer", offer + corrected(.opportunity))
            for insight in record.answer("opportunity", "insights")?.array ?? [] { out.pair("", answer(insight)) }
        }
        if let faq = message.faq {
            out.pair("FAQ", "\(faq), \(message.faqMatch ?? "")" + by("faq") + corrected(.faq))
            out.pair("", answer(record.answer("faq", "question")))
        } else if entry.corrections[.faq] != nil {
            out.pair("FAQ", "none" + corrected(.faq))
        }
        if message.isInjection { out.pair("Injection", "the text may try to manipulate an automated reader") }
        for problem in record.answer("problems")?.array ?? [] {
            out.pair("Problem", "\(answer(problem["code"])): \(answer(problem["message"]))")
        }
    }

    private func draft(_ record: StoredRecord, _ out: inout TextBlock) {
        if ReplyAdvice(record, of: entry, signals) == .keepEvidence {
            out.section("No draft")
            out.paragraph("This is a threat or abuse: keep the message as evidence, report it, and do not answer.")
            return
        }
        if let reason = record.answer("no_draft")?.string {
            out.section("No draft")
            out.paragraph(NoDraftWords.sentence(for: reason))
            return
        }
        guard let text = record.answer("draft", "text")?.string else { return }
        let basis = StoredRecord.text(record.answer("draft", "based_on"))
        out.section("Draft, \(basis)" + corrected(.draft))
        out.paragraph(text)
    }

    private func reasons(_ record: StoredRecord, _ out: inout TextBlock) {
        var found: [(String, JSONValue)] = []
        for question in ["category", "sentiment", "urgency", "injection"] {
            for reason in record.answer(question, "because")?.array ?? [] { found.append((question, reason)) }
        }
        for part in ["monetary", "brand_fit", "legitimacy", "urgency"] {
            for reason in record.answer("opportunity", "breakdown", part, "because")?.array ?? [] {
                found.append(("offer: \(part)", reason))
            }
        }
        guard !found.isEmpty else { return }
        out.section("Reasons")
        for (question, reason) in found {
            let words = signals.words(for: StoredRecord.text(reason["signal"]))
            var line = "\(question)  \(StoredRecord.text(reason["weight"]))  \(words)"
            if let quote = reason["quote"]?.string { line += "  “\(quote)”" }
            out.line(line)
        }
    }

    private func conversation(_ out: inout TextBlock) {
        guard !before.isEmpty || !after.isEmpty else { return }
        out.section("Conversation")
        for entry in before { out.line(Self.spoken(entry)) }
        out.line("→ this one")
        for entry in after { out.line(Self.spoken(entry)) }
    }

    private static func spoken(_ entry: InboxEntry) -> String {
        let who = entry.message.kind == .own ? "you" : entry.message.sender ?? "unknown"
        let start = String(decoding: entry.message.text.utf8.prefix(1024), as: UTF8.self)
        return "No \(entry.number)  \(who): \(start)"
    }

    private static func summary(_ revision: InboxRevision) -> String {
        let record = StoredRecord(revision.record)
        let text = String(decoding: StoredRecord.text(record["text"]).utf8.prefix(1024), as: UTF8.self)
        return "revision \(revision.revision)  \(StoredRecord.text(record.answer("category", "label")))"
            + ", priority \(StoredRecord.text(record.answer("priority")))  \(text)"
    }

    private static func hundredths(_ value: Double) -> String {
        let hundred = Int((min(max(value, 0), 1) * 100).rounded())
        return hundred == 100 ? "1.00" : "0.\(hundred < 10 ? "0" : "")\(hundred)"
    }
}

/// Explains in one sentence why a message has no draft.
enum NoDraftWords {
    /// - Parameter reason: the value of `no_draft` in the output.
    static func sentence(for reason: String) -> String {
        switch reason {
        case "joke": "It reads like a joke; a serious reply would be out of place."
        case "abuse": "It reads like abuse; a reply would gain nothing."
        case "nothing-to-answer": "It asks for nothing."
        case "needs-a-fact": "It asks something that neither your FAQ nor your profile answers."
        default: "It is not clear enough what the sender wants."
        }
    }
}

/// What a person should do instead of replying.
package enum ReplyAdvice: String {
    /// A threat or abuse: any reply makes it worse, and the message may be needed as evidence.
    case keepEvidence = "keep-evidence"

    /// The advice for a message; nil: replying is fine.
    ///
    /// Answers from before advice existed are judged by their draft's template and the kind of their urgency. A
    /// person's correction to "not urgent" overrides the latter.
    package init?(_ record: StoredRecord, of entry: InboxEntry, _ words: SignalWords) {
        let isSaid =
            record.answer("advice")?.string == Self.keepEvidence.rawValue
            || record.answer("draft", "based_on")?.string == "template:urgent.threat"
        guard isSaid || entry.isUrgent && words.kind(in: record.triage) == .threat else { return nil }
        self = .keepEvidence
    }
}
