internal import TriageCore

/// What the creator says to many, and so can say to one more.
struct VoiceCrowd {
    /// People who must have got a sentence.
    private static let leastPeople = 2
    /// People and days that make a sentence with a day in it a habit: "See you Tuesday".
    private static let closingPeople = 5
    private static let closingDays = 42
    /// People to whom a word must have been said so that it is no longer a sender's name alone.
    private static let commonWord = 4
    /// Bytes of what is said again.
    private static let reuseLimit = 400
    /// Words of one sentence that is said again.
    private static let sentenceWords = 30
    /// The share of a sentence's words that the library's answer must have.
    private static let sameAnswer = 0.6

    private struct Use {
        var people: Set<String> = []
        var days: ClosedRange<Int>?
    }

    private var uses: [String: Use] = [:]
    /// By folded word: to how many people it was said whose name it is not.
    private var spoken: [String: Set<String>] = [:]
    private var senderNames: Set<String> = []
    private let words: VoiceWords
    private let facts: PublicFacts

    init(_ replies: [VoiceLearner.Reply], _ words: VoiceWords, _ facts: PublicFacts) {
        self.words = words
        self.facts = facts
        for reply in replies {
            senderNames.formUnion(reply.names)
            for sentence in reply.text.sentences {
                var use = uses[Self.key(sentence, reply)] ?? Use()
                use.people.insert(reply.exchange.sender)
                if let day = reply.exchange.day {
                    use.days = use.days.map { min($0.lowerBound, day)...max($0.upperBound, day) } ?? day...day
                }
                uses[Self.key(sentence, reply)] = use
                for word in sentence.words where !reply.names.contains(word.folded) {
                    if let known = spoken[word.folded], known.count >= Self.commonWord { continue }
                    spoken[word.folded, default: []].insert(reply.exchange.sender)
                }
            }
        }
    }

    /// The words of a sentence without the reader's name and without signs.
    private static func key(_ sentence: VoiceText.Sentence, _ reply: VoiceLearner.Reply) -> String {
        sentence.words.lazy.map(\.folded).filter { $0 != reply.firstName }.joined(separator: " ")
    }

    /// What of a reply can be said to somebody else, in its order; empty: nothing.
    ///
    /// Something has to be left beside a closing.
    func said(_ reply: VoiceLearner.Reply) -> String {
        var kept: [String] = []
        var hasBody = false
        let isBusiness = reply.exchange.intent.hasPrefix("business.")
        for (place, sentence) in reply.text.sentences.enumerated() {
            let key = Self.key(sentence, reply)
            let use = uses[key] ?? Use()
            let isLast = place == reply.text.sentences.count - 1
            let isClosing = isLast && isHabit(use)
            guard use.people.count >= Self.leastPeople, !key.isEmpty, !sentence.asks,
                isFreeOfPersons(sentence, reply), isClosing || !isBarred(sentence),
                let text = slotted(sentence, reply, hasName: kept.contains { $0.contains("{name}") })
            else { continue }
            if isBusiness, !isClosing, !isHarmless(sentence) { continue }
            // Without its first sentence the rest hangs in the air.
            if kept.isEmpty, place > 0, isClosing { break }
            kept.append(text)
            if !(isClosing && isBarred(sentence)) { hasBody = true }
        }
        let text = kept.joined(separator: " ")
        // Thanks for an offer alone would leave its sender waiting for nothing.
        let isWhole = hasBody && (!isBusiness || kept.contains { PublicFacts.words(of: $0).contains(where: isPlace) })
        return isWhole && text.utf8.count <= Self.reuseLimit ? text : ""
    }

    /// Whether a sentence to a business partner thanks, or says where to write: everything else might agree to something.
    private func isHarmless(_ sentence: VoiceText.Sentence) -> Bool {
        sentence.words.contains {
            words.thanks.contains($0.folded) || isPlace($0)
                || $0.isCapital && !$0.isFirst && facts.words.contains($0.folded)
        } || sentence.words.first.map { $0.isCapital && facts.names.contains($0.folded) } == true
    }

    private func isPlace(_ word: VoiceText.Word) -> Bool {
        word.isFact && PublicFacts.isAddress(word.folded) && facts.words.contains(word.folded)
    }

    /// What of a reply says what an answer of the library says; empty: not enough of it.
    func answer(_ reply: VoiceLearner.Reply, _ entry: PublicFacts.Entry) -> String {
        var kept: [String] = []
        var addresses: Set<String> = []
        var isSaid = false
        for sentence in reply.text.sentences where !sentence.asks && isFreeOfPersons(sentence, reply) {
            let own = sentence.words.filter { $0.folded != reply.firstName }
            let found = own.filter { $0.isFact }
            // Numbers and addresses that the answer does not have make it another answer.
            guard found.allSatisfy({ entry.facts.contains($0.folded) }) else { return "" }
            let shared = own.filter { entry.words.contains($0.folded) }
            let names = own.filter { $0.isCapital && !$0.isFirst && entry.names.contains($0.folded) }
            let isSame = !own.isEmpty && Double(shared.count) >= Self.sameAnswer * Double(own.count)
            guard isSame || !found.isEmpty || !names.isEmpty,
                let text = slotted(sentence, reply, hasName: kept.contains { $0.contains("{name}") })
            else { continue }
            kept.append(text)
            addresses.formUnion(found.map(\.folded).filter(PublicFacts.isAddress))
            if !found.isEmpty || !names.isEmpty || isSame && own.count >= 4 { isSaid = true }
        }
        let text = kept.joined(separator: " ")
        guard isSaid, text.utf8.count <= Self.reuseLimit, addresses.isSuperset(of: entry.addresses) else { return "" }
        return text
    }

    /// Whether a sentence was said so often and so long that its day is any day of the kind.
    private func isHabit(_ use: Use) -> Bool {
        guard let days = use.days else { return false }
        return use.people.count >= Self.closingPeople && days.upperBound - days.lowerBound >= Self.closingDays
    }

    private func isBarred(_ sentence: VoiceText.Sentence) -> Bool {
        sentence.words.contains { words.barred.contains($0.folded) || words.days.contains($0.folded) }
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
            // Inside a sentence a capital is a name's, but where the language writes many words so.
            return !word.isCapital || word.isFirst || word.text.utf8.count == 1 || word.folded.hasPrefix("i'")
                || isCommon(word.folded) && reply.exchange.language == "de"
        }
    }

    private func isCommon(_ word: String) -> Bool { (spoken[word]?.count ?? 0) >= Self.commonWord }

    /// A sentence with `{name}` in place of the reader's; nil: it names them twice, or holds braces of its own.
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
