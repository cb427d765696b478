import TriageCore

/// What a business message is answered with where the encoder read what it is about (``MatterAnswer``).
extension ReplySituation {
    /// From which probability the encoder's kind decides on the words, if no other one comes near.
    ///
    /// With authors left out (`Tests/Benchmarks/matters.py`), 82 of 100 such kinds were right, and 68 of 100 messages had one.
    private static let (sure, near): (Float, Float) = (0.5, 0.3)
    /// The same where the rules say the same, and by how much it leads: 62 of 100 were right, half of those with less of a lead.
    private static let (agreed, lead): (Float, Float) = (0.35, 0.25)
    /// What is surely a manager's, of whatever kind, goes to one: 90 of 100 were right, 7 of 100 messages are that and of no clear kind.
    private static let surelyHandled: Float = 0.75
    /// No fee is declined only where surely none is offered: 88 of 100 were right.
    private static let surelyFeeless: Float = 0.65
    /// A gift is thanked for only where it surely has no strings: two of five that seemed so had some.
    private static let surelyFree: Float = 0.7
    /// A claim is answered as one only where it surely is one, unless the rules say so too.
    private static let surelyClaimed: Float = 0.8
    /// From which probability on a topic counts as excluded, and from which on it may be.
    ///
    /// Of 123 messages, 77 are above the one, with 9 others, and 83 above the other, with 21. Of 345 that were shown to creators who do
    /// not exclude the topic, 2 and 18 are.
    private static let (excluded, doubtful): (Float, Float) = (0.3, 0.15)
    /// From which probability on it is declined: of 46 such drafts that readers marked, 42 would be sent and one is harmful; of 19 others,
    /// 10 and 9 (`Tests/Data/judged`; by the heads before these).
    private static let surelyExcluded: Float = 0.5
    /// From which probability on a message goes on with something agreed or talked about, which words for a first one would ignore.
    ///
    /// Of 2,573 messages that are no bills, disputes, orders or anything else, 118 do. With authors left out, 110 are above it, and 70 of
    /// them do; of the other 40, 20 are labelled urgent.
    private static let ongoing: Float = 0.4
    /// A message about money is a bill only where it surely is one, unless the rules say so too: offers are raised as well.
    private static let surelyBill: Float = 0.8
    /// Hours within which an answer is none that says it will come.
    private static let soonHours = 48

    /// The words for a kind; nil: there are none.
    init?(_ matter: Matter) {
        switch matter {
        case .deal, .collab: self = .offer
        case .freebie: self = .gifting
        case .rates: self = .rates
        case .licence: self = .licence
        case .press: self = .press
        case .podcast: self = .podcast
        case .event: self = .event
        case .charity: self = .charity
        case .job, .book: self = .job
        case .represent: self = .representation
        case .invoice: self = .invoice
        case .dispute: self = .legal
        // What is declined, if it is answered at all, and what the creator alone can answer.
        case .commission, .gift, .wholesale, .service, .peer, .research, .other: return nil
        }
    }

    /// Whether the encoder's kind by itself decides on the words.
    static func isSure(_ matter: MatterAnswer) -> Bool { matter.probability >= sure && matter.second < near }

    /// Whether words that fit all that managers handle are in place, and no others.
    private static func isHandled(_ matter: MatterAnswer) -> Bool { matter.handled >= surelyHandled }

    /// Whether what is said of a matter is the encoder's to say, and not the rules' as well.
    static func isSettled(_ matter: MatterAnswer) -> Bool { isSure(matter) || isHandled(matter) }

    /// Whether words are those of the encoder's kind, so that what goes with them belongs there; what declines has no terms.
    static func hasTerms(_ situation: Self, _ matter: MatterAnswer) -> Bool {
        situation == Self(matter.kind) || situation == .job && isHandled(matter)
    }

