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
        /// What ``DraftAnswer/basedOn`` says behind `template:`.
        let name: String
        /// The wordings to choose from, in the order of ``ReplyTemplates/languages``.
        let wordings: [[String]]

        /// - Parameters:
        ///   - key: under which the files have the words.
        ///   - name: nil: the same as the key.
        init(_ key: String, name: String? = nil) {
            self.name = name ?? key
            wordings = ReplyTemplates.languages.map { ReplyTemplates.words["\($0) wordings.\(key)"] ?? [] }
        }
    }

    /// The values of the section, by language and key.
    private static let words = Dictionary(
        ShippedLanguages.entries(of: "replies").map { ("\($0.language) \($0.key)", $0.values) },
        uniquingKeysWith: { first, _ in first })

    /// Languages that drafts are written in, in the order of ``LanguageTable``: those whose file has a greeting.
    static let languages = LanguageTable.tags.filter { words["\($0) greeting"] != nil }

    /// Greetings without and with a name, in the order of ``languages``.
    static let greetings = languages.map { language in
        (text("greeting", language), text("greeting_with_name", language))
    }

    /// Words that tell the languages apart, in the order of ``languages``.
    static let markers = languages.map { Set(words["\($0) markers"] ?? []) }

    private static func text(_ key: String, _ language: String) -> String { words["\(language) \(key)"]?.first ?? "" }

    /// Lines before an answer that settles the question.
    static let answerLeads = Template("faq.lead", name: "faq")
    /// Lines before an answer that may not be the one that is wanted.
    static let possibleLeads = Template("faq.possible-lead", name: "faq")
    /// Lines behind such an answer.
    static let possibleTails = Template("faq.possible-tail", name: "faq")

    /// Every template that stands for a whole draft, in the order of ``ReplySituation``.
    static let bySituation = [
        "fan.praise", "fan.criticism", "fan.question", "fan.note", "fan.order", "fan.condolence", "fan.hardship",
        "business.offer", "business.rates", "business.invoice", "business.press", "business.gifting",
        "business.representation", "business.licence", "business.job", "business.event", "business.charity",
        "business.follow-up", "legal", "urgent.self-harm", "urgent.threat", "urgent.account", "urgent.impersonation",
        "urgent.other",
    ].map { Template($0) }
}
