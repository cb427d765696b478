import TriageCore

/// The FAQ library as an inverted index from terms to the questions that contain them.
struct FAQIndex: Sendable {
    /// One question that an entry answers: its main wording, another wording, or one half of "X and how Y".
    struct Part: Sendable {
        var entry: UInt16
        /// Bits of ``FAQLexicon/Role``.
        var roles: UInt16
        /// Sum of the weights of its groups of alternatives ("camera and lens" is one group).
        var total: Float
        /// Whether it is half of a wording that asks two things.
        var isFragment: Bool
    }

    /// An occurrence of a term in a part.
    struct Posting: Sendable {
        var part: UInt16
        var group: UInt16
        /// Weight of the group.
        var weight: Float
    }

    private(set) var parts: [Part] = []
    private(set) var postings: [Posting] = []
    /// Index of the first posting of each term; one element more than there are terms.
    private(set) var first: [UInt32] = []
    /// Entries whose answer or category contains a term; ``firstSide`` has the range of each term.
    private(set) var side: [UInt16] = []
    /// Index of the first part of each entry; −1 for an entry without parts.
    private(set) var mainParts: [Int32]
    private(set) var firstSide: [UInt32] = []
    /// Weight of each term in this library, 0–1.
    let weights: [Float]
    let vocabulary: FAQVocabulary
    let cues: FAQCues
    let pieces: FAQPieces
    /// Hashes of words that are ignored, such as the creator's name.
    let ignored: [UInt64]
    let entries: Int
    /// Whether an entry is about the creator's trade: what people who offer or buy something ask.
    let isTrade: [Bool]
    /// The entry that tells a company what working with the creator costs; −1 for none.
    let termsEntry: Int
    /// Where the library says to write about deals, licences and orders.
    let contacts: FAQContacts
    /// Number of wordings of each entry: its question and the others.
    let wordings: [Int]
    let model: FAQModel
    let meanings: FAQMeanings

    /// Maximum number of groups that are distinguished in a part.
    static let groupLimit = 16
    private static let tradeConcepts: Set<String> = [
        "sponsor", "rates", "contact", "licence", "permission", "repost", "job", "editor_job", "collab", "price",
        "commission", "coaching", "mix", "beat", "review",
    ]
    /// Maximum number of parts that are indexed; the rest of a longer library is left out.
    static let partLimit = 4000

