internal import TriageCore

/// Finds what the creator says to many people and can therefore say to another.
struct VoiceCrowd {
    /// Minimum number of people who received a sentence.
    private static let leastPeople = 2
    /// Number of people, and span in days, from which a sentence is a habitual closing.
    private static let closingPeople = 5
    private static let closingDays = 42
    /// Number of people to whom a word must have been said before it is not just a sender's name.
    private static let commonWord = 4
    /// Maximum length in bytes of a reusable text.
    private static let reuseLimit = 400
    /// Maximum number of words in a reusable sentence.
    private static let sentenceWords = 30
    /// Share of a sentence's words that must occur in the library's answer.
    private static let sameAnswer = 0.6
    private static let clauseLimit = 4
    /// Number of words that may be left out before the last sentence of the creator's own answer: "yes", "me too".
    private static let leftWords = 3
    /// Number of words from which a sentence without a number or address can answer a question.
    private static let answerWords = 4
    /// Number of words after thanks and a comma that may stay if each was said to others, too: "that's very kind".
    private static let lightWords = 5
    /// Maximum number of scalars of a message in which words are searched for.
    private static let askedLimit = 1_000

    private struct Use {
        var people: Set<String> = []
        var days: ClosedRange<Int>?
    }

    private var uses: [String: Use] = [:]
    /// For each folded word: the people to whom it was said, except those whose name it is.
    private var spoken: [String: Set<String>] = [:]
    private var senderNames: Set<String> = []
    /// Folded words that somebody wrote in lower case, which are therefore not names.
    private var small: Set<String> = []
    private let words: VoiceWords
    private let facts: PublicFacts

    init(_ replies: [VoiceLearner.Reply], _ words: VoiceWords, _ facts: PublicFacts) {
        self.words = words
        self.facts = facts
        for reply in replies {
            senderNames.formUnion(reply.names)
            let asked = VoiceText.words(of: Array(reply.exchange.asked.unicodeScalars.prefix(Self.askedLimit)))
            for word in asked where !word.isCapital { small.insert(word.folded) }
            for sentence in reply.text.sentences {
                for part in [sentence] + clauses(of: sentence) {
                    let key = Self.key(part, reply)
                    var use = uses[key] ?? Use()
                    use.people.insert(reply.exchange.sender)
                    if let day = reply.exchange.day {
                        use.days = use.days.map { min($0.lowerBound, day)...max($0.upperBound, day) } ?? day...day
                    }
                    uses[key] = use
                }
                for word in sentence.words where !word.isCapital { small.insert(word.folded) }
                for word in sentence.words where !reply.names.contains(word.folded) {
                    if let known = spoken[word.folded], known.count >= Self.commonWord { continue }
                    spoken[word.folded, default: []].insert(reply.exchange.sender)
                }
            }
        }
    }

    /// Returns the words of a sentence without the reader's name and without signs.
    private static func key(_ sentence: VoiceText.Sentence, _ reply: VoiceLearner.Reply) -> String {
        sentence.words.lazy.map(\.folded).filter { $0 != reply.firstName }.joined(separator: " ")
    }

    /// Returns the beginnings of a sentence up to a comma that express thanks and can stand alone, longest first.
    private func clauses(of sentence: VoiceText.Sentence) -> [VoiceText.Sentence] {
        sentence.scalars.indices.reversed().filter { sentence.scalars[$0] == "," }.prefix(Self.clauseLimit).compactMap {
            comma in
            let own = sentence.words.filter { $0.range.upperBound <= comma }
            guard own.count < sentence.words.count, own.contains(where: { words.thanks.contains($0.folded) }) else {
                return nil
            }
            return VoiceText.Sentence(scalars: sentence.scalars[..<comma] + ["."], words: own, asks: false)
        }
    }

