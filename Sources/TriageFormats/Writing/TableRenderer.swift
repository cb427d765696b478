import Synchronization
package import TriageCore

/// Formats rows as a table for a terminal of a given width.
package struct TableRenderer: Sendable {
    /// Columns of the terminal; the table is never wider, but at least ``narrowest``.
    package var width: Int
    /// Whether to highlight urgent rows and the header with color and bold type.
    package var usesColor: Bool

    package static let narrowest = 24

    package init(width: Int, usesColor: Bool) {
        self.width = max(Self.narrowest, width)
        self.usesColor = usesColor
    }

    /// Minimum columns for the beginning of the message; other columns are dropped to reach it.
    private static let messageColumns = 20

    /// A column with its heading and maximum width.
    private struct Column {
        var head: String
        var most: Int
        var isNumber = false
        var cell: @Sendable (TableEntry) -> String
    }

    private static let columns: [Column] = [
        Column(head: "No", most: 12, isNumber: true) { $0.number },
        Column(head: "!", most: 1) { $0.rank.isUrgent ? "!" : "" },
        Column(head: "Prio", most: 4, isNumber: true) { String($0.rank.priority) },
        Column(head: "Sent", most: 10) { $0.day },
        Column(head: "From", most: 18) { $0.from },
        Column(head: "Kind", most: 9) { $0.kind },
        Column(head: "Feeling", most: 8) { $0.feeling },
        Column(head: "Worth", most: 20) { $0.worth },
        Column(head: "FAQ", most: 16) { $0.faq },
    ]

    /// Headings of the columns that are dropped on a narrow terminal, in that order.
    private static let dispensable = ["Sent", "FAQ", "Feeling", "From", "Worth", "Kind"]

    /// The table with its header, and a last line that counts the messages not shown.
    package func render(_ rows: TableRows) -> String {
        let best = rows.best
        return render(best, more: rows.count - best.count)
    }

    /// The table of these rows in their order, and a last line that counts the others.
    package func render(_ best: [TableEntry], more: Int) -> String {
        guard !best.isEmpty else { return "No messages.\n" }
        let shown = Self.columns
        let cells = best.map { row in shown.map { TerminalText.line($0.cell(row), columns: $0.most) } }
        var widths = shown.indices.map { place in
            let widest = cells.reduce(0) { max($0, TerminalText.width($1[place])) }
            return widest == 0 ? 0 : max(widest, TerminalText.width(shown[place].head))
        }
        func used() -> Int { widths.reduce(0) { $0 + ($1 > 0 ? $1 + 2 : 0) } }
        for head in Self.dispensable where width - used() < Self.messageColumns {
            if let place = shown.firstIndex(where: { $0.head == head }) { widths[place] = 0 }
        }
        let rest = max(4, width - used())
        var out = ""
        let head = line(shown.map(\.head), shown, widths) + "Message"
        out += style(String(head.prefix(width)), "1") + "\n"
        for (row, cells) in zip(best, cells) {
            let text = line(cells, shown, widths) + TerminalText.line(row.message, columns: rest)
            out += style(trimmed(text), row.rank.isUrgent ? "1;31" : nil) + "\n"
        }
        if more > 0 { out += "… and \(MoneyText.count(more)) more.\n" }
        return out
    }

    /// Joins cells with two spaces between them, leaving out columns without any content.
    private func line(_ cells: [String], _ columns: [Column], _ widths: [Int]) -> String {
        var out = ""
        for (place, cell) in cells.enumerated() where widths[place] > 0 {
            out +=
                columns[place].isNumber
                ? TerminalText.paddedBefore(cell, columns: widths[place])
                : TerminalText.padded(cell, columns: widths[place])
            out += "  "
        }
        return out
    }

    private func trimmed(_ text: String) -> String {
        var text = Substring(text)
        while text.last == " " { text.removeLast() }
        return String(text)
    }

    private func style(_ text: String, _ code: String?) -> String {
        guard usesColor, let code else { return text }
        return "\u{1B}[\(code)m\(text)\u{1B}[0m"
    }
}