    init(
        library: FAQLibrary, names: [String], cues: FAQCues = FAQCues(), weights: FAQWeights = .shipped,
        vectors: FAQVectors = FAQVectors()
    ) {
        model = FAQModel(weights)
        meanings = FAQMeanings(library, vectors)
        let (concepts, words) = FAQLexicon.parse()
        self.cues = cues
        var vocabulary = FAQVocabulary(concepts: concepts, words: words, cues: cues)
        entries = library.entries.count
        var raw: [(entry: Int, roles: UInt16, groups: [[Int]], isFragment: Bool)] = []
        var texts: [(text: [UInt8], entry: Int)] = []
        var wordsOfTerms: [(bytes: [UInt8], term: Int)] = []
        for entry in library.entries.prefix(Self.partLimit) {
            _ = Self.split(entry.question, 2.5, &vocabulary, &wordsOfTerms)
        }
        for (number, entry) in library.entries.prefix(Self.partLimit).enumerated() {
            for (place, wording) in ([entry.question] + entry.alsoAsked).enumerated() where raw.count < Self.partLimit {
                // Other wordings are informal: a word that occurs only in them says less than one in the question.
                let weight: Float = place == 0 ? 2.5 : 1
                // A single wording may ask thousands of things.
                for part in Self.split(wording, weight, &vocabulary, &wordsOfTerms)
                where !part.groups.isEmpty && raw.count < Self.partLimit {
                    raw.append((number, part.roles, part.groups, part.isFragment))
                    if !part.isFragment { texts.append((part.text, number)) }
                }
            }
        }
        let trade = Set(concepts.indices.filter { Self.tradeConcepts.contains(concepts[$0].name) })
        var isTrade = [Bool](repeating: false, count: library.entries.count)
        for part in raw where part.groups.joined().contains(where: trade.contains) { isTrade[part.entry] = true }
        self.isTrade = isTrade
        var topics = [FAQTerms.Topics](repeating: [], count: library.entries.count)
        for part in raw {
            for term in part.groups.joined() { topics[part.entry].formUnion(vocabulary.terms[term].topics) }
        }
        termsEntry = FAQTerms.entry(among: topics)
        contacts = FAQContacts(library, topics: topics)
        pieces = FAQPieces(wordings: texts, entries: library.entries.count)
        wordings = library.entries.map { 1 + $0.alsoAsked.count }
        mainParts = [Int32](repeating: -1, count: library.entries.count)
        for (place, part) in raw.enumerated().reversed() { mainParts[part.entry] = Int32(place) }
        let sideTerms = Self.sideTerms(library, &vocabulary)
        // The fewer entries contain a term, the more it tells.
        var entriesOfTerm = [Set<Int>](repeating: [], count: vocabulary.terms.count)
        for part in raw { for group in part.groups { for term in group { entriesOfTerm[term].insert(part.entry) } } }
        let count = Float(max(2, library.entries.count))
        let weights = vocabulary.terms.indices.map { term -> Float in
            let found = Float(entriesOfTerm[term].isEmpty ? sideTerms[term]?.count ?? 0 : entriesOfTerm[term].count)
            let rarity = Self.log((count + 1) / max(found, 1)) / Self.log(count + 1)
            return vocabulary.terms[term].weight / 3 * (0.4 + 0.6 * rarity)
        }
        self.weights = weights
        var lists = [[Posting]](repeating: [], count: vocabulary.terms.count)
        for part in raw {
            let place = UInt16(parts.count)
            let groups = part.groups.map { group in group.map { weights[$0] }.max() ?? 0 }
            for (number, group) in part.groups.enumerated() {
                for term in group where lists[term].last?.part != place {
                    lists[term].append(
                        Posting(part: place, group: UInt16(number), weight: groups[number]))
                }
            }
            parts.append(
                Part(
                    entry: UInt16(part.entry), roles: part.roles, total: groups.reduce(0, +),
                    isFragment: part.isFragment))
        }
        first = [0]
        for list in lists {
            postings += list
            first.append(UInt32(postings.count))
        }
        firstSide = []
        side = []
        firstSide.append(0)
        for term in vocabulary.terms.indices {
            if let entries = sideTerms[term] { side += entries.sorted().map { UInt16($0) } }
            firstSide.append(UInt32(side.count))
        }
        // Misspellings are only worth finding for words of terms that the library uses.
        for word in words where word.words.count == 1 && !lists[word.concept].isEmpty && word.language <= 1 {
            vocabulary.addMisspellings(of: word.words[0], term: word.concept)
        }
        for word in wordsOfTerms { vocabulary.addMisspellings(of: word.bytes[...], term: word.term) }
        ignored = names.flatMap { TextFolder().words($0) }.map { TextFolder.hash($0) }
        self.vocabulary = vocabulary
    }

    private static let conjunctions = Set(
        "and or y o e ou et und oder ve veya dan atau aur ya и или و".split(separator: " ").map {
            TextFolder.hash(TextFolder().fold(String($0)))
        })

