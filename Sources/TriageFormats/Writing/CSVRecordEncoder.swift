package import TriageCore

/// Writes one row per triaged message, as defined by RFC 4180: comma, CRLF, quotes where needed.
///
/// Cells come from strangers, so a cell that a spreadsheet would read as a formula gets a leading `'`. Own messages,
/// notices that are not messages, and rejected records are left out. The cell is empty for a question that was not
/// asked or does not apply.
package struct CSVRecordEncoder: RecordEncoder {
    /// Column names, in order.
    package static let columns = [
        "id", "platform", "conversation_id", "sender", "sent_at", "text", "category", "confidence", "level",
        "sentiment", "intensity", "urgent", "urgency_score", "priority", "opportunity_score", "tier", "monetary",
        "brand_fit", "legitimacy", "opp_urgency", "budget", "deadline", "faq_id", "faq_match", "draft", "injection",
        "campaign", "campaign_count",
    ]

    private let faqIDs: [[UInt8]]
    private let questions: Set<Question>

    /// - Parameters:
    ///   - library: the FAQ that answers refer to.
    ///   - questions: those whose cells are filled; empty: all.
    package init(library: FAQLibrary, questions: Set<Question> = []) {
        faqIDs = library.entries.map { Array($0.id.utf8) }
        self.questions = questions
    }

    package var header: [UInt8] { Array((Self.columns.joined(separator: ",") + "\r\n").utf8) }

    package func encode(_ batch: inout Batch, into out: inout OutputBuffer) {
        for record in batch.records where record.status == .message { row(record, batch, &out) }
    }

    private func prints(_ question: Question) -> Bool { questions.isEmpty || questions.contains(question) }

    private func row(_ record: Record, _ batch: borrowing Batch, _ out: inout OutputBuffer) {
        let fields = record.fields
        if fields.id.isPresent {
            cell(fields.id, batch.arena, &out)
        } else {
            out.add(MadeID.bytes(for: record, in: batch))
        }
        next(fields.platform, batch.arena, &out)
        next(fields.conversationID, batch.arena, &out)
        let sender: Span32 =
            [fields.senderHandle, fields.senderName, fields.senderID].first { $0.isPresent } ?? .absent
        next(sender, batch.arena, &out)
        next(fields.sentAt, batch.arena, &out)
        next(fields.text, batch.arena, &out)
        category(prints(.category) ? record.category : nil, &out)
        sentiment(prints(.sentiment) ? record.sentiment : nil, &out)
        urgency(prints(.urgency) ? record.urgency : nil, &out)
        out.add(",")
        if prints(.priority), let priority = record.priority { out.add(priority) }
        opportunity(record, prints(.opportunity) ? record.opportunity : nil, &out)
        out.add(",")
        if prints(.faq), let faq = record.faq, faqIDs.indices.contains(faq.entry) {
            faqIDs[faq.entry].withUnsafeBufferPointer { cell($0, &out) }
            if faq.isHigh { out.add(",high") } else { out.add(",possible") }
        } else {
            out.add(",")
        }
        if prints(.draft), let draft = record.draft { next(draft.text, batch.generated, &out) } else { out.add(",") }
        out.add(",")
        if prints(.injection), let injection = record.injection { add(injection.isSuspected, &out) }
        if prints(.campaign), let campaign = record.campaign {
            out.add(",")
            out.add(name: campaign)
            out.add(",")
            out.add(Int(campaign.senders))
        } else {
            out.add(",,")
        }
        out.add("\r\n")
    }

    private func category(_ answer: CategoryAnswer?, _ out: inout OutputBuffer) {
        guard let answer, let label = answer.label else {
            out.add(",,,")
            return
        }
        switch label {
        case .fan: out.add(",fan,")
        case .business: out.add(",business,")
        case .spam: out.add(",spam,")
        }
        var pen = out.pen(room: JSONWriter.numberRoom)
        pen.writeScaled(CategoryScores(answer).of(label), power: 10_000)
        out.take(pen)
        switch answer.level {
        case .high: out.add(",high")
        case .medium: out.add(",medium")
        case .low: out.add(",low")
        }
    }

    private func sentiment(_ answer: SentimentAnswer?, _ out: inout OutputBuffer) {
        guard let answer, let label = answer.label else {
            out.add(",,")
            return
        }
        switch label {
        case .positive: out.add(",positive,")
        case .negative: out.add(",negative,")
        case .neutral: out.add(",neutral,")
        }
        out.add(answer.intensity, places: 2)
    }

    private func urgency(_ answer: UrgencyAnswer?, _ out: inout OutputBuffer) {
        guard let answer else {
            out.add(",,")
            return
        }
        out.add(",")
        add(answer.isUrgent, &out)
        out.add(",")
        out.add(answer.score, places: 4)
    }

    private func opportunity(_ record: Record, _ answer: OpportunityAnswer?, _ out: inout OutputBuffer) {
        guard let answer else {
            out.add(",,,,,,,,")
            return
        }
        out.add(",")
        out.add(answer.score)
        out.add(",")
        if let tier = answer.tier { out.add(Array(tier.utf8)) }
        for part in [answer.monetary, answer.brandFit, answer.legitimacy, answer.urgency] {
            out.add(",")
            out.add(part.points)
        }
        out.add(",")
        if let budget = record.facts.budget ?? record.thread.budget {
            out.add(Array(MoneyText.plain(budget).utf8))
        }
        out.add(",")
        if let day = record.facts.deadlineDay { out.add(CivilDate(daysSince1970: Int(day))) }
    }

    private func add(_ value: Bool, _ out: inout OutputBuffer) {
        if value { out.add("true") } else { out.add("false") }
    }

    private func next(_ span: Span32, _ bytes: [UInt8], _ out: inout OutputBuffer) {
        out.add(",")
        cell(span, bytes, &out)
    }

    private func cell(_ span: Span32, _ bytes: [UInt8], _ out: inout OutputBuffer) {
        bytes.withUnsafeBufferPointer { cell(UnsafeBufferPointer(rebasing: $0[span.range]), &out) }
    }

    @inline(__always)
    private func cell(_ text: UnsafeBufferPointer<UInt8>, _ out: inout OutputBuffer) { Self.cell(text, &out) }

    /// Appends a cell with untrusted content.
    private static func cell(_ text: UnsafeBufferPointer<UInt8>, _ out: inout OutputBuffer) {
        guard let first = text.first else { return }
        let isGuarded = beginsLikeFormula(first, text)
        var isQuoted = first == 0x20 || text[text.count - 1] == 0x20
        for byte in text where byte == 0x22 || byte == 0x2C || byte == 0x0A || byte == 0x0D {
            isQuoted = true
            break
        }
        if isQuoted { out.add("\"") }
        if isGuarded { out.add("'") }
        if isQuoted {
            for byte in text {
                if byte == 0x22 { out.add(byte: byte) }
                out.add(byte: byte)
            }
            out.add("\"")
        } else {
            out.add(text)
        }
    }

    /// A cell with untrusted content, for rows assembled elsewhere.
    package static func cell(_ text: String) -> [UInt8] {
        var out = OutputBuffer(capacity: text.utf8.count + 64)
        var text = text
        text.withUTF8 { cell($0, &out) }
        return Array(out.bytes)
    }

    /// Whether it begins with = + - @, a tab, a line break or NUL, or a full-width form of the first four.
    private static func beginsLikeFormula(_ first: UInt8, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
        switch first {
        case 0x3D, 0x2B, 0x2D, 0x40, 0x09, 0x0D, 0x0A, 0x00: return true
        case 0xEF where text.count >= 3 && text[1] == 0xBC:
            // U+FF1D, U+FF0B, U+FF0D, U+FF20.
            return [0x9D, 0x8B, 0x8D, 0xA0].contains(text[2])
        default: return false
        }
    }
}
