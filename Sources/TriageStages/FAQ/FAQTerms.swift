import TriageCore

/// Answers what an offer asks first: whom to talk to, and what it costs.
///
/// Words hardly tell: "how much for a story?" shares none with "How can a brand work with you, and what are your rates?".
/// But the rules find that question in thirty languages (``FactTag/rateAsk``), the thesaurus knows words for money in two
/// dozen, and most libraries have one entry about both money and working together.
enum FAQTerms {
    /// Concepts of the thesaurus that such questions and entries speak of.
    struct Topics: OptionSet {
        let rawValue: UInt8
        static let rates = Topics(rawValue: 1)
        static let price = Topics(rawValue: 2)
        static let sponsor = Topics(rawValue: 4)
        static let collab = Topics(rawValue: 8)
        static let contact = Topics(rawValue: 16)
        static let order = Topics(rawValue: 32)
        static let `return` = Topics(rawValue: 64)
        static let licence = Topics(rawValue: 128)

        init(rawValue: UInt8) { self.rawValue = rawValue }

        /// - Parameter concept: its name in the thesaurus.
        init(concept: String) {
            switch concept {
            case "rates": self = .rates
            case "price": self = .price
            case "sponsor": self = .sponsor
            case "collab": self = .collab
            case "contact": self = .contact
            case "order": self = .order
            case "return": self = .return
            case "licence": self = .licence
            default: self = []
            }
        }
    }

    /// Which entry tells a company what working with the creator costs; −1 for none.
    ///
    /// - Parameter entries: what each entry's wordings speak of.
    /// - Returns: of those that speak of rates and of sponsors, joint work or contact, or of a price and of sponsors or
    ///   joint work, the one that speaks of most of these; the first of several.
    static func entry(among entries: [Topics]) -> Int {
        var (best, most) = (-1, 0)
        for (number, topics) in entries.enumerated() {
            let works = topics.intersection([.sponsor, .collab])
            let isAboutRates = topics.contains(.rates) && (!works.isEmpty || topics.contains(.contact))
            guard isAboutRates || topics.contains(.price) && !works.isEmpty else { continue }
            let further = (topics.contains(.rates) ? 2 : 1) + (topics.contains(.contact) ? 1 : 0)
            let strength = works.rawValue.nonzeroBitCount * 2 + further
            if strength > most { (best, most) = (number, strength) }
        }
        return best
    }

    /// Which entry with an e-mail address says where to write about a matter; nil for none.
    ///
    /// - Parameters:
    ///   - entries: what each entry's wordings speak of.
    ///   - hasAddress: whether each entry's answer names an e-mail address.
    ///   - matter: what the entry has to speak of at least in part.
    /// - Returns: the entry that speaks of most of it; the first of several.
    static func contact(among entries: [Topics], hasAddress: [Bool], for matter: Topics) -> Int? {
        var (best, most): (Int?, Int) = (nil, 0)
        for (number, topics) in entries.enumerated() where hasAddress[number] {
            let strength = topics.intersection(matter).rawValue.nonzeroBitCount
            if strength > most { (best, most) = (number, strength) }
        }
        return best
    }

    /// Probability that this entry settles an offer that names no amount; 0 where it does not ask for rates.
    ///
    /// The shorter, the surer: a long one asks for more than the entry says. The shares that were right on the messages to
    /// creators that are composed for this project, by `faq.py terms`, are a little above these.
    ///
    /// - Parameters:
    ///   - asksRates: as the rules find.
    ///   - topics: what the thesaurus finds in the sentences that ask.
    ///   - bytes: of the folded text.
    static func probability(asksRates: Bool, topics: Topics, bytes: Int) -> Float {
        let speaksOfMoney = !topics.isDisjoint(with: [.rates, .price])
        if speaksOfMoney && !topics.isDisjoint(with: [.sponsor, .collab]) {
            switch bytes {
            case ..<80: return 0.9
            case ..<200: return 0.75
            default: return 0
            }
        }
        guard asksRates || speaksOfMoney && bytes < 40 else { return 0 }
        switch bytes {
        case ..<40: return 0.8
        case ..<80: return 0.7
        case ..<120: return 0.55
        case ..<200: return 0.45
        default: return 0
        }
    }
}
