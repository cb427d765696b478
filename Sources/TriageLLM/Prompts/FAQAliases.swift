public import TriageCore

/// Names of the library's entries in requests: `q1`, `q2` and so on, in the library's order.
///
/// The creator's own ids stay at home: they may say what no provider needs to know, and a name that a sender could
/// guess would be a name that a sender could ask for.
public struct FAQAliases: Sendable, Equatable {
    /// The entries' own ids.
    public let ids: [String]
    private let places: [String: Int]

    public init(_ library: FAQLibrary = FAQLibrary()) {
        ids = library.entries.map(\.id)
        places = Dictionary(ids.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The alias of an entry; nil: no such entry.
    public func alias(of id: String) -> String? { places[id].map { "q\($0 + 1)" } }

    /// The entry's id; nil unless `alias` is spelled as ``alias(of:)`` spells it.
    public func id(of alias: String) -> String? {
        guard alias.hasPrefix("q"), let number = Int(alias.dropFirst()), number >= 1, number <= ids.count,
            alias == "q\(number)"
        else { return nil }
        return ids[number - 1]
    }
}
