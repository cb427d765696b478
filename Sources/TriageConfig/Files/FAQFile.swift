package import TriageCore

/// Reads `faq.yaml`: the questions that a creator is asked repeatedly, with their answers.
package enum FAQFile {
    /// The maximum number of entries; matching time is linear in them.
    package static let entryLimit = 10_000
    static let keys = ["id", "category", "question", "also_asked", "answer"]

    /// The library.
    ///
    /// Faults go to `faults`. The list may stand alone or under `faq:` or `entries:`.
    package static func read(name: String, bytes: [UInt8], faults: FaultCollector) -> FAQLibrary {
        library(of: ConfigDocument(name: name, bytes: bytes, faults: faults), faults: faults).library
    }

    /// The library, and the node of each of its entries.
    static func library(
        of document: ConfigDocument, faults: FaultCollector
    ) -> (library: FAQLibrary, nodes: [ConfigNode]) {
        guard let root = document.root, root.value != .null else { return (FAQLibrary(), []) }
        guard let list = list(in: root, document.name, faults) else { return (FAQLibrary(), []) }
        guard case .sequence(let items) = list.value else {
            faults.add(
                "faq.not-a-list", "the library must be a list of entries, not \(list.kind)",
                at: document.place(list), remedy: "start each entry with '- question: …'")
            return (FAQLibrary(), [])
        }
        if items.count > entryLimit {
            faults.add(
                "faq.too-many", "the library has \(items.count) entries; the limit is \(entryLimit)",
                at: document.name, remedy: "merge entries with the same answer, using 'also_asked'")
        }
        var entries: [FAQEntry] = []
        var nodes: [ConfigNode] = []
        var lines: [String: Int] = [:]
        for item in items.prefix(entryLimit) {
            let reader = MappingReader(item, in: document.name, subject: "an entry", keys: keys, faults: faults)
            guard case .mapping = item.value else { continue }
            let entry = entry(reader)
            if let id = reader.node("id"), let line = lines.updateValue(id.line, forKey: entry.id), !entry.id.isEmpty {
                reader.fault(
                    "faq.duplicate-id", "id '\(entry.id)' is already used on line \(line)", at: id,
                    remedy: "change one of the two ids")
            }
            entries.append(entry)
            nodes.append(item)
        }
        addIDs(to: &entries)
        return (FAQLibrary(entries: entries), nodes)
    }

    /// Gives each entry without an id one made from its question, plus a number if that is taken.
    private static func addIDs(to entries: inout [FAQEntry]) {
        var taken = Set(entries.map(\.id))
        var numbers: [String: Int] = [:]
        for index in entries.indices where entries[index].id.isEmpty {
            let stem = slug(entries[index].question)
            var id = stem
            while !taken.insert(id).inserted {
                // Counted for each stem: the search would be quadratic for thousands of equal questions.
                let number = numbers[stem, default: 1] + 1
                numbers[stem] = number
                id = "\(stem)-\(number)"
            }
            entries[index].id = id
        }
    }

    /// The words of a question with hyphens between: folded, letters and digits only, at most 40 characters.
    ///
    /// Words are kept whole unless the first one is too long. Letters of other scripts stay.
    static func slug(_ question: String) -> String {
        // With a number, an id of 90 bytes is within the limit of ids.
        func fits(_ slug: String) -> Bool { slug.unicodeScalars.count <= 40 && slug.utf8.count <= 90 }
        var slug = ""
        for word in FAQWords.all(question) {
            let letters: String.UnicodeScalarView = String(decoding: word, as: UTF8.self).unicodeScalars
                .filter(isLetterOrDigit)
            if letters.isEmpty { continue }
            let longer = slug + (slug.isEmpty ? "" : "-") + String(letters)
            if fits(longer) {
                slug = longer
                continue
            }
            if slug.isEmpty {
                for letter in letters where fits(slug + String(letter)) { slug.unicodeScalars.append(letter) }
            }
            break
        }
        return slug.isEmpty ? "entry" : slug
    }

    private static func list(in root: ConfigNode, _ name: String, _ faults: FaultCollector) -> ConfigNode? {
        guard case .mapping = root.value else { return root }
        let reader = MappingReader(
            root, in: name, subject: "a library", keys: ["faq", "entries", "version"], faults: faults)
        reader.checkVersion()
        if let list = reader.node("faq") ?? reader.node("entries") { return list }
        // `faq:` without a value is an empty library.
        if reader.has("faq") || reader.has("entries") { return ConfigNode(.sequence([]), line: 1, column: 1) }
        return nil
    }

    private static func entry(_ reader: MappingReader) -> FAQEntry {
        func required(_ key: String) -> String {
            let found = reader.string(key)
            let text = found ?? ""
            // A value that is not text has been reported already when it was read.
            if text.utf8.allSatisfy({ $0 <= 0x20 }), reader.node(key) == nil || found != nil {
                reader.faults.add(
                    "faq.empty-\(key)", "an entry has no \(key)", at: reader.place(key), remedy: "add '\(key): …'")
            }
            return text
        }
        // Without an id, `addIDs` makes one.
        let id = reader.string("id") ?? ""
        if !isID(id), !id.isEmpty, let node = reader.node("id") {
            reader.fault(
                "faq.bad-id", "an id must be at most 100 letters, digits, '-', '_' or '.', without spaces", at: node,
                remedy: "write a short name such as camera or shipping-us")
        }
        return FAQEntry(
            id: id, category: reader.string("category") ?? "", question: required("question"),
            alsoAsked: (reader.strings("also_asked") ?? []).map(\.text).filter { !$0.isEmpty },
            answer: required("answer"))
    }

    /// Whether a text can be an id: ids are printed in `draft.based_on` and typed on command lines.
    static func isID(_ id: String) -> Bool {
        !id.isEmpty && id.utf8.count <= 100
            && id.unicodeScalars.allSatisfy { $0 == "-" || $0 == "_" || $0 == "." || isLetterOrDigit($0) }
    }

    private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }
}
