package import TriageCore

extension PhraseList {
    /// Reads the file.
    ///
    /// - Throws: ``TriageErrors`` with every fault and its line.
    package init(_ source: RuleSource) throws {
        self.init()
        let faults = FaultCollector()
        let document = ConfigDocument(name: source.name, bytes: source.bytes, faults: faults)
        if let root = document.root {
            let file = MappingReader(
                root, in: source.name, subject: "a file of phrases",
                keys: ["skip", "negations", "negations-behind", "same", "parts", "lists", "rules"], faults: faults)
            skip = file.strings("skip")?.map(\.text) ?? []
            negations = file.strings("negations")?.map(\.text) ?? []
            negationsBehind = file.strings("negations-behind")?.map(\.text) ?? []
            parts = file.strings("parts")?.map(\.text) ?? []
            if case .sequence(let groups)? = file.node("same")?.value { same = groups.map(Self.texts) }
            if case .mapping(let entries)? = file.node("lists")?.value {
                for entry in entries { lists[entry.key] = Self.texts(entry.value) }
            }
            if case .sequence(let nodes)? = file.node("rules")?.value {
                rules = nodes.compactMap { Self.rule($0, source.name, faults) }
            }
        }
        try faults.throwIfAny()
    }

    private static func texts(_ node: ConfigNode) -> [String] {
        guard case .sequence(let items) = node.value else { return [] }
        return items.compactMap { item in
            if case .scalar(let text, _) = item.value { text } else { nil }
        }
    }

    private static func rule(_ node: ConfigNode, _ document: String, _ faults: FaultCollector) -> Rule? {
        let reader = MappingReader(
            node, in: document, subject: "a rule",
            keys: ["name", "why", "match", "unless", "negated", "questions", "echo", "answered", "alone"],
            faults: faults)
        guard let name = reader.string("name"), let match = reader.strings("match") else {
            reader.fault(
                "config.missing-key", "a rule needs a name and a match", at: node,
                remedy: "write name: … and match: […]"
            )
            return nil
        }
        var rule = Rule(name: name, match: match.map(\.text))
        rule.unless = reader.strings("unless")?.map(\.text) ?? []
        rule.negated = reader.bool("negated") ?? false
        rule.questions = reader.bool("questions") ?? false
        rule.echo = reader.bool("echo") ?? false
        rule.answered = reader.bool("answered") ?? false
        rule.alone = reader.bool("alone") ?? false
        return rule
    }
}
