internal import TriageCore

/// What people read in place of the names of signals, as the shipped `reasons.yaml` gives it.
package struct ReasonsFile: Sendable {
    /// By the name of a signal that no rule file describes.
    package private(set) var signals: [String: String] = [:]
    /// By kind of urgency, such as `self-harm`.
    package private(set) var kinds: [String: String] = [:]
    /// Of a signal that nobody knows any more.
    package private(set) var unknown = ""
    /// Of a signal whose rule does not say why.
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
