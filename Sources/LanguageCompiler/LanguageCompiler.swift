import Foundation

/// Checks language files and writes them as Swift.
///
/// `LanguageCompiler OUTPUT FOLDER FILE...`; the files lie in the folder, or in a folder of a language in it.
///
/// A fault ends the build, with file, line and remedy. What is checked here costs a start of the program nothing.
@main enum LanguageCompiler {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count >= 2, let output = arguments.first else {
            fail(["LanguageCompiler: no output or no folder is named"])
        }
        let folder = arguments[arguments.startIndex + 1]
        var files: [LanguageFile] = []
        for path in arguments.dropFirst(2) {
            let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
            files.append(LanguageFile(path: path, folder: folder, text: text))
        }
        let faults = files.flatMap(\.faults) + LanguageFile.faults(between: files)
        guard faults.isEmpty else { fail(faults.map(\.description)) }
        try Data(SwiftSource.text(of: files).utf8).write(to: URL(filePath: output), options: .atomic)
    }

    private static func fail(_ lines: [String]) -> Never {
        // Where not even this can be written the exit code says it.
        try? FileHandle.standardError.write(contentsOf: Data((lines.joined(separator: "\n") + "\n").utf8))
        exit(1)
    }
}

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
