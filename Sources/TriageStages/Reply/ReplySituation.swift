import TriageCore

/// Which words a draft needs; raw values are places in ``ReplyTemplates/bySituation``.
enum ReplySituation: Int, CaseIterable {
    case praise, orderTrouble, condolence, hardship
    case offer, rates, invoice, press, gifting, representation, licence, job, event, charity, followUp, declined
    case legal
    case selfHarm, threat, account, impersonation, urgent

    /// What comes before any answer of the library, because it would be out of place; nil: nothing does.
    ///
    /// - Parameter isPlain: whether the words of what is urgent say so outright, such as of an extortion.
    static func overriding(_ record: UnsafePointer<Record>, isPlain: Bool) -> ReplySituation? {
        guard let urgency = record.pointee.urgency, urgency.isUrgent else { return nil }
        switch urgency.kind {
        case .selfHarm: return .selfHarm
        case .threat: return .threat
        case .legal: return .legal
        // A company in a hurry is in no danger.
        case .other where isPlain && record.pointee.category?.label != .business: return .urgent
        default: return urgency.isDanger ? .urgent : nil
        }
    }

    /// What to say where the library has no answer, or why nothing is said.
    ///
    /// - Parameters:
    ///   - asks: whether a member of the audience asks something.
    ///   - offer: what the kind of a business matter is answered with.
    static func of(
        _ record: UnsafePointer<Record>, _ category: Category, asks: Bool, offer: ReplySituation
    ) -> ReplyChoice {
        // A company that writes of a hacked account or of a false one has another matter.
        if let urgency = record.pointee.urgency, urgency.isUrgent, category != .business {
            switch urgency.kind {
            case .account: return .write(.account)
            case .impersonation: return .write(.impersonation)
            // What a person has to see today is no matter for thanks.
            default: return .none(.unsure)
            }
        }
        guard category == .business else { return fan(record, asks) }
        // Who sells something is not thanked for an offer, and what the creator needs nobody knows.
        if record.pointee.facts.has(.creatorPays), !record.pointee.facts.has(.paid) { return .none(.unsure) }
        return .write(business(record, offer))
    }

    private static func business(_ record: UnsafePointer<Record>, _ situation: Self) -> Self {
        // Fit is zero for a topic that the creator excludes, and for nothing else.
        if let offer = record.pointee.opportunity, offer.brandFit.maximum > 0, record.pointee.facts.points.brandFit == 0
        {
            return .declined
        }
        guard situation == .offer else { return situation }
        return record.pointee.thread.isFollowUp && record.pointee.thread.business > 0 ? .followUp : .offer
    }

    private static func fan(_ record: UnsafePointer<Record>, _ asks: Bool) -> ReplyChoice {
        let facts = record.pointee.facts
        // What is negative about these is no criticism, and what is kind about them no praise.
        if facts.has(.condolence) { return .write(.condolence) }
        if facts.has(.orderTrouble) { return .write(.orderTrouble) }
        let feeling = record.pointee.sentiment
        let isSure = feeling?.level != .low && record.pointee.category?.level != .low
        if facts.has(.hardship), !facts.has(.laughter), !asks || feeling?.label == .negative {
            return .write(.hardship)
        }
        switch feeling?.label {
        case .negative:
            if facts.has(.insult) { return .none(.abuse) }
            if facts.has(.laughter) { return .none(.joke) }
            // Thanks for criticism that was a joke, a complaint or a plea for help embarrass whoever sends them.
            return .none(asks ? .needsAFact : .unsure)
        case .positive where !asks:
            // Who tells a story is not thanked in a word, unless it is of a work that can be named.
            return isSure && (facts.work >= 0 || !AskedTerm.isLong(record)) ? .write(.praise) : .none(.unsure)
        default:
            if asks { return .none(.needsAFact) }
            return .none(facts.has(.laughter) ? .joke : .nothingToAnswer)
        }
    }
}

/// What a reply is made of, or why there is none.
enum ReplyChoice {
    case write(ReplySituation)
    case none(NoDraft)
}

/// How a kind of business matter is answered.
struct OfferPage: Sendable {
    let situation: ReplySituation
    /// What has to be known of it, as places in ``ReplyTemplates/askNames``.
    let asks: [Int]

    /// - Parameters:
    ///   - reply: the name of the words; of a name that no language has words under, those for any offer are taken.
    ///   - asks: names; those that no language has words for are left out.
    init(reply: String, asks: [String]) {
        situation =
            ReplyTemplates.bySituation.firstIndex { $0.name == reply }.flatMap { ReplySituation(rawValue: $0) }
            ?? .offer
        self.asks = asks.compactMap { ReplyTemplates.askNames.firstIndex(of: $0) }
    }
}
