import TriageCore

/// Turns words into terms: concepts of the thesaurus, and the library's own words.
///
/// Open-addressing tables keyed by FNV-1a hashes; what kind of entry it is (whole word, beginning, stem, phrase,
/// misspelling) is mixed into the key. A bit filter in front answers most misses without touching the table.
struct FAQVocabulary: Sendable {
    /// What is known of one term.
    struct Term: Sendable {
        /// How much it says about the topic, 0–3.
        var weight: Float
        /// Bits of ``FAQLexicon/Role``.
        var role: UInt16
    }

    private(set) var terms: [Term] = []
    private(set) var words = FAQTable(bits: 14)
    private(set) var misspellings = FAQTable(bits: 12)
    /// Hashes that may begin a phrase.
    private(set) var phraseStarts = FAQFilter()
    /// Hashes of words that announce a question.
    private(set) var askingWords = FAQFilter()

    init(concepts: [FAQLexicon.Concept], words: [FAQLexicon.Word]) {
        for concept in concepts { terms.append(Term(weight: concept.weight, role: concept.role.rawValue)) }
        for word in words { add(word) }
    }

    private mutating func add(_ word: FAQLexicon.Word) {
        let term = word.concept
        if !word.literal.isEmpty {
            words.insert(TextFolder.hash(word.literal) ^ FAQKey.literal, term, word.language)
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
        let hash = TextFolder.hash(bytes)
        words.insert(hash, term, word.language)
        if terms[term].weight == 0, terms[term].role & FAQLexicon.Role.asking != 0 { askingWords.insert(hash) }
        if word.isPrefix { words.insert(hash ^ FAQKey.prefix, term, word.language) }
        if !word.isPrefix, terms[term].weight > 0 { addStem(of: bytes, term, word.language) }
    }

    /// Adds a term for a word of the library that the thesaurus does not know; −1 when there are too many.
    mutating func addTerm(_ bytes: ArraySlice<UInt8>, weight: Float) -> Int {
        guard terms.count < Int(UInt16.max) else { return -1 }
        let term = terms.count
        terms.append(Term(weight: weight, role: 0))
        words.insert(TextFolder.hash(bytes), term, 0)
        addStem(of: bytes, term, 0)
        if let first = bytes.first, first >= 0x80, bytes.count >= 10 {
            // Scripts with endings of their own: all but the last two letters stand for the word.
            var end = bytes.endIndex
            for _ in 0..<2 {
                end -= 1
                while end > bytes.startIndex, bytes[end] & 0xC0 == 0x80 { end -= 1 }
            }
            words.insert(TextFolder.hash(bytes[bytes.startIndex..<end]) ^ FAQKey.prefix, term, 0)
        }
        return term
    }

    /// Makes a word findable with one letter wrong, missing or too many, and a long one with two swapped.
    mutating func addMisspellings(of bytes: ArraySlice<UInt8>, term: Int) {
        guard bytes.count >= 5, bytes.count <= 14, bytes.allSatisfy({ $0 < 0x80 }) else { return }
        let word = Array(bytes)
        misspellings.insert(TextFolder.hash(word), term, 0)
        word.withUnsafeBufferPointer { word in
            for skip in 1..<word.count {
                let key = FAQKey.hash(word, skipping: skip)
                misspellings.insert(key, term, 0)
                if word.count >= 6 { misspellings.insert(FAQKey.substitution(key, skip), term, 0) }
                // Two letters swapped: without the first here is without the second there.
                if word.count >= 8 { misspellings.insert(FAQKey.substitution(key, skip + 1), term, 0) }
            }
        }
    }

    private mutating func addStem(of bytes: ArraySlice<UInt8>, _ term: Int, _ language: UInt8) {
        guard bytes.allSatisfy({ $0 < 0x80 }) else { return }
        let stem = Array(bytes).withUnsafeBufferPointer { FAQStemmer.length(of: $0) }
        words.insert(TextFolder.hash(bytes.prefix(stem)) ^ FAQKey.stem, term, language)
    }

    /// Gives `body` a view for looking up; the view must not outlive the call.
    func withView<R>(_ body: (FAQVocabularyView) -> R) -> R {
        words.withView { words in
            misspellings.withView { misspellings in
                terms.withUnsafeBufferPointer { terms in
                    phraseStarts.withView { phraseStarts in
                        askingWords.withView { askingWords in
                            body(
                                FAQVocabularyView(
                                    terms: terms, words: words, misspellings: misspellings,
                                    phraseStarts: phraseStarts, askingWords: askingWords))
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

    /// Key of a phrase: that of its beginning, with one more word.
    @inline(__always)
    static func phrase(_ key: UInt64, _ hash: UInt64) -> UInt64 {
        (key &* 0x9E37_79B9_7F4A_7C15 ^ hash) &* 0xD6E8_FEB8_6659_FD93 | 1
    }

    /// Hash of a word without one letter.
    static func hash(_ word: UnsafeBufferPointer<UInt8>, skipping: Int) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for i in 0..<skipping { hash = (hash ^ UInt64(word[i])) &* 0x100_0000_01B3 }
        return Self.hash(after: hash, word, from: skipping + 1)
    }

    /// Goes on with the hash of a word's beginning.
    @inline(__always)
    static func hash(after start: UInt64, _ word: UnsafeBufferPointer<UInt8>, from: Int) -> UInt64 {
        var hash = start
        var i = from
        while i < word.count {
            hash = (hash ^ UInt64(word[i])) &* 0x100_0000_01B3
            i += 1
        }
        return hash
    }

    /// Key under which two words meet that differ in one letter at the same place.
    static func substitution(_ key: UInt64, _ place: Int) -> UInt64 {
        key ^ (UInt64(place) &+ 1) &* 0x27D4_EB2F_1656_67C5
    }
}

/// Looks words up through bare pointers, valid inside ``FAQVocabulary/withView(_:)``.
struct FAQVocabularyView {
    let terms: UnsafeBufferPointer<FAQVocabulary.Term>
    let words: FAQTable.View
    let misspellings: FAQTable.View
    let phraseStarts: FAQFilter.View
    let askingWords: FAQFilter.View
    /// Raw ``Token/Flags``: read once, because they are looked at for every word.
    let startsSentence = Token.Flags.startsSentence.rawValue
    let digits = Token.Flags.digits.rawValue

    /// Term of a whole word by its ``Token/hash``; −1 when it is unknown.
    @inline(__always)
    func word(_ hash: UInt64, _ language: UInt8) -> Int { words.find(hash, language) }

    /// Term of a word that is not in the vocabulary as it stands, by stem or beginning; −1 when there is none.
    func inflected(_ word: UnsafeBufferPointer<UInt8>, _ language: UInt8) -> Int {
        let n = word.count
        guard n >= 4 else { return -1 }
        let stem = FAQStemmer.length(of: word)
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        var found = -1
        for i in 0..<min(n, 40) {
            hash = (hash ^ UInt64(word[i])) &* 0x100_0000_01B3
            guard i >= 2 else { continue }
            if i + 1 == stem {
                let term = words.find(hash ^ FAQKey.stem, language)
                if term >= 0 { return term }
            }
            let term = words.find(hash ^ FAQKey.prefix, language)
            if term >= 0 { found = term }
        }
        return found
    }

    /// Term of a misspelt ASCII word; −1 when no word of the library is near.
    func misspelt(_ word: UnsafeBufferPointer<UInt8>) -> Int {
        let n = word.count
        guard n >= 5, n <= 15 else { return -1 }
        for byte in word where byte >= 0x80 { return -1 }
        // A letter is missing here.
        var term = n <= 13 ? misspellings.find(TextFolder.hash(word), 0) : -1
        if term >= 0 { return term }
        guard n >= 6 else { return -1 }
        var beginning: UInt64 = 0xCBF2_9CE4_8422_2325
        for skip in 1..<n {
            beginning = (beginning ^ UInt64(word[skip - 1])) &* 0x100_0000_01B3
            let key = FAQKey.hash(after: beginning, word, from: skip + 1)
            // A wrong letter; then a letter too many, which leaves a whole word.
            term = misspellings.find(FAQKey.substitution(key, skip), 0)
            if term >= 0 { return term }
            term = words.find(key, 0)
            if term >= 0 { return term }
        }
        return -1
    }

    /// Term of a phrase of two or three words, the longer first, and the number of words; −1 when there is none.
    func phrase(_ a: UInt64, _ b: UInt64, _ c: UInt64?, _ language: UInt8) -> (term: Int, count: Int) {
        let two = FAQKey.phrase(FAQKey.phrase(0, a), b)
        if let c {
            let term = words.find(FAQKey.phrase(two, c), language)
            if term >= 0 { return (term, 3) }
        }
        return (words.find(two, language), 2)
    }

    /// Term of a run of bytes in a script without blanks; −1 when there is none.
    @inline(__always)
    func literal(_ hash: UInt64, _ language: UInt8) -> Int { words.find(hash ^ FAQKey.literal, language) }
}
