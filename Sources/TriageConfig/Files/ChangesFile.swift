internal import TriageCore

/// A file of changes that should not affect the answers to a message, such as the shipped `changes.yaml`; checked
/// values.
package struct ChangesFile: Sendable {
    /// The names that a file may use but that this library does not define.
    package struct Vocabulary: Sendable {
        /// Allowed values of `operation`.
        package var operations: [String]
        /// Allowed placeholders, written in braces in a text.
        package var placeholders: [String]
        /// The placeholder for the message, in a text that surrounds it.
        package var message: String

        package init(operations: [String], placeholders: [String], message: String) {
            self.operations = operations
            self.placeholders = placeholders
            self.message = message
        }
    }

    /// One change; it has either ``texts`` or ``operation``.
    package struct Change: Sendable {
        package var id = ""
        package var why = ""
        /// For `category`, `sentiment` and `urgent`: `same`, or the expected label; for `urgent`, `yes` or `no`.
        package var expected: [String: String] = [:]
        package var categories: [String] = []
        package var sentiments: [String] = []
        package var urgent: [Bool] = []
        package var languages: [String] = []
        /// The minimum length of a message, in characters.
        package var least = 1
        /// `before`, `after` or `wrap`.
        package var place = "after"
        package var join = " "
        /// Texts by language, or `any`.
        package var texts: [String: [String]] = [:]
        package var heldOut: [String: [String]] = [:]
        package var operation: String?
        /// Bounds, by the names in ``ChangesFile/measures``.
        package var bounds: [String: Double] = [:]
    }

    /// The changes in the order of the file.
    package private(set) var changes: [Change] = []

    /// The questions, and what is counted in addition.
    package static let measures = questions + ["fan_to_spam", "offer_to_spam"]
    static let questions = ["category", "sentiment", "urgent"]
    static let keys = [
        "id", "why", "expect", "only", "place", "join", "texts", "held_out", "operation", "bound",
    ]

    /// Reads the file.
    ///
    /// - Throws: ``TriageErrors`` with every fault and its line.
    package init(_ source: RuleSource, vocabulary: Vocabulary) throws {
        let faults = FaultCollector()
        let document = ConfigDocument(name: source.name, bytes: source.bytes, faults: faults)
        if let root = document.root {
            let file = MappingReader(
                root, in: source.name, subject: "a file of changes", keys: ["version", "bound", "changes"],
                faults: faults)
            file.checkVersion()
            let reader = ChangeReader(document: source.name, vocabulary: vocabulary, faults: faults)
            let standard = reader.bounds(file, [:])
            switch file.node("changes")?.value {
            case .sequence(let nodes):
                changes = nodes.map { reader.change($0, standard) }
                reader.checkIDs(zip(nodes, changes))
            case nil: break
            default:
                faults.add(
                    "config.wrong-type", "'changes' must be a list", at: file.place("changes"),
                    remedy: "write '- id: …' lines below it")
            }
        }
        if faults.isEmpty, changes.isEmpty {
            faults.add("changes.none", "the file has no changes", at: source.name, remedy: "write changes: [{id: …}]")
        }
        try faults.throwIfAny()
    }
}

/// Reads individual changes; every error becomes a fault with its position.
private struct ChangeReader {
    let document: String
    let vocabulary: ChangesFile.Vocabulary
    let faults: FaultCollector

    func change(_ node: ConfigNode, _ standard: [String: Double]) -> ChangesFile.Change {
        let reader = MappingReader(
            node, in: document, subject: "a change", keys: ChangesFile.keys, faults: faults)
        var change = ChangesFile.Change()
        change.id = reader.string("id") ?? ""
        change.why = reader.string("why") ?? ""
        change.expected = expected(reader)
        readCondition(reader, &change)
        change.bounds = bounds(reader, standard)
        readWork(reader, &change)
        return change
    }

