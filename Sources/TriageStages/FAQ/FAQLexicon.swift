internal import ShippedLanguages
import TriageCore

/// A small thesaurus of what people ask creators, in the languages of the language files.
///
/// There each meaning has its words under `faq`: `a_b` is a phrase, `word*` stands for every word that begins so. They may
/// be spelt in any way: they are folded like messages. Words under `faq_only_here` count in messages of that language
/// alone. Where a word is listed under two meanings, the first of ``meanings`` wins.
enum FAQLexicon {
    /// What kind of question a word announces, or who is meant, as bits of ``FAQVocabulary/Term/role``.
    enum Role: UInt16 {
        case none = 0
        case who = 1
        case what = 2
        case `where` = 4
        case when = 8
        case howmuch = 16
        case how = 32
        case why = 64
        case can = 128
        case `do` = 256
        case you = 512
        case me = 1024

        init(name: String) {
            switch name {
            case "who": self = .who
            case "what": self = .what
            case "where": self = .where
            case "when": self = .when
            case "howmuch": self = .howmuch
            case "how": self = .how
            case "why": self = .why
            case "can": self = .can
            case "do": self = .do
            case "you": self = .you
            case "me": self = .me
            default: self = .none
            }
        }

        /// Bits that name a kind of question.
        static let questions: UInt16 = 511
        /// Bits that name what is asked for; `can` and `do` only ask for yes or no.
        static let strongQuestions: UInt16 = 127
        /// Bits of words that make a sentence worth reading even without a question mark.
        static let asking: UInt16 = 255
        /// Bits of who is meant.
        static let persons: UInt16 = 512 | 1024
    }

    /// One word or phrase of the thesaurus.
    struct Word {
        /// Index of its concept.
        var concept: Int
        /// Folded words; several for a phrase, none for a literal.
        var words: [ArraySlice<UInt8>]
        /// Folded text of scripts without blanks; empty otherwise.
        var literal: ArraySlice<UInt8>
        var isPrefix: Bool
        /// Index into ``LanguageTable/tags``; 0: any.
        var language: UInt8
    }

    /// A meaning that words of several languages share.
    struct Concept {
        var name: String
        var weight: Float
        var role: Role
    }

    /// Reads the thesaurus; costs about a millisecond, once a run.
    static func parse() -> (concepts: [Concept], words: [Word]) {
        let concepts = meanings.utf8.split(whereSeparator: { $0 == 0x20 || $0 == 0x0A }).map {
            concept(ArraySlice($0))
        }
        let numbers = Dictionary(
            concepts.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        var words: [Word] = []
        words.reserveCapacity(16_384)
        // What stands in Latin letters in the files of further languages may be another word in those of the others.
        for isFurther in [false, true] {
            var text = text(isFurther: isFurther, numbers)
            var folded: [UInt8] = []
            var marks: [FoldMark] = []
            var tokens: [Token] = []
            _ = text.withUTF8 { TextFolder().fold($0, folded: &folded, marks: &marks, tokens: &tokens) }
            var token = 0
            var start = 0
            var current = -1
            while start < folded.count {
                var end = start
                while end < folded.count, folded[end] != 0x20, folded[end] != 0 { end += 1 }
                let first = token
                while token < tokens.count, Int(tokens[token].start) < end { token += 1 }
                if end > start {
                    let item = folded[start..<end]
                    if item.first == UInt8(ascii: "#") {
                        current += 1
                    } else if current >= 0 {
                        let parts = tokens[first..<token].map { folded[Int($0.start)..<Int($0.start) + Int($0.count)] }
                        if var word = word(item, parts: parts, concept: current) {
                            if isFurther, word.language == 0, item.first ?? 0 < 0x80 {
                                word.language = FAQTable.further
                            }
                            words.append(word)
                        }
                    }
                }
                start = end + 1
            }
        }
        return (concepts, words)
    }

    /// The words of the further languages or of the others, as one text in the order of the meanings: folding it in one go
    /// costs less than word by word.
    ///
    /// A `#` stands before the words of each meaning, and `/tag` behind a word that counts in one language alone.
    private static func text(isFurther: Bool, _ numbers: [String: Int]) -> String {
        var texts = [String](repeating: "# ", count: numbers.count)
        for (section, isOwn) in [("faq", false), ("faq_only_here", true)] {
            for entry in ShippedLanguages.entries(of: section)
            where FAQTable.isFurther(entry.language) == isFurther {
                guard let number = numbers[entry.key] else { continue }
                for word in entry.values {
                    texts[number] += word
                    texts[number] += isOwn ? "/\(entry.language) " : " "
                }
            }
        }
        return texts.joined()
    }

    private static func concept(_ item: ArraySlice<UInt8>) -> Concept {
        let parts = item.dropFirst().split(separator: UInt8(ascii: ":")).map { String(decoding: $0, as: UTF8.self) }
        return Concept(
            name: parts.first ?? "", weight: parts.count > 1 ? Float(parts[1]) ?? 1 : 1,
            role: Role(name: parts.count > 2 ? parts[2] : ""))
    }

    private static func word(_ item: ArraySlice<UInt8>, parts: [ArraySlice<UInt8>], concept: Int) -> Word? {
        var parts = parts
        var item = item
        var language: UInt8 = 0
        if let slash = item.lastIndex(of: UInt8(ascii: "/")) {
            let tag = String(decoding: item[(slash + 1)...], as: UTF8.self)
            language = LanguageTable.index(of: tag) ?? 0
            parts.removeAll { $0.startIndex > slash }
            item = item[..<slash]
        }
        let isPrefix = item.last == UInt8(ascii: "*")
        if isPrefix { item = item.dropLast() }
        if parts.isEmpty {
            guard let lead = item.first, lead >= 0x80 else { return nil }
            return Word(concept: concept, words: [], literal: item, isPrefix: false, language: language)
        }
        return Word(concept: concept, words: parts, literal: [], isPrefix: isPrefix, language: language)
    }
}
