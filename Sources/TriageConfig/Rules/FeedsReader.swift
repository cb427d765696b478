internal import TriageCore

/// Reads `feeds:` and `bias:` blocks.
enum FeedsReader {
    /// The largest weight: a larger one would decide alone, whatever else a message says, and is probably a typo.
    static let weightLimit = 20.0

    private static let plainTargets = [
        "fan", "business", "spam", "urgent", "danger", "injection", "positive", "negative", "negation", "intensifier",
        "diminisher", "contrast",
    ]

    private static let kinds: [(name: String, kind: UrgencyAnswer.Kind)] = [
        ("self-harm", .selfHarm), ("threat", .threat), ("account", .account), ("impersonation", .impersonation),
        ("legal", .legal), ("deadline", .deadline), ("other", .other),
    ]

    /// The name of a kind, as written after `kind.`; nil if it has none.
    static func name(of kind: UrgencyAnswer.Kind) -> String? { kinds.first { $0.kind == kind }?.name }

    private static let facts: [String: FactTag] = Dictionary(
        uniqueKeysWithValues: FactTag.allCases.map { ("fact.\($0.name)", $0) })

    /// Every target that `feeds` may name.
    static let targets = plainTargets + FactTag.allCases.map { "fact.\($0.name)" } + kinds.map { "kind.\($0.name)" }

    static func read(_ node: ConfigNode, in document: String, faults: FaultCollector) -> Feeds {
        var feeds = Feeds()
        guard case .mapping(let entries) = node.value else {
            faults.add(
                "rules.wrong-type", "'feeds' must be a mapping, not \(node.kind)",
                at: "\(document):\(node.line)", remedy: "write feeds: {spam: 1.5}")
            return feeds
        }
        for entry in entries {
            guard let weight = weight(of: entry, in: document, faults: faults) else { continue }
            apply(entry, weight, to: &feeds, in: document, faults: faults)
        }
        return feeds
    }

    private static func apply(
        _ entry: ConfigNode.Entry, _ weight: Float, to feeds: inout Feeds, in document: String, faults: FaultCollector
    ) {
        switch entry.key {
        case "fan", "business", "spam":
            feeds.category[lane(entry.key)] = weight
            feeds.feedsCategory = true
        case "urgent": feeds.urgent = weight
        case "danger": feeds.danger = weight
        case "injection": feeds.injection = weight
        case "positive":
            feeds.positive = weight
            feeds.feedsSentiment = true
        case "negative":
            feeds.negative = weight
            feeds.feedsSentiment = true
        case "negation":
            feeds.modifier = .negation
            feeds.scale = weight
        case "contrast": feeds.modifier = .contrast
        case "intensifier", "diminisher":
            feeds.modifier = entry.key == "intensifier" ? .intensifier : .diminisher
            feeds.scale = weight
            if weight <= 0 {
                faults.add(
                    "rules.out-of-range", "'\(entry.key)' scales by \(weight) and must be above 0",
                    at: "\(document):\(entry.line)", remedy: "an intensifier is above 1, a diminisher is below 1")
            }
        default:
            let kind = kinds.first { "kind.\($0.name)" == entry.key }?.kind
            if let tag = facts[entry.key] {
                feeds.facts |= 1 << UInt64(tag.rawValue)
            } else if let kind {
                feeds.urgencyKind = kind
            } else {
                faults.add(
                    "rules.unknown-target", "a signal cannot feed '\(entry.key.prefix(60))'",
                    at: "\(document):\(entry.line)", remedy: Suggestion.remedy(for: entry.key, among: targets))
                return
            }
            if weight <= 0 {
                faults.add(
                    "rules.out-of-range", "'\(entry.key)' marks a message; \(weight) cannot remove the mark",
                    at: "\(document):\(entry.line)", remedy: "write \(entry.key): 1, or remove it")
            }
        }
    }

    /// Reads a `bias:` block into `biases`; other targets stay as they are.
    static func readBiases(
        _ node: ConfigNode, in document: String, into biases: inout RuleBiases, faults: FaultCollector
    ) {
        guard case .mapping(let entries) = node.value else {
            faults.add(
                "rules.wrong-type", "'bias' must be a mapping, not \(node.kind)",
                at: "\(document):\(node.line)", remedy: "write bias: {urgent: -3}")
            return
        }
        for entry in entries {
            guard let weight = weight(of: entry, in: document, faults: faults) else { continue }
            switch entry.key {
            case "fan", "business", "spam": biases.category[lane(entry.key)] = weight
            case "urgent": biases.urgent = weight
            case "danger": biases.danger = weight
            case "injection": biases.injection = weight
            case "positive": biases.positive = weight
            case "negative": biases.negative = weight
            default:
                faults.add(
                    "rules.unknown-target", "'\(entry.key.prefix(60))' has no bias",
                    at: "\(document):\(entry.line)",
                    remedy: Suggestion.remedy(for: entry.key, among: Array(plainTargets.prefix(8))))
            }
        }
    }

    private static func lane(_ name: String) -> Int { name == "fan" ? 0 : name == "business" ? 1 : 2 }

    private static func weight(
        of entry: ConfigNode.Entry, in document: String, faults: FaultCollector
    ) -> Float? {
        guard case .scalar(let text, true) = entry.value.value, let number = Double(text), number.isFinite else {
            faults.add(
                "rules.wrong-type", "'\(entry.key.prefix(60))' must be a number, not \(entry.value.kind)",
                at: "\(document):\(entry.value.line)", remedy: "write \(entry.key.prefix(60)): 1.5")
            return nil
        }
        guard abs(number) <= weightLimit else {
            faults.add(
                "rules.out-of-range", "weight \(text.prefix(40)) is beyond ±\(Int(weightLimit))",
                at: "\(document):\(entry.value.line)", remedy: "weights are log-odds: 3 is strong, 6 nearly certain")
            return nil
        }
        return Float(number)
    }
}