/// One message as a row of the table.
package struct TableEntry: Sendable, Equatable {
    var rank: Rank
    /// The number that people name it by; empty: none.
    var number = ""
    /// The day it was sent; empty: not shown.
    var day = ""
    var from: String
    var kind: String
    var feeling: String
    var worth: String
    var faq: String
    var message: String

    init(
        rank: Rank, from: String, kind: String, feeling: String, worth: String, faq: String, message: String
    ) {
        self.rank = rank
        self.from = from
        self.kind = kind
        self.feeling = feeling
        self.worth = worth
        self.faq = faq
        self.message = message
    }

    /// A message of a list with an order of its own; cells may contain anything.
    package init(
        number: String, isUrgent: Bool, priority: Int, day: String, from: String, kind: String, feeling: String,
        worth: String, faq: String, message: String
    ) {
        self.init(
            rank: Rank(isUrgent: isUrgent, priority: priority, batch: 0, record: 0), from: from, kind: kind,
            feeling: feeling, worth: worth, faq: faq, message: message)
        self.number = number
        self.day = day
    }

    /// The order of rows: urgent ones first, then higher priority, then earlier messages.
    package struct Rank: Sendable, Equatable, Comparable {
        var isUrgent: Bool
        var priority: Int
        /// The batch within the run, then the record within the batch.
        var batch: Int
        var record: Int

        /// Whether a row with rank `a` comes below one with rank `b`.
        package static func < (a: Rank, b: Rank) -> Bool {
            if a.isUrgent != b.isUrgent { return b.isUrgent }
            if a.priority != b.priority { return a.priority < b.priority }
            return (a.batch, a.record) > (b.batch, b.record)
        }
    }
}

/// The best rows of a run of any length, independent of the order in which they arrive.
package struct TableRows: Sendable {
    /// Maximum number of rows kept.
    package let limit: Int
    /// Messages seen.
    package private(set) var count = 0
    /// A heap of the kept rows with the lowest one on top.
    private var heap: [TableEntry] = []

    package init(limit: Int) { self.limit = max(1, limit) }

    /// Whether a row with this rank would be kept.
    func admits(_ rank: TableEntry.Rank) -> Bool { heap.count < limit || heap[0].rank < rank }

    /// Counts messages that did not get a row.
    mutating func countOnly(_ messages: Int) { count += messages }

    mutating func insert(_ row: TableEntry) {
        count += 1
        if heap.count < limit {
            heap.append(row)
            var child = heap.count - 1
            while child > 0, heap[child].rank < heap[(child - 1) / 2].rank {
                heap.swapAt(child, (child - 1) / 2)
                child = (child - 1) / 2
            }
        } else if heap[0].rank < row.rank {
            heap[0] = row
            sink()
        }
    }

    private mutating func sink() {
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
                if heap[child].rank < heap[least].rank { least = child }
            }
            if least == parent { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }

    /// The kept rows, best first.
    package var best: [TableEntry] { heap.sorted { $1.rank < $0.rank } }
}

/// Collects the best messages of a run and writes them as a table at its end: urgent ones first, then by priority.
///
/// Batches may arrive from several workers in any order; the table is the same.
package final class TableRecordEncoder: RecordEncoder {
    /// Maximum bytes of a message examined for its beginning.
    private static let messageBytes = 2048

    private let rows: Mutex<TableRows>
    private let renderer: TableRenderer
    private let faqIDs: [String]

    /// - Parameters:
    ///   - library: the FAQ that answers refer to.
    ///   - renderer: width and color.
    ///   - limit: maximum number of rows; the others are counted.
    package init(library: FAQLibrary, renderer: TableRenderer, limit: Int = 100) {
        rows = Mutex(TableRows(limit: limit))
        self.renderer = renderer
        faqIDs = library.entries.map(\.id)
    }

    package var footer: [UInt8] { Array(renderer.render(rows.withLock { $0 }).utf8) }

    package func encode(_ batch: inout Batch, into out: inout OutputBuffer) {
        // Building a row allocates strings, so build one only if it can still get into the table.
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

    /// The category, and how many people sent nearly the same text: `spam ×7`.
    private func kind(of record: Record) -> String {
        let label = record.category?.label?.name ?? ""
        return record.campaign.map { "\(label) ×\($0.senders)" } ?? label
    }

    /// The sentiment; neutral is not shown to people.
    private func feeling(_ answer: SentimentAnswer?) -> String {
        guard let label = answer?.label, label != .neutral else { return "" }
        return label.name
    }

    private func text(_ span: Span32, _ batch: borrowing Batch) -> String {
        String(decoding: batch.arena[span.range.prefix(Self.messageBytes)], as: UTF8.self)
    }
}
