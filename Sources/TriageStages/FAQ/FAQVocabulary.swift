import TriageCore

/// Maps words to terms: concepts of the thesaurus, and the library's own words.
///
/// It uses hash tables with open addressing. The type of entry (whole word, beginning, stem, phrase, misspelling) is
/// mixed into the key. A bit filter in front answers most misses without touching the table.
struct FAQVocabulary: Sendable {
    /// What is known about one term.
    struct Term: Sendable {
        /// How much it says about the topic, 0–3.
        var weight: Float
        /// Bits of ``FAQLexicon/Role``.
        var role: UInt16
        /// How much it indicates a question that a library answers; NaN: use the word's ``FAQCues``.
        var cue = Float.nan
        var topics: FAQTerms.Topics = []
    }

    private(set) var terms: [Term] = []
    private(set) var words = FAQTable(bits: 14)
    private(set) var misspellings = FAQTable(bits: 12)
    /// Hashes of words that may begin a phrase.
    private(set) var phraseStarts = FAQFilter()
    /// Hashes of words that introduce a question.
    private(set) var askingWords = FAQFilter()
    /// Lengths of stems, beginnings and literals (in letters), by their first three bytes.
    private(set) var stems = FAQLengths<UInt32>()
    private(set) var prefixes = FAQLengths<UInt32>()
    private(set) var literals = FAQLengths<UInt16>()
    /// Lengths of whole words, by their first three bytes, and by their first byte and last three.
    private(set) var wordStarts = FAQLengths<UInt16>()
    private(set) var wordEnds = FAQLengths<UInt16>()
    /// The same for words that are also found when misspelt.
    private(set) var spelledStarts = FAQLengths<UInt16>()
    private(set) var spelledEnds = FAQLengths<UInt16>()

    init(concepts: [FAQLexicon.Concept], words: [FAQLexicon.Word], cues: FAQCues) {
        for concept in concepts {
            var term = Term(weight: concept.weight, role: concept.role.rawValue)
            term.topics = FAQTerms.Topics(concept: concept.name)
            if concept.weight >= 2 {
                term.cue = cues.topic
            } else if concept.name != "stop" {
                term.cue = cues.concepts[concept.name] ?? 0
            }
            terms.append(term)
        }
        for word in words { add(word) }
    }

    private mutating func add(_ word: FAQLexicon.Word) {
        let term = word.concept
        if !word.literal.isEmpty {
            add(literal: Array(word.literal), term, word.language)
            return
        }
        if word.words.count > 1 {
            var key: UInt64 = 0
            for part in word.words { key = FAQKey.phrase(key, TextFolder.hash(part)) }
            words.insert(key, term, word.language)
            phraseStarts.insert(TextFolder.hash(word.words[0]))
            return
        }
        let bytes = word.words[0]
        add(whole: Array(bytes), term, word.language)
        if terms[term].weight == 0, terms[term].role & FAQLexicon.Role.asking != 0 {
            askingWords.insert(TextFolder.hash(bytes))
        }
        if word.isPrefix { add(prefix: Array(bytes), term, word.language) }
        if !word.isPrefix, terms[term].weight > 0 { addStem(of: bytes, term, word.language) }
    }

    private mutating func add(whole word: [UInt8], _ term: Int, _ language: UInt8) {
        words.insert(TextFolder.hash(word), term, language)
        guard word.count >= 3 else { return }
        wordStarts.insert(FAQBytes.start(word), length: word.count)
        wordEnds.insert(FAQBytes.ends(word, word.count), length: word.count)
    }

    /// Adds a beginning; those of fewer than three bytes are not searched for.
    private mutating func add(prefix: [UInt8], _ term: Int, _ language: UInt8) {
        words.insert(GrowingHash.of(prefix) ^ FAQKey.prefix, term, language)
        if prefix.count >= 3 { prefixes.insert(FAQBytes.start(prefix), length: prefix.count) }
    }

    private mutating func add(literal: [UInt8], _ term: Int, _ language: UInt8) {
        words.insert(GrowingHash.of(literal) ^ FAQKey.literal, term, language)
        var letters = 0
        var i = 0
        while i < literal.count {
            i += literal[i] < 0xF0 ? 3 : 4
            letters += 1
        }
        if literal.count >= 3 { literals.insert(FAQBytes.start(literal), length: letters) }
    }

    /// Adds a term for a word of the library that the thesaurus does not know; −1 when there are too many.
    mutating func addTerm(_ bytes: ArraySlice<UInt8>, weight: Float) -> Int {
        guard terms.count < Int(UInt16.max) else { return -1 }
        let term = terms.count
        terms.append(Term(weight: weight, role: 0))
        add(whole: Array(bytes), term, 0)
        addStem(of: bytes, term, 0)
        if let first = bytes.first, first >= 0x80, bytes.count >= 10 {
            // Non-Latin scripts have endings of their own: the word without its last two letters stands for it.
            var end = bytes.endIndex
            for _ in 0..<2 {
                end -= 1
                while end > bytes.startIndex, bytes[end] & 0xC0 == 0x80 { end -= 1 }
            }
            add(prefix: Array(bytes[bytes.startIndex..<end]), term, 0)
        }
        return term
    }