    /// - Parameter changes: each with the node it was read from.
    func checkIDs(_ changes: some Sequence<(ConfigNode, ChangesFile.Change)>) {
        var known: Set<String> = []
        for (node, change) in changes {
            let place = "\(document):\((node["id"] ?? node).line):\((node["id"] ?? node).column)"
            let isName =
                !change.id.isEmpty && change.id.utf8.count <= 60
                && change.id.utf8.allSatisfy { byte in
                    (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
                }
            if !isName {
                faults.add(
                    "changes.bad-id", "a change needs an id of lowercase letters, digits and '-'", at: place,
                    remedy: "write id: company-link")
            } else if !known.insert(change.id).inserted {
                faults.add(
                    "changes.same-id", "the id '\(change.id)' is a duplicate", at: place,
                    remedy: "give every change a unique id")
            }
        }
    }

    // MARK: What is expected

    private func expected(_ reader: MappingReader) -> [String: String] {
        guard let node = reader.node("expect") else {
            if case .mapping = reader.node.value {
                reader.fault(
                    "config.missing-key", "a change needs 'expect'", at: reader.node,
                    remedy: "write expect: {category: same, sentiment: same, urgent: same}")
            }
            return [:]
        }
        let expect = MappingReader(
            node, in: document, subject: "expect", keys: ChangesFile.questions, faults: faults)
        var found: [String: String] = [:]
        for question in ChangesFile.questions {
            guard let value = expect.node(question), let text = expect.string(question) else { continue }
            let known = ["same"] + labels(question)
            var word = text
            if question == "urgent", let truth = ConfigNode.truth(text) { word = truth ? "yes" : "no" }
            if known.contains(word) {
                found[question] = word
            } else {
                expect.fault(
                    "changes.unknown-label", "'\(question)' cannot become '\(text.prefix(60))'", at: value,
                    remedy: Suggestion.remedy(for: text, among: known))
            }
        }
        if case .mapping(let entries) = node.value, entries.isEmpty {
            reader.fault(
                "config.missing-key", "'expect' is empty", at: node, remedy: "write {category: same}")
        }
        return found
    }

    private func labels(_ question: String) -> [String] {
        switch question {
        case "category": Category.allCases.map(\.name)
        case "sentiment": Sentiment.allCases.map(\.name)
        default: ["yes", "no"]
        }
    }

    /// - Parameter standard: the bounds that apply where the mapping has none.
    func bounds(_ reader: MappingReader, _ standard: [String: Double]) -> [String: Double] {
        var found = standard
        guard let node = reader.node("bound") else { return found }
        if case .mapping = node.value {
            let bounds = MappingReader(
                node, in: document, subject: "bound", keys: ChangesFile.measures, faults: faults)
            for measure in ChangesFile.measures {
                if let bound = bounds.number(measure, in: 0...1) { found[measure] = bound }
            }
        } else if let bound = reader.number("bound", in: 0...1) {
            for question in ChangesFile.questions { found[question] = bound }
        }
        return found
    }

    private func readCondition(_ reader: MappingReader, _ change: inout ChangesFile.Change) {
        guard let node = reader.node("only") else { return }
        let only = MappingReader(
            node, in: document, subject: "only", keys: ChangesFile.questions + ["lang", "at_least"], faults: faults)
        func words(_ key: String, _ known: [String]) -> [String] {
            (only.strings(key) ?? []).compactMap { text, node in
                if known.contains(text) { return text }
                only.fault(
                    "changes.unknown-label", "there is no \(key) '\(text.prefix(60))'", at: node,
                    remedy: Suggestion.remedy(for: text, among: known))
                return nil
            }
        }
        change.categories = words("category", labels("category"))
        change.sentiments = words("sentiment", labels("sentiment"))
        change.urgent = (only.strings("urgent") ?? []).compactMap { text, node in
            if let truth = ConfigNode.truth(text) { return truth }
            only.fault(
                "changes.unknown-label", "urgent must be true or false, not '\(text.prefix(60))'", at: node,
                remedy: "write urgent: [false]")
            return nil
        }
        change.languages = (only.strings("lang") ?? []).filter { isLanguage($0.text, at: $0.node) }.map(\.text)
        change.least = only.int("at_least", in: 1...1_000_000) ?? 1
    }

    private func isLanguage(_ tag: String, at node: ConfigNode) -> Bool {
        let parts = tag.split(separator: "-", omittingEmptySubsequences: false)
        let isTag =
            (2...3).contains(parts[0].utf8.count) && tag.utf8.count <= 35
            && parts.allSatisfy { part in
                !part.isEmpty
                    && part.utf8.allSatisfy { (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) }
            }
        if !isTag {
            faults.add(
                "changes.bad-language", "'\(tag.prefix(40))' is not a language tag",
                at: "\(document):\(node.line):\(node.column)", remedy: "write tags such as en, es, pt-BR")
        }
        return isTag
    }

    // MARK: What is done

    private func readWork(_ reader: MappingReader, _ change: inout ChangesFile.Change) {
        guard case .mapping = reader.node.value else { return }
        let (operation, texts) = (reader.node("operation"), reader.node("texts"))
        switch (operation, texts) {
        case (nil, nil):
            reader.fault(
                "config.missing-key", "a change needs texts or an operation", at: reader.node,
                remedy: "write texts: [\"…\"], or operation: \(vocabulary.operations.first ?? "")")
        case (let operation?, nil):
            guard let name = reader.string("operation") else { return }
            if !vocabulary.operations.contains(name) {
                reader.fault(
                    "changes.unknown-operation", "there is no operation '\(name.prefix(60))'", at: operation,
                    remedy: Suggestion.remedy(for: name, among: vocabulary.operations))
            }
            change.operation = name
            for key in ["place", "join", "held_out"] where reader.has(key) {
                faults.add(
                    "changes.not-with-operation", "'\(key)' is for texts, but this change has an operation",
                    at: reader.place(key), remedy: "remove it")
            }
        case (nil, _):
            readTexts(reader, &change)
        case (_?, _?):
            faults.add(
                "config.both-given", "a change has texts or an operation, not both", at: reader.place("operation"),
                remedy: "split it into two changes")
        }
    }

    private func readTexts(_ reader: MappingReader, _ change: inout ChangesFile.Change) {
        if let place = reader.node("place"), let text = reader.string("place") {
            let known = ["before", "after", "wrap"]
            if !known.contains(text) {
                reader.fault(
                    "changes.unknown-place", "there is no place '\(text.prefix(60))'", at: place,
                    remedy: Suggestion.remedy(for: text, among: known))
            }
            change.place = text
        }
        if let join = reader.string("join") { change.join = join }
        let texts = lists("texts", reader, isFrame: change.place == "wrap")
        let heldOut = lists("held_out", reader, isFrame: change.place == "wrap")
        let trained = Set(texts.flatMap(\.texts).map(\.text))
        for (text, node) in heldOut.flatMap(\.texts) where trained.contains(text) {
            reader.fault(
                "changes.not-held-out", "a held-out text is also in 'texts'", at: node,
                remedy: "write another one, with other words and another address")
        }
        for list in texts { change.texts[list.language] = list.texts.map(\.text) }
        for list in heldOut { change.heldOut[list.language] = list.texts.map(\.text) }
    }

    private typealias TextList = (language: String, texts: [(text: String, node: ConfigNode)])

    /// The texts of a key, by language.
    private func lists(_ key: String, _ reader: MappingReader, isFrame: Bool) -> [TextList] {
        guard let node = reader.node(key) else { return [] }
        var found: [TextList] = []
        if case .mapping(let entries) = node.value {
            let lists = MappingReader(
                node, in: document, subject: key, keys: entries.map(\.key), faults: faults)
            for entry in entries {
                let place = ConfigNode(.null, line: entry.line, column: entry.column)
                _ = entry.key == "any" || isLanguage(entry.key, at: place)
                found.append((entry.key, lists.strings(entry.key) ?? []))
            }
        } else {
            found.append(("any", reader.strings(key) ?? []))
        }
        if found.allSatisfy(\.texts.isEmpty) {
            reader.fault("changes.no-text", "'\(key)' contains no text", at: node, remedy: "write \(key): [\"…\"]")
        }
        for (text, node) in found.flatMap(\.texts) { check(text, at: node, isFrame: isFrame) }
        return found
    }

    /// Checks the placeholders of a text, and how often each occurs.
    private func check(_ text: String, at node: ConfigNode, isFrame: Bool) {
        let place = "\(document):\(node.line):\(node.column)"
        guard text.contains(where: { !$0.isWhitespace }) else {
            return faults.add("changes.no-text", "a text is empty", at: place, remedy: "write a text, or remove it")
        }
        let known = vocabulary.placeholders.map { "{\($0)}" }
        var frames = 0
        for name in Self.braces(text) {
            if name == vocabulary.message {
                frames += 1
            } else if !known.contains(name) {
                faults.add(
                    "changes.unknown-placeholder", "there is no placeholder '\(name.prefix(60))'", at: place,
                    remedy: Suggestion.remedy(for: name, among: known + (isFrame ? [vocabulary.message] : [])))
            }
        }
        if isFrame, frames != 1 {
            faults.add(
                "changes.bad-frame", "a text around the message must contain \(vocabulary.message) exactly once",
                at: place,
                remedy: "write \"before \(vocabulary.message) after\"")
        } else if !isFrame, frames > 0 {
            faults.add(
                "changes.bad-frame", "\(vocabulary.message) is in a text that is added beside the message", at: place,
                remedy: "add place: wrap, or remove it")
        }
    }

    /// Every `{word}` of a text.
    private static func braces(_ text: String) -> [String] {
        var found: [String] = []
        var rest = text[...]
        while let start = rest.firstIndex(of: "{") {
            rest = rest[start...]
            guard let end = rest.firstIndex(of: "}") else { break }
            found.append(String(rest[...end]))
            rest = rest[rest.index(after: end)...]
        }
        return found
    }
}
