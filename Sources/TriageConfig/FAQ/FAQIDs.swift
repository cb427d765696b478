public import TriageCore

/// Makes short ids for new entries that no other entry has.
public struct FAQIDs: Sendable {
    private var taken: Set<String>

    /// - Parameter library: whose ids are taken.
    public init(library: FAQLibrary) { taken = Set(library.entries.map(\.id)) }

    /// An id of the telling words of a question, with a number where that is taken; it is taken from then on.
    public mutating func next(for question: String) -> String {
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
