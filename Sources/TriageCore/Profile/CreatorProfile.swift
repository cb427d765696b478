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
    /// The e-mail address for offers, which drafts give to everybody who makes one; empty: as the library says.
    package var contact = ""
    /// Private: never in a draft.
    package var rates = ""
    package var works: [String] = []
    /// IANA name such as `Europe/Lisbon`; empty: UTC.
    package var timezone = ""

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
