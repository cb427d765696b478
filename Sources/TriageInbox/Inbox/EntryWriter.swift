import ArgumentParser
package import TriageCore
import TriageFormats
import TriageLLM
package import TriageRun
package import TriageStore

/// The output format for listed messages.
package enum ListFormat: String, ExpressibleByArgument, CaseIterable {
    case table, jsonl, csv
}

/// Writes stored messages as JSON lines, CSV rows or a table.
///
/// A message without corrections is written byte for byte as `run` writes it.
package struct EntryWriter {
    package let format: ListFormat
    /// Whether lines and rows include people's corrections beside the answers.
    package var hasCorrections = false
    package let writer: CheckedWriter
    private var pending: [UInt8] = []
    private var rows: [TableEntry] = []

    private static let corrected: [InboxFeedback.Field] = [
        .category, .sentiment, .urgent, .faq, .draft, .rating, .opportunity,
    ]

    package init(_ format: ListFormat, hasCorrections: Bool = false, to writer: CheckedWriter = .standardOutput) {
        self.format = format
        self.hasCorrections = hasCorrections
        self.writer = writer
        if format == .csv {
            let further = hasCorrections ? Self.corrected.map { "corrected_\($0.rawValue)" } : []
            pending = Array(((CSVRecordEncoder.columns + further).joined(separator: ",") + "\r\n").utf8)
        }
    }

    package mutating func add(_ entry: InboxEntry) throws {
        switch format {
        case .table: rows.append(Self.row(entry))
        case .jsonl:
            pending += hasCorrections ? Self.line(entry) : entry.message.record
            pending.append(0x0A)
        case .csv:
            guard entry.message.kind == .message else { return }
            let further = hasCorrections ? Self.corrected.map { entry.corrections[$0] ?? "" } : []
            pending += StoredRecord(entry.message.record).row(of: entry, further: further)
        }
        if pending.count > 1 << 20 { try flush() }
    }

    /// - Parameters:
    ///   - more: how many messages were left out.
    ///   - color: whether to color a table.
    package mutating func finish(more: Int = 0, color: ColorChoice = .auto) throws {
        if format == .table {
            let renderer = TableRenderer(
                width: Terminal.width(1), usesColor: color.isUsed(onTerminal: Terminal.isTerminal(1)))
            pending += Array(renderer.render(rows, more: more).utf8)
        }
        try flush()
    }

    private mutating func flush() throws {
        try writer.write(pending)
        pending.removeAll(keepingCapacity: true)
    }

    /// The record with an added member, `corrections`.
    private static func line(_ entry: InboxEntry) -> [UInt8] {
        let record = entry.message.record
        guard !entry.corrections.isEmpty, let end = record.lastIndex(of: UInt8(ascii: "}")) else { return record }
        var object = JSONObjectText()
        for field in corrected {
            guard let value = entry.corrections[field] else { continue }
            if field == .urgent {
                object.add(raw: field.rawValue, value == "true" ? "true" : "false")
            } else {
                object.add(field.rawValue, value)
            }
        }
        return record[..<end] + Array(",\"corrections\":\(object.text)".utf8) + record[end...]
    }

    /// A table row; corrected values are marked with `*`.
    private static func row(_ entry: InboxEntry) -> TableEntry {
        let message = entry.message
        func marked(_ text: String?, _ field: InboxFeedback.Field) -> String {
            guard let text else { return "" }
            return text + (entry.corrections[field] == nil ? "" : "*")
        }
        var worth = ""
        if let score = message.score {
            worth = TerminalText.paddedBefore(String(score), columns: 3)
            if let tier = message.tier { worth += " " + tier }
            if let usd = message.usd, usd > 0 { worth += " " + budget(message.record, usd: usd) }
            if entry.corrections[.opportunity] != nil { worth += "*" }
        }
        let kind =
            switch message.kind {
            case .message: marked(entry.category, .category)
            case .own: "(own)"
            case .notMessage: "(notice)"
            }
        var feeling = entry.sentiment == "neutral" ? nil : entry.sentiment
        if entry.corrections[.sentiment] != nil { feeling = entry.sentiment }
        var faq = message.faq.map { $0 + (message.faqMatch == "possible" ? " ?" : "") }
        switch entry.corrections[.faq] {
        case "wrong": faq = faq.map { "not " + $0 }
        case "none": faq = "none"
        case let value?: faq = value.hasPrefix("entry:") ? String(value.dropFirst(6)) : faq
        case nil: break
        }
        return TableEntry(
            number: String(entry.number), isUrgent: entry.isUrgent, priority: message.priority ?? 0,
            day: message.sentAt.map { String(UTCTime.text($0).prefix(10)) } ?? "", from: cut(message.sender ?? ""),
            kind: kind, feeling: marked(feeling, .sentiment), worth: worth, faq: marked(faq, .faq),
            message: cut(message.text))
    }

    /// The budget in the currency of the offer; in dollars if the record cannot be parsed.
    private static func budget(_ record: [UInt8], usd: Double) -> String {
        let money = StoredRecord(record).answer("opportunity", "budget")
        guard let amount = money?["amount"]?.double, amount > 0 else { return MoneyText.dollars(usd) }
        let currency = money?["currency"]?.string.flatMap { Currency(parsing: $0) }
        return MoneyText.short(MoneyAmount(amount: amount, currency: currency, usd: usd, start: 0, end: 0))
    }

    /// Cuts a text to more bytes than any terminal line shows.
    private static func cut(_ text: String) -> String { String(decoding: text.utf8.prefix(2048), as: UTF8.self) }
}

extension MoneyText {
    /// Formats an amount as `$5,000`, without cents.
    static func dollars(_ amount: Double) -> String {
        amount.isFinite ? "$" + count(Int(min(max(amount, 0), 1e15).rounded())) : "$0"
    }
}

extension InboxMessage {
    /// Makes the stored form of a record.
    ///
    /// - Parameters:
    ///   - record: a message, or a record that is context only.
    ///   - id: the record's own id, or a generated one.
    ///   - line: the annotated record without its line break.
    ///   - library: the FAQ library that the answers refer to.
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
                    of: record, in: batch, model: llm.model, textPrompt: llm.textPrompt, draftPrompt: llm.draftPrompt,
                    draftModel: llm.draftModel
                )?.bytes
        }
    }

    private static func present(_ text: String?) -> String? { text?.isEmpty == false ? text.map(visible) : nil }

    /// Replaces U+0000 in a name: SQLite text ends there, so two different names would look the same.
    private static func visible(_ text: String) -> String {
        guard text.utf8.contains(0) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value == 0 ? "\u{FFFD}" : $0 }))
    }
}

extension InboxLikeness {
    /// The sketch of a record's text for finding similar texts; nil: the text is too short.
    init?(_ record: Record, of batch: borrowing Batch) {
        guard batch.sketches.indices.contains(Int(record.sketch)) else { return nil }
        let sketch = batch.sketches[Int(record.sketch)]
        self.init(campaign: sketch.campaign, sender: sketch.sender, sketch: sketch.kept)
    }
}
