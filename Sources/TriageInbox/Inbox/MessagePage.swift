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
        func sure(_ question: String) -> String {
            guard let confidence = record.answer(question, "confidence")?.double else { return "" }
            return ", \(min(99, Self.percent(confidence))) % sure"
        }
        let message = entry.message
        out.pair("Priority", message.priority.map { "\($0) of 100" } ?? "none")
        out.pair("Kind", (message.category ?? "unknown") + sure("category") + corrected(.category))
        var feeling = message.sentiment ?? "unknown"
        if let intensity = message.intensity, message.sentiment != "neutral" {
            feeling += ", strength \(Self.percent(intensity)) of 100"
        }
        out.pair("Feeling", feeling + sure("sentiment") + corrected(.sentiment))
        out.pair("Urgent", (message.isUrgent ? "yes" : "no") + corrected(.urgent))
        if let score = message.score {
            var offer = "\(score) of 100" + (message.tier.map { ", \($0)" } ?? "")
            for (part, name) in Self.offerParts {
                let points = answer(record.answer("opportunity", "breakdown", part, "points"))
                let maximum = answer(record.answer("opportunity", "breakdown", part, "of"))
                if !points.isEmpty { offer += " · \(name) \(points)/\(maximum)" }
            }
            out.pair("Offer", offer + corrected(.opportunity))
            for insight in record.answer("opportunity", "insights")?.array ?? [] { out.pair("", answer(insight)) }
        }
        if let faq = message.faq {
            let match = message.faqMatch == "possible" ? "possible match" : "certain match"
            out.pair("FAQ", "\(faq), \(match)" + corrected(.faq))
            out.pair("", answer(record.answer("faq", "question")))
        } else if entry.corrections[.faq] != nil {
            out.pair("FAQ", "none" + corrected(.faq))
        }
        if message.isInjection { out.pair("Caution", "the text may try to give orders to a program that reads it") }
        for problem in record.answer("problems")?.array ?? [] {
            out.pair("Problem", "\(answer(problem["message"])) [\(answer(problem["code"]))]")
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
        out.section("Draft" + Self.basis(of: record) + corrected(.draft))
        out.paragraph(text)
    }

    /// What a draft was made of, in words; empty for a draft made from the message alone.
    private static func basis(of record: StoredRecord) -> String {
        let parts = StoredRecord.text(record.answer("draft", "based_on")).split(separator: ":", maxSplits: 1)
        switch parts.first {
        case "faq": return parts.count > 1 ? ", from your FAQ answer \(parts[1])" : ", from your FAQ"
        case "template": return ", from a template"
        case "own-reply": return ", from a reply of yours"
        default: return ""
        }
    }

    /// Parts of an offer's score: their names in the answers, and in words.
    private static let offerParts = [
        ("monetary", "money"), ("brand_fit", "fit"), ("legitimacy", "trust"), ("urgency", "time"),
    ]

    private func reasons(_ record: StoredRecord, _ out: inout TextBlock) {
        var groups: [(name: String, reasons: [JSONValue], isPoints: Bool)] = []
        for (question, name) in [
            ("category", "Kind"), ("sentiment", "Feeling"), ("urgency", "Urgent"), ("injection", "Caution"),
        ] {
            let label = StoredRecord.text(record.answer(question, "label"))
            groups.append(
                (label.isEmpty ? name : "\(name): \(label)", record.answer(question, "because")?.array ?? [], false))
        }
        for (part, name) in Self.offerParts {
            let reasons = record.answer("opportunity", "breakdown", part, "because")?.array ?? []
            groups.append(("Offer, \(name): points", reasons, true))
        }
        guard groups.contains(where: { !$0.reasons.isEmpty }) else { return }
        out.section("Reasons (+ for, - against)")
        for group in groups where !group.reasons.isEmpty {
            out.line(group.name)
            for reason in group.reasons {
                let weight = StoredRecord.text(reason["weight"])
                // Points add up to a score; other weights mean nothing to people without the model.
                let sign = weight.hasPrefix("-") ? "-" : "+"
                var line = group.isPoints && sign == "+" ? "+\(weight)" : group.isPoints ? weight : sign
                line += " " + signals.words(for: StoredRecord.text(reason["signal"]))
                if let quote = reason["quote"]?.string { line += "  “\(quote)”" }
                out.line(line, indent: 4)
            }
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

    /// A number from 0 to 1 as a whole one from 0 to 100.
    private static func percent(_ value: Double) -> Int { Int((min(max(value, 0), 1) * 100).rounded()) }
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
