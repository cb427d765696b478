internal import TriageCore

/// What the creator said to many, ready to be said again: places in the bytes of a ``ReplyBook``.
struct OwnReplies: Sendable {
    /// One reply.
    struct Reply: Sendable {
        /// `own-reply:` and the id of the pair.
        var basedOn: Span32
        /// Words before the reader's name and behind it; ``behind`` is absent where nobody is named.
        var before: Span32
        var behind: Span32
        /// The same without a name.
        var bare: Span32
        /// Whether it says something without a name: "Thank you." alone is curt.
        var standsBare = true
    }

    /// Replies to one kind of message in one language.
    struct Group: Sendable {
        /// Of ``replies``, by act: what the first sentence does, such as thanking or congratulating.
        var acts: [Range<Int>] = []
        /// Log of how often each act was the answer.
        var priors: [Float] = []
        /// The act that stands where the words of a message speak for none.
        var usual = 0
        /// Of words of the messages: where their weights stand in ``weights``, one for each act.
        var rows: [UInt64: Int] = [:]
        var weights: [Float] = []
    }

    /// A message must speak this much more for another act than for the usual one, in log-odds.
    ///
    /// Chosen with the pairs of two creators and measured with those of a third, see `Tests/Benchmarks/voice.py`.
    static let margin: Float = 2.5
    private static let actLimit = 4
    /// How often an act must have been the answer.
    private static let leastUses = 2
    /// The share of the words of a library's answer that an own one must have.
    private static let leastOfAnswer: Float = 0.6
    /// The share of business partners that must have been told the same.
    private static let businessShare: Float = 0.25
    private static let replyLimit = 8
    /// Words of a message that are looked at.
    static let wordLimit = 64
    private static let wordBytes = 4

    private(set) var replies: [Reply] = []
    private(set) var groups: [Group] = []
    /// By kind of message × ``places`` + place of the language; −1: nothing.
    private(set) var groupOf: [Int32] = []
    /// By entry × ``places`` + place of the language; acts are what of the entry they answer.
    private(set) var answers: [Int: Group] = [:]
    private let places: Int

    init(places: Int) { self.places = places }

    /// Kinds of message that are answered alike.
    enum Kind: Int, CaseIterable {
        /// A fan who asks nothing, and is not in need or cross.
        case thanks
        /// Offers, and questions about rates.
        case business
        case gifting, representation, event

        var isBusiness: Bool { self != .thanks }

        /// What was thanked for, by the names of templates.
        static let thanking = Set(
            ReplySituation.allCases.filter(\.isThanks).map { ReplyTemplates.bySituation[$0.rawValue].name }
                + [ReplyTemplates.praiseOfWork.name])

        init?(_ intent: String) {
            switch intent {
            case "fan.praise-work", "fan.nothing-to-answer", "fan.unsure", "fan.joke": self = .thanks
            case _ where Self.thanking.contains(intent): self = .thanks
            case "business.gifting": self = .gifting
            case "business.representation": self = .representation
            case "business.event": self = .event
            default:
                guard intent.hasPrefix("business.") else { return nil }
                self = .business
            }
        }
    }