    /// Returns the part of a reply that can be said to somebody else, in its order; empty when there is none.
    ///
    /// A sentence that names a day is never reused. From a longer sentence of thanks, only the thanks may be kept.
    func said(_ reply: VoiceLearner.Reply) -> String {
        let isBusiness = reply.exchange.intent.hasPrefix("business.")
        let entries = isBusiness ? entries(named: reply) : []
        var kept: [String] = []
        for (place, sentence) in reply.text.sentences.enumerated() {
            let isLast = place == reply.text.sentences.count - 1
            let isClosing = isLast && isHabit(uses[Self.key(sentence, reply)] ?? Use())
            let isKnown = entries.contains { isVerified(sentence, $0) } && isFreeOfPersons(sentence, reply)
            let part =
                isKnown
                ? sentence
                : ([sentence] + clauses(of: sentence)).first {
                    isForMany($0, reply) && (!isBusiness || isClosing || isHarmless($0))
                }
            guard let part, let text = slotted(part, reply, hasName: kept.contains { $0.contains("{name}") }) else {
                continue
            }
            // Without the first sentence, a closing would hang in the air.
            if kept.isEmpty, place > 0, isClosing { break }
            kept.append(text)
        }
        let text = kept.joined(separator: " ")
        // Only thanking for an offer would leave its sender waiting for an answer.
        let isWhole =
            !kept.isEmpty && (!isBusiness || kept.contains { PublicFacts.words(of: $0).contains(where: isPlace) })
        return isWhole && text.utf8.count <= Self.reuseLimit ? text : ""
    }

    private func isForMany(_ sentence: VoiceText.Sentence, _ reply: VoiceLearner.Reply) -> Bool {
        let key = Self.key(sentence, reply)
        guard !key.isEmpty, !sentence.asks,
            (uses[key]?.people.count ?? 0) >= Self.leastPeople || isLight(sentence, reply)
        else { return false }
        return isFreeOfPersons(sentence, reply) && !isBarred(sentence)
    }

    /// Whether a sentence consists of thanks that many received and a few words that were each said to others.
    private func isLight(_ sentence: VoiceText.Sentence, _ reply: VoiceLearner.Reply) -> Bool {
        clauses(of: sentence).contains { clause in
            let rest = sentence.words.dropFirst(clause.words.count)
            return (uses[Self.key(clause, reply)]?.people.count ?? 0) >= Self.leastPeople
                && rest.count <= Self.lightWords
                && rest.allSatisfy { (spoken[$0.folded]?.count ?? 0) >= Self.leastPeople && !$0.isCapital }
        }
    }

    /// Returns the library entries whose address a reply gives.
    private func entries(named reply: VoiceLearner.Reply) -> [PublicFacts.Entry] {
        let said = Set(reply.text.sentences.flatMap(\.words).filter(\.isFact).map(\.folded))
        return facts.entries.filter { !$0.addresses.isDisjoint(with: said) }
    }

    /// Whether a sentence says what an entry says: it has most of its words, or its address and nothing binding.
    private func isVerified(_ sentence: VoiceText.Sentence, _ entry: PublicFacts.Entry) -> Bool {
        let found = sentence.words.filter(\.isFact)
        guard !sentence.asks, found.allSatisfy({ entry.facts.contains($0.folded) }) else { return false }
        let shared = sentence.words.count { entry.words.contains($0.folded) }
        if Double(shared) >= Self.sameAnswer * Double(sentence.words.count) { return true }
        return found.contains { entry.addresses.contains($0.folded) } && !isBarred(sentence)
    }

    /// Whether a sentence to a business partner only thanks or says where to write; anything else might agree to
    /// something.
    private func isHarmless(_ sentence: VoiceText.Sentence) -> Bool {
        sentence.words.contains { words.thanks.contains($0.folded) || isPlace($0) }
    }

    private func isPlace(_ word: VoiceText.Word) -> Bool {
        word.isFact && PublicFacts.isAddress(word.folded) && facts.words.contains(word.folded)
    }

    /// Returns the part of a reply that says the same as an entry of the library; empty when too little of it does.
    ///
    /// Sentences in between either belong to the answer or turn it into a different one; what follows may be dropped.
    func answer(_ reply: VoiceLearner.Reply, _ entry: PublicFacts.Entry) -> String {
        var kept: [String] = []
        var left = 0
        var addresses: Set<String> = []
        var isSaid = false
        for sentence in reply.text.sentences {
            let own = sentence.words.filter { $0.folded != reply.firstName }
            // Numbers or addresses that the entry lacks make it a different answer.
            guard own.allSatisfy({ !$0.isFact || entry.facts.contains($0.folded) }) else { return "" }
            guard let text = same(sentence, own, reply, entry, hasName: kept.contains { $0.contains("{name}") }) else {
                // Thanks may be left out anywhere.
                if own.contains(where: { words.thanks.contains($0.folded) }) { continue }
                // "The UK too" answers only a part, for one reader.
                if own.contains(where: { entry.names.contains($0.folded) }) { left += Self.leftWords }
                left += own.count
                continue
            }
            guard left <= Self.leftWords else { break }
            kept.append(text)
            let found = own.filter(\.isFact).map(\.folded)
            addresses.formUnion(found.filter(PublicFacts.isAddress))
            isSaid = isSaid || !found.isEmpty || own.count >= Self.answerWords
        }
        let text = kept.joined(separator: " ")
        guard isSaid, text.utf8.count <= Self.reuseLimit, addresses.isSuperset(of: entry.addresses) else { return "" }
        return text
    }

