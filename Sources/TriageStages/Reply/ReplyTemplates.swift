internal import ShippedLanguages
internal import TriageCore

/// The words of drafts that no answer of the library covers, as the language files give them under `replies`.
///
/// Every wording stands for itself: a greeting goes before it, and a name below it in e-mail. `{…}` marks what a person
/// must fill in; nothing there promises, prices or decides anything. They are plain on purpose: the creator's voice comes
/// from the creator, who reads every draft before it is sent. Those of danger give no advice and no numbers that may be
/// wrong where the reader lives: the next step is a person.
enum ReplyTemplates {
    /// Words for one situation.
    struct Template {
        /// Its name in the language files, and in `replies.yaml`.
        let key: String
        /// What ``DraftAnswer/basedOn`` says behind `template:`.
        let name: String
        /// The wordings to choose from, in the order of ``ReplyTemplates/languages``.
        let wordings: [[String]]
        /// The same with du, tu, tú, and with Sie, vous, usted; empty for a language where ``wordings`` are that.
        let near, polite: [[String]]

        /// - Parameters:
        ///   - key: under which the files have the words.
        ///   - name: nil: the same as the key.
        init(_ key: String, name: String? = nil) {
            self.key = key
            self.name = name ?? key
            func words(_ section: String) -> [[String]] {
                ReplyTemplates.languages.map { ReplyTemplates.words["\($0) \(section).\(key)"] ?? [] }
            }
            (wordings, near, polite) = (words("wordings"), words("wordings_near"), words("wordings_polite"))
        }
    }

    /// The values of the section, by language and key.
    private static let words = Dictionary(
        ShippedLanguages.entries(of: "replies").map { ("\($0.language) \($0.key)", $0.values) },
        uniquingKeysWith: { first, _ in first })

    /// What is said back of an offer and asked of it, in one language.
    struct OfferWords {
        /// By place in ``ReplyTemplates/askNames``; empty where the language has no words for it.
        let asks: [String]
        /// `the fee ({fee})`, `the date ({day})`, `that you need an answer by {day}`.
        let fee, day, answerDay: String
        let comma, and: String
        /// `{day} {month}`.
        let date: String
        let months: [String]
        /// What stands between thousands.
        let thousands: String

        init(_ language: String) {
            asks = ReplyTemplates.askNames.map { text("asks.\($0)", language) }
            fee = text("facts.fee", language)
            day = text("facts.day", language)
            answerDay = text("facts.answer_day", language)
            comma = text("list.comma", language)
            and = text("list.and", language)
            date = text("day", language)
            months = (1...12).map { text("month_names.\($0)", language) }
            thousands = text("thousands", language)
        }
    }

    /// What may have to be asked of an offer, by the names that the table of kinds has for it.
    static let askNames = words.keys.compactMap { key in
        key.hasPrefix("\(languages.first ?? "") asks.")
            ? key.split(separator: ".", maxSplits: 1).last.map(String.init) : nil
    }.sorted()

    /// What tells whether it is known already, in the order of ``askNames``.
    static let askTerms = askNames.map { AskedTerm($0) }

    /// In the order of ``languages``.
    static let offerWords = languages.map { OfferWords($0) }

    /// Languages that drafts are written in, in the order of ``LanguageTable``: those whose file has a greeting.
    static let languages = LanguageTable.tags.filter { words["\($0) greeting"] != nil }

    /// Greetings without and with a name, in the order of ``languages``.
    static let greetings = languages.map { language in
        (text("greeting", language), text("greeting_with_name", language))
    }

    /// Whether a line behind a greeting begins with a small letter, in the order of ``languages``.
    static let beginsSmall = languages.map { words["\($0) behind_greeting"] == ["small"] }

    /// How profiles say that some terms are not taken, folded, in all languages.
    static func refusals(_ terms: String) -> [String] {
        LanguageTable.tags.flatMap { words["\($0) refusals.\(terms)"] ?? [] }
    }

    private static func text(_ key: String, _ language: String) -> String { words["\(language) \(key)"]?.first ?? "" }

    /// Thanks that name the work they are for.
    static let praiseOfWork = Template("fan.praise-work")
    /// What an offer lacks, what was read of it, where the creator wants it, and what happens next.
    static let missing = Template("business.missing")
    static let noted = Template("business.noted")
    static let route = Template("business.route")
    static let next = Template("business.next")
    /// Where to write about trouble with an order.
    static let orderRoute = Template("fan.order-route", name: "fan.order")

    /// Every template that stands for a draft, or for the beginning of one, in the order of ``ReplySituation``.
    static let bySituation = [
        "fan.praise", "fan.order", "fan.condolence", "fan.hardship", "fan.praise-short", "fan.birthday", "fan.achieved",
        "fan.started", "fan.helped", "fan.together", "fan.again", "fan.laughed", "fan.greets", "fan.voice", "fan.music",
        "fan.pictures", "fan.recipe", "fan.explaining", "fan.video", "fan.moved", "fan.calmed", "fan.longtime",
        "fan.newcomer", "fan.day", "fan.arrived", "fan.cat", "fan.dog", "fan.blessing", "fan.channel", "business.offer",
        "business.rates", "business.invoice", "business.press", "business.gifting", "business.representation",
        "business.licence", "business.job", "business.event", "business.charity", "business.follow-up",
        "business.declined", "business.unpaid", "business.podcast", "legal", "urgent.self-harm", violence,
        "urgent.threat", "urgent.account", "urgent.impersonation", "urgent.other",
    ].map { name in
        switch name {
        case shortPraise: Template(name, name: praise)
        // Whoever is beaten at home is told the same: it was read, it was right to write, and who can help today.
        case violence: Template("urgent.self-harm", name: violence)
        default: Template(name)
        }
    }

    private static let violence = "urgent.violence"

    /// Thanks for a few words are thanks, in fewer words: who replaces the one replaces both.
    static let (praise, shortPraise) = ("fan.praise", "fan.praise-short")
}