    /// - Parameters:
    ///   - add: puts words into the book.
    init(_ voice: Voice, library: FAQLibrary, lowerCase: Bool, add: (String) -> Span32) {
        places = ReplyTemplates.languages.count
        groupOf = Array(repeating: -1, count: Kind.allCases.count * places)
        let placeOf = Dictionary(
            ReplyTemplates.languages.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { a, _ in a })
        let entryOf = Dictionary(
            library.entries.enumerated().map { ("faq:\($0.element.id)", $0.offset) }, uniquingKeysWith: { a, _ in a })
        var said: [Int: [VoicePair]] = [:]
        var answered: [Int: [VoicePair]] = [:]
        for pair in voice.pairs {
            guard let place = placeOf[pair.language] else { continue }
            if let entry = entryOf[pair.intent] {
                if !pair.reuse.isEmpty { answered[entry * places + place, default: []].append(pair) }
            } else if let kind = Kind(pair.intent) {
                said[kind.rawValue * places + place, default: []].append(pair)
            }
        }
        for (key, pairs) in answered.sorted(by: { $0.key < $1.key }) {
            let entry = PublicFacts.Entry(library.entries[key / places])
            // Whose own answer is much shorter has left out what a stranger needs to know.
            let least = Self.leastOfAnswer * Float(PublicFacts.words(of: library.entries[key / places].answer).count)
            answers[key] = answer(
                of: pairs.filter {
                    entry.agrees(with: $0.reuse) && Float(PublicFacts.words(of: $0.reuse).count) >= least
                }, lowerCase, add)
        }
        let thanks = VoiceWords().thanks
        for (key, pairs) in said.sorted(by: { $0.key < $1.key }) {
            guard let kind = Kind(rawValue: key / places) else { continue }
            var pairs = pairs
            if kind == .business {
                // Who asked how to work with the creator was told what the others are.
                let told = Set(pairs.map { Self.act($0.reuse, .business) }).subtracting([""])
                pairs += entryOf.values.sorted().flatMap { answered[$0 * places + key % places] ?? [] }.filter {
                    told.contains(Self.act($0.reuse, .business))
                }
            }
            guard let group = group(of: pairs, kind, thanks: thanks, lowerCase, add) else { continue }
            groupOf[key] = Int32(groups.count)
            groups.append(group)
        }
    }

    private mutating func append(_ pair: VoicePair, _ lowerCase: Bool, _ add: (String) -> Span32) {
        let parts = pair.reuse.split(separator: "{name}", maxSplits: 1, omittingEmptySubsequences: false)
        replies.append(
            Reply(
                basedOn: add("own-reply:\(pair.id)"), before: add(String(parts.first ?? "")),
                behind: parts.count > 1 ? add(String(parts[1])) : .absent,
                bare: add(Self.nameless(pair.reuse, lowerCase)),
                standsBare: PublicFacts.words(of: Self.nameless(pair.reuse, lowerCase)).count > 2))
    }

    /// A reply without the reader's name, and without the comma beside it.
    static func nameless(_ text: String, _ lowerCase: Bool) -> String {
        guard let place = text.firstRange(of: "{name}") else { return text }
        var before = text[..<place.lowerBound]
        var behind = text[place.upperBound...]
        while before.last == " " { before.removeLast() }
        let begins = before.isEmpty || before.last.map { ".!?…\n".contains($0) } == true
        if before.last == "," {
            before.removeLast()
        } else if begins, behind.first == "," {
            behind.removeFirst()
            while behind.first == " " { behind.removeFirst() }
            if !lowerCase, let first = behind.first {
                behind = Substring(first.uppercased() + behind.dropFirst())
            }
        }
        let gap = begins && !before.isEmpty ? " " : ""
        return before + gap + behind
    }

    /// The pairs whose texts say what the others say, best first, each text once.
    private static func typical(_ pairs: [VoicePair]) -> [VoicePair] {
        let words = pairs.map { Set(PublicFacts.words(of: $0.reuse).map(\.folded)) }
        // Each text is compared with a bounded number of others.
        let scores = words.map { own in
            words.prefix(comparisons).reduce(Float(0)) { sum, other in
                let shared = own.intersection(other).count
                return sum + Float(shared) / Float(max(1, own.count + other.count - shared))
            }
        }
        let order = pairs.indices.sorted { (scores[$1], $0) < (scores[$0], $1) }
        guard let best = order.first else { return [] }
        var seen: Set<String> = []
        let good = order.filter { scores[$0] >= scores[best] * typicalShare && seen.insert(pairs[$0].reuse).inserted }
        return good.prefix(answerLimit).map { pairs[$0] }
    }

    private static let comparisons = 32
    private static let typicalShare: Float = 0.9
    private static let answerLimit = 3
}

