import Foundation

/// Writes language files as Swift.
///
/// `LanguageCompiler OUTPUT FILE...`
@main enum LanguageCompiler {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let output = arguments.first else {
            throw CocoaError(.fileNoSuchFile)
        }
        let files = try arguments.dropFirst().map { path in
            let url = URL(filePath: path)
            return (name: url.lastPathComponent, text: String(decoding: try Data(contentsOf: url), as: UTF8.self))
        }
        try Data(SwiftSource.text(of: files).utf8).write(to: URL(filePath: output), options: .atomic)
    }
}