    /// Makes a word findable with one letter wrong, missing or extra, and a long word also with two letters swapped.
    mutating func addMisspellings(of bytes: ArraySlice<UInt8>, term: Int) {
        guard bytes.count >= 5, bytes.count <= 14, bytes.allSatisfy({ $0 < 0x80 }) else { return }
        let word = Array(bytes)
        misspellings.insert(TextFolder.hash(word), term, 0)
        spelledStarts.insert(FAQBytes.start(word), length: word.count)
        spelledEnds.insert(FAQBytes.ends(word, word.count), length: word.count)
        for skip in 1..<word.count {
            let key = TextFolder.hash(word[..<skip] + word[(skip + 1)...])
            misspellings.insert(key, term, 0)
            if word.count >= 6 { misspellings.insert(FAQKey.substitution(key, skip), term, 0) }
            // Two swapped letters: leaving out the first here equals leaving out the second there.
            if word.count >= 8 { misspellings.insert(FAQKey.substitution(key, skip + 1), term, 0) }
        }
    }

    private mutating func addStem(of bytes: ArraySlice<UInt8>, _ term: Int, _ language: UInt8) {
        guard bytes.allSatisfy({ $0 < 0x80 }) else { return }
        let stem = Array(bytes).withUnsafeBufferPointer { FAQStemmer.length(of: $0) }
        words.insert(GrowingHash.of(bytes.prefix(stem)) ^ FAQKey.stem, term, language)
        if stem >= 3 { stems.insert(FAQBytes.start(Array(bytes)), length: stem) }
    }

    /// Calls `body` with a view for look-ups, which must not outlive the call.
    func withView<R>(_ body: (FAQVocabularyView) -> R) -> R {
        words.withView { words in
            misspellings.withView { misspellings in
                terms.withUnsafeBufferPointer { terms in
                    phraseStarts.withView { phraseStarts in
                        askingWords.withView { askingWords in
                            withLengths { lengths in
                                let tables = FAQVocabularyView.Tables(
                                    terms: terms, words: words, misspellings: misspellings,
                                    phraseStarts: phraseStarts, askingWords: askingWords, lengths: lengths)
                                return withUnsafePointer(to: tables) { body(FAQVocabularyView($0)) }
                            }
                        }
                    }
                }
            }
        }
    }

    private func withLengths<R>(_ body: (FAQVocabularyView.Lengths) -> R) -> R {
        stems.withView { stems in
            prefixes.withView { prefixes in
                literals.withView { literals in
                    wordStarts.withView { wordStarts in
                        wordEnds.withView { wordEnds in
                            spelledStarts.withView { spelledStarts in
                                spelledEnds.withView { spelledEnds in
                                    body(
                                        FAQVocabularyView.Lengths(
                                            stems: stems, prefixes: prefixes, literals: literals,
                                            wordStarts: wordStarts, wordEnds: wordEnds,
                                            spelledStarts: spelledStarts, spelledEnds: spelledEnds))
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Keys of the vocabulary's tables.
enum FAQKey {
    static let prefix: UInt64 = 0x9E37_79B9_7F4A_7C15
    static let stem: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    static let literal: UInt64 = 0x1656_67B1_9E37_79F9

    /// Extends the key of a phrase by one word.
    @inline(__always)
    static func phrase(_ key: UInt64, _ hash: UInt64) -> UInt64 {
        (key &* 0x9E37_79B9_7F4A_7C15 ^ hash) &* 0xD6E8_FEB8_6659_FD93 | 1
    }

    /// Returns the key shared by two words that differ in one letter at the same place.
    static func substitution(_ key: UInt64, _ place: Int) -> UInt64 {
        key ^ (UInt64(place) &+ 1) &* 0x27D4_EB2F_1656_67C5
    }
}

/// The lengths of known words by their first or last bytes, so that most words need not be looked up at all.
///
/// The lengths are stored under a number computed from a few bytes of the word; if two words share a number, it has the
/// lengths of both. Bit `n` stands for words of `n` bytes, the last bit for all longer ones.
struct FAQLengths<Lengths: FixedWidthInteger & UnsignedInteger & Sendable>: Sendable {
    private var masks = [Lengths](repeating: 0, count: 4096)

    mutating func insert(_ number: UInt32, length: Int) {
        masks[FAQLengths.slot(number)] |= 1 << Lengths(min(length, Lengths.bitWidth - 1))
    }

    @inline(__always)
    fileprivate static func slot(_ number: UInt32) -> Int { Int(truncatingIfNeeded: (number &* 0x9E37_79B1) >> 20) }

    func withView<R>(_ body: (View) -> R) -> R {
        masks.withUnsafeBufferPointer { body(View(masks: $0)) }
    }

    /// A bare pointer for look-ups.
    struct View {
        fileprivate let masks: UnsafeBufferPointer<Lengths>

        @inline(__always)
        subscript(number: UInt32) -> Lengths { masks[FAQLengths.slot(number)] }
    }
}

/// The bytes of a word that index ``FAQLengths``.
enum FAQBytes {
    /// Returns the first three bytes of a word, which must have at least three.
    @inline(__always)
    static func start(_ word: UnsafePointer<UInt8>) -> UInt32 {
        UInt32(word[0]) | UInt32(word[1]) << 8 | UInt32(word[2]) << 16
    }

    /// Returns the first byte and the last three bytes of a word, which must have at least three.
    @inline(__always)
    static func ends(_ word: UnsafePointer<UInt8>, _ count: Int) -> UInt32 {
        start(word + (count - 3)) | UInt32(word[0]) << 24
    }
}
