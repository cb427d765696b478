import Synchronization
package import TriageCore

/// Gathers the best messages of a run and writes them as a table at its end: urgent ones first, then by priority.
///
/// Batches may come from several workers in any order; the table is the same.
package final class TableRecordEncoder: RecordEncoder {
    /// Bytes of a message that may be looked at for its beginning.
    private static let messageBytes = 2048

    private let rows: Mutex<TableRows>
    private let renderer: TableRenderer
    private let faqIDs: [String]

    /// - Parameters:
    ///   - library: the FAQ that answers refer to.
    ///   - renderer: width and colour.
    ///   - limit: rows at most; the rest is counted.
    package init(library: FAQLibrary, renderer: TableRenderer, limit: Int = 100) {
        rows = Mutex(TableRows(limit: limit))
        self.renderer = renderer
        faqIDs = library.entries.map(\.id)
    }

    package var footer: [UInt8] { Array(renderer.render(rows.withLock { $0 }).utf8) }

    package func encode(_ batch: inout Batch, into out: inout OutputBuffer) {
        // Building a row costs strings, so only what can still make it into the table gets one.
        let current = rows.withLock { $0 }
        var found: [TableEntry] = []
        var others = 0
        for (number, record) in batch.records.enumerated() where record.status == .message {
            let rank = TableEntry.Rank(
                isUrgent: record.urgency?.isUrgent ?? false, priority: record.priority ?? 0,
                batch: batch.input.sequence, record: number)
            if current.admits(rank) { found.append(row(rank, record, batch)) } else { others += 1 }
        }
        rows.withLock { rows in
            for row in found { rows.insert(row) }
            rows.countOnly(others)
        }
    }

    private func row(_ rank: TableEntry.Rank, _ record: Record, _ batch: borrowing Batch) -> TableEntry {
        let fields = record.fields
        let sender: Span32 =
            [fields.senderName, fields.senderHandle, fields.senderID].first { $0.count > 0 } ?? .absent
        var worth = ""
        if let opportunity = record.opportunity {
            worth = TerminalText.paddedBefore(String(opportunity.score), columns: 3)
            if let tier = opportunity.tier { worth += " " + tier }
            if let budget = record.facts.budget ?? record.thread.budget { worth += " " + MoneyText.short(budget) }
        }
        var faq = ""
        if let answer = record.faq, faqIDs.indices.contains(answer.entry) {
            faq = faqIDs[answer.entry] + (answer.isHigh ? "" : " ?")
        }
        return TableEntry(
            rank: rank, from: text(sender, batch), kind: kind(of: record),
            feeling: feeling(record.sentiment), worth: worth, faq: faq, message: text(fields.text, batch))
    }

    /// The category, and how many sent nearly the same: `spam ×7`.
    private func kind(of record: Record) -> String {
        let label = record.category?.label?.name ?? ""
        return record.campaign.map { "\(label) ×\($0.senders)" } ?? label
    }

    /// Neutral is not shown to people.
    private func feeling(_ answer: SentimentAnswer?) -> String {
        guard let label = answer?.label, label != .neutral else { return "" }
        return label.name
    }

    private func text(_ span: Span32, _ batch: borrowing Batch) -> String {
        String(decoding: batch.arena[span.range.prefix(Self.messageBytes)], as: UTF8.self)
    }
}
