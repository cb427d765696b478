/// The language files that travel inside the binary: a YAML file for each language, or a folder of them, in the order of
/// their names.
///
/// The build finds the files itself (`LanguagePlugin`) and checks them (`LanguageCompiler`). What else names a
/// language is in the guide "Adding a language". Sections are kept as flat text beside the files, so that no start of
/// the program reads YAML.
public enum ShippedLanguages {
    /// One language file.
    public struct File: Sendable {
        /// As faults name it: `pl.yaml`, or `es/danger.yaml`.
        public let name: StaticString
        /// The file as it was written, in UTF-8.
        public let text: StaticString

        /// The language it is of.
        public var language: String {
            let first = "\(name)".split(separator: "/")[0]
            return String(first.hasSuffix(".yaml") ? first.dropLast(5) : first)
        }
    }

    /// What one language says under one key of a section.
    public struct Entry: Sendable, Equatable {
        /// The file's language; `und` for what belongs to no language.
        public let language: String
        /// Keys on the way to the values, with dots between.
        public let key: String
        public let values: [String]
    }

    public static var files: [File] {
        // What the plugin generated; its texts stand in read-only memory and cost nothing until somebody reads them.
        generatedFiles.map { File(name: $0.name, text: $0.text) }
    }

    /// The entries of a section of all languages, in the order of the files; none for a section that no file has.
    public static func entries(of section: String) -> [Entry] {
        generatedSection(section).withUTF8Buffer { bytes in
            // A line for each key: language, key, values; made by `SwiftSource` of the compiler.
            bytes.split(separator: 0x0A).map { line in
                let fields = line.split(separator: 0x09, maxSplits: 2, omittingEmptySubsequences: false)
                func text(_ bytes: some Collection<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
                return Entry(
                    language: text(fields[0]), key: text(fields[1]), values: fields[2].split(separator: 0x1F).map(text))
            }
        }
    }
}
