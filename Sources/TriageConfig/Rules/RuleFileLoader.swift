package import TriageCore

/// Reads rule files into a ``RuleSet``: the shipped ones, then the words of each language, then the user's own.
///
/// A later file can add signals, change individual keys of a signal that an earlier file defined, or switch it off with
/// `enabled: false`. Every fault of every file is reported at once, each with its line.
package struct RuleFileLoader {
    /// The maximum number of signals; hits store the index in 16 bits, and stages add a few signals of their own.
    package static let signalLimit = 60_000

    static let signalKeys = [
        "name", "why", "languages", "only_in", "words", "literals", "regex", "detector", "when", "feeds", "repeat",
        "examples", "enabled",
    ]

    let faults: FaultCollector
    let folder = TextFolder()
    var drafts: [SignalDraft] = []
    private(set) var indices: [String: Int] = [:]
    private var biases = RuleBiases()
    private var kinds: OfferKindReader
    /// Positions of shipped signals without a pattern so far; a language file may add the first one.
    private var withoutTrigger: [Int: String] = [:]
    /// The position of a language's words for a signal.
    var languagePlaces: [String: String] = [:]
    /// The position of each pattern of a signal, by its identity; filled when a language file adds to the signal.
    var patternPlaces: [Int: [PatternReader.Identity: String]] = [:]

    /// Reads all files.
    ///
    /// - Parameters:
    ///   - shipped: files in which a name may be defined only once, those of languages last.
    ///   - user: the creator's own file, if any.
    /// - Throws: ``TriageErrors`` with every fault.
    package static func load(shipped: [RuleSource], user: RuleSource? = nil) throws -> RuleSet {
        let faults = FaultCollector()
        let rules = load(shipped: shipped, user: user, faults: faults)
        try faults.throwIfAny()
        return rules
    }

    /// Reads all files; faults go to `faults`, and the rule set holds what could be read.
    package static func load(shipped: [RuleSource], user: RuleSource?, faults: FaultCollector) -> RuleSet {
        var loader = RuleFileLoader(faults: faults)
        for source in shipped {
            switch source.kind {
            case .rules: loader.read(source, mayChange: false)
            case .language: loader.readLanguage(source)
            }
        }
        loader.checkTriggersOfShipped()
        if let user { loader.read(user, mayChange: true) }
        let signals = CompositeOrder.signals(from: loader.drafts, faults: faults)
        if signals.count > signalLimit {
            faults.add(
                "rules.too-many", "\(signals.count) signals are defined; the limit is \(signalLimit)", at: nil,
                remedy: "merge signals that feed the same question with the same weight")
        }
        loader.kinds.checkReferences(among: Set(signals.map(\.name)))
        return RuleSet(
            signals: signals, biases: loader.biases, kinds: loader.kinds.kinds,
            digest: RuleSource.digest(shipped: shipped, user: user))
    }

    private init(faults: FaultCollector) {
        self.faults = faults
        kinds = OfferKindReader(faults: faults)
    }

    private mutating func read(_ source: RuleSource, mayChange: Bool) {
        let document = ConfigDocument(name: source.name, bytes: source.bytes, faults: faults)
        guard let root = document.root else { return }
        let reader = MappingReader(
            root, in: source.name, subject: "a rule file", keys: ["signals", "bias", "kinds", "version"],
            faults: faults)
        reader.checkVersion()
        if let bias = reader.node("bias") {
            FeedsReader.readBiases(bias, in: source.name, into: &biases, faults: faults)
        }
        if let table = reader.node("kinds") { kinds.read(table, in: source.name, mayChange: mayChange) }
        guard let list = reader.node("signals") else { return }
        guard case .sequence(let nodes) = list.value else {
            faults.add(
                "rules.wrong-type", "'signals' must be a list, not \(list.kind)",
                at: "\(source.name):\(list.line)", remedy: "start each signal with '- name: …'")
            return
        }
        var ownNames: [String: Int] = [:]
        for node in nodes {
            readSignal(
                MappingReader(node, in: source.name, subject: "a signal", keys: Self.signalKeys, faults: faults),
                mayChange: mayChange, ownNames: &ownNames)
        }
    }

    private mutating func readSignal(_ reader: MappingReader, mayChange: Bool, ownNames: inout [String: Int]) {
        guard case .mapping = reader.node.value else { return }
        let place = "\(reader.document):\(reader.node.line)"
        guard let name = reader.string("name") else {
            reader.fault(
                "rules.no-name", "a signal has no name", at: reader.node, remedy: "add 'name: family.what-it-sees'")
            return
        }
        guard Self.isName(name) else {
            faults.add(
                "rules.bad-name",
                "signal name '\(name.prefix(60))' can only contain a-z, 0-9, '-' and '.', as in spam.crypto-offer",
                at: reader.place("name"), remedy: "rename it")
            return
        }
        if let line = ownNames[name] {
            faults.add(
                "rules.duplicate-signal", "signal '\(name)' is already defined on line \(line)", at: place,
                remedy: "rename one, or merge their patterns")
            return
        }
        ownNames[name] = reader.node.line
        if SignalNames.builtIn.contains(name) {
            faults.add(
                "rules.reserved-name", "'\(name)' is reserved for the program", at: place,
                remedy: "choose another name")
            return
        }

        let known = indices[name]
        if let known, !mayChange {
            faults.add(
                "rules.duplicate-signal", "signal '\(name)' is already defined at \(drafts[known].place)", at: place,
                remedy: "rename one, or merge their patterns")
            return
        }
        var draft = known.map { drafts[$0] } ?? SignalDraft(name: name, place: place)
        change(&draft, by: reader)
        draft.place = place
        checkTrigger(draft, reader, mayChange: mayChange)
        if let known {
            drafts[known] = draft
        } else {
            indices[name] = drafts.count
            drafts.append(draft)
        }
    }

    /// A signal whose words all belong to specific languages has its patterns only in the language files.
    private func checkTriggersOfShipped() {
        for (index, place) in withoutTrigger.sorted(by: { $0.key < $1.key }) where !drafts[index].hasPatterns {
            faultOfNoTrigger(drafts[index], at: place)
        }
    }

    /// Whether the rule file has no pattern for the signal, and languages add all of them.
    func isWithoutTrigger(_ index: Int) -> Bool { withoutTrigger[index] != nil }

    private func faultOfNoTrigger(_ draft: SignalDraft, at place: String) {
        let hint = Suggestion.closest(to: draft.name, among: drafts.map(\.name).filter { $0 != draft.name })
            .map { "; or did you mean '\($0)'?" }
        faults.add(
            "rules.no-trigger", "signal '\(draft.name)' has no trigger", at: place,
            remedy: "add 'words', 'literals', 'regex', 'detector' or 'when'\(hint ?? "")")
    }

    private func change(_ draft: inout SignalDraft, by reader: MappingReader) {
        if let why = reader.string("why") { draft.why = why }
        if let languages = reader.strings("languages") { draft.languages = tags(languages, reader) }
        if let onlyIn = reader.strings("only_in") { draft.onlyIn = tags(onlyIn, reader) }
        changeTrigger(of: &draft, by: reader)
        if let feeds = reader.node("feeds") {
            draft.feeds = FeedsReader.read(feeds, in: reader.document, faults: faults)
            draft.hasFeeds = true
        }
        if let limit = reader.int("repeat", in: 1...100) { draft.repeatLimit = limit }
        if let enabled = reader.bool("enabled") { draft.isEnabled = enabled }
        if let examples = reader.node("examples") {
            let list = MappingReader(
                examples, in: reader.document, subject: "'examples'", keys: ["match", "no_match"], faults: faults)
            if let match = list.strings("match") { draft.examples.match = match.map(\.text) }
            if let noMatch = list.strings("no_match") { draft.examples.noMatch = noMatch.map(\.text) }
        }
    }

    /// A trigger of another kind replaces the old one; patterns are replaced key by key.
    private func changeTrigger(of draft: inout SignalDraft, by reader: MappingReader) {
        let patterns = PatternReader(reader: reader, folder: folder)
        let words = patterns.patterns("words", kind: .word)?.map(\.pattern)
        let literals = patterns.patterns("literals", kind: .literal)?.map(\.pattern)
        let regexes = patterns.patterns("regex", kind: .regex)?.map(\.pattern)
        let detector = reader.node("detector") == nil ? nil : reader.string("detector")
        let condition = reader.node("when").map { self.condition($0, reader) }
        let hasPatterns = words != nil || literals != nil || regexes != nil
        if (hasPatterns ? 1 : 0) + (detector == nil ? 0 : 1) + (condition == nil ? 0 : 1) > 1 {
            faults.add(
                "rules.two-triggers", "signal '\(draft.name)' has more than one of: patterns, 'detector', 'when'",
                at: "\(reader.document):\(reader.node.line)",
                remedy: "split it into signals and combine them in a third one with 'when'")
            return
        }
        if hasPatterns {
            draft.detector = nil
            draft.condition = nil
            if let words { draft.words = words }
            if let literals { draft.literals = literals }
            if let regexes { draft.regexes = regexes }
        } else if detector != nil || condition != nil {
            draft.words = []
            draft.literals = []
            draft.regexes = []
            draft.detector = detector
            draft.condition = condition
        }
        if let detector, DetectorName(rawValue: detector) == nil {
            faults.add(
                "rules.unknown-detector", "there is no detector '\(detector.prefix(60))'",
                at: reader.node("detector").map { reader.place($0) },
                remedy: Suggestion.remedy(for: detector, among: DetectorName.allCases.map(\.rawValue)))
        }
    }

    private func condition(_ node: ConfigNode, _ outer: MappingReader) -> SignalDraft.Condition {
        let reader = MappingReader(
            node, in: outer.document, subject: "'when'", keys: ["all", "any", "none", "near"], faults: faults)
        func references(_ key: String) -> [SignalDraft.Reference] {
            (reader.strings(key) ?? []).map {
                SignalDraft.Reference(name: $0.text, place: "\(outer.document):\($0.node.line)")
            }
        }
        let condition = SignalDraft.Condition(
            all: references("all"), any: references("any"), none: references("none"),
            near: reader.int("near", in: 1...10_000) ?? 0, place: "\(outer.document):\(node.line)")
        if condition.all.isEmpty, condition.any.isEmpty {
            reader.fault(
                "rules.empty-condition", "'when' needs at least one signal in 'all' or 'any'", at: node,
                remedy: "write when: {all: [signal.one, signal.two]}")
        }
        if condition.near > 0, condition.all.isEmpty {
            reader.fault(
                "rules.near-nothing", "'near' counts from the first signal in 'all', but 'all' is empty", at: node,
                remedy: "write when: {all: [signal.one], any: [signal.two], near: \(condition.near)}")
        }
        return condition
    }

    private mutating func checkTrigger(_ draft: SignalDraft, _ reader: MappingReader, mayChange: Bool) {
        let place = "\(reader.document):\(reader.node.line)"
        guard draft.isEnabled else {
            if indices[draft.name] == nil, !givesTrigger(reader) {
                faults.add(
                    "rules.unknown-signal", "'\(draft.name)' is disabled, but no file defines it", at: place,
                    remedy: CompositeOrder.remedy(for: draft.name, among: drafts))
            }
            return
        }
        if !draft.hasPatterns, draft.detector == nil, draft.condition == nil, !givesTrigger(reader) {
            guard !mayChange, draft.hasFeeds else { return faultOfNoTrigger(draft, at: place) }
            withoutTrigger[drafts.count] = place
            return
        }
        if !draft.hasFeeds {
            // A signal that feeds nothing is useful only as part of a composite, and must then say so with `feeds: {}`.
            faults.add(
                "rules.no-feeds", "signal '\(draft.name)' has no 'feeds'", at: place,
                remedy: "add feeds: {spam: 1.5}, or feeds: {} if only a 'when' uses it")
        }
    }

    /// Whether a trigger is given at all; a faulty one has a fault of its own.
    private func givesTrigger(_ reader: MappingReader) -> Bool {
        ["words", "literals", "regex", "detector", "when"].contains { key in
            guard let value = reader.node(key)?.value else { return false }
            if case .sequence(let items) = value { return !items.isEmpty }
            return true
        }
    }

    private func tags(_ list: [(text: String, node: ConfigNode)], _ reader: MappingReader) -> [String] {
        list.compactMap { tag, node in
            guard let index = LanguageTable.index(of: tag), index != LanguageTable.undetermined else {
                reader.fault(
                    "rules.unknown-language", "'\(tag.prefix(40))' is not a language triage can detect", at: node,
                    remedy: Suggestion.remedy(for: tag, among: Array(LanguageTable.tags.dropFirst())))
                return nil
            }
            return LanguageTable.tags[Int(index)]
        }
    }

    private static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 80
            && name.utf8.allSatisfy {
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-")
                    || $0 == UInt8(ascii: ".")
            }
    }
}

/// Reads the `signals:` of a language file: additions to signals that the rule files define.
extension RuleFileLoader {
    /// The keys that are read here; the build checks all other sections (`LanguageCompiler`).
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

    /// The tag given in the file; nil, with a fault, when it differs from the name of the file or folder.
    private func tag(of reader: MappingReader) -> String? {
        // The document is named `pl.yaml`, or `pl/danger.yaml`.
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
        // A signal whose file has patterns and names no languages is for all of them; `und` is not a language.
        let isForAll = drafts[index].languages.isEmpty && !isWithoutTrigger(index)
        if tag != LanguageTable.tags[0], !isForAll, !drafts[index].languages.contains(tag) {
            drafts[index].languages.append(tag)
        }
    }

    /// The patterns that the signal does not have yet; duplicates are faults.
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