extension OwnReplies {
    /// The act of a reply: its first sentence without signs and names, or to a business partner where to write.
    private static func act(_ reuse: String, _ kind: Kind) -> String {
        let text = VoiceText(reuse.replacing("{name}", with: " "), greetings: [], sender: [], names: [])
        let words =
            switch kind {
            case .thanks: text.sentences.first?.words ?? []
            default: text.sentences.flatMap(\.words).filter { $0.isFact && PublicFacts.isAddress($0.folded) }
            }
        return words.map(\.folded).joined(separator: " ")
    }

    private mutating func group(
        of pairs: [VoicePair], _ kind: Kind, thanks: Set<String>, _ lowerCase: Bool, _ add: (String) -> Span32
    ) -> Group? {
        var counts: [String: [VoicePair]] = [:]
        for pair in pairs where !pair.reuse.isEmpty { counts[Self.act(pair.reuse, kind), default: []].append(pair) }
        let acts = counts.filter { !$0.key.isEmpty && $0.value.count >= Self.leastUses }
            .sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.prefix(Self.actLimit).map(\.value)
        guard let usual = acts.first?.count else { return nil }
        // Where most partners are told something else, nobody knows what this one should be told.
        if kind.isBusiness, Float(usual) < Self.businessShare * Float(pairs.count) { return nil }
        var group = Group()
        // Thanks for praise are what praise was answered with; other kind words only say which words go with them.
        let counted = acts.map { act in Float(kind.isBusiness ? act.count : act.count { Self.isPraise($0) }) + 0.5 }
        let all = counted.reduce(0, +)
        for (act, count) in zip(acts, counted) {
            let first = replies.count
            for pair in kind.isBusiness ? Self.typical(act) : Self.often(act) { append(pair, lowerCase, add) }
            group.acts.append(first..<replies.count)
            group.priors.append(FAQIndex.log(count / all))
        }
        // Praise is thanked for, if the creator ever does.
        let order = group.priors.indices.sorted { (group.priors[$1], $0) < (group.priors[$0], $1) }
        let thanking = kind.isBusiness ? [] : order.filter { !Self.words(of: acts[$0]).isDisjoint(with: thanks) }
        // Who says "well done" or "regards" to most has said it to what they had done: no praise is answered so.
        if !kind.isBusiness, thanking.isEmpty { return nil }
        group.usual = thanking.first ?? order.first ?? 0
        weigh(acts, least: 2, &group)
        return group
    }

    /// Folded words of the first sentences of replies that do the same.
    private static func words(of act: [VoicePair]) -> Set<String> {
        Set(act.first.map { Self.act($0.reuse, .thanks).split(separator: " ").map(String.init) } ?? [])
    }

    private static func isPraise(_ pair: VoicePair) -> Bool { Kind.thanking.contains(pair.intent) }

    /// Own answers to one entry, the like ones together; nil: there are none.
    private mutating func answer(
        of pairs: [VoicePair], _ lowerCase: Bool, _ add: (String) -> Span32
    ) -> Group? {
        var acts: [(words: Set<String>, pairs: [VoicePair])] = []
        for pair in pairs.prefix(Self.comparisons) {
            let own = Set(PublicFacts.words(of: pair.reuse).map(\.folded))
            let place = acts.firstIndex { act in
                let shared = act.words.intersection(own).count
                return Float(shared) >= Self.sameAct * Float(min(own.count, act.words.count))
            }
            if let place { acts[place].pairs.append(pair) } else { acts.append((own, [pair])) }
        }
        guard !acts.isEmpty else { return nil }
        var group = Group()
        for act in acts {
            let first = replies.count
            for pair in Self.typical(act.pairs) { append(pair, lowerCase, add) }
            group.acts.append(first..<replies.count)
            group.priors.append(FAQIndex.log(Float(act.pairs.count) / Float(pairs.count)))
        }
        weigh(acts.map(\.pairs), least: 1, &group)
        return group
    }

