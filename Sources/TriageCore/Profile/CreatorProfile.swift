/// Who the creator is, as far as brand fit, drafts and detectors need to know.
package struct CreatorProfile: Sendable, Equatable {
    package var id = ""
    package var name = ""
    package var handles: [String] = []
    package var platforms: [String] = []
    /// Followers across all platforms; nil when not given.
    package var audience: Int?
    package var niches: [String] = []
    package var excludedTopics: [String] = []
    package var languages: [String] = []
    package var voice = ""
    /// The e-mail address for offers; drafts give it to everybody who makes one.
    ///
    /// Empty: see ``offerAddress``.
    package var contact = ""
    /// Whether ``contact`` is a manager's.
    package var hasManager = false
    /// The creator's rates; private, so never in a draft.
    package var rates = ""
    /// The lowest fee that the creator takes, such as `500 EUR`, or a number in the currency of the rates; private, too.
    package var minimumFee = ""
    package var works: [String] = []
    /// IANA time zone such as `Europe/Lisbon`; empty: UTC.
    package var timezone = ""

    /// The address for offers: ``contact``, or else the only e-mail address that ``voice`` mentions, or else the only
    /// one in ``rates``: "deals go to my manager, dee@example.com".
    ///
    /// The rates are private, but an address that stands beside them is there to be written to. If a text mentions two
    /// different addresses, nobody can tell which one is meant, so neither is used.
    package var offerAddress: String {
        guard contact.isEmpty else { return contact }
        let named = [voice, rates].map(Self.addresses).first { !$0.isEmpty } ?? []
        return named.count == 1 ? named[0] : ""
    }

    /// Returns each e-mail address once, as it is written.
    private static func addresses(in text: String) -> [String] {
        let words = text.split { $0.isWhitespace || ",;:()<>[]\"'".contains($0) }
        var found: [String] = []
        for word in words {
            let address = String(word.reversed().drop { ".!?".contains($0) }.reversed())
            let parts = address.split(separator: "@", omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, parts[1].dropFirst().dropLast().contains("."),
                address.utf8.count <= 254,
                address.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x7B && $0 != 0x7D })
            else { continue }
            if !found.contains(where: { $0.lowercased() == address.lowercased() }) { found.append(address) }
        }
        return found
    }

    /// Whether it names a niche or a work; with neither, nobody can tell how well an offer fits.
    package var saysWhatIsMade: Bool { !niches.isEmpty || !works.isEmpty }

    package init() {}
}

/// One entry of the creator's FAQ library.
package struct FAQEntry: Sendable, Equatable {
    package var id: String
    package var category: String
    package var question: String
    /// Other wordings of the question.
    package var alsoAsked: [String]
    package var answer: String

    package init(id: String, category: String = "", question: String, alsoAsked: [String] = [], answer: String) {
        self.id = id
        self.category = category
        self.question = question
        self.alsoAsked = alsoAsked
        self.answer = answer
    }
}

/// The creator's FAQ library.
package struct FAQLibrary: Sendable, Equatable {
    package var entries: [FAQEntry]
    package init(entries: [FAQEntry] = []) { self.entries = entries }
}