    /// What to say where the encoder read the matter.
    ///
    /// - Parameters:
    ///   - ruled: what the rules alone would answer the kind with.
    ///   - hasManager: whether the creator names an address for what managers handle.
    static func of(
        _ record: UnsafePointer<Record>, _ matter: MatterAnswer, ruled: Self?, marks: OfferMarks, policy: OfferPolicy,
        hasManager: Bool
    ) -> ReplyChoice {
        if matter.ongoing >= ongoing, matter.kind != .invoice, matter.kind != .dispute { return .none(.unsure) }
        if let choice = ofTopic(record, matter) { return choice }
        if matter.kind == .commission || matter.kind == .gift || matter.feeless >= surelyFeeless {
            return feeless(matter, policy)
        }
        if !isSure(matter) {
            if hasManager, isHandled(matter) { return .write(.job) }
            let leads = matter.probability >= agreed && matter.probability - matter.second >= lead
            guard leads, agrees(matter.kind, ruled) else { return .none(.unsure) }
        }
        switch matter.kind {
        case .freebie: return matter.probability >= surelyFree ? .write(.gifting) : .none(.unsure)
        // Whoever has a manager does not send other managers there.
        case .represent: return hasManager ? .none(.unsure) : .write(.representation)
        case .invoice: return ruled == .invoice || matter.probability >= surelyBill ? .write(.invoice) : .none(.unsure)
        case .service: return .none(.nothingToAnswer)
        case .deal, .collab:
            let choice = deal(record, marks, policy)
            return isSoon(record) && !hasManager && choice.isWriting(.offer) ? .none(.unsure) : choice
        case .dispute:
            return matter.probability >= surelyClaimed || ruled == .legal ? .write(.legal) : .none(.unsure)
        case .press, .podcast:
            return isSoon(record) ? .none(.unsure) : .write(matter.kind == .press ? .press : .podcast)
        // That it will be looked at is no answer to these: of 8 marks by blind readers, none would be sent.
        case .wholesale, .peer, .research, .other, .commission, .gift: return .none(.unsure)
        // Who has no money asks a favor, which only the creator can grant.
        case .event where record.pointee.facts.has(.unpaid) && record.pointee.facts.budget == nil:
            return .none(.unsure)
        case .rates, .licence, .event, .charity, .job, .book:
            return isSoon(record) && !hasManager
                ? .none(.unsure) : Self(matter.kind).map { .write($0) } ?? .none(.unsure)
        }
    }

    /// What to say where a topic that the creator excludes is advertised, or may be; nil: nothing speaks for one.
    private static func ofTopic(
        _ record: UnsafePointer<Record>, _ matter: MatterAnswer
    ) -> ReplyChoice? {
        let (isRead, isRuled) = (matter.excluded >= excluded, isExcluded(record))
        let isSurelyRead = matter.excluded >= surelyExcluded
        // A word alone may belong to a signature ("trading as") or say the opposite ("sem álcool").
        if matter.kind.isAdvertising, isSurelyRead { return .write(.declined) }
        // What does not advertise, such as an interview, is no paid post.
        if isSure(matter), !matter.kind.isAdvertising { return isRead ? .some(.none(.unsure)) : nil }
        if isSurelyRead && isRuled { return .write(.declined) }
        return isRead || isRuled || matter.excluded >= doubtful ? .some(.none(.unsure)) : nil
    }

    /// Posts for a share of sales or for a product: declined where the creator rules that out.
    private static func feeless(_ matter: MatterAnswer, _ policy: OfferPolicy) -> ReplyChoice {
        let isRefused =
            switch matter.kind {
            case .commission where matter.probability >= surelyFeeless: policy.refuses(.commission)
            case .gift where matter.probability >= surelyFeeless: policy.refuses(.gifted)
            default: matter.feeless >= surelyFeeless && policy.refuses(.commission) && policy.refuses(.gifted)
            }
        return isRefused ? .write(.unpaid) : .none(.unsure)
    }

    private static func agrees(_ kind: Matter, _ ruled: Self?) -> Bool {
        guard let said = Self(kind), let ruled else { return false }
        return said == ruled || said.isPress && ruled.isPress
    }

    /// A paid post: whoever wrote of it before is told that it is read, and a fee that is no fee is declined.
    private static func deal(
        _ record: UnsafePointer<Record>, _ marks: OfferMarks, _ policy: OfferPolicy
    ) -> ReplyChoice {
        let facts = record.pointee.facts
        if record.pointee.thread.isFollowUp, record.pointee.thread.business > 0 { return .write(.followUp) }
        // A share of what is sold is no fee, however much the rest sounds like a deal.
        if facts.budget == nil, facts.has(.commission), !facts.has(.paid) {
            return policy.refuses(.commission) ? .write(.unpaid) : .none(.unsure)
        }
        guard let budget = facts.budget, policy.fee(budget.usd) == .paltry else { return .write(.offer) }
        // A price for each piece is small without being paltry.
        return facts.amounts == 1 && !marks.contains(.partSum) ? .write(.unpaid) : .none(.unsure)
    }

    /// Whether an answer is wanted within two days: then one that says it will come is none.
    static func isSoon(_ record: UnsafePointer<Record>) -> Bool {
        record.pointee.urgency?.isUrgent == true || record.pointee.facts.deadlineHours.map { $0 <= soonHours } == true
    }
}
