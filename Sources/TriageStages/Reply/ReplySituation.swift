import TriageCore

/// Which words a draft needs; raw values are places in ``ReplyTemplates/bySituation``.
enum ReplySituation: Int, CaseIterable {
    case praise, orderTrouble, condolence, hardship
    /// Thanks for something in particular.
    case shortPraise, birthday, achieved, started, helped, together, again, laughed, greets
    case voice, music, pictures, recipe, explaining, video
    case moved, calmed, longtime, newcomer, day, arrived, cat, dog, blessing, channel
    case offer, rates, invoice, press, gifting, representation, licence, job, event, charity, followUp, declined, unpaid
    case podcast
    case legal
    case selfHarm, violence, threat, account, impersonation, urgent

    /// What comes before any answer of the library, because it would be out of place; nil: nothing does.
    ///
    /// - Parameter isPlain: whether the words of what is urgent say so outright, such as of an extortion.
    static func overriding(_ record: UnsafePointer<Record>, isPlain: Bool) -> ReplyChoice? {
        guard let urgency = record.pointee.urgency, urgency.isUrgent else { return nil }
        // Words for danger that are out of place are worse than none, so where the encoder looked, it has to see danger as well.
        let danger = record.pointee.danger
        // Who harms them may read along: no answer is better than words about a crisis on that screen.
        let isHarmed = danger.map { $0.violence >= leastPart } ?? false
        switch urgency.kind {
        case .selfHarm where isHarmed: return .some(.none(.unsure))
        case .selfHarm: return isDenied(danger) ? .some(.none(.unsure)) : .write(.selfHarm)
        case .threat:
            if isDenied(danger) { return .some(.none(.unsure)) }
            // Whoever watches the creator is not answered: any answer is what they wait for.
            return danger?.kind == .stalking ? .some(.none(.abuse)) : .write(.threat)
        case .legal:
            // "I'll sue you" is mostly a joke, unless it comes as a claim.
            guard danger != nil else { return .write(.legal) }
            return record.pointee.matter?.kind == .dispute ? .write(.legal) : .some(.none(.unsure))
        case .none, .account, .impersonation, .deadline, .other: break
        }
        if let danger {
            guard urgency.isDanger else { return danger.odds >= leastDoubt ? .some(.none(.unsure)) : nil }
            // What the rules found for certain gets sober words in any case.
            let isRuled = urgency.by == .urgencyRules
            if isRuled, isDenied(danger) { return .some(.none(.unsure)) }
            guard danger.worst >= leastPart else { return isRuled ? .write(.urgent) : .some(.none(.unsure)) }
            switch danger.kind {
            case .selfHarm where isHarmed: return .some(.none(.unsure))
            case .selfHarm where danger.share >= surelyKind: return .write(.selfHarm)
            // Those words hurt somebody whose alarm goes off.
            case .selfHarm: return isRuled ? .write(.urgent) : .some(.none(.unsure))
            case .threat, .stalking: return isRuled ? .write(.urgent) : .some(.none(.abuse))
            // "He'd kill me if he knew" is one of a hundred such idioms.
            case .violence where danger.odds >= surelyViolence:
                return .write(danger.share >= surelyKind ? .violence : .urgent)
            case .violence: return isRuled ? .write(.urgent) : .some(.none(.unsure))
            // A hand around a throat is both; a rag that may catch fire only sounds like it.
            case .medical where danger.violence >= surelyHarmed: return .write(.violence)
            // A bad knee is no emergency.
            case .medical: return isRuled || danger.odds >= surelyMedical ? .write(.urgent) : .some(.none(.unsure))
            }
        }
        // A company in a hurry is in no danger.
        if urgency.kind == .other, isPlain, record.pointee.category?.label != .business { return .write(.urgent) }
        return urgency.isDanger ? .write(.urgent) : nil
    }

    /// Log-odds of danger below which words for danger are out of place, and from which all others are; and those of the worst
    /// part from which its kind is clear enough to choose words by.
    private static let (leastSense, leastDoubt, leastPart): (Float, Float, Float) = (-4, 0, 0.5)
    private static let surelyKind: Float = 0.6
    private static let surelyMedical: Float = 3
    /// The same for violence: of six in danger of it who wrote to fourteen creators, one is below, and so is the one
    /// false alarm; and for violence in a part of what is else an illness.
    private static let (surelyViolence, surelyHarmed): (Float, Float) = (2.5, 1.5)

