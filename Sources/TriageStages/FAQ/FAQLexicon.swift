import TriageCore

/// A small thesaurus of what people ask creators, in a dozen languages.
///
/// `#name:weight` or `#name:weight:role` opens a concept; the words up to the next `#` belong to it. Weight 3 is a topic
/// of its own, 2 is ordinary, 1 says little, 0 never counts as content. `a_b` is a phrase, `word*` stands for every word
/// that begins so, `word/de` counts in German only. Words may be spelt in any way: they are folded like messages. Where
/// a word is listed twice, the first place wins.
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
        var concepts: [Concept] = []
        var words: [Word] = []
        words.reserveCapacity(16_384)
        var numbers: [String: Int] = [:]
        for (part, text) in [grammar, work, life, daily, further].enumerated() {
            // What stands there in Latin letters may be another word in the languages of the others.
            let isFurther = part == 4
            var folded: [UInt8] = []
            var marks: [FoldMark] = []
            var tokens: [Token] = []
            var copy = text
            _ = copy.withUTF8 { TextFolder().fold($0, folded: &folded, marks: &marks, tokens: &tokens) }
            var token = 0
            var start = 0
            var current = 0
            while start < folded.count {
                var end = start
                while end < folded.count, folded[end] != 0x20, folded[end] != 0 { end += 1 }
                let first = token
                while token < tokens.count, Int(tokens[token].start) < end { token += 1 }
                if end > start {
                    let item = folded[start..<end]
                    if item.first == UInt8(ascii: "#") {
                        let named = concept(item)
                        if let known = numbers[named.name] {
                            current = known
                        } else {
                            current = concepts.count
                            numbers[named.name] = current
                            concepts.append(named)
                        }
                    } else if !concepts.isEmpty {
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
