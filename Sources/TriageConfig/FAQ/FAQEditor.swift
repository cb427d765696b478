package import TriageCore

/// Edits a library file: adds, changes and removes entries, and keeps comments and other entries as they are.
package struct FAQEditor {
    package let path: String
    package private(set) var library: FAQLibrary
    private var text: FAQText
    private let original: [UInt8]
    /// Whether the file exists; if not, saving creates it.
    package let exists: Bool

    /// The changes to an entry; nil keeps a part as it is.
    package struct Change: Sendable {
        package var id: String?
        package var category: String?
        package var question: String?
        package var answer: String?
        /// Wordings to add.
        package var alsoAsked: [String] = []
        /// Whether to remove the existing wordings first.
        package var clearsAlsoAsked = false

        package init() {}

        package var isEmpty: Bool {
            id == nil && category == nil && question == nil && answer == nil && alsoAsked.isEmpty && !clearsAlsoAsked
        }
    }

    /// Reads a library; with `mayCreate`, a missing file counts as empty.
    ///
    /// - Throws: ``TriageErrors`` with every fault of the file, because a broken file is not overwritten.
    package init(path: String, mayCreate: Bool = false) throws {
        self.path = path
        exists = ConfigurationFile.exists(path)
        do {
            original = mayCreate && !exists ? [] : try ConfigurationFile.read(path)
        } catch {
            throw TriageErrors([error])
        }
        let faults = FaultCollector()
        let document = ConfigDocument(name: path, bytes: original, faults: faults)
        let (library, nodes) = FAQFile.library(of: document, faults: faults)
        try faults.throwIfAny()
        self.library = library
        text = FAQText(
            text: String(decoding: original, as: UTF8.self), name: path, root: document.root, nodes: nodes)
    }

    /// The index of an entry.
    ///
    /// - Throws: ``TriageError`` `faq.unknown-id` with a suggestion.
    package func index(of id: String) throws(TriageError) -> Int {
        if let index = library.entries.firstIndex(where: { $0.id == id }) { return index }
        let known = library.entries.map(\.id)
        throw TriageError(
            "faq.unknown-id", "there is no entry '\(id.prefix(100))'", at: path,
            remedy: Suggestion.closest(to: id, among: known).map { "did you mean '\($0)'?" }
                ?? "list them with `triage faq list`", exit: .usage)
    }

    /// Adds an entry at the end.
    package mutating func add(_ entry: FAQEntry) throws(TriageError) {
        try check(entry, except: nil)
        library.entries.append(entry)
        text.append(entry)
    }

    /// Changes an entry in place.
    package mutating func edit(_ id: String, _ change: Change) throws(TriageError) {
        let index = try index(of: id)
        var entry = library.entries[index]
        if let id = change.id { entry.id = id }
        if let category = change.category { entry.category = category }
        if let question = change.question { entry.question = question }
        if let answer = change.answer { entry.answer = answer }
        if change.clearsAlsoAsked { entry.alsoAsked = [] }
        for wording in change.alsoAsked where !entry.alsoAsked.contains(wording) { entry.alsoAsked.append(wording) }
        try check(entry, except: index)
        library.entries[index] = entry
        text.replace(index, with: entry)
    }

    /// Removes an entry.
    package mutating func remove(_ id: String) throws(TriageError) {
        let index = try index(of: id)
        library.entries.remove(at: index)
        text.remove(index)
    }

    /// A short id for a question, from its content words, plus a number if that is taken.
    package func freeID(for question: String) -> String {
        var ids = FAQIDs(library: library)
        return ids.next(for: question)
    }

    /// An entry as one JSON object.
    package static func json(_ entry: FAQEntry) -> String { FAQText.json(entry) }

    /// An entry as an item of a YAML list, with a one-line comment above it.
    package static func yaml(_ entry: FAQEntry, comment: String) -> String {
        let line = String(String.UnicodeScalarView(comment.unicodeScalars.map { $0.value < 0x20 ? " " : $0 }))
        return (["# \(line)"] + FAQText.lines(of: entry, indent: 0)).map { $0 + "\n" }.joined()
    }

    /// The bytes of the changed file.
    package func rendered() -> [UInt8] {
        let bytes = Array(text.rendered(library).utf8)
        // Replacing lines fails for unusual YAML layouts; then the whole file is rewritten.
        let faults = FaultCollector()
        let result = FAQFile.read(name: path, bytes: bytes, faults: faults)
        if faults.isEmpty, result == library { return bytes }
        return Array(FAQText.whole(library, isJSON: path.hasSuffix(".json"), key: nil).utf8)
    }

    /// Replaces the file with the changed one, completely or not at all.
    ///
    /// - Throws: ``TriageError`` when the file cannot be written, is a symbolic link, or was changed by somebody else
    ///   in the meantime.
    package func save() throws(TriageError) {
        if ConfigurationFile.exists(path) {
            guard exists, try ConfigurationFile.read(path) == original else {
                throw TriageError(
                    "faq.changed-meanwhile", "another program changed the file in the meantime", at: path,
                    remedy: "run the command again", exit: .temporary)
            }
        }
        try AtomicReplacement.replace(path, with: rendered())
    }

    private func check(_ entry: FAQEntry, except index: Int?) throws(TriageError) {
        func fault(_ code: String, _ what: String, _ remedy: String) -> TriageError {
            TriageError(code, what, at: path, remedy: remedy, exit: .usage)
        }
        guard FAQFile.isID(entry.id) else {
            throw fault(
                "faq.bad-id", "an id must be at most 100 letters, digits, '-', '_' or '.', without spaces",
                "choose a short name such as camera or shipping-us")
        }
        if library.entries.indices.contains(where: { $0 != index && library.entries[$0].id == entry.id }) {
            throw fault(
                "faq.duplicate-id", "id '\(entry.id)' is already used", "choose another, or use `triage faq edit`")
        }
        for (name, text) in [("question", entry.question), ("answer", entry.answer)]
        where text.utf8.allSatisfy({ $0 <= 0x20 }) {
            throw fault("faq.empty-\(name)", "the \(name) is empty", "give it with --\(name)")
        }
        if library.entries.count >= FAQFile.entryLimit, index == nil {
            throw fault(
                "faq.too-many", "the library is full: \(FAQFile.entryLimit) entries", "merge entries with also_asked")
        }
    }
}

/// Creates short, unique ids for new entries.
package struct FAQIDs: Sendable {
    private var taken: Set<String>

    /// - Parameter library: its ids are taken.
    package init(library: FAQLibrary) { taken = Set(library.entries.map(\.id)) }

    /// An id from the content words of a question, plus a number if that is taken; the id is then taken.
    package mutating func next(for question: String) -> String {
        let words = FAQWords.content(question).prefix(3).map { String(decoding: $0, as: UTF8.self) }
        let base = words.isEmpty ? "entry" : words.joined(separator: "-")
        let stem = FAQFile.isID(base) ? base : "entry"
        var id = stem
        var number = 2
        while taken.contains(id) {
            id = "\(stem)-\(number)"
            number += 1
        }
        taken.insert(id)
        return id
    }
}
