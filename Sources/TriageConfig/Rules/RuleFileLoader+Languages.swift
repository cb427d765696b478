internal import TriageCore

/// The `signals:` of a language file: what one language adds to signals that the rule files define.
extension RuleFileLoader {
    /// What is read here; the build checks the other sections, and that there is none besides (`LanguageCompiler`).
    private static let languageKeys = ["version", "language", "signals"]
    private static let additionKeys = ["words", "literals", "regex", "examples"]

    mutating func readLanguage(_ source: RuleSource) {
        let document = ConfigDocument(name: source.name, bytes: source.bytes, faults: faults)
        guard let root = document.root else { return }
        var own = root
        if case .mapping(let entries) = root.value {
            own.value = .mapping(entries.filter { Self.languageKeys.contains($0.key) })
        }
        let reader = MappingReader(
            own, in: source.name, subject: "a language file", keys: Self.languageKeys, faults: faults)
        reader.checkVersion()
        guard let tag = tag(of: reader), let list = reader.node("signals") else { return }
        guard case .mapping(let entries) = list.value else {
            reader.fault(
                "languages.wrong-type", "'signals' must be a mapping of names to words, not \(list.kind)",
                at: list, remedy: "write 'name.of-a-signal:' with words: [\"…\"] below it")
            return
        }
        for entry in entries { add(entry, of: tag, to: reader) }
    }

    /// The tag that the file gives; a fault and nil when it is not that of its name or folder.
    private func tag(of reader: MappingReader) -> String? {
        // `pl.yaml`, or `pl/danger.yaml`.
        let name = reader.document.split(separator: "/").first.map(String.init) ?? reader.document
        let expected = name.hasSuffix(".yaml") ? String(name.dropLast(5)) : name
        guard let tag = reader.string("language") else {
            reader.fault(
                "languages.no-tag", "the file has no language", at: reader.node,
                remedy: "add language: \(expected)")
            return nil
        }
        guard tag == expected else {
            faults.add(
                "languages.other-tag", "the file for '\(expected.prefix(40))' says language: '\(tag.prefix(40))'",
                at: reader.place("language"),
                remedy: "rename it for '\(tag.prefix(40))', or write language: \(expected)")
            return nil
        }
        guard LanguageTable.tags.contains(tag) else {
            faults.add(
                "rules.unknown-language", "'\(tag.prefix(40))' is not a language triage can detect",
                at: reader.place("language"),
                remedy: Suggestion.remedy(for: tag, among: Array(LanguageTable.tags.dropFirst())))
            return nil
        }
        return tag
    }

    private mutating func add(_ entry: ConfigNode.Entry, of tag: String, to file: MappingReader) {
        let place = "\(file.document):\(entry.line):\(entry.column)"
        guard let index = indices[entry.key] else {
            faults.add(
                "rules.unknown-signal", "no rule file defines signal '\(entry.key.prefix(80))'", at: place,
                remedy: CompositeOrder.remedy(for: entry.key, among: drafts))
            return
        }
        guard drafts[index].detector == nil, drafts[index].condition == nil else {
            faults.add(
                "languages.no-words-here",
                "'\(entry.key)' cannot have words: \(drafts[index].detector == nil ? "'when'" : "a detector") triggers it",
                at: place, remedy: "add the words to a signal it uses, or to another one")
            return
        }
        if let other = languagePlaces.updateValue(place, forKey: "\(tag) \(entry.key)") {
            faults.add(
                "languages.signal-twice", "'\(tag)' also has words for '\(entry.key)' at \(other)", at: place,
                remedy: "keep them in one place")
        }
        let reader = MappingReader(
            entry.value, in: file.document, subject: "the words for a signal", keys: Self.additionKeys, faults: faults)
        let patterns = PatternReader(reader: reader, folder: folder)
        let words = patterns.patterns("words", kind: .word) ?? []
        let literals = patterns.patterns("literals", kind: .literal) ?? []
        let regexes = patterns.patterns("regex", kind: .regex) ?? []
        if !["words", "literals", "regex"].contains(where: { reader.has($0) }) {
            faults.add(
                "languages.no-words", "'\(entry.key)' has no words", at: place,
                remedy: "write words: [\"…\"], or remove the name")
        }
        drafts[index].words += fresh(words, for: index)
        drafts[index].literals += fresh(literals, for: index)
        drafts[index].regexes += fresh(regexes, for: index)
        if let examples = reader.node("examples") {
            let list = MappingReader(
                examples, in: file.document, subject: "'examples'", keys: ["match", "no_match"], faults: faults)
            drafts[index].examples.match += list.strings("match")?.map(\.text) ?? []
            drafts[index].examples.noMatch += list.strings("no_match")?.map(\.text) ?? []
        }
        // A signal whose file has patterns and names no languages is for all of them; `und` is none.
        let isForAll = drafts[index].languages.isEmpty && !isWithoutTrigger(index)
        if tag != LanguageTable.tags[0], !isForAll, !drafts[index].languages.contains(tag) {
            drafts[index].languages.append(tag)
        }
    }

    /// The patterns that the signal does not have yet; each of the others is a fault.
    private mutating func fresh(_ patterns: [PatternReader.Found], for index: Int) -> [Pattern] {
        var places =
            patternPlaces.removeValue(forKey: index)
            ?? Dictionary(
                (drafts[index].words + drafts[index].literals + drafts[index].regexes).map {
                    (PatternReader.identity(of: $0, folder), $0.place)
                }, uniquingKeysWith: { first, _ in first })
        var fresh: [Pattern] = []
        for (pattern, identity) in patterns {
            if let place = places.updateValue(pattern.place, forKey: identity) {
                faults.add(
                    "rules.duplicate-pattern", "pattern '\(pattern.text)' duplicates the one at \(place)",
                    at: pattern.place, remedy: "remove one of them; case and accents are ignored")
            } else {
                fresh.append(pattern)
            }
        }
        patternPlaces[index] = places
        return fresh
    }
}