    /// Splits a wording into the questions it asks, each as groups of terms.
    private static func split(
        _ wording: String, _ weight: Float, _ vocabulary: inout FAQVocabulary,
        _ words: inout [(bytes: [UInt8], term: Int)]
    ) -> [(roles: UInt16, groups: [[Int]], isFragment: Bool, text: [UInt8])] {
        var folded: [UInt8] = []
        var marks: [FoldMark] = []
        var tokens: [Token] = []
        var copy = wording
        let text = copy.withUTF8 { TextFolder().fold($0, folded: &folded, marks: &marks, tokens: &tokens) }
        var halves: [(roles: UInt16, groups: [[Int]], text: [UInt8])] = [(0, [], [])]
        var joins = false
        var position = 0
        func add(_ term: Int) {
            guard vocabulary.terms[term].weight > 0 else { return }
            let last = halves.count - 1
            if joins, let group = halves[last].groups.last, group.count < 8 {
                halves[last].groups[halves[last].groups.count - 1] = group + [term]
            } else if halves[last].groups.count < groupLimit {
                halves[last].groups.append([term])
            }
            joins = false
        }
        var i = 0
        while i < tokens.count {
            let token = tokens[i]
            let gap = folded[position..<Int(token.start)]
            position = Int(token.start) + Int(token.count)
            let isConjunction = conjunctions.contains(token.hash)
            let hasComma = gap.contains(UInt8(ascii: ",")) || gap.contains(UInt8(ascii: "/"))
            if gap.contains(UInt8(ascii: "?")) { halves.append((0, [], [])) }
            if gap.contains(UInt8(ascii: "(")) { joins = false }
            if hasComma, !halves[halves.count - 1].groups.isEmpty { joins = true }
            if isConjunction {
                let next = i + 1 < tokens.count ? vocabulary.withView { $0.word(tokens[i + 1].hash, 0) } : -1
                let asks = FAQLexicon.Role.strongQuestions | FAQLexicon.Role.can.rawValue
                if next >= 0, vocabulary.terms[next].role & asks != 0, !halves[halves.count - 1].groups.isEmpty {
                    halves.append((0, [], []))
                    joins = false
                } else {
                    joins = !halves[halves.count - 1].groups.isEmpty
                }
                i += 1
                continue
            }
            var used = 1
            var term = -1
            if i + 1 < tokens.count {
                let third = i + 2 < tokens.count ? tokens[i + 2].hash : nil
                let phrase = vocabulary.withView { $0.phrase(token.hash, tokens[i + 1].hash, third, 0) }
                if phrase.term >= 0 { (term, used) = phrase }
            }
            for k in i..<i + used {
                let inner = vocabulary.withView { $0.word(tokens[k].hash, 0) }
                if inner >= 0 { halves[halves.count - 1].roles |= vocabulary.terms[inner].role }
            }
            let bytes = folded[Int(token.start)..<position]
            if term < 0 { term = vocabulary.withView { $0.word(token.hash, 0) } }
            if term < 0 {
                term = Array(bytes).withUnsafeBufferPointer { word in vocabulary.withView { $0.inflected(word, 0) } }
            }
            if term < 0, bytes.count >= 2 {
                term = vocabulary.addTerm(bytes, weight: weight)
                if term >= 0 { words.append((Array(bytes), term)) }
            }
            if term >= 0 {
                halves[halves.count - 1].roles |= vocabulary.terms[term].role
                add(term)
            }
            i += used
            defer {
                if halves[halves.count - 1].text.isEmpty == false { halves[halves.count - 1].text.append(0x20) }
                halves[halves.count - 1].text += folded[Int(token.start)..<position]
            }
            if used > 1 { position = Int(tokens[i - 1].start) + Int(tokens[i - 1].count) }
        }
        addLiterals(folded[..<Int(text.span.count)], vocabulary, &halves)
        halves.removeAll { $0.groups.isEmpty }
        let whole = Array(folded[..<Int(text.span.count)])
        guard halves.count > 1 else { return halves.map { ($0.roles, $0.groups, false, whole) } }
        var result = halves.map { (roles: $0.roles, groups: $0.groups, isFragment: true, text: $0.text) }
        let all = halves.flatMap(\.groups)
        result.append((halves.reduce(0) { $0 | $1.roles }, Array(all.prefix(groupLimit)), false, whole))
        return result
    }

    /// Adds words of scripts without blanks.
    private static func addLiterals(
        _ folded: ArraySlice<UInt8>, _ vocabulary: FAQVocabulary,
        _ halves: inout [(roles: UInt16, groups: [[Int]], text: [UInt8])]
    ) {
        var i = folded.startIndex
        while i < folded.endIndex {
            guard folded[i] >= 0xE0 else {
                i += 1
                continue
            }
            var hash = GrowingHash()
            var j = i
            var found = -1
            var end = i
            for _ in 0..<8 where j < folded.endIndex && folded[j] >= 0xE0 {
                let next = min(folded.endIndex, j + (folded[j] < 0xF0 ? 3 : 4))
                while j < next {
                    hash.add(folded[j])
                    j += 1
                }
                let term = vocabulary.withView { $0.literal(hash.value, 0) }
                if term >= 0 { (found, end) = (term, j) }
            }
            if found >= 0 {
                halves[0].roles |= vocabulary.terms[found].role
                if vocabulary.terms[found].weight > 0, halves[0].groups.count < groupLimit {
                    halves[0].groups.append([found])
                }
                i = end
            } else {
                i = min(folded.endIndex, i + (folded[i] < 0xF0 ? 3 : 4))
            }
        }
    }

