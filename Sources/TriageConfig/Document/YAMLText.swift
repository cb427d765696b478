/// Writes texts as YAML that is pleasant to read: plain where that is safe, quoted where needed.
package enum YAMLText {
    /// A scalar on one line.
    package static func scalar(_ text: String) -> String { isPlain(text) ? text : quoted(text) }

    /// The lines of `key: value`, with a literal block if the text has several lines.
    ///
    /// - Parameter indent: the number of blanks before the key.
    static func member(_ key: String, _ text: String, indent: Int) -> [String] {
        let margin = String(repeating: " ", count: indent)
        guard isBlock(text) else { return ["\(margin)\(key): \(scalar(text))"] }
        var body = text
        let endsLine = body.hasSuffix("\n")
        if endsLine { body.removeLast() }
        let lines = body.split(separator: "\n", omittingEmptySubsequences: false)
        return ["\(margin)\(key): |\(endsLine ? "" : "-")"] + lines.map { $0.isEmpty ? "" : "\(margin)  \($0)" }
    }

    /// Whether a literal block preserves the text exactly: it has no blanks at its ends and nothing to escape.
    private static func isBlock(_ text: String) -> Bool {
        guard text.contains("\n"), let first = text.unicodeScalars.first, first != " ", first != "\n",
            !text.hasSuffix("\n\n")
        else { return false }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasSuffix(" ") || line.hasSuffix("\t") || line.hasPrefix("\t") { return false }
            if !line.unicodeScalars.allSatisfy({ isPrintable($0) }) { return false }
        }
        return true
    }

    private static func isPlain(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last,
            text.unicodeScalars.allSatisfy({ isPrintable($0) }), first != " ", last != " ", last != ":",
            !"-?:,[]{}#&*!|>'\"%@`=~<.".unicodeScalars.contains(first), !text.contains(": "), !text.contains(" #"),
            ConfigNode.truth(text) == nil, !["null", "Null", "NULL"].contains(text)
        else { return false }
        // Other readers would change the type of numbers, dates and times.
        return !text.utf8.allSatisfy { (0x2B...0x3A).contains($0) || $0 | 0x20 == 0x65 || $0 == 0x5F }
            && Double(text) == nil
    }

    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E, 0xA0...0x2027, 0x202F...0xD7FF, 0xE000...0xFEFE, 0xFF00...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }

    private static func quoted(_ text: String) -> String {
        var out = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case "\n": out += "\\n"
            case "\r": out += "\\r"
            case "\t": out += "\\t"
            default:
                if isPrintable(scalar) {
                    out.unicodeScalars.append(scalar)
                } else {
                    let hex = String(scalar.value, radix: 16, uppercase: true)
                    out += "\\u" + String(repeating: "0", count: max(0, 4 - hex.count)) + hex
                }
            }
        }
        return out + "\""
    }
}
