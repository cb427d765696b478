import TriageCore

/// Answers what an offer asks first: whom to talk to, and what it costs.
///
/// Shared words hardly help: "how much for a story?" shares none with "How can a brand work with you, and what are your
/// rates?". But the rules recognise that question in thirty languages (``FactTag/rateAsk``), the thesaurus knows words
/// for money in two dozen, and most libraries have one entry about both money and working together.
enum FAQTerms {
    /// Thesaurus concepts that occur in such questions and entries.
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

        /// Returns the topic of a concept.
        ///
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

    /// Returns the entry that tells a company what working with the creator costs; −1 for none.
    ///
    /// - Parameter entries: the topics of each entry's wordings.
    /// - Returns: among the entries about rates together with sponsors, collaborations or contact, or about a price
    ///   together with sponsors or collaborations, the one with the strongest match; the first if several are equal.
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

    /// Returns the entry with an e-mail address that says where to write about a matter; nil for none.
    ///
    /// - Parameters:
    ///   - entries: the topics of each entry's wordings.
    ///   - hasAddress: whether each entry's answer contains an e-mail address.
    ///   - matter: topics of which the entry must have at least one.
    /// - Returns: the entry with the most of these topics; the first if several are equal.
    static func contact(among entries: [Topics], hasAddress: [Bool], for matter: Topics) -> Int? {
        var (best, most): (Int?, Int) = (nil, 0)
        for (number, topics) in entries.enumerated() where hasAddress[number] {
            let strength = topics.intersection(matter).rawValue.nonzeroBitCount
            if strength > most { (best, most) = (number, strength) }
        }
        return best
    }

    /// Returns the probability that this entry settles an offer that names no amount; 0 if the offer does not ask for
    /// rates.
    ///
    /// The shorter the message, the more certain: a long one asks for more than the entry says. The accuracies measured
    /// by `faq.py terms`, on the messages to creators that were composed for this project, are slightly higher than
    /// these values.
    ///
    /// - Parameters:
    ///   - asksRates: whether the rules found that it asks for rates.
    ///   - topics: the topics of the sentences that ask.
    ///   - bytes: length of the folded text.
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
