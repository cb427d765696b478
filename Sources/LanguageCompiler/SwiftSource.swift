/// Files as Swift source.
enum SwiftSource {
    static func text(of files: [LanguageFile]) -> String {
        var lines = ["let generatedFiles: [(name: StaticString, text: StaticString)] = ["]
        for file in files { lines.append("    (\(literal(file.name)), \(literal(file.text))),") }
        lines.append("]\n")
        lines.append("func generatedSection(_ name: String) -> StaticString {")
        lines.append("    switch name {")
        for section in LanguageSchema.sections.keys.sorted() {
            // A line for each key: language, key, values; the values behind U+001F, which no text holds.
            let content = files.flatMap { file in
                file.entries.filter { $0.section == section }.map {
                    "\(file.tag)\t\($0.key)\t\($0.values.joined(separator: "\u{1F}"))\n"
                }
            }
            if !content.isEmpty { lines.append("    case \(literal(section)): \(literal(content.joined()))") }
        }
        lines += ["    default: \"\"", "    }", "}", ""]
        return lines.joined(separator: "\n")
    }

    /// A string literal on one line.
    static func literal(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": literal += "\\\""
            case "\\": literal += "\\\\"
            case "\n": literal += "\\n"
            case "\r": literal += "\\r"
            // Controls, and what an editor or a compiler may take for the end of a line.
            case _ where scalar.value < 0x20 || [0x7F, 0x2028, 0x2029].contains(scalar.value):
                literal += "\\u{\(String(scalar.value, radix: 16))}"
            default: literal.unicodeScalars.append(scalar)
            }
        }
        return literal + "\""
    }
}
