/// Strips endings of words in Latin-script languages, so that `shipping`, `ships` and `shipped` have the same stem.
///
/// One small set of endings serves English, Spanish, Portuguese, French, Italian and German together. Library and
/// messages are stemmed alike, so the stems only have to be consistent, not linguistically correct.
enum FAQStemmer {
    /// Returns the length of the stem of a folded ASCII word; the word's own length if nothing is stripped.
    static func length(of word: UnsafeBufferPointer<UInt8>) -> Int {
        let n = word.count
        guard n >= 4 else { return n }
        let ending = endingLength(of: word)
        guard ending > 0 else { return n }
        let rest = n - ending
        // shipp- from shipping: the doubled consonant belongs to the ending.
        if ending >= 2, rest > 3, word[rest - 1] == word[rest - 2], !isVowel(word[rest - 1]) { return rest - 1 }
        return rest
    }

    /// Returns the length of the longest ending that leaves a stem of at least three or four letters, depending on the
    /// ending.
    ///
    /// The endings are grouped by last letter, because most words have none.
    @inline(__always)
    private static func endingLength(of word: UnsafeBufferPointer<UInt8>) -> Int {
        func ends(_ ending: StaticString, _ least: Int) -> Bool {
            let count = ending.utf8CodeUnitCount
            let rest = word.count - count
            guard rest >= least else { return false }
            for k in 0..<count where word[rest + k] != ending.utf8Start[k] { return false }
            return true
        }
        switch word[word.count - 1] {
        case UInt8(ascii: "s"):
            if ends("aciones", 4) { return 7 }
            if ends("ations", 4) { return 6 }
            if ends("acoes", 4) || ends("ments", 4) { return 5 }
            if ends("ings", 3) { return 4 }
            if ends("ies", 3) || ends("ers", 4) { return 3 }
            if ends("es", 4) || ends("as", 4) || ends("os", 4) || ends("is", 4) { return 2 }
            return ends("s", 3) ? 1 : 0
        case UInt8(ascii: "n"):
            if ends("ationen", 4) { return 7 }
            if ends("acion", 4) || ends("ation", 4) || ends("ungen", 4) { return 5 }
            if ends("ern", 4) { return 3 }
            return ends("en", 4) ? 2 : 0
        case UInt8(ascii: "e"):
            if ends("azione", 4) { return 6 }
            if ends("mente", 4) { return 5 }
            return ends("e", 4) ? 1 : 0
        case UInt8(ascii: "i"):
            if ends("azioni", 4) { return 6 }
            return ends("i", 4) ? 1 : 0
        case UInt8(ascii: "o"):
            if ends("iendo", 4) { return 5 }
            if ends("acao", 4) || ends("ando", 4) || ends("endo", 4) || ends("indo", 4) { return 4 }
            return ends("o", 4) ? 1 : 0
        case UInt8(ascii: "g"):
            if ends("ung", 4) || ends("ing", 3) { return 3 }
            return 0
        case UInt8(ascii: "t"): return ends("ment", 4) ? 4 : 0
        case UInt8(ascii: "d"): return ends("ed", 3) ? 2 : 0
        case UInt8(ascii: "r"): return ends("er", 4) || ends("ar", 4) || ends("ir", 4) ? 2 : 0
        case UInt8(ascii: "m"): return ends("em", 4) ? 2 : 0
        case UInt8(ascii: "a"): return ends("a", 4) ? 1 : 0
        case UInt8(ascii: "y"): return ends("y", 3) ? 1 : 0
        default: return 0
        }
    }

    private static func isVowel(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x61, 0x65, 0x69, 0x6F, 0x75: true
        default: false
        }
    }
}
