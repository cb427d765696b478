import TriageCore

/// Templates and library answers as bytes, made once a run so that a draft is put together by copying.
///
/// All words lie one behind the other in ``bytes``; everything else is places there, without references to follow.
struct ReplyBook: Sendable {
    /// One wording.
    struct Wording: Sendable {
        var text: Span32
        /// Names of placeholders without their braces: a range of ``fills``.
        var fill: Range<Int>
    }

    /// One situation.
    struct Page: Sendable {
        /// `template:fan.praise`.
        var basedOn: Span32
        /// Index in ``choices`` of its wordings in the first of ``ReplyTemplates/languages``, one for each
        /// ``AddressForm/Form``; the others follow.
        var firstChoice: Int
    }

    /// An answer of the library.
    struct Answer: Sendable {
        /// `faq:camera`.
        var basedOn: Span32
        var text: Wording
        /// Index into ``LanguageTable/tags``.
        var language: UInt8
        /// Its place in ``ReplyTemplates/languages``; nil: no words go before it.
        var place: Int?
    }

    /// ``FAQContacts/Contact``, as a place.
    struct Contact: Sendable {
        /// Index of the entry of the library; nil: the profile says it.
        var entry: Int?
        var address: Span32
    }

    /// Greetings before a name, behind it, and without one.
    struct Greeting: Sendable {
        var before: Span32
        var behind: Span32
        var bare: Span32
        /// Whether a name stands in it; in some languages a name would have to be inflected.
        var hasName: Bool
        /// Whether it is a sentence of its own, with a name and without one, so that what follows begins with a capital.
        var isSentence = false
        var isBareSentence = false
    }

    /// ``ReplyTemplates/OfferWords``, as places.
    struct OfferWords: Sendable {
        var asks: [Span32]
        var fee: Wording
        var day: Wording
        var answerDay: Wording
        var comma: Span32
        var and: Span32
        var date: Wording
        var months: [Span32]
        var thousands: Span32
    }

    /// Bytes that the name of a placeholder may have; what is longer in braces is none.
    private static let longestBlank = 40

    private(set) var bytes: [UInt8] = []
    private(set) var wordings: [Wording] = []
    /// Offsets from the beginning of their wordings.
    private(set) var fills: [Span32] = []
    /// Ranges of ``wordings`` that say the same thing in one language.
    private(set) var choices: [Range<Int>] = []
    /// By ``ReplySituation/rawValue``.
    private(set) var pages: [Page] = []
    private(set) var answers: [Answer] = []
    private(set) var praiseOfWork = Page(basedOn: .absent, firstChoice: 0)
    /// The creator's works, as the profile has them.
    private(set) var works: [Span32] = []
    private(set) var missing = Page(basedOn: .absent, firstChoice: 0)
    private(set) var noted = Page(basedOn: .absent, firstChoice: 0)
    private(set) var route = Page(basedOn: .absent, firstChoice: 0)
    private(set) var next = Page(basedOn: .absent, firstChoice: 0)
    private(set) var orderRoute = Page(basedOn: .absent, firstChoice: 0)
    /// Where deals, licence requests and trouble with orders go; nil: the library does not say.
    private(set) var deals: Contact?
    private(set) var licences: Contact?
    /// Whether the library has an address for licence requests of its own.
    private(set) var hasLicenceEntry = false
    private(set) var orders: Contact?
    /// By place in ``ReplyTemplates/languages``.
    private(set) var offerWords: [OfferWords] = []
    /// By place in ``ReplyTemplates/languages``.
    private(set) var greetings: [Greeting] = []
    /// The same for business partners.
    private(set) var partnerGreetings: [Greeting] = []
    /// The same in plain words, whatever the creator's manner.
    private(set) var plainGreetings: [Greeting] = []
    /// The words that the creator ends replies outside e-mails with, with a blank before them, by place in
    /// ``ReplyTemplates/languages``; absent: none.
    private(set) var closings: [Span32] = []
    private(set) var partnerClosings: [Span32] = []
    /// The same for e-mails, in the creator's words, with an empty line behind.
    private(set) var mailGreetings: [Greeting] = []
    /// By place in ``ReplyTemplates/languages``: whether the creator says Sie or du; nil: as the words come.
    let address: [Bool?]
    /// The creator's own words, in place of ours.
    private let ownWordings: OwnWordings
    /// Whether the creator begins sentences with small letters.
    private let isSmall: Bool
    /// The creator's first name, as a line for the end of an e-mail.
    private(set) var signature = Span32.absent
    /// What follows the words of a praise.
    private(set) var praiseTail = Span32.absent
    /// Language table indices of ``ReplyTemplates/languages``.
    let tags: [UInt8]
    /// What the creator says to many.
    private(set) var own: OwnReplies
    /// How the creator begins and ends; nil: nobody knows.
    private(set) var manner: ReplyManner?

