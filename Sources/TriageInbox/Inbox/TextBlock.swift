import TriageFormats

/// Text output for people, free of control characters that could manipulate a terminal.
package struct TextBlock {
    package private(set) var text = ""
    private let width: Int
    /// The maximum number of lines shown of one text.
    private static let mostLines = 200
    /// The maximum number of bytes shown of one text.
    private static let mostBytes = 16 << 10

    package init(width: Int) { self.width = max(width, 40) }

    /// Adds one line, cut to the width.
    package mutating func line(_ words: String, indent: Int = 2) {
        let isFirst = text.isEmpty
        let indent = isFirst ? 0 : indent
        text += String(repeating: " ", count: indent) + TerminalText.line(words, columns: width - indent) + "\n"
    }

    /// Adds a name and its value.
    package mutating func pair(_ name: String, _ value: String) {
        line(
            TerminalText.padded(name, columns: 9) + TerminalText.line(value, columns: max(20, width - 11)),
            isExact: true)
    }

    private mutating func line(_ words: String, isExact: Bool) { text += "  " + words + "\n" }

    /// Adds a heading after an empty line.
    package mutating func section(_ name: String) { text += "\n" + TerminalText.line(name, columns: width) + "\n" }

    /// Adds a message's text with its line breaks, cut if it is too long.
    package mutating func paragraph(_ words: String) {
        let start = String(decoding: words.utf8.prefix(Self.mostBytes), as: UTF8.self)
        var count = 0
        var isCut = words.utf8.count > Self.mostBytes
        // Split by scalars, because "\r\n" is a single Character.
        for part in start.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false) {
            for line in Self.wrapped(String(String.UnicodeScalarView(part)), columns: width - 2) {
                guard count < Self.mostLines else {
                    isCut = true
                    break
                }
                count += 1
                text += line.isEmpty ? "\n" : "  " + line + "\n"
            }
        }
        if isCut { text += "  … truncated; --to jsonl shows everything\n" }
    }

    private static func wrapped(_ words: String, columns: Int) -> [String] {
        // Remove control characters; a huge width keeps the line uncut.
        let harmless = TerminalText.line(words, columns: Int.max / 2)
        var lines: [String] = []
        var line = ""
        var used = 0
        for word in harmless.split(separator: " ", omittingEmptySubsequences: false) {
            let needed = TerminalText.width(String(word))
            if used > 0, used + 1 + needed > columns {
                lines.append(line)
                (line, used) = ("", 0)
            }
            if used > 0 {
                line += " "
                used += 1
            }
            line += word
            used += needed
        }
        lines.append(line)
        return lines
    }
}