    private static func isDenied(_ danger: DangerAnswer?) -> Bool { danger.map { $0.odds < leastSense } ?? false }

    /// What to say where the library has no answer, or why nothing is said.
    ///
    /// - Parameters:
    ///   - asks: whether a member of the audience asks something.
    ///   - fan: what the words of a member of the audience say.
    ///   - offer: what the kind of a business matter is answered with; nil: with nothing.
    ///   - marks: what the words of a business message say.
    ///   - policy: what the creator does not take.
    ///   - hasManager: whether there is an address for what managers handle.
    ///   - width: how much the message says (``width(of:)``).
    static func of(
        _ record: UnsafePointer<Record>, _ category: Category, asks: Bool, fan: FanMarks, offer: ReplySituation?,
        marks: OfferMarks, policy: OfferPolicy, hasManager: Bool = false, width: @autoclosure () -> Int = 0
    ) -> ReplyChoice {
        // A company that writes of a hacked account or of a false one has another matter.
        if let urgency = record.pointee.urgency, urgency.isUrgent, category != .business {
            switch urgency.kind {
            case .account: return .write(.account)
            // Whose own account was taken, or who speaks of fraud, is not thanked for a warning.
            case .impersonation:
                return fan.isDisjoint(with: [.warning, .falseCreator]) ? .none(.unsure) : .write(.impersonation)
            // What a person has to see today is no matter for thanks.
            default: return .none(.unsure)
            }
        }
        guard category == .business else {
            let choice = self.fan(record, asks, fan)
            guard case .write(let situation) = choice,
                let most = situation.mostAnswered, width() > most
            else { return choice }
            return .none(.unsure)
        }
        return business(record, offer, marks, policy, hasManager)
    }

    private static func business(
        _ record: UnsafePointer<Record>, _ situation: Self?, _ marks: OfferMarks, _ policy: OfferPolicy,
        _ hasManager: Bool
    ) -> ReplyChoice {
        let facts = record.pointee.facts
        // Who says that the creator owes them for a picture has not asked first.
        if marks.contains(.rightsClaim) { return .write(.legal) }
        if marks.contains(.falseBill) { return .none(.unsure) }
        // Who sells something is not thanked for an offer, and what the creator needs nobody knows.
        if marks.contains(.sells) || facts.has(.creatorPays) && !facts.has(.paid) { return .none(.nothingToAnswer) }
        if let matter = record.pointee.matter {
            return of(
                record, matter, ruled: situation, marks: marks, policy: policy, hasManager: hasManager)
        }
        guard let situation else { return .none(.unsure) }
        if isExcluded(record) {
            switch situation {
            case .offer, .rates, .gifting, .representation, .event, .licence, .job: return .write(.declined)
            // These are no paid posts, and whether the creator wants them nobody knows.
            case .press, .podcast, .charity: return .none(.unsure)
            default: break
            }
        }
        switch situation {
        case .offer where record.pointee.thread.isFollowUp && record.pointee.thread.business > 0:
            return marks.contains(.otherMatter) ? .none(.unsure) : .write(.followUp)
        case .offer, .rates, .gifting:
            return deal(record, situation, marks, policy)
        default:
            return .write(situation)
        }
    }

    /// Whether the message has a topic that the creator excludes: the fit is zero for that, and for nothing else.
    static func isExcluded(_ record: UnsafePointer<Record>) -> Bool {
        record.pointee.opportunity.map { $0.brandFit.maximum > 0 } == true
            && record.pointee.facts.points.brandFit == 0
    }

    private static func deal(
        _ record: UnsafePointer<Record>, _ situation: Self, _ marks: OfferMarks, _ policy: OfferPolicy
    ) -> ReplyChoice {
        let facts = record.pointee.facts
        if marks.contains(.otherMatter), facts.budget == nil || !marks.contains(.deal) { return .none(.unsure) }
        if let terms = terms(facts, situation, marks) {
            return policy.refuses(terms) ? .write(.unpaid) : .none(.unsure)
        }
        if let budget = facts.budget {
            switch policy.fee(budget.usd) {
            // A price for each piece, or for what is no content, is small without being paltry.
            case .paltry:
                let isAll = facts.amounts == 1 && !marks.contains(.partSum)
                return isAll && (marks.contains(.deal) || facts.has(.deliverable)) ? .write(.unpaid) : .none(.unsure)
            // Whoever handles such matters may say no.
            case .low, .fair: break
            }
        }
        return situation != .offer || isDeal(facts, marks) ? .write(situation) : .none(.unsure)
    }

