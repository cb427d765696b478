internal import TriageCore

/// Reads the keys of one mapping with their types; every error becomes a fault with its position.
struct MappingReader {
    let node: ConfigNode
    let document: String
    let faults: FaultCollector
    private let entries: [ConfigNode.Entry]

    /// - Parameters:
    ///   - subject: what the mapping is, for faults: `a signal`.
    ///   - keys: every key that is allowed; others are faults, with a suggestion.
    init(_ node: ConfigNode, in document: String, subject: String, keys: [String], faults: FaultCollector) {
        self.node = node
        self.document = document
        self.faults = faults
        switch node.value {
        case .mapping(let found):
            entries = found
            for entry in found where !keys.contains(entry.key) {
                faults.add(
                    "config.unknown-key", "\(subject) has no key '\(entry.key.prefix(60))'",
                    at: "\(document):\(entry.line):\(entry.column)",
                    remedy: Suggestion.remedy(for: entry.key, among: keys))
            }
        case .null: entries = []
        default:
            entries = []
            faults.add(
                "config.wrong-type", "\(subject) must be a mapping of keys to values, not \(node.kind)",
                at: "\(document):\(node.line):\(node.column)", remedy: "write 'key: value' lines")
        }
    }

    /// The value of a key; nil when it is absent or null.
    func node(_ key: String) -> ConfigNode? {
        guard let entry = entries.first(where: { $0.key == key }), entry.value.value != .null else { return nil }
        return entry.value
    }

    func has(_ key: String) -> Bool { entries.contains { $0.key == key } }

    func place(_ node: ConfigNode) -> String { "\(document):\(node.line):\(node.column)" }

    /// The position of a key, or of the mapping when the key is absent.
    func place(_ key: String) -> String {
        if let entry = entries.first(where: { $0.key == key }) { return "\(document):\(entry.line):\(entry.column)" }
        return place(node)
    }

    func fault(_ code: String, _ what: String, at node: ConfigNode, remedy: String?) {
        faults.add(code, what, at: place(node), remedy: remedy)
    }

    private func wrongType(_ key: String, _ expected: String, _ found: ConfigNode, _ remedy: String) {
        fault("config.wrong-type", "'\(key)' must be \(expected), not \(found.kind)", at: found, remedy: remedy)
    }

    func string(_ key: String) -> String? {
        guard let value = node(key) else { return nil }
        guard case .scalar(let text, _) = value.value else {
            wrongType(key, "text", value, "write \(key): \"…\"")
            return nil
        }
        return text
    }

    /// A list of texts; a single text counts as a list of one.
    func strings(_ key: String) -> [(text: String, node: ConfigNode)]? {
        guard let value = node(key) else { return nil }
        switch value.value {
        case .scalar(let text, _): return [(text, value)]
        case .sequence(let items):
            var list: [(text: String, node: ConfigNode)] = []
            list.reserveCapacity(items.count)
            for item in items {
                if case .scalar(let text, _) = item.value {
                    list.append((text, item))
                } else {
                    wrongType(key, "a list of texts", item, "quote a text that contains ':' or begins with a bracket")
                }
            }
            return list
        default:
            wrongType(key, "a list of texts", value, "write \(key): [\"…\", \"…\"]")
            return nil
        }
    }

    func bool(_ key: String) -> Bool? {
        guard let value = node(key) else { return nil }
        guard case .scalar(let text, true) = value.value, let truth = ConfigNode.truth(text) else {
            wrongType(key, "true or false", value, "write \(key): true")
            return nil
        }
        return truth
    }

    func int(_ key: String, in range: ClosedRange<Int>) -> Int? {
        guard let value = node(key) else { return nil }
        guard case .scalar(let text, true) = value.value, let number = Int(Self.withoutSeparators(text)) else {
            wrongType(key, "a whole number", value, "write \(key): \(range.lowerBound)")
            return nil
        }
        guard range.contains(number) else {
            outOfRange(key, text, "\(range.lowerBound)", range.upperBound == .max ? nil : "\(range.upperBound)", value)
            return nil
        }
        return number
    }

    /// Checks `version`, the version of the file's layout; so far, there is only one.
    func checkVersion() {
        guard let value = node("version") else { return }
        if case .scalar(let text, _) = value.value, text == "1" || text == "1.0" { return }
        fault(
            "config.unknown-version", "only version 1 is supported", at: value,
            remedy: "write version: 1, or remove it")
    }

    func number(_ key: String, in range: ClosedRange<Double>) -> Double? {
        guard let value = node(key) else { return nil }
        guard case .scalar(let text, true) = value.value, let number = Double(Self.withoutSeparators(text)),
            number.isFinite
        else {
            wrongType(key, "a number", value, "write \(key): \(range.lowerBound)")
            return nil
        }
        guard range.contains(number) else {
            let upper = range.upperBound == .greatestFiniteMagnitude ? nil : "\(range.upperBound)"
            outOfRange(key, text, "\(range.lowerBound)", upper, value)
            return nil
        }
        return number
    }

    private func outOfRange(_ key: String, _ text: String, _ lower: String, _ upper: String?, _ node: ConfigNode) {
        let bounds = upper.map { "between \(lower) and \($0)" } ?? "at least \(lower)"
        fault(
            "config.out-of-range", "'\(key)' is \(text.prefix(40)) but must be \(bounds)", at: node,
            remedy: "choose a number \(bounds)")
    }

    /// People write large numbers in YAML as `310_000`.
    private static func withoutSeparators(_ text: String) -> String {
        text.contains("_") ? text.filter { $0 != "_" } : text
    }
}
