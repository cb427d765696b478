package import TriageCore

/// Learns a voice from messages and the creator's replies to them: habits, and what of each reply can be said again.
///
/// What can be said again is what the creator says to many: a sentence that at least two people got, that holds no name
/// but the reader's, no number and no address that the library does not have, and no word that promises, agrees, names a
/// day or speaks of somebody else. Of a reply that answers a question of the library, the sentences that say what the
/// library says.
package struct VoiceLearner {
    /// One message, and what was answered.
    package struct Exchange: Sendable {
        package var asked = ""
        package var answered = ""
        /// Id, handle or name of who wrote.
        package var sender = ""
        package var senderName = ""
        package var senderHandle = ""
        package var conversation = ""
        package var platform = ""
        /// Days since 1970 of the reply.
        package var day: Int?
        /// Tag of the language of the reply; empty: unclear.
        package var language = ""
        package var intent = ""

        package init() {}
    }

    /// Bytes of a message and of a reply that are kept.
    private static let textLimit = 2_000

    private let words = VoiceWords()
    private let library: FAQLibrary
    private let profile: CreatorProfile
    private let saying: FAQReplies
    private let facts: PublicFacts
    private let signers: Set<String>

    /// - Parameters:
    ///   - library: what it says is no secret.
    ///   - profile: its names, works and handles are no secret; its rates are.
    package init(library: FAQLibrary, profile: CreatorProfile) {
        self.library = library
        self.profile = profile
        saying = FAQReplies(library)
        facts = PublicFacts(library: library, profile: profile)
        let names = profile.name.split(separator: " ").map(String.init) + profile.handles
        signers = Set(names.map(VoiceText.folded))
    }

    /// - Parameter exchanges: in the order of the input.
    package func voice(of exchanges: [Exchange]) -> Voice {
        let replies = exchanges.map { Reply($0, words.greetings, signers) }
        var voice = Voice()
        voice.habits = VoiceHabitCounter(words).habits(of: replies)
        let crowd = VoiceCrowd(replies, words, facts)
        var ids: Set<String> = []
        for reply in replies {
            var pair = VoicePair()
            let exchange = reply.exchange
            pair.id = Self.id(exchange, &ids)
            pair.sender = exchange.sender
            pair.day = exchange.day
            pair.platform = exchange.platform
            pair.language = exchange.language
            pair.asked = Self.cut(exchange.asked)
            pair.answered = Self.cut(exchange.answered)
            let entry = entry(of: reply)
            pair.intent = entry.map { "faq:\(library.entries[$0].id)" } ?? exchange.intent
            pair.reuse = entry.map { crowd.answer(reply, facts.entries[$0]) } ?? crowd.said(reply)
            voice.pairs.append(pair)
        }
        return voice
    }

    /// The entry that a reply answers with: the one that the message asks for, or else the one that the reply says.
    private func entry(of reply: Reply) -> Int? {
        if reply.exchange.intent.hasPrefix("faq:") {
            let id = reply.exchange.intent.dropFirst(4)
            if let asked = library.entries.firstIndex(where: { $0.id == id }) { return asked }
        }
        return saying.entry(saidBy: reply.exchange.answered)
    }

    private static func id(_ exchange: Exchange, _ known: inout Set<String>) -> String {
        let parts = [exchange.platform, exchange.conversation, exchange.sender, exchange.asked, exchange.answered]
        let hash = SHA256.hex(Array((parts.joined(separator: "\u{1F}")).utf8)).prefix(12)
        var id = String(hash)
        var number = 2
        while !known.insert(id).inserted {
            id = "\(hash)-\(number)"
            number += 1
        }
        return id
    }

    private static func cut(_ text: String) -> String {
        guard text.utf8.count > textLimit else { return text }
        var end = text.utf8.index(text.utf8.startIndex, offsetBy: textLimit)
        while end > text.utf8.startIndex, text.utf8[end] & 0xC0 == 0x80 { end = text.utf8.index(before: end) }
        return String(text[..<end]) + "…"
    }

    /// A reply, taken apart.
    struct Reply {
        let exchange: Exchange
        let text: VoiceText
        /// Folded words of the sender's names and handles.
        let names: Set<String>
        /// The folded first name; nil: there is none that a reply could say.
        let firstName: String?

        init(_ exchange: Exchange, _ greetings: Set<String>, _ signers: Set<String>) {
            self.exchange = exchange
            let parts = VoiceText.words(of: Array(exchange.senderName.unicodeScalars.prefix(120))).map(\.folded)
            firstName = parts.first.flatMap { $0.unicodeScalars.count >= 2 ? $0 : nil }
            let handle = exchange.senderHandle.split { !($0.isLetter || $0.isNumber) }.map {
                VoiceText.folded(String($0))
            }
            names = Set((parts + handle).filter { $0.unicodeScalars.count >= 2 })
            text = VoiceText(exchange.answered, greetings: greetings, sender: names, names: signers)
        }

        var isMail: Bool { exchange.platform == "email" }
    }
}

/// What everybody may know: words, numbers and addresses of the library and of the profile, without the rates.
struct PublicFacts {
    /// Folded words of the answers and of the profile.
    private(set) var words: Set<String> = []
    /// Those that the answers write with a capital inside a sentence.
    private(set) var names: Set<String> = []
    private(set) var entries: [Entry] = []

    /// One answer of the library.
    struct Entry {
        /// Folded words of the answer, and those with its questions.
        private(set) var answerWords: Set<String> = []
        private(set) var words: Set<String> = []
        /// Numbers and addresses of the answer.
        private(set) var facts: Set<String> = []
        private(set) var addresses: Set<String> = []
        /// Capitalised words inside sentences of the answer: names of things.
        private(set) var names: Set<String> = []

        init(_ entry: FAQEntry) {
            for word in PublicFacts.words(of: entry.answer) {
                answerWords.insert(word.folded)
                if word.isFact {
                    facts.insert(word.folded)
                    if PublicFacts.isAddress(word.folded) { addresses.insert(word.folded) }
                } else if word.isCapital, !word.isFirst {
                    names.insert(word.folded)
                }
            }
            words = answerWords
            for question in [entry.question] + entry.alsoAsked {
                words.formUnion(PublicFacts.words(of: question).map(\.folded))
            }
        }

        /// Whether a text can stand for the answer: it has all of its numbers and addresses and no other, and most of its names.
        ///
        /// "Mastering is from 45" is no answer to what mixing costs, and "I have no Telegram" none to who was written to on
        /// WhatsApp.
        func agrees(with text: String) -> Bool {
            let words = PublicFacts.words(of: text)
            let said = Set(words.map(\.folded))
            guard words.allSatisfy({ !$0.isFact || facts.contains($0.folded) }), facts.isSubset(of: said) else {
                return false
            }
            let told = names.filter { $0.count > 2 && !$0.hasPrefix("i'") }
            return told.subtracting(said).count * 2 < max(1, told.count)
        }
    }

    init(library: FAQLibrary, profile: CreatorProfile) {
        entries = library.entries.map { Entry($0) }
        for entry in entries {
            words.formUnion(entry.answerWords)
            names.formUnion(entry.names)
        }
        for text in [profile.name, profile.contact] + profile.works + profile.handles + profile.platforms {
            words.formUnion(Self.words(of: text).map(\.folded))
        }
    }

    static func isAddress(_ word: String) -> Bool { word.contains(".") && word.contains(where: \.isLetter) }

    static func words(of text: String) -> [VoiceText.Word] {
        VoiceText(text, greetings: [], sender: [], names: []).sentences.flatMap(\.words)
    }
}
