/// What a language file may say: its sections, with the shape of each.
///
/// A section that a file lacks is simply not known in that language: nothing is taken from another one.
enum LanguageSchema {
    indirect enum Shape: Sendable {
        /// Read by the loader of rules, which knows the signals.
        case signals
        /// Single words, as they stand in folded text: lower case, no accents.
        case words
        /// Folded texts that may hold blanks.
        case phrases
        /// One text for people, as it is shown.
        case text
        case map(Keys, Shape)
        case record([String: Shape])
        case list(Shape)
    }

    /// Which names a mapping may have.
    enum Keys: Sendable {
        case any
        case numbers(ClosedRange<Int>)
        /// ISO 4217.
        case currencies
        case names([String])

        func allows(_ key: String) -> Bool {
            switch self {
            case .any: !key.isEmpty
            case .numbers(let range): Int(key).map(range.contains) ?? false
            case .currencies: key.utf8.count == 3 && key.utf8.allSatisfy { (0x41...0x5A).contains($0) }
            case .names(let names): names.contains(key)
            }
        }

        /// What to write in place of a wrong key.
        var remedy: String {
            switch self {
            case .any: "write a name"
            case .numbers(let range): "write a number from \(range.lowerBound) to \(range.upperBound)"
            case .currencies: "write a currency code, such as EUR"
            case .names(let names): "the names are \(names.joined(separator: ", "))"
            }
        }
    }

    static let sections: [String: Shape] = [
        "signals": .signals,
        // Dates and sums.
        "months": .map(.numbers(1...12), .words),
        "weak_months": .map(.numbers(1...12), .words),
        "weekdays": .map(.numbers(1...7), .words),
        "weak_weekdays": .map(.numbers(1...7), .words),
        "days": .map(.numbers(0...2), .words),
        "units": .map(.names(["hour", "day", "week", "month", "year"]), .words),
        "day_parts": .map(.numbers(1...24), .words),
        "numbers": .map(.numbers(1...30_000), .words),
        "magnitudes": .map(.numbers(2...12), .words),
        "currencies": .map(.currencies, .words),
        "roles": .map(.names(roles), .words),
        "leads": .map(.names(leads), .words),
        "money_phrases": .map(.names(moneyPhrases), .phrases),
        // Questions.
        "questions": .record([
            "alone": .words, "greetings": .words,
            "pairs": .list(.record(["first": .words, "second": .words, "gap": .text])),
        ]),
        // What people ask: words by meaning, and those that count in messages of the language alone.
        "faq": .map(.any, .words),
        "faq_only_here": .map(.any, .words),
        // Words that close a letter, as they are written: upper and lower case make no difference.
        "closings": .words,
        // Profiles and names: topics by what names them and by the words that speak of them, words that carry nothing.
        "topics": .map(.names(topics), .record(["named": .words, "words": .phrases])),
        "profile_words": .record(["weak": .words, "small": .words, "work": .words]),
        "not_names": .words,
        // The creator's own replies: how they are taken apart, and what is not said to somebody else.
        "own_replies": .record([
            "greetings": .words, "named_only": .words, "thanks": .words, "barred": .words, "persons": .words,
            "answers": .words,
            "formal": .words, "informal": .words,
            "capitals": .text,
        ]),
        // Drafts.
        "replies": .record([
            "greeting": .text, "greeting_with_name": .text,
            "wordings": .map(.names(situations), .phrases),
            "wordings_near": .map(.names(situations), .phrases),
            "wordings_polite": .map(.names(situations), .phrases), "asks": .map(.names(asks), .text),
            // How a profile says that some terms are not taken.
            "refusals": .map(.names(["commission", "gifted", "unpaid"]), .phrases),
            "facts": .record(["fee": .text, "day": .text, "answer_day": .text]),
            "list": .record(["comma": .text, "and": .text]),
            "behind_greeting": .text, "day": .text, "thousands": .text, "month_names": .map(.numbers(1...12), .text),
        ]),
    ]

    /// What a word can be beside a date or a sum.
    static let roles = [
        "soon", "end-of-day", "figures", "first-person", "deadline-preposition", "reply", "deadline-noun", "delivery",
        "next", "this", "end-of", "middle-of", "start-of", "within", "past", "article", "plus", "currency-prefix",
        "weak-currency", "between", "per", "range-join", "offer", "pay", "price", "worth", "revenue", "invoice", "owed",
        "you", "yours", "ours", "we", "countable", "not-money", "share", "level", "total", "ago",
    ]
    /// What a small word says of the date or sum beside it.
    static let leads = [
        "article", "on", "before-day", "german-day", "calendar-week", "inside", "recurring", "before-weekday",
        "month-first", "not-tomorrow", "after", "day", "day-after-tomorrow", "of", "later", "end", "ordinal",
        "behind-may", "buyer-verb", "vague-verb", "profit", "last", "occasion", "paid-once", "views", "entry", "weight",
    ]
    /// Beginnings of texts beside a sum.
    static let moneyPhrases = [
        "value", "costs", "save", "discount", "refusal", "eagerness", "asked-price", "too-much", "each", "monthly",
        "per-thing", "for-thing", "half", "percent",
    ]
    /// What creators exclude or make.
    static let topics = [
        "gambling", "crypto", "tobacco", "alcohol", "slimming", "detox", "waist-trainers", "doping", "pyramid-schemes",
        "weapons", "politics", "spyware", "dropshipping", "undressing", "cloning", "pay-to-play", "bought-streams",
        "fast-fashion", "adult", "loans", "fur", "ai-images", "cannabis", "supplements", "cruises", "loot-boxes",
        "pesticides", "peat", "emissions-tampering", "cosmetic-surgery", "dating", "fast-food", "religion",
        "miracle-cures", "meat", "leather",
    ]
    /// What a draft may ask of an offer: of the names that the table of kinds has under `asks`, the one that messages say
    /// plainly or not at all.
    static let asks = ["fee"]
    /// What a draft is for.
    static let situations = [
        "fan.praise", "fan.praise-work", "fan.order", "fan.order-route", "fan.condolence", "fan.hardship",
        "fan.praise-short", "fan.birthday", "fan.achieved", "fan.started", "fan.helped", "fan.together", "fan.again",
        "fan.laughed", "fan.greets", "fan.voice", "fan.music", "fan.pictures", "fan.recipe", "fan.explaining",
        "fan.video", "fan.moved", "fan.calmed", "fan.longtime", "fan.newcomer", "fan.day", "fan.arrived", "fan.cat",
        "fan.dog", "fan.blessing", "fan.channel", "business.podcast", "business.offer", "business.rates",
        "business.invoice", "business.press", "business.gifting", "business.representation", "business.licence",
        "business.job", "business.event", "business.charity", "business.follow-up", "business.missing",
        "business.noted", "business.route", "business.next", "business.declined", "business.unpaid", "legal",
        "urgent.self-harm", "urgent.threat", "urgent.account", "urgent.impersonation", "urgent.other",
    ]
}
