/// The language files that travel inside the binary: one YAML file for each language, in the order of their names.
///
/// The build finds the files itself (`LanguagePlugin`): a language is added by its file and nothing else.
public enum ShippedLanguages {
    /// One language file.
    public struct File: Sendable {
        /// As faults name it: `pl.yaml`.
        public let name: StaticString
        /// The file as it was written, in UTF-8.
        public let text: StaticString
    }

    public static var files: [File] {
        // What the plugin generated; its texts stand in read-only memory and cost nothing until somebody reads them.
        generatedFiles.map { File(name: $0.name, text: $0.text) }
    }
}
