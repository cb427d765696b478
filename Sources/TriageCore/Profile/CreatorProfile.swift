/// Who the creator is: what brand fit, drafts and detectors need to know.
package struct CreatorProfile: Sendable, Equatable {
    package var id = ""
    package var name = ""
    package var handles: [String] = []
    package var platforms: [String] = []
    /// Followers over all platforms; nil when not said.
    package var audience: Int?
    package var niches: [String] = []
    package var excludedTopics: [String] = []
    package var languages: [String] = []
    package var voice = ""
    /// The e-mail address for offers, which drafts give to everybody who makes one; empty: see ``offerAddress``.
    package var contact = ""
    /// Private: never in a draft.
    package var rates = ""
    package var works: [String] = []
    /// IANA name such as `Europe/Lisbon`; empty: UTC.
    package var timezone = ""

    /// Where offers go: ``contact``, or the one e-mail address that the voice names.
    ///
    /// What the rates name is private. Of two different addresses nobody can tell which is meant.
    package var offerAddress: String {
        guard contact.isEmpty else { return contact }
        let named = Self.addresses(in: voice)
        return named.count == 1 ? named[0] : ""
    }

    /// Each once, as it is written.
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

    /// Whether it names a niche or a work: without either, nobody can tell how well an offer fits.
    package var saysWhatIsMade: Bool { !niches.isEmpty || !works.isEmpty }

    package init() {}
}

/// One entry of the creator's library of answers.
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

/// The creator's library.
package struct FAQLibrary: Sendable, Equatable {
    package var entries: [FAQEntry]
    package init(entries: [FAQEntry] = []) { self.entries = entries }
}
