/// Columns of text for people; the last column takes the rest of the line.
package struct TextTable: Sendable {
    private let header: [String]
    private var rows: [[String]] = []

    package init(_ header: [String]) { self.header = header }

    /// Adds a row; control characters are shown as `·`, line breaks as blanks.
    package mutating func add(_ row: [String]) { rows.append(row.map(Self.oneLine)) }

    /// The table as text.
    ///
    /// - Parameter width: the width of the terminal in columns; nil: as wide as needed.
    package func rendered(width: Int?) -> String {
        var widths = header.map(\.count)
        for row in rows {
            for (index, cell) in row.enumerated() where index < widths.count {
                widths[index] = max(widths[index], cell.count)
            }
        }
        var out = ""
        for row in [header] + rows {
            var line = ""
            for (index, cell) in row.enumerated() {
                if index == row.count - 1 {
                    line += cell
                } else {
                    line += cell + String(repeating: " ", count: widths[index] - cell.count + 2)
                }
            }
            while line.hasSuffix(" ") { line.removeLast() }
            if let width, line.count > width, width > 1 { line = line.prefix(width - 1) + "…" }
            out += line + "\n"
        }
        return out
    }

    private static func oneLine(_ text: String) -> String {
        var out = ""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x09, 0x0A, 0x0D: out += " "
            case 0..<0x20, 0x7F..<0xA0, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x206F: out += "·"
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }
}
