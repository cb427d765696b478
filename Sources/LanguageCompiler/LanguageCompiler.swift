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