    init(
        library: FAQLibrary, answerLanguages: [UInt8], works: [String], signature: String, praiseTail: String,
        voice: Voice? = nil, contact: String = "", contacts: FAQContacts = FAQContacts(),
        wordings: OwnWordings = OwnWordings()
    ) {
        ownWordings = wordings
        own = OwnReplies(places: ReplyTemplates.languages.count)
        manner = voice.map { ReplyManner($0.habits) }
        isSmall = manner?.isSmall ?? false
        address = ReplyTemplates.languages.map { language in
            voice.flatMap { ReplyManner.isPolite($0.habits, in: language) }
        }
        tags = ReplyTemplates.languages.map { LanguageTable.index(of: $0) ?? LanguageTable.undetermined }
        pages = ReplyTemplates.bySituation.map { add($0) }
        praiseOfWork = add(ReplyTemplates.praiseOfWork)
        self.works = works.map { add(Self.shortTitle($0)) }
        missing = add(ReplyTemplates.missing)
        noted = add(ReplyTemplates.noted)
        route = add(ReplyTemplates.route)
        next = add(ReplyTemplates.next)
        orderRoute = add(ReplyTemplates.orderRoute)
        // What the profile says of deals stands before what the library says to everybody.
        deals = contact.isEmpty ? add(contacts.deals) : Contact(entry: nil, address: add(contact))
        licences = add(contacts.licences) ?? deals
        hasLicenceEntry = contacts.licences != nil
        orders = add(contacts.orders)
        offerWords = ReplyTemplates.offerWords.map { words in
            OfferWords(
                asks: words.asks.map { add($0) }, fee: pattern(words.fee), day: pattern(words.day),
                answerDay: pattern(words.answerDay), comma: add(words.comma),
                and: add(words.and), date: pattern(words.date),
                months: words.months.map { add($0) }, thousands: add(words.thousands))
        }
        greetings = ReplyTemplates.greetings.map { bare, named in greeting(named, bare: bare, end: " ") }
        answers = zip(library.entries, answerLanguages).map { entry, language in
            Answer(
                basedOn: add("faq:\(entry.id)"), text: pattern(entry.answer), language: language,
                place: tags.firstIndex(of: language))
        }
        self.signature = add(isSmall ? signature.lowercased() : signature)
        self.praiseTail = add(manner.map(\.praiseTail) ?? praiseTail)
        (partnerGreetings, plainGreetings) = (greetings, greetings)
        closings = greetings.map { _ in .absent }
        partnerClosings = closings
        if let voice {
            for (place, language) in ReplyTemplates.languages.enumerated() {
                let (mail, plain) = (voice.habits.greetings[language], ReplyTemplates.greetings[place])
                func chat(_ manner: VoiceManner, _ book: inout ReplyBook) -> Greeting? {
                    let bare = manner.bare[language] ?? plain.0
                    return (manner.greetings[language] ?? mail ?? (bare == plain.0 ? nil : plain.1)).map {
                        book.greeting($0, bare: bare, end: " ")
                    }
                }
                if let own = chat(voice.habits.audience, &self) { greetings[place] = own }
                if let own = chat(voice.habits.partners, &self) { partnerGreetings[place] = own }
                if let text = voice.habits.audience.closings[language] { closings[place] = add(" \(text)") }
                if let text = voice.habits.partners.closings[language] { partnerClosings[place] = add(" \(text)") }
            }
            own = OwnReplies(voice, library: library, lowerCase: isSmall) { add($0) }
        }
        mailGreetings = zip(ReplyTemplates.languages, ReplyTemplates.greetings).map { language, plain in
            greeting(voice?.habits.greetings[language] ?? plain.1, bare: plain.0)
        }
    }

    private static let quotes: [(Character, Character)] = [
        ("«", "»"), ("“", "”"), ("„", "“"), ("„", "”"), ("\"", "\""), ("‘", "’"), ("'", "'"),
    ]

