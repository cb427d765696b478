internal import TriageCore

/// Descriptions shown to people in place of signal names, in the format of the shipped `reasons.yaml`.
package struct ReasonsFile: Sendable {
    /// Descriptions of signals that no rule file describes, by signal name.
    package private(set) var signals: [String: String] = [:]
    /// Descriptions of kinds of urgency, such as `self-harm`.
    package private(set) var kinds: [String: String] = [:]
    /// The description of a signal that no longer exists.
    package private(set) var unknown = ""
    /// The description of a signal whose rule gives none.
    package private(set) var unexplained = ""

    /// Reads the file.
    ///
    /// - Throws: ``TriageErrors`` with every fault and its line.
    package init(_ source: RuleSource) throws {
        let faults = FaultCollector()
        let document = ConfigDocument(name: source.name, bytes: source.bytes, faults: faults)
        if let root = document.root {
            let file = MappingReader(
                root, in: source.name, subject: "a file of reasons",
                keys: ["signals", "unknown", "unexplained", "kinds"], faults: faults)
            signals = Self.words(file.node("signals"))
            kinds = Self.words(file.node("kinds"))
            unknown = file.string("unknown") ?? ""
            unexplained = file.string("unexplained") ?? ""
        }
        try faults.throwIfAny()
    }

    private static func words(_ node: ConfigNode?) -> [String: String] {
        guard case .mapping(let entries)? = node?.value else { return [:] }
        var found: [String: String] = [:]
        for entry in entries {
            if case .scalar(let text, _) = entry.value.value { found[entry.key] = text }
        }
        return found
    }
}