    /// Whether surely somebody pays for something: only then are the words about partnerships in place.
    static func isDeal(_ facts: Facts, _ marks: OfferMarks) -> Bool {
        facts.budget != nil || facts.has(.paid) || facts.has(.rateAsk)
            || !facts.has(.unpaid) && (marks.contains(.deal) || facts.has(.deliverable))
    }

    /// What is offered in place of a fee; nil: a fee, or nothing is said of it.
    private static func terms(_ facts: Facts, _ situation: Self, _ marks: OfferMarks) -> OfferPolicy.Terms? {
        // Who asks for a price, or orders something, pays.
        guard situation != .rates, facts.budget == nil, !facts.has(.paid), !facts.has(.rateAsk) else { return nil }
        if facts.has(.commission) { return .commission }
        // A gift without strings is only a gift.
        let isGift =
            situation == .gifting || facts.has(.productGift) || facts.has(.giftHint) && !marks.contains(.deal)
        if isGift, facts.has(.deliverable) || marks.contains(.postForGift) { return .gifted }
        return facts.has(.unpaid) ? .unpaid : nil
    }

    /// Probabilities that thanks answer a message: from which they are given, and are given where nothing else speaks for them;
    /// and that it tells of sorrow.
    ///
    /// With authors left out, 87 of 100 thanks were right from the first on, 81 without it, and 77 of 100 from the second on
    /// (`Tests/Benchmarks/thanks.py`).
    private static let (leastThanks, surelyThanks, leastSorrow): (Float, Float, Float) = (0.55, 0.7, 0.2)

    /// Log-odds of danger from which nobody is thanked.
    private static let leastAlarm: Float = -1

    private static func fan(_ record: UnsafePointer<Record>, _ asks: Bool, _ marks: FanMarks) -> ReplyChoice {
        let choice = ruled(record, asks, marks)
        guard let thanks = record.pointee.thanks else { return choice }
        switch choice {
        case .write(.hardship):
            return thanks.sorrow >= leastSorrow ? choice : .none(.unsure)
        // Wishes and greetings are answered in kind, whether or not they praise.
        case .write(.greets), .write(.birthday): return choice
        case .write(let situation) where situation.isThanks:
            let isCalm = record.pointee.danger.map { $0.odds < leastAlarm } ?? true
            return thanks.fits >= leastThanks && thanks.sorrow < leastSorrow && isCalm ? choice : .none(.unsure)
        case .none(.unsure), .none(.nothingToAnswer):
            guard thanks.fits >= surelyThanks, !asks, marks.isDisjoint(with: [.asks, .reservation]),
                record.pointee.sentiment?.label == .positive, record.pointee.category?.level != .low,
                !AskedTerm.isLong(record)
            else { return choice }
            return .write(record.pointee.fields.text.count < shortText ? .shortPraise : .praise)
        default: return choice
        }
    }

    private static func ruled(_ record: UnsafePointer<Record>, _ asks: Bool, _ marks: FanMarks) -> ReplyChoice {
        let facts = record.pointee.facts
        // What is negative about these is no criticism, and what is kind about them no praise.
        if marks.contains(.warning) { return .write(.impersonation) }
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
        case .positive where !asks && !marks.contains(.asks):
            // Whom a word of blame stands beside kind ones is not thanked for praise.
            guard !marks.contains(.reservation) else { return .none(.unsure) }
            // Words that say plainly what is liked make a slight feeling sure.
            if let situation = marks.situation, facts.work < 0, record.pointee.category?.level != .low {
                return .write(situation)
            }
            guard isSure else { return .none(.unsure) }
            if facts.work >= 0 { return .write(.praise) }
            // Who tells a story is not thanked in a word, unless something in it can be named.
            guard !AskedTerm.isLong(record) else { return .none(.unsure) }
            return .write(record.pointee.fields.text.count < shortText ? .shortPraise : .praise)
        default:
            if asks || marks.contains(.asks) { return .none(.needsAFact) }
            // Wishes and greetings are said without feeling, too.
            if let situation = marks.situation, situation == .birthday || situation == .greets,
                !AskedTerm.isLong(record), record.pointee.category?.level != .low
            {
                return .write(situation)
            }
            return .none(facts.has(.laughter) ? .joke : .nothingToAnswer)
        }
    }
}

extension ReplySituation {
    /// Bytes of a text that is thanked for in as few words.
    private static let shortText = 60

