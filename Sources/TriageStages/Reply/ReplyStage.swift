package import TriageCore

/// Drafts a reply from the library's answer or from a template; a person reads, fills in and sends it.
///
/// Reads what the other stages found and writes `draft`. Leaves it nil for spam, empty texts, messages without a
/// category, senders that take no replies, and languages that the creator does not write; ``NoDraft`` says why where
/// nothing good can be said: no draft is better than a wrong one. Who is in danger gets sober
/// words whatever the category, in their own language where there are any, else in one of the creator's. Of the
/// message a draft holds nothing but a sum of money as it is written there; it never holds a link of it, the
/// creator's rates or another answer of the library; what only the creator knows stands in braces and is named in
/// ``DraftAnswer/fill``. Dangers come before answers: self-harm, threats and legal matters get sober words whatever else
/// was found. The wording is picked by the text, so the same message always gets the same.
package struct ReplyStage: LocalStage {
    package let name = "reply.template"
    package let reads: Set<Field>
    private static let always: Set<Field> = [
        .fields, .folded, .hits, .facts, .thread, .category, .sentiment, .urgency, .opportunity, .faq, .language,
        .injection,
    ]
    package let writes: Set<Field> = [.draft]

    let book: ReplyBook
    /// Whether offers go to an address of the creator, where e-mails arrive.
    private let isContactOwn: Bool
    /// Places in ``ReplyTemplates/languages`` by language table index; −1: not written.
    private let places: [Int8]
    /// The same for who may be in danger: sober words in the sender's own language, whatever the creator writes.
    private let placesInDanger: [Int8]
    let sender = ReplySender()
    private let questions = QuestionOpening()
    private let kinds: [OfferPage]
    /// By signal: what it says of a business message.
    private let marks: [OfferMarks]
    /// By signal: what it says of a message of the audience.
    private let fanMarks: [FanMarks]
    let addressForm = AddressForm()
    private let policy: OfferPolicy
    /// By signal: whether its words say outright that a person has to look.
    private let isPlain: [Bool]
    /// Hashes of words that thank.
    private let thanks: Set<UInt64>
    private let anyOffer: OfferPage
    /// Whether the profile names no language.
    private let writesAll: Bool

    /// - Parameters:
    ///   - library: its answers are given as they are written.
    ///   - profile: languages, voice and name; of the rates the lowest, and what they rule out: no draft names either.
    ///   - rules: their table of kinds says which words answer a business matter, and what is asked.
    ///   - settings: the exchange rates, for a fee in another currency than the creator's.
    package init(
        library: FAQLibrary, profile: CreatorProfile, rules: RuleSet = RuleSet(), settings: Settings = Settings()
    ) {
        self.init(library: library, profile: profile, rules: rules, settings: settings, voice: nil)
    }

    /// - Parameters:
    ///   - voice: how the creator answers; nil: nobody knows, and drafts are in plain words.
    ///   - contacts: where the library says to write.
    ///   - wordings: the creator's own, in place of ours.
    ///   - readsEncoder: whether earlier stages tell what business messages are about, and whom to thank.
    ///   - readsDanger: whether an earlier stage tells what danger somebody is in.
    ///   - languages: tells the language of the library's answers; nil: all are in the creator's first language.
    package init(
        library: FAQLibrary, profile: CreatorProfile, rules: RuleSet, settings: Settings, voice: Voice?,
        contacts: FAQContacts = FAQContacts(), wordings: OwnWordings = OwnWordings(), readsEncoder: Bool = false,
        readsDanger: Bool = false, languages: LanguageIdentifier? = nil
    ) {
        reads = Self.always.union((readsEncoder ? [.matter, .thanks] : []) + (readsDanger ? [.danger] : []))
        isPlain = rules.signals.map(\.feeds.isUrgentByItself)
        thanks = Set(VoiceWords().thanks.map { TextFolder.hash($0.utf8) })
        marks = OfferMarks.of(rules)
        fanMarks = FanMarks.of(rules)
        policy = OfferPolicy(profile: profile, library: library, exchange: settings.exchange)
        kinds = rules.kinds.map { OfferPage(reply: $0.reply, asks: $0.asks) }
        anyOffer = OfferPage(reply: "business.offer", asks: ["fee"])
        let supported = ReplyTemplates.languages.map { LanguageTable.index(of: $0) ?? LanguageTable.undetermined }
        let spoken = profile.languages.compactMap { LanguageTable.index(of: $0) }
        // A profile that names no language is taken to write all of them.
        writesAll = spoken.isEmpty
        let written = spoken.isEmpty ? supported : supported.filter { spoken.contains($0) }
        let english = written.contains(supported[0]) ? 0 : -1
        let first = spoken.lazy.compactMap { supported.firstIndex(of: $0) }.first ?? (spoken.isEmpty ? 0 : -1)
        places = LanguageTable.tags.indices.map { tag in
            let language = UInt8(tag)
            if written.contains(language), let place = supported.firstIndex(of: language) { return Int8(place) }
            // Who shares a language with the creator is not answered in another one for want of words.
            if spoken.contains(language) { return -1 }
            return Int8(language == LanguageTable.undetermined ? first : english)
        }
        placesInDanger = zip(LanguageTable.tags.indices, places).map { tag, place in
            supported.firstIndex(of: UInt8(tag)).map { Int8($0) } ?? (place >= 0 ? place : Int8(max(0, first)))
        }
        let firstName = profile.name.split(separator: " ").first.map(String.init) ?? ""
        let texts = library.entries.map(\.answer)
        let told = languages.map { ReplyLanguages.languages(of: texts, model: $0) } ?? texts.map { _ in nil }
        let answerLanguages = told.map { language in
            language.flatMap { spoken.isEmpty || spoken.contains($0) ? $0 : nil } ?? spoken.first ?? supported[0]
        }
        book = ReplyBook(
            library: library, answerLanguages: answerLanguages, works: profile.works,
            signature: firstName.isEmpty ? "" : "\n\n\(firstName)",
            praiseTail: Self.allowsEmoji(profile.voice) ? " 🙏" : "", voice: voice, contact: profile.offerAddress,
            contacts: contacts, wordings: wordings)
        isContactOwn = Self.isOwn(profile)
    }

    /// Whether the address for offers is the creator's: no manager is named, and it holds a name of the creator, or its domain
    /// stands in one ("slowpots.example" of "@slowpotsrobin").
    private static func isOwn(_ profile: CreatorProfile) -> Bool {
        guard !profile.contact.isEmpty, !profile.hasManager else { return false }
        let folder = TextFolder()
        let address = String(decoding: folder.fold(profile.contact), as: UTF8.self)
        let names = ([profile.name] + profile.handles).flatMap(folder.words).map { String(decoding: $0, as: UTF8.self) }
        let domain = address.split(separator: "@").last?.split(separator: ".").first ?? ""
        return names.contains { name in
            name.utf8.count >= leastName && address.contains(name)
                || domain.utf8.count > leastName && name.contains(domain)
        }
    }

    /// Letters that a name in an address has at least.
    private static let leastName = 4

    /// Whether the voice speaks of emoji without ruling them out.
    private static func allowsEmoji(_ voice: String) -> Bool {
        let words = voice.lowercased().split(whereSeparator: { !$0.isLetter && $0 != "'" })
        guard let place = words.firstIndex(where: { $0.hasPrefix("emoji") }) else { return false }
        let denials: Set<Substring> = ["no", "not", "never", "without", "zero", "avoid", "avoids", "don't", "hates"]
        return !words[max(0, place - 4)..<place].contains(where: denials.contains)
            && !(place + 1 < words.count && words[place + 1] == "free")
    }

    /// From which probability on a possible match of the library is a draft, and one in another language than the message.
    ///
    /// Of the possible matches in `Tests/Data/composed` that were drafts from 0.7 on, 143 of 190 below 0.75 were right and 1,060
    /// of 1,098 above it; for five creators whom nobody had seen, 4 of 7. A wrong answer that is sent by mistake is worse than
    /// none.
    private static let (leastConfidence, leastAcross): (Float, Float) = (0.75, 0.8)

    /// Whether an answer of the library is sure enough to be said, in the language that it is in.
    private func isSaid(_ faq: FAQAnswer, _ record: UnsafePointer<Record>, _ language: Int) -> Bool {
        guard book.answers.indices.contains(faq.entry) else { return false }
        let own = book.answers[faq.entry].language
        let isAcross = Int(own) != language && language != Int(LanguageTable.undetermined)
        if faq.isHigh { return true }
        // A letter that offers something is seldom answered by one entry.
        if record.pointee.category?.label == .business, AskedTerm.isLong(record) { return false }
        return faq.confidence >= (isAcross ? Self.leastAcross : Self.leastConfidence)
            && record.pointee.urgency?.isUrgent != true
    }

    /// Whether the creator writes the sender's language, but has this answer in another one only.
    private func isForeign(_ faq: FAQAnswer, _ language: Int, _ place: Int) -> Bool {
        guard place >= 0, !writesAll, language != Int(LanguageTable.undetermined) else { return false }
        return Int(book.tags[place]) == language && Int(book.answers[faq.entry].language) != language
    }

    /// How a business matter was answered before, as far as nothing binds the creator.
    private static func ownKind(_ situation: ReplySituation) -> OwnReplies.Kind? {
        switch situation {
        case .offer, .rates: .business
        case .gifting: .gifting
        case .representation: .representation
        case .event: .event
        default: nil
        }
    }

    /// Where the library sends a business matter.
    ///
    /// - Parameter isDeal: whether surely somebody pays, or the encoder is sure of the matter; what is none does not go where
    ///   partnerships are handled.
    private func contact(_ situation: ReplySituation?, isDeal: Bool) -> ReplyBook.Contact? {
        switch situation {
        case .offer, .rates, .representation, .gifting: book.deals
        case .event, .job, .podcast, .press: isDeal ? book.deals : nil
        case .licence: isDeal || book.hasLicenceEntry ? book.licences : nil
        default: nil
        }
    }

    /// What the creator says to many may answer this too; nil: the fixed words stand, as for sorrow, danger and blame.
    private static func ownKind(
        _ choice: ReplyChoice, _ category: Category
    ) -> OwnReplies.Kind? {
        switch choice {
        // Thanks for something in particular say more than those for everything, or for a video.
        case .write(.praise), .write(.shortPraise), .write(.video), .write(.channel): return .thanks
        case .write(let situation): return category == .business ? ownKind(situation) : nil
        // What is no plain praise is not thanked in a word: it may be a joke, a wish or blame.
        case .none: return nil
        }
    }

    package func annotate(_ batch: inout Batch) {
        var drafts = DraftBuffer(book, batch)
        batch.withAnswerView { view in
            book.bytes.withUnsafeBufferPointer { words in
                view.forEachAsked { record in
                    var reason: NoDraft?
                    record.pointee.draft = draft(record, view, words, &drafts, &reason)
                    record.pointee.noDraft = record.pointee.draft == nil ? reason : nil
                }
            }
        }
        drafts.generated.finish(into: &batch.generated)
        drafts.spans.finish(into: &batch.generatedSpans)
    }

    /// Confidence from which a message's language counts: of a few words it can be wrong, with 0.16.
    private static let leastLanguage: Float = 0.25

    private static func language(of record: UnsafePointer<Record>) -> Int {
        guard let answer = record.pointee.language, answer.confidence >= leastLanguage else {
            return Int(LanguageTable.undetermined)
        }
        return Int(answer.language)
    }

    @inline(__always)
    private func draft(
        _ record: UnsafePointer<Record>, _ view: AnswerView, _ words: UnsafeBufferPointer<UInt8>,
        _ drafts: inout DraftBuffer, _ reason: inout NoDraft?
    ) -> DraftAnswer? {
        let language = Self.language(of: record)
        let isSteered = record.pointee.injection?.isSuspected ?? false
        let isOutright =
            record.pointee.urgency?.isUrgent == true
            && view.hits(of: record).contains { !$0.isCovered && isPlain[Int($0.signal)] }
        let overriding = ReplySituation.overriding(record, isPlain: isOutright)
        // Nothing that is said of the message or of its sender keeps the words for danger back.
        if let overriding, overriding.isWriting(.selfHarm) || record.pointee.urgency?.isDanger == true {
            guard case .write(let situation) = overriding else {
                reason = if case .none(let why) = overriding { why } else { .unsure }
                return nil
            }
            let place = language < placesInDanger.count ? Int(placesInDanger[language]) : 0
            return template(situation, place, record, !isSteered, view, words, &drafts)
        }
        guard let category = record.pointee.category?.label, category != .spam else { return nil }
        let place = language < places.count ? Int(places[language]) : -1
        guard !sender.takesNoReplies(record, in: view.arena) else { return nil }
        if overriding == nil, !isSteered, let faq = record.pointee.faq, isSaid(faq, record, language) {
            // Own words are no surer than the entry that they take the place of, and no less.
            if place >= 0,
                let reply = book.own.answer(
                    faq.entry, place, view.tokens[record.pointee.folded.tokens].lazy.map(\.hash),
                    Self.choice(record, view))
            {
                return own(reply, place, record, true, view, words, &drafts)
            }
            // An English question to somebody who writes English is not answered in German.
            if isForeign(faq, language, place) {
                reason = .needsAFact
                return nil
            }
            return answer(faq, record, view, words, &drafts)
        }
        guard place >= 0 else { return nil }
        let kind = Int(record.pointee.facts.kind)
        let marks = category == .business ? OfferMarks(view.hits(of: record), marks) : []
        let said = category == .fan ? FanMarks(view.hits(of: record), fanMarks) : []
        var offer = kinds.indices.contains(kind) ? kinds[kind] : anyOffer
        // Who wants videos made "books" and "hires" for them as one does a speaker.
        if offer.situation == .event || offer.situation == .job && marks.contains(.deal),
            record.pointee.facts.has(.deliverable)
        {
            offer = anyOffer
        }
        // Who pays for a word in between, or asks what it costs, invites nobody.
        if offer.situation == .podcast, !marks.isDisjoint(with: [.deal, .asksPrice]) {
            offer = OfferPage(offer, answered: .press)
        }
        let choice =
            overriding
            ?? ReplySituation.of(
                record, category, asks: questions.asks(record, view), fan: said, offer: offer.situation, marks: marks,
                policy: policy, hasManager: book.deals != nil,
                width: ReplySituation.width(of: view.arena[record.pointee.fields.text.range]))
        if case .write(let situation) = choice, situation == .praise || situation == .shortPraise,
            isBareThanks(record, view)
        {
            reason = .nothingToAnswer
            return nil
        }
        // The encoder's words want what goes with them.
        let isSure = category == .business && record.pointee.matter.map(ReplySituation.isSettled) == true
        if let matter = record.pointee.matter, case .write(let situation) = choice, situation != offer.situation,
            ReplySituation.hasTerms(situation, matter)
        {
            offer = kinds.first { $0.situation == situation } ?? OfferPage(anyOffer, answered: situation)
        }
        // An e-mail has already come to the creator's own address: to be sent there again answers nothing.
        let isThere = isContactOwn && ReplySender.isEmail(record, in: view.arena)
        let contact =
            isThere
            ? nil
            : contact(offer.situation, isDeal: isSure || ReplySituation.isDeal(record.pointee.facts, marks))
        var matter: OfferReply?
        if category == .business, case .write(let situation) = choice, situation == offer.situation,
            offer.hasTerms
        {
            matter = OfferReply(record, asking: contact == nil ? offer.asks : [], situation, marks, in: view)
        }
        // Who has said it all is not asked for it again.
        let isTold = record.pointee.facts.amounts > 0 || matter?.saysFacts == true || AskedTerm.isLong(record)
        // Thanks that name the work say more than those for everything.
        // Who tells a story is not thanked in a word.
        if let kind = Self.ownKind(choice, category),
            kind == .thanks
                ? !book.works.indices.contains(Int(record.pointee.facts.work)) && !AskedTerm.isLong(record)
                : contact == nil,
            let reply = own(kind, choice, place, record, !isSteered, view, words, &drafts)
        {
            return reply
        }
        switch choice {
        case .none(let why):
            reason = why
            return nil
        case .write(let situation):
            // That it will be looked at helps nobody who waits for money, for a cause or for a newspaper.
            let saysMore = matter.map { contact != nil || $0.saysFacts } ?? false
            if situation.isTooGeneral || situation.awaitsFact && !saysMore, !book.hasOwnWords(situation, place) {
                reason = .needsAFact
                return nil
            }
            guard let matter else { return template(situation, place, record, !isSteered, view, words, &drafts) }
            let isKnown = kinds.indices.contains(kind) || isSure
            guard isKnown || record.pointee.category?.level != .low else {
                reason = .unsure
                return nil
            }
            // Whether to bargain over a fee far below the rates is the creator's choice.
            if Self.ownKind(situation) == .business, policy.isLow(record.pointee.facts.budget) {
                reason = .unsure
                return nil
            }
            // What the library says of deals is for who offers one.
            if let entry = contact?.entry, !isTold, Self.ownKind(situation) == .business {
                return answer(
                    entry, place, book.pages[situation.rawValue], record, !isSteered, view, words, &drafts)
            }
            // Who has said everything is told what happens next, as far as it is surely an offer; who wrote a line of another
            // kind is so too.
            let level = record.pointee.category?.level
            let isPlain = isKnown && !AskedTerm.isLong(record) && (situation != .offer || level != .low)
            // What something costs, fans ask as well.
            guard situation != .rates || level != .low else {
                reason = .unsure
                return nil
            }
            // That it will be looked at says something only beside what was read, or to people who can wait. Who needs an
            // answer today cannot.
            let isPressing = contact == nil && ReplySituation.isSoon(record)
            guard !isPressing, !isThere || matter.saysFacts || situation.canWait else {
                reason = .needsAFact
                return nil
            }
            guard contact != nil || !matter.isEmpty || level == .high || isPlain else {
                reason = .unsure
                return nil
            }
            return template(
                situation, place, record, !isSteered, view, words, &drafts, offer: matter, address: contact?.address)
        }
    }

    /// Whether it is a word of thanks and nothing else, which ends a conversation.
    private func isBareThanks(_ record: UnsafePointer<Record>, _ view: AnswerView) -> Bool {
        let tokens = view.tokens[record.pointee.folded.tokens]
        guard tokens.count <= Self.bareWords, let first = tokens.first, thanks.contains(first.hash) else {
            return false
        }
        return tokens.dropFirst().allSatisfy { $0.count <= Self.bareBytes || thanks.contains($0.hash) }
    }

    /// Words of bare thanks, and bytes of those beside the thanks: "thank you so much".
    private static let (bareWords, bareBytes) = (4, 4)
}
