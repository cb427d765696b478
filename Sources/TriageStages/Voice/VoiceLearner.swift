package import TriageCore

/// Learns a voice from messages and the creator's replies to them: habits, and the reusable part of each reply.
///
/// Reusable is what the creator says to many: a sentence that at least two people received. It must contain no name but
/// the reader's, no number or address that the library lacks, and no word that promises, agrees, names a day or refers
/// to somebody else. Of a reply to a question in the library, the sentences that say what the library says are
/// reusable.
package struct VoiceLearner {
    /// One message and the creator's answer.
    package struct Exchange: Sendable {
        package var asked = ""
        package var answered = ""
        /// Id, handle or name of the sender.
        package var sender = ""
        package var senderName = ""
        package var senderHandle = ""
        package var conversation = ""
        package var platform = ""
        /// Day of the reply, in days since 1970.
        package var day: Int?
        /// Tag of the language of the reply; empty: unclear.
        package var language = ""
        package var intent = ""

        package init() {}

        /// Restores what a pair still knows about its exchange.
        init(_ pair: VoicePair) {
            (asked, answered, intent) = (pair.asked, pair.answered, pair.intent)
            (sender, senderName, senderHandle) = (pair.sender, pair.name, pair.sender)
            (platform, day, language) = (pair.platform, pair.day, pair.language)
        }
    }

    /// A learned voice, with what happened to the pairs that were read and to the existing ones.
    package struct Lesson: Sendable {
        package var voice = Voice()
        /// Number of new pairs.
        package var added = 0
        /// Number of existing pairs that a person changed or wrote, and that stay as they are.
        package var changed = 0
        /// Number of pairs read that a person had removed, and that stay removed.
        package var removed = 0
        /// Number of pairs dropped because the voice has no room for them; the oldest are dropped.
        package var surplus = 0
    }

    /// Maximum length in bytes of a stored message or reply, and of a name.
    private static let textLimit = 2_000
    private static let nameLimit = 200

    private let words = VoiceWords()
    private let library: FAQLibrary
    private let profile: CreatorProfile
    private let saying: FAQReplies
    private let facts: PublicFacts
    private let signers: Set<String>

    /// Creates a learner.
    ///
    /// - Parameters:
    ///   - library: everything in it is public.
    ///   - profile: its names, works and handles are public; its rates are not.
    package init(library: FAQLibrary, profile: CreatorProfile) {
        self.library = library
        self.profile = profile
        saying = FAQReplies(library)
        facts = PublicFacts(library: library, profile: profile)
        let names = profile.name.split(separator: " ").map(String.init) + profile.handles
        signers = Set(names.map(VoiceText.folded))
    }

    /// Identifies the public facts: different facts make different parts of the same replies reusable.
    package var digest: String {
        var parts = [profile.name, profile.offerAddress]
        for list in [profile.works, profile.handles, profile.platforms] {
            parts.append(list.joined(separator: "\u{1E}"))
        }
        for entry in library.entries { parts += [entry.id, entry.question, entry.answer] + entry.alsoAsked }
        return String(SHA256.hex(Array(parts.joined(separator: "\u{1F}").utf8)).prefix(16))
    }

    /// Learns a new voice.
    ///
    /// - Parameter exchanges: in input order.
    package func voice(of exchanges: [Exchange]) -> Voice { learn(exchanges).voice }

    /// Extends an existing voice.
    ///
    /// What a person removed stays removed, and what they changed stays as it is. New pairs are appended, and habits
    /// are counted over all pairs.
    ///
    /// - Parameters:
    ///   - exchanges: in input order.
    ///   - old: the existing voice.
    ///   - limit: maximum number of pairs in a voice.
    package func learn(_ exchanges: [Exchange], keeping old: Voice = Voice(), limit: Int = .max) -> Lesson {
        var lesson = Lesson()
        var ids: Set<String> = []
        let read = exchanges.map { (id: Self.id($0, &ids), exchange: $0) }
        let found = Dictionary(read.map { ($0.id, $0.exchange) }, uniquingKeysWith: { first, _ in first })
        let present = Set(old.pairs.map(\.id))
        let known = present.union(old.learned)
        var pairs: [(id: String, exchange: Exchange, own: VoicePair?)] = old.pairs.map { pair in
            // A pair that a person changed is kept as it is.
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
        var replies = pairs.map { Reply($0.exchange, words.greetings, signers) }
        let habits = VoiceHabitCounter(words).habits(of: replies)
        lesson.voice.habits = habits
        let closings = Set([habits.audience, habits.partners].flatMap(\.closings.values))
        for place in replies.indices { replies[place].text.dropClosing(closings) }
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
        // Drafts must not contain control characters, which could drive a terminal.
        pair.reuse =
            reuse.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) } ? reuse : ""
        pair.learned = pair.fingerprint
        return pair
    }

    /// Confidence from which an FAQ entry counts as what the message asked for, provided that the creator answered it.
    package static let leastConfidence: Float = 0.7

    /// Returns the entry that a reply corresponds to: the one the message asks for, or else the one the reply repeats.
    private func entry(of reply: Reply) -> Int? {
        if reply.exchange.intent.hasPrefix("faq:") {
            let id = reply.exchange.intent.dropFirst(4)
            if let asked = library.entries.firstIndex(where: { $0.id == id }) { return asked }
        }
        return saying.entry(saidBy: reply.exchange.answered)
    }

    private static func id(_ exchange: Exchange, _ known: inout Set<String>) -> String {
        // Only the beginnings of long texts, because a store keeps no more.
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

    /// A reply split into its parts.
    struct Reply {
        let exchange: Exchange
        var text: VoiceText
        /// Folded words of the sender's names and handles.
        let names: Set<String>
        /// The folded first name; nil when there is none that a reply could use.
        let firstName: String?

        init(_ exchange: Exchange, _ greetings: Set<String>, _ signers: Set<String>) {
            self.exchange = exchange
            let parts = VoiceText.words(of: Array(exchange.senderName.unicodeScalars.prefix(120))).map(\.folded)
            firstName = parts.first.flatMap { $0.unicodeScalars.count >= 2 ? $0 : nil }
            let handle = exchange.senderHandle.split { !($0.isLetter || $0.isNumber) }.map {
                VoiceText.folded(String($0))
            }
            names = Set((parts + handle).filter { $0.unicodeScalars.count >= 2 })
            text = VoiceText(
                exchange.answered, greetings: greetings, sender: names, names: signers, isMail: Self.isMail(exchange))
        }

        private static func isMail(_ exchange: Exchange) -> Bool { exchange.platform == "email" }

        var isMail: Bool { Self.isMail(exchange) }
        var isToPartner: Bool { exchange.intent.hasPrefix("business.") }
    }
}

/// Public facts: words, numbers and addresses of the library and of the profile, without the rates.
struct PublicFacts {
    /// Folded words of the answers and of the profile.
    private(set) var words: Set<String> = []
    /// Words that the answers capitalise inside a sentence.
    private(set) var names: Set<String> = []
    private(set) var entries: [Entry] = []

    /// One answer of the library.
    struct Entry {
        /// Folded words of the answer alone, and of the answer with its questions.
        private(set) var answerWords: Set<String> = []
        private(set) var words: Set<String> = []
        /// Numbers and addresses in the answer.
        private(set) var facts: Set<String> = []
        private(set) var addresses: Set<String> = []
        /// Words capitalised inside sentences of the answer: names of things.
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

        /// Whether a text can replace the answer: it has all of its numbers and addresses, no others, and most of its
        /// names.
        ///
        /// "Mastering is from 45" does not answer what mixing costs, and "I have no Telegram" does not help somebody
        /// who was contacted on WhatsApp.
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
