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

        /// What a pair still knows of it.
        init(_ pair: VoicePair) {
            (asked, answered, intent) = (pair.asked, pair.answered, pair.intent)
            (sender, senderName, senderHandle) = (pair.sender, pair.name, pair.sender)
            (platform, day, language) = (pair.platform, pair.day, pair.language)
        }
    }

    /// A voice, and what became of the pairs that were read and of those that were there.
    package struct Lesson: Sendable {
        package var voice = Voice()
        /// Pairs that are new.
        package var added = 0
        /// Pairs that stay as a person changed or wrote them.
        package var changed = 0
        /// Pairs that were read, and stay removed.
        package var removed = 0
        /// Pairs that were left out, for a voice has no room for them: the oldest.
        package var surplus = 0
    }

    /// Bytes of a message and of a reply that are kept; and of names.
    private static let textLimit = 2_000
    private static let nameLimit = 200

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

    /// Tells apart what is public: another one gives other words to say again of the same replies.
    package var digest: String {
        var parts = [profile.name, profile.offerAddress]
        for list in [profile.works, profile.handles, profile.platforms] {
            parts.append(list.joined(separator: "\u{1E}"))
        }
        for entry in library.entries { parts += [entry.id, entry.question, entry.answer] + entry.alsoAsked }
        return String(SHA256.hex(Array(parts.joined(separator: "\u{1F}").utf8)).prefix(16))
    }

    /// - Parameter exchanges: in the order of the input.
    package func voice(of exchanges: [Exchange]) -> Voice { learn(exchanges).voice }

    /// Learns on: what a person removed from the voice stays removed, what they changed stays as it is, what is new comes
    /// behind the rest, and habits are counted over all of it.
    ///
    /// - Parameters:
    ///   - exchanges: in the order of the input.
    ///   - old: the voice as it is.
    ///   - limit: pairs of a voice.
    package func learn(_ exchanges: [Exchange], keeping old: Voice = Voice(), limit: Int = .max) -> Lesson {
        var lesson = Lesson()
        var ids: Set<String> = []
        let read = exchanges.map { (id: Self.id($0, &ids), exchange: $0) }
        let found = Dictionary(read.map { ($0.id, $0.exchange) }, uniquingKeysWith: { first, _ in first })
        let present = Set(old.pairs.map(\.id))
        let known = present.union(old.learned)
        var pairs: [(id: String, exchange: Exchange, own: VoicePair?)] = old.pairs.map { pair in
            // Changed by a person, it is theirs.
            pair.isChanged ? (pair.id, Exchange(pair), pair) : (pair.id, found[pair.id] ?? Exchange(pair), nil)
        }
        lesson.changed = pairs.count { $0.own != nil }
        for (id, exchange) in read where !present.contains(id) {
            guard !known.contains(id) else {
                lesson.removed += 1
                continue
            }
            lesson.added += 1
            pairs.append((id, exchange, nil))
        }
        lesson.surplus = max(0, pairs.count - limit)
        let learned = Set(old.learned)
        lesson.voice.learned = old.learned + pairs.map(\.id).filter { !learned.contains($0) }
        pairs.removeFirst(lesson.surplus)
        let replies = pairs.map { Reply($0.exchange, words.greetings, signers) }
        lesson.voice.habits = VoiceHabitCounter(words).habits(of: replies)
        let crowd = VoiceCrowd(replies, words, facts)
        lesson.voice.pairs = zip(pairs, replies).map { pair, reply in
            pair.own ?? self.pair(pair.id, reply, crowd)
        }
        return lesson
    }

    private func pair(_ id: String, _ reply: Reply, _ crowd: VoiceCrowd) -> VoicePair {
        var pair = VoicePair()
        let exchange = reply.exchange
        pair.id = id
        pair.sender = Self.cut(exchange.sender)
        pair.name = Self.cut(exchange.senderName, to: Self.nameLimit)
        pair.day = exchange.day
        pair.platform = exchange.platform.utf8.count <= 100 ? exchange.platform : ""
        pair.language = exchange.language
        pair.asked = Self.cut(exchange.asked)
        pair.answered = Self.cut(exchange.answered)
        let entry = entry(of: reply)
        pair.intent = entry.map { "faq:\(library.entries[$0].id)" } ?? exchange.intent
        let reuse = entry.map { crowd.answer(reply, facts.entries[$0]) } ?? crowd.said(reply)
        // A sign that drives a terminal is in no draft.
        pair.reuse =
            reuse.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) } ? reuse : ""
        pair.learned = pair.fingerprint
        return pair
    }

    /// From which confidence on an entry is what a message asked for, if the creator answered it.
    package static let leastConfidence: Float = 0.7

    /// The entry that a reply answers with: the one that the message asks for, or else the one that the reply says.
    private func entry(of reply: Reply) -> Int? {
        if reply.exchange.intent.hasPrefix("faq:") {
            let id = reply.exchange.intent.dropFirst(4)
            if let asked = library.entries.firstIndex(where: { $0.id == id }) { return asked }
        }
        return saying.entry(saidBy: reply.exchange.answered)
    }

    private static func id(_ exchange: Exchange, _ known: inout Set<String>) -> String {
        // Of long texts their beginnings, as a store has no more at hand.
        let texts = [cut(exchange.asked), cut(exchange.answered)]
        let parts = [exchange.platform, exchange.conversation, exchange.sender] + texts
        let hash = SHA256.hex(Array((parts.joined(separator: "\u{1F}")).utf8)).prefix(12)
        var id = String(hash)
        var number = 2
        while !known.insert(id).inserted {
            id = "\(hash)-\(number)"
            number += 1
        }
        return id
    }

    private static func cut(_ text: String, to limit: Int = textLimit) -> String {
        guard text.utf8.count > limit else { return text }
        var end = text.utf8.index(text.utf8.startIndex, offsetBy: limit)
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
        for text in [profile.name, profile.offerAddress] + profile.works + profile.handles + profile.platforms {
            words.formUnion(Self.words(of: text).map(\.folded))
        }
    }

    static func isAddress(_ word: String) -> Bool { word.contains(".") && word.contains(where: \.isLetter) }

    static func words(of text: String) -> [VoiceText.Word] {
        VoiceText(text, greetings: [], sender: [], names: []).sentences.flatMap(\.words)
    }
}
