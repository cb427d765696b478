/// Lays rows out for a terminal of a given width.
package struct TableRenderer: Sendable {
    /// Columns of the terminal; the table never is wider, but at least ``narrowest``.
    package var width: Int
    /// Whether urgent rows and the head are set off by colour and weight.
    package var usesColor: Bool

    package static let narrowest = 24

    package init(width: Int, usesColor: Bool) {
        self.width = max(Self.narrowest, width)
        self.usesColor = usesColor
    }

    /// Columns that the beginning of a message should have; others give way for it.
    private static let messageColumns = 20

    /// A column: its head and the widest it may be.
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

    /// Heads of the columns that give way on a narrow terminal, the first one first.
    private static let dispensable = ["Sent", "FAQ", "Feeling", "From", "Worth", "Kind"]

    /// The table with its head, and a last line that says how many messages are not shown.
    package func render(_ rows: TableRows) -> String {
        let best = rows.best
        return render(best, more: rows.count - best.count)
    }

    /// The table of these rows in their order, and a last line that says how many more there are.
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

    /// Cells side by side with two blanks between; columns without any content are left out.
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