    /// What people call a work: "Sunday Pot" for "Sunday Pot: five lunches from one pan" and "the book 'Sunday Pot'".
    static func shortTitle(_ title: String) -> String {
        for (opening, closing) in quotes {
            guard let start = title.firstIndex(of: opening),
                start == title.startIndex || title[title.index(before: start)] == " ",
                let end = title[title.index(after: start)...].lastIndex(of: closing)
            else { continue }
            let inner = title[title.index(after: start)..<end].drop(while: \.isWhitespace)
            let trimmed = String(inner.reversed().drop(while: \.isWhitespace).reversed())
            if trimmed.count >= 3 { return trimmed }
        }
        let head = [" : ", ": ", " (", " – ", " - "].compactMap { title.firstRange(of: $0)?.lowerBound }.min()
        guard let head, title.distance(from: title.startIndex, to: head) >= 5 else { return title }
        return String(title[..<head])
    }

    /// A greeting as the creator writes it, on a line of its own or, with another end, before what follows.
    ///
    /// - Parameter bare: for readers without a name: "Dear," is none.
    private mutating func greeting(_ pattern: String, bare: String, end: String = "\n\n") -> Greeting {
        let text = isSmall ? pattern.lowercased() : pattern
        let parts = text.split(separator: "{name}", omittingEmptySubsequences: false)
        return Greeting(
            before: add(String(parts.first ?? "")), behind: add("\(parts.last ?? "")\(end)"),
            bare: add("\(isSmall ? bare.lowercased() : bare)\(end)"), hasName: parts.count > 1,
            isSentence: Self.isSentence(text), isBareSentence: Self.isSentence(bare))
    }

    private static func isSentence(_ greeting: String) -> Bool { greeting.last.map { "!.?".contains($0) } ?? false }

    private mutating func add(_ text: String) -> Span32 {
        let start = bytes.count
        bytes.append(contentsOf: text.utf8)
        return Span32(start: start, count: bytes.count - start)
    }

    private mutating func add(_ contact: FAQContacts.Contact?) -> Contact? {
        contact.map { Contact(entry: $0.entry, address: add($0.address)) }
    }

    private mutating func add(_ template: ReplyTemplates.Template) -> Page {
        let page = Page(basedOn: add("template:\(template.name)"), firstChoice: choices.count)
        for place in template.wordings.indices {
            let words = ownWordings.texts[ReplyTemplates.languages[place]]
            let own =
                words?[template.key]
                ?? (template.key == ReplyTemplates.shortPraise ? words?[ReplyTemplates.praise] : nil)
            for form in AddressForm.Form.allCases {
                let others: [String] =
                    switch form {
                    case .near: template.near[place]
                    case .polite: template.polite[place]
                    case .habit:
                        switch address[place] {
                        case nil: []
                        case true?: template.polite[place]
                        case false?: template.near[place]
                        }
                    }
                let texts = own ?? (others.isEmpty ? template.wordings[place] : others)
                let first = wordings.count
                // What a person wrote themselves keeps its capitals.
                for text in texts { own == nil ? addWording(text) : wordings.append(pattern(text)) }
                choices.append(first..<wordings.count)
            }
        }
        return page
    }

    /// Whether the creator wrote the words for a situation.
    ///
    /// - Parameter place: of the language in ``ReplyTemplates/languages``.
    func hasOwnWords(_ situation: ReplySituation, _ place: Int) -> Bool {
        ownWordings.texts[ReplyTemplates.languages[place]]?[ReplyTemplates.bySituation[situation.rawValue].key] != nil
    }

    private mutating func addWording(_ text: String) {
        wordings.append(pattern(isSmall ? text.lowercased() : text))
    }

    private mutating func pattern(_ text: String) -> Wording {
        let first = fills.count
        var open: Int?
        for (index, byte) in text.utf8.enumerated() {
            if byte == UInt8(ascii: "{") { open = index + 1 }
            if byte == UInt8(ascii: "}"), let start = open {
                if (1...Self.longestBlank).contains(index - start) {
                    fills.append(Span32(start: start, count: index - start))
                }
                open = nil
            }
        }
        return Wording(text: add(text), fill: first..<fills.count)
    }

    /// The wording of a page in a language, picked by a number; nil where there is none.
    @inline(__always)
    func wording(_ page: Page, _ place: Int, _ number: UInt64, _ form: AddressForm.Form) -> Wording? {
        let choice = choices[page.firstChoice + place * AddressForm.Form.allCases.count + form.rawValue]
        guard !choice.isEmpty else { return nil }
        return wordings[choice.lowerBound + Int(number % UInt64(choice.count))]
    }
}