    /// The share of the shorter answer's words that two answers to the same share.
    private static let sameAct: Float = 0.4

    /// A pair for each text that was said again and again; for all texts if none was.
    private static func often(_ pairs: [VoicePair]) -> [VoicePair] {
        var texts: [String: (first: VoicePair, count: Int)] = [:]
        for pair in pairs { texts[pair.reuse, default: (pair, 0)].count += 1 }
        let order = texts.values.sorted { ($1.count, $0.first.reuse) < ($0.count, $1.first.reuse) }
        let repeated = order.filter { $0.count >= 2 }
        return (repeated.isEmpty ? order : repeated).prefix(replyLimit).map(\.first)
    }

    /// Weighs the words of messages by which act they were answered with.
    ///
    /// - Parameter least: messages that a word must be in.
    private func weigh(_ pairs: [[VoicePair]], least: Int, _ group: inout Group) {
        guard pairs.count > 1 else { return }
        var counts: [UInt64: [Int]] = [:]
        for (act, pairs) in pairs.enumerated() {
            for pair in pairs {
                // Short words are in messages of any kind.
                let long = TextFolder().words(pair.asked).prefix(Self.wordLimit).filter { $0.count >= Self.wordBytes }
                let words = Set(long.map { TextFolder.hash($0) })
                for word in words { counts[word, default: Array(repeating: 0, count: group.acts.count)][act] += 1 }
            }
        }
        let sizes = pairs.map { Float($0.count) }
        // In one order, so that the same voice gives the same bits.
        for (word, count) in counts.sorted(by: { $0.key < $1.key }) where count.reduce(0, +) >= least {
            group.rows[word] = group.weights.count
            let all = Float(count.reduce(0, +)) / sizes.reduce(0, +)
            for (act, number) in count.enumerated() {
                group.weights.append(FAQIndex.log((Float(number) + 2 * all) / (sizes[act] + 2) / all))
            }
        }
    }

    /// The act that a message of a group is answered with: another than the usual one only if its words speak for it.
    func act(_ group: Group, _ words: some Sequence<UInt64>) -> Int {
        let usual = group.usual
        guard group.acts.count > 1, !group.rows.isEmpty else { return usual }
        let sums = sums(group, words)
        let best = sums.indices.max { sums[$0] < sums[$1] } ?? 0
        return sums[best] - sums[usual] >= Self.margin ? best : usual
    }

    private func sums(_ group: Group, _ words: some Sequence<UInt64>) -> [Float] {
        var sums = group.priors
        for word in words.prefix(Self.wordLimit) {
            guard let row = group.rows[word] else { continue }
            for act in sums.indices { sums[act] += group.weights[row + act] }
        }
        return sums
    }

    /// The group of a kind of message in a language; nil: there is none.
    func group(_ kind: Kind, _ place: Int) -> Group? {
        guard !groups.isEmpty else { return nil }
        let number = groupOf[kind.rawValue * places + place]
        return number >= 0 ? groups[Int(number)] : nil
    }

    /// What the creator answers a question of the library with; nil: the library's own words.
    ///
    /// Of answers to several parts of an entry, the words of the message have to speak for one.
    func answer(
        _ entry: Int, _ place: Int, _ words: some Sequence<UInt64>, _ choice: UInt64
    ) -> Reply? {
        guard !answers.isEmpty, let group = answers[entry * places + place] else { return nil }
        var act = 0
        if group.acts.count > 1 {
            let sums = sums(group, words)
            act = sums.indices.max { sums[$0] < sums[$1] } ?? 0
            let next = sums.indices.filter { $0 != act }.map { sums[$0] }.max() ?? 0
            guard sums[act] - next >= Self.answerMargin else { return nil }
        }
        let range = group.acts[act]
        return replies[range.lowerBound + Int(choice % UInt64(range.count))]
    }

    private static let answerMargin: Float = 1
}