    /// Letters of a text that is thanked in plain words, and for something in particular.
    ///
    /// Of 80 plain thanks that blind readers marked, 31 of 42 for at most 60 letters would be sent as they are, and none of the 38 for
    /// more: whoever tells a story or names details wants to be heard (`Tests/Data/judged/marks.jsonl`). The name of a work in the thanks
    /// changes little: of 41 for longer messages, readers would send 5.
    private static let (mostPlain, mostParticular) = (60, 100)
    /// Letters of a complaint about an order that does not say yet what is asked for.
    ///
    /// Of 4 drafts for longer ones, none would be sent.
    private static let mostComplained = 160

    /// The width up to which our words do a message justice; nil: any.
    fileprivate var mostAnswered: Int? {
        switch self {
        case .praise, .shortPraise: Self.mostPlain
        case .orderTrouble: Self.mostComplained
        default: isThanks ? Self.mostParticular : nil
        }
    }

    /// How much a text says: its letters, those of scripts that write a syllable or a word in one sign three times.
    static func width(of text: UnsafeBufferPointer<UInt8>.SubSequence) -> Int {
        text.reduce(0) { width, byte in
            switch byte {
            case 0x80...0xBF: width
            // From U+3000 to U+DFFF: kana, Chinese characters, Hangul.
            case 0xE3...0xED: width + 3
            default: width + 1
            }
        }
    }

    /// Whether our words for it suit hardly anybody: a gift needs an address, and a follow-up an answer.
    ///
    /// Of 7 such drafts, blind readers would send one.
    var isTooGeneral: Bool { self == .gifting || self == .followUp }

    /// Whether somebody wants to talk in public.
    var isPress: Bool { self == .press || self == .podcast }

    /// Whether only a fact that the creator knows is an answer, such as when an invoice was sent: words that say no more
    /// than that it was read are none.
    ///
    /// Of ten drafts with such words for invoices, charities and the press, blind judges would have sent none.
    var awaitsFact: Bool { self == .invoice || self == .press || self == .charity }

    /// Whether words that say no more than that it will be looked at are an answer: of 28 such drafts, blind judges
    /// would have sent 20, and none is harmful.
    var canWait: Bool { self == .job || self == .podcast }

    /// Whether somebody suffers, or is in danger or in a dispute: a cheerful closing would hurt.
    var isGrave: Bool {
        switch self {
        case .orderTrouble, .condolence, .hardship, .legal, .selfHarm, .violence, .threat, .account, .impersonation,
            .urgent:
            true
        default: false
        }
    }

    /// Whether somebody is in danger: the creator's way to greet, such as "¡Buenas!", would hurt.
    var isDanger: Bool {
        switch self {
        case .selfHarm, .violence, .threat, .urgent: true
        default: false
        }
    }

    /// Whether it thanks a member of the audience: in the creator's own way, if that is known.
    var isThanks: Bool {
        self == .praise || (Self.shortPraise.rawValue...Self.channel.rawValue).contains(rawValue)
    }
}

/// What a reply is made of, or why there is none.
enum ReplyChoice {
    case write(ReplySituation)
    case none(NoDraft)

    func isWriting(_ situation: ReplySituation) -> Bool {
        if case .write(situation) = self { true } else { false }
    }
}

/// How a kind of business matter is answered.
struct OfferPage: Sendable {
    /// nil: no words answer it.
    private(set) var situation: ReplySituation?
    /// What a draft may ask of it, as places in ``ReplyTemplates/askNames``.
    let asks: [Int]
    /// Whether there are terms to agree on: then the draft says what was read, where to write and what happens next.
    let hasTerms: Bool

    /// The same matter, answered in other words.
    init(_ page: OfferPage, answered situation: ReplySituation) {
        self = page
        self.situation = situation
    }

    /// What the table says of a kind that nothing answers.
    private static let none = "none"

    /// - Parameters:
    ///   - reply: the name of the words, or ``none``; of a name that no language has words under, those for any offer are
    ///     taken.
    ///   - asks: names; those that no language has words for are left out.
    init(reply: String, asks: [String]) {
        situation =
            reply == Self.none
            ? nil
            : ReplyTemplates.bySituation.firstIndex { $0.name == reply }.flatMap { ReplySituation(rawValue: $0) }
                ?? .offer
        hasTerms = !asks.isEmpty
        self.asks = asks.compactMap { ReplyTemplates.askNames.firstIndex(of: $0) }
    }
}
