/// Strips the endings that Latin-script languages put on words, so that `shipping`, `ships` and `shipped` meet.
///
/// It is one small set of endings for English, Spanish, Portuguese, French, Italian and German together: library and
/// messages go through the same one, so it only has to be consistent, not right.
enum FAQStemmer {
    /// Endings by their last letter, a–z, the longest first.
    private static let endings: [[(suffix: [UInt8], least: Int)]] = {
        let all: [(String, Int)] = [
            ("aciones", 4), ("ations", 4), ("ationen", 4), ("acion", 4), ("acoes", 4), ("ation", 4), ("azione", 4),
            ("azioni", 4), ("acao", 4), ("iendo", 4), ("ando", 4), ("endo", 4), ("indo", 4), ("ungen", 4), ("mente", 4),
            ("ments", 4), ("ings", 3), ("ung", 4), ("ing", 3), ("ment", 4), ("ies", 3), ("ers", 4), ("ern", 4),
            ("ed", 3),
            ("es", 4), ("er", 4), ("en", 4), ("ar", 4), ("ir", 4), ("as", 4), ("os", 4), ("is", 4), ("em", 4), ("s", 3),
            ("e", 4), ("a", 4), ("o", 4), ("i", 4), ("y", 3),
        ]
        var result = [[(suffix: [UInt8], least: Int)]](repeating: [], count: 26)
        for (ending, least) in all {
            let bytes = Array(ending.utf8)
            result[Int(bytes[bytes.count - 1] - 0x61)].append((bytes, least))
        }
        return result
    }()

    /// Length of the stem of a folded ASCII word; the word's own length where nothing is stripped.
    static func length(of word: UnsafeBufferPointer<UInt8>) -> Int {
        let n = word.count
        guard n >= 4, word[n - 1] >= 0x61, word[n - 1] <= 0x7A else { return n }
        for (suffix, least) in endings[Int(word[n - 1] - 0x61)] {
            let rest = n - suffix.count
            guard rest >= least else { continue }
            var same = true
            for k in 0..<suffix.count where word[rest + k] != suffix[k] {
                same = false
                break
            }
            guard same else { continue }
            // shipp- from shipping: the doubled consonant belongs to the ending.
            if rest > 3, word[rest - 1] == word[rest - 2], suffix.count >= 2, !isVowel(word[rest - 1]) {
                return rest - 1
            }
            return rest
        }
        return n
    }

    private static func isVowel(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x61, 0x65, 0x69, 0x6F, 0x75: true
        default: false
        }
    }
}
