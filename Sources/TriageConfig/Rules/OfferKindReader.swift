internal import TriageCore

/// Reads the `kinds` of rule files: the table of kinds of business messages.
struct OfferKindReader {
    private static let keys = [
        "id", "why", "signals", "facts", "unless", "without_budget", "offer", "pay", "hints", "fit", "reply", "asks",
    ]
    private static let tags: [String: FactTag] = Dictionary(
        uniqueKeysWithValues: FactTag.allCases.map { ($0.name, $0) })
    /// A reply asks for a few things; it is not a form.
    private static let mostAsks = 8

    let faults: FaultCollector
    private(set) var kinds: [OfferKind] = []
    /// Signals that kinds refer to, with their positions; checked once every file has been read.
    private var references: [(name: String, place: String)] = []

    init(faults: FaultCollector) { self.faults = faults }

    /// - Parameters:
    ///   - node: the value of `kinds`.
    ///   - mayChange: whether a kind of an earlier file may be replaced.
    mutating func read(_ node: ConfigNode, in document: String, mayChange: Bool) {
        guard case .sequence(let nodes) = node.value else {
            faults.add(
                "rules.wrong-type", "'kinds' must be a list, not \(node.kind)", at: "\(document):\(node.line)",
                remedy: "start each kind with '- id: …'")
            return
        }
        for node in nodes {
            let reader = MappingReader(node, in: document, subject: "a kind", keys: Self.keys, faults: faults)
            guard case .mapping = node.value, let kind = kind(reader) else { continue }
            if let known = kinds.firstIndex(where: { $0.id == kind.id }) {
                guard mayChange else {
                    reader.fault(
                        "rules.duplicate-kind", "the kind '\(kind.id)' is already defined", at: node,
                        remedy: "rename one, or merge their triggers")
                    continue
                }
                kinds[known] = kind
            } else if kinds.count < OfferKind.limit {
                kinds.append(kind)
            } else {
                reader.fault(
                    "rules.too-many", "there are more than \(OfferKind.limit) kinds", at: node,
                    remedy: "merge kinds with the same scores and answers")
            }
        }
    }

    private mutating func kind(_ reader: MappingReader) -> OfferKind? {
        guard let id = reader.string("id"), Self.isID(id) else {
            reader.fault(
                "rules.no-name", "a kind needs an 'id' with a-z and '-'", at: reader.node, remedy: "write id: hire")
            return nil
        }
        var kind = OfferKind(id: id, why: reader.string("why") ?? "")
        for (name, node) in reader.strings("signals") ?? [] {
            kind.signals.append(name)
            references.append((name, reader.place(node)))
        }
        kind.facts = facts("facts", reader)
        kind.unless = facts("unless", reader)
        kind.isWithoutBudget = reader.bool("without_budget") ?? false
        kind.isOffer = reader.bool("offer") ?? true
        kind.pay = Int8(reader.int("pay", in: 0...40) ?? 0)
        kind.takesHints = reader.bool("hints") ?? true
        kind.fit = reader.int("fit", in: 0...30).map { Int8($0) }
        if let reply = reader.string("reply") { kind.reply = reply }
        kind.asks = (reader.strings("asks") ?? []).prefix(Self.mostAsks).map(\.text)
        if kind.signals.isEmpty, kind.facts == 0 {
            reader.fault(
                "rules.no-trigger", "nothing identifies the kind '\(id)'", at: reader.node,
                remedy: "add 'signals' or 'facts'")
        }
        return kind
    }

    private func facts(_ key: String, _ reader: MappingReader) -> UInt64 {
        var facts: UInt64 = 0
        for (name, node) in reader.strings(key) ?? [] {
            if let tag = Self.tags[name] {
                facts |= 1 << UInt64(tag.rawValue)
            } else {
                reader.fault(
                    "rules.unknown-target", "there is no fact '\(name.prefix(60))'", at: node,
                    remedy: Suggestion.remedy(for: name, among: FactTag.allCases.map(\.name)))
            }
        }
        return facts
    }

    /// Must be called once every signal is known.
    func checkReferences(among names: Set<String>) {
        for (name, place) in references where !names.contains(name) {
            faults.add(
                "rules.unknown-signal", "there is no signal '\(name.prefix(60))'", at: place,
                remedy: Suggestion.remedy(for: name, among: names.sorted()))
        }
    }

    /// The rule for ids in the output schema.
    private static func isID(_ id: String) -> Bool {
        id.utf8.count <= 40 && id.utf8.first.map { (0x61...0x7A).contains($0) } ?? false
            && id.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "-") }
    }
}
