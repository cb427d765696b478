internal import ShippedLanguages
import TriageCore

/// A small thesaurus of what people ask creators, in the languages of the language files.
///
/// The language files list the words of each meaning under `faq`: `a_b` is a phrase, and `word*` stands for every word
/// with that beginning. Spelling does not matter, because words are folded like messages. Words under `faq_only_here`
/// count only in messages of that language. If a word is listed under two meanings, the one that comes first in
/// ``meanings`` wins.
enum FAQLexicon {
    /// The kind of question that a word introduces, or the person it refers to, as bits of ``FAQVocabulary/Term/role``.
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

        /// Bits for kinds of questions.
        static let questions: UInt16 = 511
        /// Bits for what is asked; `can` and `do` only ask for yes or no.
        static let strongQuestions: UInt16 = 127
        /// Bits of words that make a sentence worth reading even without a question mark.
        static let asking: UInt16 = 255
        /// Bits for the person referred to.
        static let persons: UInt16 = 512 | 1024
    }

    /// One word or phrase of the thesaurus.
    struct Word {
        /// Index of its concept.
        var concept: Int
        /// Folded words: several for a phrase, none for a literal.
        var words: [ArraySlice<UInt8>]
        /// Folded text in a script without blanks; otherwise empty.
        var literal: ArraySlice<UInt8>
        var isPrefix: Bool
        /// Index into ``LanguageTable/tags``; 0: any.
        var language: UInt8
    }

    /// A meaning shared by words of several languages.
    struct Concept {
        var name: String
        var weight: Float
        var role: Role
    }

    /// Parses the thesaurus; takes about a millisecond, once per run.
    static func parse() -> (concepts: [Concept], words: [Word]) {
        let concepts = meanings.utf8.split(whereSeparator: { $0 == 0x20 || $0 == 0x0A }).map {
            concept(ArraySlice($0))
        }
        let numbers = Dictionary(
            concepts.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        var words: [Word] = []
        words.reserveCapacity(16_384)
        // A word in Latin letters in the files of the further languages may be a different word in the other languages.
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

    /// Returns the words of either the further languages or the others as one text, in the order of the meanings.
    ///
    /// Folding one text costs less than folding word by word. A `#` precedes the words of each meaning, and `/tag`
    /// follows a word that counts in one language only.
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

extension FAQLexicon {
    /// The meanings; if two of them list the same word, the first one wins.
    ///
    /// Format: `#name:weight` or `#name:weight:role`. Weight 3 is a topic of its own, 2 is ordinary, 1 says little, 0
    /// never counts as content. Their words are in the language files, under `faq`.
    static let meanings = [grammar, work, life, daily].joined(separator: " ")

    /// Words that carry the form of a question: who is meant, what is asked for, and words without content.
    private static let grammar = """
        #request:0:can #stop:0 #you:0:you #me:0:me #who:0:who #what:0:what #where:0:where #when:0:when
        #howmuch:0:howmuch #howlong:1:when #how:0:how #why:0:why #can:0:can #do:0:do
        """

    /// Gear, content, the trade, money, shops and accounts.
    private static let work = """
        #camera:3 #lens:3 #phone:2 #microphone:3 #light:2 #tripod:3 #gimbal:3 #drone:3 #computer:2 #screen:2
        #headphones:3 #speakers:2 #keyboard:2 #mouse:2 #chair:2 #tablet:3 #equipment:2 #settings:3 #software:2 #edit:3
        #app:2 #font:3 #colors:2 #background:2 #video:1 #film:1 #photo:1 #thumbnail:3 #music:3 #instrument:2 #beat:3
        #sample:2 #mix:3 #podcast:2 #stream:2 #schedule:3:when #book:3 #course:3 #tutorial:2 #recipe:3 #link:1 #list:1
        #download:2 #install:3 #free:1 #subtitles:3 #repost:3 #permission:3 #licence:3 #collab:3 #sponsor:3 #contact:2
        #rates:3 #price:3:howmuch #discount:3 #buy:3:where #shop:2 #ship:3 #order:2 #track_order:3 #return:3 #size:3
        #subscription:3 #cancel:3 #pause:2 #login:3 #account:2 #scam:3 #giveaway:3 #feedback:3 #review:2
        #sponsored_honest:2 #job:3 #editor_job:2 #career:2 #become:3 #qualification:3 #beginner:3 #recommend:1 #use:1
        #make:1 #find:1 #get:1 #need:1 #work:1 #new:1
        """

    /// The person, their life, and the common niches.
    private static let life = """
        #age:3:howmuch #from:3:where #live:3:where #language:2 #name:2 #pet:3 #family:2 #meetup:3 #autograph:3
        #po_box:3 #discord:3 #social:1 #reply_dm:2 #diet:3 #allergy:3 #substitute:3 #ingredient:2 #freeze:3 #oven:2
        #pan:2 #calories:3 #supplement:3 #workout:2 #injury:3 #results:3 #weight:2 #coaching:3 #dumbbell:3 #run:2
        #shoes:3 #clothes:2 #jewelry:2 #bag:2 #hair:3 #skin:3 #makeup:3 #perfume:3 #nails:3 #tattoo:3 #sleep:2
        #motivation:2 #stress:2 #travel:2 #visa:3 #flight:3 #place:2 #safe:2 #car:3 #game:2 #server:2 #coding:3 #ai:3
        #invest:3 #art:2 #commission:3 #print:2 #yarn:3 #plant:3 #diy:2 #house:2 #mental:2 #study:2 #show_again:1
        #old_video:2 #spoiler:2 #faith:2 #politics:2 #kids_ok:2 #sound:2 #battery:2 #warranty:2 #material:2 #quit:2
        #team:2
        """

    /// Orders and money, work and study, tools and food.
    private static let daily = """
        #broken:2 #missing:2 #payment:2 #receipt:2 #customs:3 #tax:3 #salary:3 #savings:3 #broker:3 #cv:3 #fair:3
        #paper:2 #paint:2 #file_format:2 #saw:3 #sharpen:3 #rust:3 #finish:2 #plan:2 #chisel:2 #rice:1 #bread:2
        #spicy:2 #coffee:2 #sick:2 #pregnant:3 #talk:3 #wholesale:3 #wallpaper:3 #newsletter:3 #send_pr:3 #support:2
        #subscriber_role:3 #moderate:2 #viewers:2 #replay:2 #start_age:2 #handicraft:1 #location_film:2
        #vehicle_parts:2 #weld:3 #dance:2 #shade:2 #brush_care:2 #cruelty:3 #route:2 #pack:2 #wait:1
        """
}