    /// Returns a sentence that says what an entry says; nil if it does not, or if it is meant for its reader only.
    private func same(
        _ sentence: VoiceText.Sentence, _ own: [VoiceText.Word], _ reply: VoiceLearner.Reply,
        _ entry: PublicFacts.Entry, hasName: Bool
    ) -> String? {
        let found = own.filter(\.isFact)
        guard let first = own.first, !sentence.asks,
            isFreeOfPersons(sentence, reply), !words.answers.contains(first.folded),
            !own.contains(where: { words.persons.contains($0.folded) })
        else { return nil }
        let isSame = Double(own.count { entry.words.contains($0.folded) }) >= Self.sameAnswer * Double(own.count)
        let names = own.contains { $0.isCapital && !$0.isFirst && entry.names.contains($0.folded) }
        return isSame || names || !found.isEmpty ? slotted(sentence, reply, hasName: hasName) : nil
    }

    /// Whether a sentence was said so often and over so long a time that it can close a reply to anybody.
    private func isHabit(_ use: Use) -> Bool {
        guard let days = use.days else { return false }
        return use.people.count >= Self.closingPeople && days.upperBound - days.lowerBound >= Self.closingDays
    }

    private func isBarred(_ sentence: VoiceText.Sentence) -> Bool {
        sentence.words.contains { word in
            [words.barred, words.persons, words.answers, words.days].contains { $0.contains(word.folded) }
        }
            || sentence.words.contains { $0.isFact && !facts.words.contains($0.folded) }
    }

    /// Whether a sentence names nobody but its reader, and nothing that only its reader would know.
    private func isFreeOfPersons(_ sentence: VoiceText.Sentence, _ reply: VoiceLearner.Reply) -> Bool {
        guard sentence.words.count <= Self.sentenceWords else { return false }
        return sentence.words.allSatisfy { word in
            if word.folded == reply.firstName { return true }
            if facts.words.contains(word.folded) { return true }
            if reply.names.contains(word.folded), !isCommon(word.folded) { return false }
            if senderNames.contains(word.folded), !isCommon(word.folded) { return false }
            if word.isFact { return false }
            // Days are checked elsewhere.
            if words.days.contains(word.folded) { return true }
            // A capital indicates a name, except in languages that capitalise many words, and at the beginning of a
            // sentence if the word is known otherwise.
            if !word.isCapital || word.text.utf8.count == 1 || word.folded.hasPrefix("i'") { return true }
            if word.isFirst {
                return small.contains(word.folded) || words.thanks.contains(word.folded) || isCommon(word.folded)
            }
            return isCommon(word.folded) && words.capitals.contains(reply.exchange.language)
        }
    }

    /// Returns the sentences that name nobody but their reader, as `{name}`, and contain no number or address that is
    /// not public.
    func impersonal(_ sentences: [VoiceText.Sentence], _ reply: VoiceLearner.Reply) -> String {
        var kept: [String] = []
        for sentence in sentences where isFreeOfPersons(sentence, reply) {
            guard let text = slotted(sentence, reply, hasName: kept.contains { $0.contains("{name}") }) else {
                continue
            }
            kept.append(text)
        }
        return kept.joined(separator: " ")
    }

    private func isCommon(_ word: String) -> Bool { (spoken[word]?.count ?? 0) >= Self.commonWord }

    /// Returns a sentence with `{name}` for the reader's name; nil if it names them twice or contains braces.
    private func slotted(_ sentence: VoiceText.Sentence, _ reply: VoiceLearner.Reply, hasName: Bool) -> String? {
        guard !sentence.scalars.contains("{"), !sentence.scalars.contains("}") else { return nil }
        let places = sentence.words.filter { $0.folded == reply.firstName }
        guard places.count <= (hasName ? 0 : 1) else { return nil }
        guard let place = places.first else { return sentence.text }
        return VoiceText.string(
            sentence.scalars[..<place.range.lowerBound] + Array("{name}".unicodeScalars)
                + sentence.scalars[place.range.upperBound...])
    }
}
