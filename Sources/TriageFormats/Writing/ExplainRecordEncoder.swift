package import TriageCore

/// Writes each message's answers with every reason, as text for people.
package struct ExplainRecordEncoder: RecordEncoder {
    private let signals: SignalNames
    private let why: [String]
    private let library: FAQLibrary
    private let width: Int

    /// - Parameters:
    ///   - rules: the rule set, including the reasons in words.
    ///   - width: columns of the page.
    package init(signals: SignalNames, rules: RuleSet, library: FAQLibrary, width: Int) {
        self.signals = signals
        why = rules.signals.map(\.why)
        self.library = library
        self.width = max(60, width)
    }

    package func encode(_ batch: inout Batch, into out: inout OutputBuffer) {
        for record in batch.records where record.status != .filtered {
            if out.count > 0 { out.add(byte: 0x0A) }
            out.add(Array(page(of: record, in: batch).utf8))
        }
    }

    private func page(of record: Record, in batch: borrowing Batch) -> String {
        if record.status == .rejected {
            let reason = batch.rejects[record.reject].reason
            return "rejected: \(reason.reason) [\(reason.code)], byte \(reason.offset) of the line\n"
        }
        let fields = record.fields
        let head = [
            fields.id, fields.platform, fields.senderHandle.isPresent ? fields.senderHandle : fields.senderName,
            fields.sentAt,
        ].compactMap { batch.string($0) }
        var page = Page(width: width)
        page.line(head.joined(separator: " · "))
        page.line("  " + (batch.string(fields.text) ?? ""))
        switch record.status {
        case .own: page.line("  sent by you: context only")
        case .notMessage: page.line("  not a message (\(batch.string(fields.kind) ?? "context")): context only")
        default: answers(of: record, in: batch, &page)
        }
        return page.text
    }

    private func answers(of record: Record, in batch: borrowing Batch, _ page: inout Page) {
        func number(_ value: Float) -> String {
            let scaled = Int((value * 100).rounded())
            let sign = scaled < 0 ? "-" : ""
            return "\(sign)\(scaled.magnitude / 100).\(scaled.magnitude % 100 < 10 ? "0" : "")\(scaled.magnitude % 100)"
        }
        if let language = record.language {
            page.answer("language", LanguageTable.tags[Int(language.language)], number(language.confidence))
        }
        if let category = record.category {
            page.answer(
                "category", category.label?.name ?? "none", "\(number(category.confidence)) \(category.level.name)",
                by: category.by)
            reasons(category.because, record, batch, &page)
        }
        if let sentiment = record.sentiment {
            page.answer(
                "sentiment", sentiment.label?.name ?? "none",
                "\(number(sentiment.confidence)) \(sentiment.level.name), intensity \(number(sentiment.intensity))",
                by: sentiment.by)
            reasons(sentiment.because, record, batch, &page)
        }
        if let urgency = record.urgency {
            page.answer("urgency", urgency.isUrgent ? "urgent" : "not urgent", number(urgency.score), by: urgency.by)
            reasons(urgency.because, record, batch, &page)
        }
        if let offer = record.opportunity {
            page.answer("opportunity", "\(offer.score) of 100", offer.tier ?? "no tier")
            for (name, part) in [
                ("monetary", offer.monetary), ("brand fit", offer.brandFit), ("legitimacy", offer.legitimacy),
                ("urgency", offer.urgency),
            ] {
                page.line("    \(name): \(part.points) of \(part.maximum)")
                reasons(part.because, record, batch, &page)
            }
        }
        if let answer = record.faq, library.entries.indices.contains(answer.entry) {
            let entry = library.entries[answer.entry]
            page.answer(
                "faq", entry.id, "\(answer.isHigh ? "high" : "possible") \(number(answer.confidence))", by: answer.by)
            page.line("    " + entry.question)
        } else {
            page.answer("faq", "none", "")
        }
        if let injection = record.injection, injection.isSuspected {
            page.answer("injection", "suspected", number(injection.score))
            reasons(injection.because, record, batch, &page)
        }
        if let campaign = record.campaign {
            page.answer("campaign", campaign.name, "\(campaign.senders) senders sent nearly the same text")
        }
        if let draft = record.draft {
            let text = String(decoding: batch.generated[draft.text.range], as: UTF8.self)
            let base = String(decoding: batch.generated[draft.basedOn.range], as: UTF8.self)
            page.answer("draft", base, "", by: draft.by)
            page.line("    " + text)
        } else if let reason = record.noDraft {
            page.answer("draft", "none", reason.name)
        }
        if let priority = record.priority { page.answer("priority", "\(priority)", "") }
        for problem in batch.problems(of: record) { page.line("  problem: \(problem.message) [\(problem.code)]") }
    }

    private func reasons(
        _ range: EvidenceRange, _ record: Record, _ batch: borrowing Batch, _ page: inout Page
    ) {
        for evidence in batch.evidence[range] {
            var quote = ""
            if evidence.start >= 0 {
                let base = Int(record.fields.text.start)
                quote = String(
                    decoding: batch.arena[base + Int(evidence.start)..<base + Int(evidence.end)], as: UTF8.self)
            }
            let signal = Int(evidence.signal)
            page.reason(
                evidence.weight, signals.names[signal], quote: quote, why: signal < why.count ? why[signal] : "")
        }
    }

    /// Lines that fit a width and contain no control characters.
    private struct Page {
        let width: Int
        private(set) var text = ""

        init(width: Int) { self.width = width }

        mutating func line(_ line: String) {
            let indent = line.prefix { $0 == " " }
            text += indent + TerminalText.line(line, columns: width - indent.count) + "\n"
        }

        mutating func answer(_ question: String, _ label: String, _ detail: String, by: Decider? = nil) {
            text += "  " + TerminalText.padded(question, columns: 13)
            let answer = "\(label)\(detail.isEmpty ? "" : ", \(detail)")\(by.map { ", by \($0.name)" } ?? "")"
            text += TerminalText.line(answer, columns: width - 15) + "\n"
        }

        mutating func reason(_ weight: Float, _ name: String, quote: String, why: String) {
            let tenths = Int((weight * 10).rounded())
            let number = "\(tenths < 0 ? "-" : "+")\(tenths.magnitude / 10).\(tenths.magnitude % 10)"
            text += "      " + TerminalText.paddedBefore(number, columns: 5) + "  "
            text += TerminalText.padded(TerminalText.line(name, columns: 30), columns: 31)
            text += TerminalText.line("\(quote.isEmpty ? "" : "“\(quote)” ")\(why)", columns: width - 44) + "\n"
        }
    }
}
