/// Files as Swift source.
enum SwiftSource {
    static func text(of files: [(name: String, text: String)]) -> String {
        var lines = ["let generatedFiles: [(name: StaticString, text: StaticString)] = ["]
        for file in files { lines.append("    (\(literal(file.name)), \(literal(file.text))),") }
        lines.append("]\n")
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
