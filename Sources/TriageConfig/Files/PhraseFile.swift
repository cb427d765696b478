internal import TriageCore

/// Rules that match sequences of words, in the format of the shipped `draft-guard.yaml` and `batch-talk.yaml`.
package struct PhraseFile: Sendable {
    /// The patterns of a rule, and its exceptions.
    package struct Rule: Sendable {
        package var name: String
        /// Patterns; one match is enough.
        package var match: [String]
        /// Patterns that suppress the rule in their sentence.
        package var unless: [String]
        package var negated: Bool
        package var questions: Bool
        package var echo: Bool
        package var answered: Bool
        package var alone: Bool
    }

    package var skip: [String] = []
    package var negations: [String] = []
    package var negationsBehind: [String] = []
    package var same: [[String]] = []
    package var parts: [String] = []
    package var lists: [String: [String]] = [:]
    package var rules: [Rule] = []

    /// Reads the file.
    ///
    /// - Throws: ``TriageErrors`` with every fault and its line.
    package init(_ source: RuleSource) throws {
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
        return Rule(
            name: name, match: match.map(\.text), unless: reader.strings("unless")?.map(\.text) ?? [],
            negated: reader.bool("negated") ?? false, questions: reader.bool("questions") ?? false,
            echo: reader.bool("echo") ?? false, answered: reader.bool("answered") ?? false,
            alone: reader.bool("alone") ?? false)
    }
}
