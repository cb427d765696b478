import TriageCore

/// Looks up words through bare pointers that are valid inside ``FAQVocabulary/withView(_:)``.
struct FAQVocabularyView {
    /// The tables of a ``FAQVocabulary``.
    struct Tables {
        let terms: UnsafeBufferPointer<FAQVocabulary.Term>
        let words: FAQTable.View
        let misspellings: FAQTable.View
        let phraseStarts: FAQFilter.View
        let askingWords: FAQFilter.View
        let lengths: Lengths
        /// Raw ``Token/Flags``, read once because they are tested for every word.
        let startsSentence = Token.Flags.startsSentence.rawValue
        let digits = Token.Flags.digits.rawValue
    }

    /// The lengths of known words by their first or last bytes.
    struct Lengths {
        let stems: FAQLengths<UInt32>.View
        let prefixes: FAQLengths<UInt32>.View
        let literals: FAQLengths<UInt16>.View
        let wordStarts: FAQLengths<UInt16>.View
        let wordEnds: FAQLengths<UInt16>.View
        let spelledStarts: FAQLengths<UInt16>.View
        let spelledEnds: FAQLengths<UInt16>.View
    }

    private let tables: UnsafePointer<Tables>

    init(_ tables: UnsafePointer<Tables>) { self.tables = tables }

    var terms: UnsafeBufferPointer<FAQVocabulary.Term> {
        @inline(__always) get { tables.pointee.terms }
    }
    var words: FAQTable.View {
        @inline(__always) get { tables.pointee.words }
    }
    var misspellings: FAQTable.View {
        @inline(__always) get { tables.pointee.misspellings }
    }
    var phraseStarts: FAQFilter.View {
        @inline(__always) get { tables.pointee.phraseStarts }
    }
    var askingWords: FAQFilter.View {
        @inline(__always) get { tables.pointee.askingWords }
    }
    var lengths: Lengths {
        @inline(__always) get { tables.pointee.lengths }
    }
    var startsSentence: UInt16 {
        @inline(__always) get { tables.pointee.startsSentence }
    }
    var digits: UInt16 {
        @inline(__always) get { tables.pointee.digits }
    }

    /// Returns the term of a whole word by its ``Token/hash``; −1 when it is unknown.
    @inline(__always)
    func word(_ hash: UInt64, _ language: UInt8) -> Int { words.find(hash, language) }

    /// Returns the term of a word that is not in the vocabulary as it is, by stem or beginning; −1 when there is none.
    func inflected(_ word: UnsafeBufferPointer<UInt8>, _ language: UInt8) -> Int {
        let n = word.count
        guard n >= 4, let bytes = word.baseAddress else { return -1 }
        let start = FAQBytes.start(bytes)
        let reach: UInt32 = n >= 31 ? .max : (2 << UInt32(n)) &- 1
        let prefixes = lengths.prefixes[start] & reach
        var wanted = prefixes
        var stem = 0
        let stems = lengths.stems[start] & reach
        if stems != 0 {
            stem = FAQStemmer.length(of: word)
            let bit: UInt32 = 1 << UInt32(min(stem, 31))
            if stems & bit == 0 { stem = 0 } else { wanted |= bit }
        }
        guard wanted != 0 else { return -1 }
        let last = 31 - wanted.leadingZeroBitCount
        let end = last == 31 ? min(n, 40) : last
        var hash = GrowingHash()
        var found = -1
        for i in 0..<end {
            hash.add(bytes[i])
            guard wanted & (1 << UInt32(min(i &+ 1, 31))) != 0 else { continue }
            if i + 1 == stem {
                let term = words.find(hash.value ^ FAQKey.stem, language)
                if term >= 0 { return term }
            }
            if prefixes & (1 << UInt32(min(i &+ 1, 31))) != 0 {
                let term = words.find(hash.value ^ FAQKey.prefix, language)
                if term >= 0 { found = term }
            }
        }
        return found
    }

    /// Returns the term of a misspelt ASCII word; −1 when no word of the library is similar.
    ///
    /// A single mistake leaves either the first three letters unchanged, or the first letter and the last three. So only
    /// words that share those and have a suitable length are worth looking up.
    ///
    /// - Parameter hash: the hash of the word.
    func misspelt(_ word: UnsafeBufferPointer<UInt8>, _ hash: UInt64) -> Int {
        let n = word.count
        guard n >= 5, n <= 15, let bytes = word.baseAddress else { return -1 }
        let start = FAQBytes.start(bytes)
        let ends = FAQBytes.ends(bytes, n)
        let spelledStarts = UInt32(lengths.spelledStarts[start])
        let spelledEnds = UInt32(lengths.spelledEnds[ends])
        let whole: UInt32 = 1 << UInt32(n)
        let wordStarts = UInt32(lengths.wordStarts[start])
        let wordEnds = UInt32(lengths.wordEnds[ends])
        // No known word fits.
        let spelled = spelledStarts | spelledEnds
        guard spelled & (whole | whole << 1) | (wordStarts | wordEnds) & whole >> 1 != 0 else { return -1 }
        for byte in word where byte >= 0x80 { return -1 }
        // A letter is missing in the message.
        if n <= 13, spelled & (whole | whole << 1) != 0 {
            let term = misspellings.find(hash, 0)
            if term >= 0 { return term }
        }
        guard n >= 6 else { return -1 }
        let hasWordStart = wordStarts & whole >> 1 != 0
        let hasWordEnd = wordEnds & whole >> 1 != 0
        let hasStart = spelledStarts & whole != 0
        let hasEnd = spelledEnds & whole != 0
        guard hasWordStart || hasWordEnd || hasStart || hasEnd else { return -1 }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16) { rest in
            // The word without one letter, from the second to the last.
            for i in 1..<n { rest[i &- 1] = bytes[i] }
            for skip in 1..<n {
                rest[skip &- 1] = bytes[skip &- 1]
                // If two letters are swapped, the second one is left out.
                let mayDiffer = skip < 3 ? hasEnd : skip == 3 ? hasStart || hasEnd : hasStart
                let mayHaveMore = skip < 3 ? hasWordEnd : hasWordStart
                guard mayDiffer || mayHaveMore else { continue }
                let key = TextFolder.hash(UnsafeBufferPointer(rebasing: rest[..<(n &- 1)]))
                // First a wrong letter; then an extra letter, whose removal leaves a whole word.
                if mayDiffer {
                    let term = misspellings.find(FAQKey.substitution(key, skip), 0)
                    if term >= 0 { return term }
                }
                if mayHaveMore {
                    let term = words.find(key, 0)
                    if term >= 0 { return term }
                }
            }
            return -1
        }
    }

    /// Returns the term of a phrase of three or two words, the longer one first, with the number of words; −1 when
    /// there is none.
    func phrase(_ a: UInt64, _ b: UInt64, _ c: UInt64?, _ language: UInt8) -> (term: Int, count: Int) {
        let two = FAQKey.phrase(FAQKey.phrase(0, a), b)
        if let c {
            let term = words.find(FAQKey.phrase(two, c), language)
            if term >= 0 { return (term, 3) }
        }
        return (words.find(two, language), 2)
    }

    /// Returns the term of a run of bytes in a script without blanks; −1 when there is none.
    @inline(__always)
    func literal(_ hash: UInt64, _ language: UInt8) -> Int { words.find(hash ^ FAQKey.literal, language) }
}
