internal import TriageCore

/// The word lists of language identification, in the format of the shipped `languages.yaml`.
package struct LanguagesFile: Sendable {
    /// What distinguishes a language from others with the same script.
    package struct Language: Sendable {
        /// The BCP 47 tag.
        package var tag: String
        /// The script it is written in; nil: Latin.
        package var script: String?
        /// Frequent words, folded.
        package var words: [String]
        /// Words spelt with their accents.
        package var marked: [String]
        /// Letters that indicate the language.
        package var letters: String
    }

    package var languages: [Language] = []
    /// The default language of each script, used when no rule scores.
    package var defaults: [(script: String, tag: String)] = []

    /// Reads the file.
    ///
    /// - Throws: ``TriageErrors`` with every fault and its line.
    package init(_ source: RuleSource) throws {
        let faults = FaultCollector()
        let document = ConfigDocument(name: source.name, bytes: source.bytes, faults: faults)
        if let root = document.root {
            let file = MappingReader(
                root, in: source.name, subject: "a language file", keys: ["languages", "scripts"], faults: faults)
            readLanguages(file.node("languages"), script: nil, source.name, faults)
            if case .sequence(let scripts)? = file.node("scripts")?.value {
                for node in scripts {
                    let reader = MappingReader(
                        node, in: source.name, subject: "a script", keys: ["script", "default", "rules"],
                        faults: faults)
                    guard let script = reader.string("script"), let fallback = reader.string("default") else {
                        continue
                    }
                    defaults.append((script, fallback))
                    readLanguages(reader.node("rules"), script: script, source.name, faults)
                }
            }
        }
        try faults.throwIfAny()
    }

    private mutating func readLanguages(
        _ list: ConfigNode?, script: String?, _ document: String, _ faults: FaultCollector
    ) {
        guard case .sequence(let nodes)? = list?.value else { return }
        for node in nodes {
            let reader = MappingReader(
                node, in: document, subject: "a language", keys: ["tag", "words", "marked", "letters"], faults: faults)
            guard let tag = reader.string("tag") else { continue }
            languages.append(
                Language(
                    tag: tag, script: script, words: reader.strings("words")?.map(\.text) ?? [],
                    marked: reader.strings("marked")?.map(\.text) ?? [], letters: reader.string("letters") ?? ""))
        }
    }
}