    /// Maximum number of words in answers that become terms of their own.
    private static let sideWords = 8000

    /// Returns the terms in answers and categories with the entries that contain them: words of the answer support an
    /// entry.
    private static func sideTerms(_ library: FAQLibrary, _ vocabulary: inout FAQVocabulary) -> [Int: Set<Int>] {
        var added = 0
        var result: [Int: Set<Int>] = [:]
        for (number, entry) in library.entries.prefix(Self.partLimit).enumerated() {
            for text in [entry.category, entry.answer] {
                for word in TextFolder().words(text).prefix(400) {
                    var term = vocabulary.withView { $0.word(TextFolder.hash(word), 0) }
                    if term < 0 {
                        term = word.withUnsafeBufferPointer { word in vocabulary.withView { $0.inflected(word, 0) } }
                    }
                    if term < 0, word.count >= 4, added < sideWords, !word.contains(where: { $0 &- 0x30 < 10 }) {
                        term = vocabulary.addTerm(word[...], weight: 2)
                        added += 1
                    }
                    if term >= 0, vocabulary.terms[term].weight >= 2 { result[term, default: []].insert(number) }
                }
            }
        }
        return result
    }
}

extension FAQIndex {
    /// Bare pointers for matching.
    struct View {
        let vocabulary: FAQVocabularyView
        let parts: UnsafeBufferPointer<Part>
        let postings: UnsafeBufferPointer<Posting>
        let first: UnsafeBufferPointer<UInt32>
        let side: UnsafeBufferPointer<UInt16>
        let firstSide: UnsafeBufferPointer<UInt32>
        let weights: UnsafeBufferPointer<Float>
        let ignored: UnsafeBufferPointer<UInt64>
        let entries: Int
        let mainParts: UnsafeBufferPointer<Int32>
        let cues: FAQCues.View
        let pieces: FAQPieces.View
        let ranking: FAQModel.Ranking
        let meanings: UnsafeBufferPointer<SIMD16<Float>>
        let vectors: FAQVectors.View
    }

    /// Calls `body` with a view for matching, which must not outlive the call.
    func withView<R>(_ body: (View) -> R) -> R {
        withLearned { cues, pieces, ranking, meanings, vectors in
            vocabulary.withView { vocabulary in
                parts.withUnsafeBufferPointer { parts in
                    postings.withUnsafeBufferPointer { postings in
                        first.withUnsafeBufferPointer { first in
                            side.withUnsafeBufferPointer { side in
                                firstSide.withUnsafeBufferPointer { firstSide in
                                    weights.withUnsafeBufferPointer { weights in
                                        ignored.withUnsafeBufferPointer { ignored in
                                            mainParts.withUnsafeBufferPointer { mainParts in
                                                body(
                                                    View(
                                                        vocabulary: vocabulary, parts: parts, postings: postings,
                                                        first: first, side: side, firstSide: firstSide,
                                                        weights: weights, ignored: ignored, entries: entries,
                                                        mainParts: mainParts, cues: cues, pieces: pieces,
                                                        ranking: ranking,
                                                        meanings: meanings, vectors: vectors))
                                            }
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    private func withLearned<R>(
        _ body: (
            FAQCues.View, FAQPieces.View, FAQModel.Ranking, UnsafeBufferPointer<SIMD16<Float>>, FAQVectors.View
        ) -> R
    ) -> R {
        cues.withView { cues in
            pieces.withView { pieces in
                model.withRanking { ranking in
                    meanings.entries.withUnsafeBufferPointer { entries in
                        meanings.vectors.withView { vectors in body(cues, pieces, ranking, entries, vectors) }
                    }
                }
            }
        }
    }
}

extension FAQIndex {
    /// Natural logarithm by its series; accurate enough for weights, and identical on every platform.
    static func log(_ x: Float) -> Float {
        guard x > 0 else { return 0 }
        let exponent = x.exponent
        let m = Double(x.significand)
        let t = (m - 1) / (m + 1)
        let t2 = t * t
        let series = 2 * t * (1 + t2 * (1 / 3 + t2 * (1 / 5 + t2 * (1 / 7 + t2 * (1 / 9 + t2 / 11)))))
        return Float(series + Double(exponent) * 0.693_147_180_559_945)
    }
}
