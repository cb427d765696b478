/// Who the creator is: what brand fit, drafts and detectors need to know.
public struct CreatorProfile: Sendable, Equatable {
    public var id = ""
    public var name = ""
    public var handles: [String] = []
    public var platforms: [String] = []
    /// Followers over all platforms; nil when not said.
    public var audience: Int?
    public var niches: [String] = []
    public var excludedTopics: [String] = []
    public var languages: [String] = []
    public var voice = ""
    /// The e-mail address for offers, which drafts give to everybody who makes one; empty: as the library says.
    public var contact = ""
    /// Private: never in a draft.
    public var rates = ""
    public var works: [String] = []
    /// IANA name such as `Europe/Lisbon`; empty: UTC.
    public var timezone = ""

    /// Whether it names a niche or a work: without either, nobody can tell how well an offer fits.
    public var saysWhatIsMade: Bool { !niches.isEmpty || !works.isEmpty }

    public init() {}
}

/// One entry of the creator's library of answers.
public struct FAQEntry: Sendable, Equatable {
    public var id: String
    public var category: String
    public var question: String
    /// Other wordings of the question.
    public var alsoAsked: [String]
    public var answer: String

    public init(id: String, category: String = "", question: String, alsoAsked: [String] = [], answer: String) {
        self.id = id
        self.category = category
        self.question = question
        self.alsoAsked = alsoAsked
        self.answer = answer
    }
}

/// The creator's library.
public struct FAQLibrary: Sendable, Equatable {
    public var entries: [FAQEntry]
    public init(entries: [FAQEntry] = []) { self.entries = entries }
}
