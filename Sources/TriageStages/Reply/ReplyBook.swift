import TriageCore

/// Templates and library answers as bytes, made once a run so that a draft is put together by copying.
struct ReplyBook: Sendable {
    /// One wording.
    struct Wording: Sendable {
        var bytes: [UInt8]
        /// Names of placeholders, as ranges of ``bytes`` without their braces.
        var fill: [Range<Int>] = []
    }

    /// One situation.
    struct Page: Sendable {
        /// `template:fan.praise`.
        var basedOn: [UInt8]
        /// By place in ``ReplyTemplates/languages``.
        var wordings: [[Wording]]
    }

    /// An answer of the library.
    struct Answer: Sendable {
        /// `faq:camera`.
        var basedOn: [UInt8]
        var bytes: [UInt8]
        /// Index into ``LanguageTable/tags``.
        var language: UInt8
    }

    let pages: [Page]
    let answers: [Answer]
    let answerLeads: Page
    let possibleLeads: Page
    let possibleTails: Page
    /// Greetings before a name, behind it, and without one; by place in ``ReplyTemplates/languages``.
    let greetings: [(before: [UInt8], behind: [UInt8], bare: [UInt8])]
    /// Language table indices of ``ReplyTemplates/languages``.
    let tags: [UInt8]

    init(library: FAQLibrary, firstLanguage: UInt8) {
        pages = ReplyTemplates.bySituation.map { Self.page($0) }
        answerLeads = Self.page(ReplyTemplates.answerLeads)
        possibleLeads = Self.page(ReplyTemplates.possibleLeads)
        possibleTails = Self.page(ReplyTemplates.possibleTails)
        greetings = ReplyTemplates.greetings.map { bare, named in
            let parts = named.split(separator: "{name}", omittingEmptySubsequences: false)
            return (Array((parts.first ?? "").utf8), Array((parts.last ?? "").utf8), Array(bare.utf8))
        }
        let tags = ReplyTemplates.languages.map { LanguageTable.index(of: $0) ?? LanguageTable.undetermined }
        self.tags = tags
        answers = library.entries.map { entry in
            Answer(
                basedOn: Array("faq:\(entry.id)".utf8), bytes: Array(entry.answer.utf8),
                language: Self.language(of: entry.answer).map { tags[$0] } ?? firstLanguage)
        }
    }

    private static func page(_ template: ReplyTemplates.Template) -> Page {
        Page(
            basedOn: Array("template:\(template.name)".utf8),
            wordings: template.wordings.map { $0.map { wording($0) } })
    }

    private static func wording(_ text: String) -> Wording {
        var wording = Wording(bytes: Array(text.utf8))
        var open: Int?
        for (index, byte) in wording.bytes.enumerated() {
            if byte == UInt8(ascii: "{") { open = index + 1 }
            if byte == UInt8(ascii: "}"), let start = open {
                wording.fill.append(start..<index)
                open = nil
            }
        }
        return wording
    }

    /// Words that tell the five languages of the templates apart.
    private static let markers: [Set<String>] = [
        ["the", "is", "and", "are", "you", "to", "of", "for", "with", "not", "my", "it", "in"],
        ["el", "la", "los", "es", "y", "que", "para", "con", "no", "mi", "en", "una", "lo", "del"],
        ["o", "os", "é", "e", "que", "para", "com", "não", "meu", "em", "uma", "do", "da", "no", "na"],
        ["le", "la", "les", "est", "et", "que", "pour", "avec", "pas", "mon", "en", "une", "du", "des", "je"],
        ["der", "die", "das", "ist", "und", "für", "mit", "nicht", "mein", "ich", "ein", "eine", "zu", "auf", "im"],
    ]

    /// Place in ``ReplyTemplates/languages`` of the language that an answer is written in; nil when it is unclear.
    private static func language(of answer: String) -> Int? {
        var counts = [Int](repeating: 0, count: markers.count)
        for word in answer.lowercased().split(whereSeparator: { !$0.isLetter }) {
            for (place, words) in markers.enumerated() where words.contains(String(word)) { counts[place] += 1 }
        }
        let best = counts.indices.max { counts[$0] < counts[$1] } ?? 0
        let ties = counts.filter { $0 == counts[best] }.count
        return counts[best] > 0 && ties == 1 ? best : nil
    }
}
