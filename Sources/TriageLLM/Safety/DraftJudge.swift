/// A linear classifier that judges whether a draft says what only the creator may say.
///
/// Its features are words, word sequences and parts of words. Rules find what somebody thought of; this finds similar
/// wording too, and recognizes what only sounds like it: thanks, questions, refusals. `Tests/Benchmarks/drafts.py`
/// trains the weights on labelled drafts. All sums use integers, so the order of features makes no difference.
///
/// The file starts with `TDJ1`. Then come six 32-bit values: the number of bits of a feature's index and, as floats,
/// the value of a weight of 1, the bias, the share of a sentence beside its draft, the value of a rule that fires, and
/// the threshold. Then, for each feature, come its rarity (0: unknown) and its weight, with 8 bits each.
package struct DraftJudge: Sendable {
    private static let magic = Array("TDJ1".utf8)
    private static let header = 28
    /// The number of characters of a word that are used.
    private static let wordLimit = 40

    private var rarities: [UInt8] = []
    private var weights: [Int8] = []
    private var unit: Float = 0
    private var bias: Float = 0
    private var share: Float = 0
    private var rule: Float = 0
    private var threshold: Float = 0

    /// A judge that knows no words and leaves everything to the rules.
    package init() {}

    /// - Parameter bytes: a file of weights; anything else gives a judge that knows no words.
    package init(_ bytes: [UInt8]) {
        func number(_ index: Int) -> UInt32 {
            (0..<4).reduce(0) { $0 | UInt32(bytes[4 * index + $1]) << UInt32(8 * $1) }
        }
        guard bytes.count > Self.header, Array(bytes.prefix(4)) == Self.magic, (4...24).contains(number(1)) else {
            return
        }
        let count = 1 << Int(number(1))
        guard bytes.count == Self.header + 2 * count else { return }
        unit = Float(bitPattern: number(2))
        bias = Float(bitPattern: number(3))
        share = Float(bitPattern: number(4))
        rule = Float(bitPattern: number(5))
        threshold = Float(bitPattern: number(6))
        rarities = Array(bytes[Self.header..<Self.header + count])
        weights = bytes[(Self.header + count)...].map { Int8(bitPattern: $0) }
    }

    /// Whether a draft is refused.
    ///
    /// Each sentence is scored together with the whole draft, and with whether a rule fires in it. One refused sentence
    /// refuses the draft, so kind words around a promise do not hide it.
    ///
    /// - Parameter speaking: for each sentence, whether a rule fires. A judge that does not know the words relies on
    ///   this alone.
    /// - Parameter onlyWhereRulesSpeak: whether words alone refuse nothing.
    func refuses(_ text: String, speaking: [Bool], onlyWhereRulesSpeak: Bool = false) -> Bool {
        guard !rarities.isEmpty else { return speaking.contains(true) }
        let sentences = PhraseText.sentences(of: text).map { Self.tokens($0.words, isQuestion: $0.isQuestion) }
        guard knows(sentences) else { return speaking.contains(true) }
        // However kind the rest of the draft is, it compensates for one bad sentence only this much.
        let whole = max(score(sentences.joined()), -Self.kindest)
        return zip(sentences, speaking).contains { sentence, speaks in
            (speaks || !onlyWhereRulesSpeak)
                && (1 - share) * whole + share * score(sentence) + (speaks ? rule : 0) > threshold
        }
    }

    /// The same value as in `Tests/Benchmarks/drafts.py`.
    private static let kindest: Float = 0.5

    /// Whether at least half of the words occurred in the training data.
    private func knows(_ sentences: [[String]]) -> Bool {
        var (known, all) = (0, 0)
        for word in sentences.joined() where word.unicodeScalars.contains(where: Text.isAlphabetic) {
            all += 1
            if knows(word) { known += 1 }
        }
        return all > 0 && 2 * known >= all
    }

    /// Features share hash buckets, so an unknown word may seem known; its long parts show that it is not.
    private func knows(_ word: String) -> Bool {
        guard rarities[place("1 " + word)] > 0 else { return false }
        let scalars = Array((" " + String(word.prefix(Self.wordLimit)) + " ").unicodeScalars)
        return (4...5).allSatisfy { length in
            length > scalars.count
                || (0...(scalars.count - length)).allSatisfy {
                    rarities[place("c" + Text.string(scalars[$0..<$0 + length]))] > 0
                }
        }
    }

    private static func tokens(_ words: [PhraseWord], isQuestion: Bool) -> [String] {
        words.map { $0.isDigits ? "0" : $0.folded } + [isQuestion ? "?" : "."]
    }

    private func place(_ feature: String) -> Int {
        var hash: UInt32 = 2_166_136_261
        for byte in feature.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        return Int(hash ^ hash >> 15) & (rarities.count - 1)
    }

    private func score(_ tokens: some Sequence<String>) -> Float {
        let tokens = Array(tokens)
        var rows: Set<Int> = []
        var parts: Set<Int> = []
        for start in tokens.indices {
            for length in 1...3 where start + length <= tokens.count {
                rows.insert(place("\(length) " + tokens[start..<start + length].joined(separator: " ")))
            }
            let word = tokens[start]
            if word == "," || word == "." { continue }
            let scalars = Array((" " + String(word.prefix(Self.wordLimit)) + " ").unicodeScalars)
            for length in 2...5 where length <= scalars.count {
                for begin in 0...(scalars.count - length) {
                    parts.insert(place("c" + Text.string(scalars[begin..<begin + length])))
                }
            }
        }
        return bias + unit * (direction(rows) + direction(parts))
    }

    /// How strongly features indicate a promise, regardless of their number.
    private func direction(_ features: Set<Int>) -> Float {
        var (sum, squares) = (0, 0)
        for feature in features {
            let rarity = Int(rarities[feature])
            sum += rarity * Int(weights[feature])
            squares += rarity * rarity
        }
        return squares == 0 ? 0 : Float(sum) / Float(squares).squareRoot()
    }
}
