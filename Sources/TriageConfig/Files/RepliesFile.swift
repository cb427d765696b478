internal import ShippedLanguages
package import TriageCore

/// Reads `replies.yaml`: the creator's own words for drafts, by language and situation.
///
/// ```yaml
/// en:
///   fan.praise: ["Thank you! That made my day.", "So glad it helped."]
///   business.route: "Could you send it to {address}? My manager reads everything there."
/// ```
package enum RepliesFile {
    /// The maximum number of wordings for one situation, and of characters in one wording.
    private static let (wordingLimit, lengthLimit) = (20, 1_000)
    /// The wordings for danger and for legal matters are deliberately sober and cannot be replaced.
    private static let fixed = ["urgent.", "legal"]

    /// Reads the wordings; faults go to `faults`, and faulty parts are left out.
    package static func read(name: String, bytes: [UInt8], faults: FaultCollector) -> OwnWordings {
        guard let root = ConfigDocument(name: name, bytes: bytes, faults: faults).root, root.value != .null else {
            return OwnWordings()
        }
        let shipped = Shipped()
        let languages = MappingReader(
            root, in: name, subject: "replies.yaml", keys: shipped.languages + ["version"], faults: faults)
        languages.checkVersion()
        var texts: [String: [String: [String]]] = [:]
        for language in shipped.languages {
            guard let node = languages.node(language) else { continue }
            let situations = MappingReader(
                node, in: name, subject: "'\(language)'", keys: shipped.situations, faults: faults)
            for situation in shipped.situations {
                guard let place = situations.node(situation) else { continue }
                guard !fixed.contains(where: situation.hasPrefix) else {
                    situations.fault(
                        "replies.fixed-words", "the wordings for '\(situation)' cannot be replaced", at: place,
                        remedy: "remove it; wordings for danger and legal matters are fixed")
                    continue
                }
                let wordings = wordings(place, situations, blanks: shipped.blanks(situation))
                if !wordings.isEmpty { texts[language, default: [:]][situation] = wordings }
            }
        }
        return OwnWordings(texts: texts)
    }

    private static func wordings(_ node: ConfigNode, _ reader: MappingReader, blanks: [String]) -> [String] {
        let items: [ConfigNode]
        if case .sequence(let list) = node.value { items = list } else { items = [node] }
        if items.isEmpty || items.count > wordingLimit {
            reader.fault(
                "replies.wrong-number", "there are \(items.count) wordings; 1 to \(wordingLimit) are allowed",
                at: node,
                remedy: items.isEmpty ? "remove the key, or add a wording" : "remove some")
        }
        return items.prefix(wordingLimit).compactMap { item in
            guard case .scalar(let text, _) = item.value, !text.allSatisfy(\.isWhitespace) else {
                reader.fault(
                    "config.wrong-type", "a wording must be text, not \(item.kind)", at: item,
                    remedy: "put it in quotation marks")
                return nil
            }
            guard text.count <= lengthLimit, !text.unicodeScalars.contains(where: { $0.value < 0x20 && $0 != "\n" })
            else {
                reader.fault(
                    "replies.bad-text", "a wording has over \(lengthLimit) characters, or a control character",
                    at: item,
                    remedy: "shorten it, and write it as plain text")
                return nil
            }
            for blank in blanks where !text.contains("{\(blank)}") {
                reader.fault(
                    "replies.missing-blank", "the wording lacks {\(blank)}, which the program fills", at: item,
                    remedy: "add {\(blank)} where it belongs")
                return nil
            }
            for other in Shipped.blanks(of: text) where !blanks.contains(other) {
                reader.fault(
                    "replies.unknown-blank", "nothing fills {\(other)} here", at: item,
                    remedy: blanks.isEmpty
                        ? "remove it; these words have no blanks" : "use {\(blanks.joined(separator: "}, {"))} alone")
                return nil
            }
            return text
        }
    }

    /// Whether a file may give these wordings for a situation.
    package static func takes(_ wordings: [String], for situation: String) -> Bool {
        let shipped = Shipped()
        guard shipped.situations.contains(situation), !fixed.contains(where: situation.hasPrefix),
            (1...wordingLimit).contains(wordings.count)
        else { return false }
        let blanks = Set(shipped.blanks(situation))
        return wordings.allSatisfy { $0.count <= lengthLimit && Set(Shipped.blanks(of: $0)) == blanks }
    }

    /// The languages and situations for which the program has wordings.
    private struct Shipped {
        /// Languages of drafts, in the order of ``LanguageTable``.
        let languages: [String]
        /// In alphabetical order.
        let situations: [String]
        private let english: [String: [String]]

        init() {
            let entries = ShippedLanguages.entries(of: "replies")
            let written = Set(entries.lazy.filter { $0.key == "greeting" }.map(\.language))
            languages = LanguageTable.tags.filter(written.contains)
            english = Dictionary(
                entries.filter { $0.language == "en" && $0.key.hasPrefix("wordings.") }
                    .map { (String($0.key.dropFirst("wordings.".count)), $0.values) },
                uniquingKeysWith: { first, _ in first })
            situations = english.keys.sorted()
        }

        /// The placeholders that the program fills in for a situation, such as `address`.
        func blanks(_ situation: String) -> [String] {
            Self.blanks(of: english[situation]?.first ?? "")
        }

        /// The names in braces, in order.
        static func blanks(of text: String) -> [String] {
            text.split(separator: "{", omittingEmptySubsequences: false).dropFirst().compactMap { part in
                part.firstIndex(of: "}").map { String(part[..<$0]) }
            }
        }
    }
}
