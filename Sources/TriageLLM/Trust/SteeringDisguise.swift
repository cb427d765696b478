/// Ways of writing words so that a list of words misses them, turned back.
enum SteeringDisguise {
    private static let letters: [Unicode.Scalar: Unicode.Scalar] = [
        "0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b", "@": "a", "$": "s",
    ]

    /// The text with digits turned into letters in words of both, such as "1gn0r3"; nil when there are no two of them.
    static func unleeted(_ text: String) -> String? {
        var out = String.UnicodeScalarView()
        var word: [Unicode.Scalar] = []
        var turned = 0
        func close() {
            // "v2", "8k" and "90s" are no words in disguise: a digit stands between letters, or two stand apart.
            let digits = word.count { letters[$0] != nil }
            let inside = word.indices.dropFirst().dropLast().contains {
                letters[word[$0]] != nil && Text.isASCIILetter(word[$0 - 1]) && Text.isASCIILetter(word[$0 + 1])
            }
            if inside || digits >= 2 && 2 * digits < word.count {
                turned += 1
                out.append(contentsOf: word.map { letters[$0] ?? $0 })
            } else {
                out.append(contentsOf: word)
            }
            word = []
        }
        for scalar in text.unicodeScalars {
            if Text.isASCIILetter(scalar) || letters[scalar] != nil {
                word.append(scalar)
            } else {
                close()
                out.append(scalar)
            }
        }
        close()
        return turned >= 2 ? String(out) : nil
    }
}
