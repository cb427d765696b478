package import TriageCore

/// The word lists of language identification, in the format of the shipped `languages.yaml`.
package struct LanguagesFile: Sendable {
    package var languages: [LanguageWords] = []

    /// Reads the file.
    ///
    /// - Throws: ``TriageErrors`` with every fault and its line.
    package init(_ source: RuleSource) throws {
        let faults = FaultCollector()
        let document = ConfigDocument(name: source.name, bytes: source.bytes, faults: faults)
        if let root = document.root {
            let file = MappingReader(
                root, in: source.name, subject: "a language file", keys: ["languages", "scripts"], faults: faults)
            readLanguages(file.node("languages"), source.name, faults)
            if case .sequence(let scripts)? = file.node("scripts")?.value {
                for node in scripts {
                    let reader = MappingReader(
                        node, in: source.name, subject: "a script", keys: ["script", "default", "rules"],
                        faults: faults)
                    guard reader.string("script") != nil, reader.string("default") != nil else { continue }
                    readLanguages(reader.node("rules"), source.name, faults)
                }
            }
        }
        try faults.throwIfAny()
    }

    private mutating func readLanguages(_ list: ConfigNode?, _ document: String, _ faults: FaultCollector) {
        guard case .sequence(let nodes)? = list?.value else { return }
        for node in nodes {
            let reader = MappingReader(
                node, in: document, subject: "a language", keys: ["tag", "words", "marked", "letters"], faults: faults)
            guard let tag = reader.string("tag") else { continue }
            languages.append(
                LanguageWords(
                    tag: tag, words: reader.strings("words")?.map(\.text) ?? [],
                    marked: reader.strings("marked")?.map(\.text) ?? [], letters: reader.string("letters") ?? ""))
        }
    }
}
