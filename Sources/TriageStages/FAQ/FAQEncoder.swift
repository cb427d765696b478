internal import Synchronization
import TriageCore

/// Finds the entry that answers a message by what both mean, and weighs that with what ``FAQMatcher`` found by words.
///
/// Of each entry: how near its question, its other wordings and its answer are to the nearest sentence of the message, by the
/// encoder as it is (``SentenceEncoder``) and turned (``FAQHeads``), how far it leads, and what the words say. A second
/// model says whether the best one settles the message.
final class FAQEncoder: Sendable {
    /// Entries of a library that is read.
    ///
    /// Smaller ones are matched by words alone, because how far an entry leads the others says too little; larger ones, because
    /// to read them takes longer than their answers are worth.
    static let entryRange = 8...256
    /// Bytes of an answer that are read.
    private static let longestAnswer = 600
    /// Wordings of an entry that are read, and of all entries together, so that the largest library is read in seconds.
    private static let mostWordings = 9
    private static let mostOfAll = 768

    /// What the words found.
    struct Words {
        /// −1: nothing.
        var entry = -1
        var probability: Float = 0
        /// Telling words in common.
        var isSure = false
        var cue: Float = 0
    }

    struct Answer {
        var entry: Int
        var probability: Float
    }

    /// The vectors of one text, as it is and turned.
    private struct Meaning {
        let plain: [Float]
        let turned: [Float]

        init(_ vector: [Float], _ heads: FAQHeads) {
            plain = vector
            turned = heads.turned(vector)
        }
    }

    private struct Entry {
        let wordings: [Meaning]
        let answer: Meaning
    }

    private let library: FAQLibrary
    private let heads: FAQHeads
    /// Read when the first message asks.
    private let entries = Mutex<[Entry]?>(nil)

    /// nil for a library that is too small or too large.
    init?(library: FAQLibrary) {
        guard Self.entryRange.contains(library.entries.count), let heads = FAQHeads.shipped else { return nil }
        (self.library, self.heads) = (library, heads)
    }

    /// nil if memory for the encoder is short.
    ///
    /// - Parameters:
    ///   - text: of the message, as it was written.
    ///   - context: what is known of it; of the best entry nothing is known yet.
    ///   - isTrade: of each entry, as in ``FAQIndex``.
    func answer(
        to text: some RandomAccessCollection<UInt8>, _ words: Words, _ context: FAQModel.Context, isBusiness: Bool,
        isTrade: [Bool]
    ) -> Answer? {
        guard let encoder = SentenceEncoder.shipped else { return nil }
        let entries = readEntries(encoder)
        let bytes = Array(text)
        let spans = encoder.vectors(of: FAQSpans(bytes).ranges.map { Array(bytes[$0]) }).map { Meaning($0, heads) }
        let odds = Self.odds(words)
        let features = Candidates(spans.map(\.plain), entries.map { ($0.wordings.map(\.plain), $0.answer.plain) })
        let turned = Candidates(spans.map(\.turned), entries.map { ($0.wordings.map(\.turned), $0.answer.turned) })
        let candidates = entries.indices.map { entry in
            let isTop: Float = entry == words.entry ? 1 : 0
            return features.values(of: entry) + turned.values(of: entry) + [isTop, isTop * max(-6, min(6, odds))]
        }
        let scores = candidates.map(heads.score)
        var best = 0
        for entry in scores.indices where scores[entry] > scores[best] { best = entry }
        var second = -Float.infinity
        for entry in scores.indices where entry != best { second = max(second, scores[entry]) }
        let powers = scores.map { FAQModel.power($0 - scores[best]) }
        let total = powers.reduce(0, +)
        let spread = powers.reduce(Float(0)) { $0 - $1 / total * FAQIndex.log($1 / total + 1e-9) }
        let isAgreed = words.entry == best
        let asks = spans.map { heads.asks($0.plain) }
        let judged: [Float] = [
            context.category[1], context.category[2], context.isForeign ? 1 : 0, isBusiness && !isTrade[best] ? 1 : 0,
            scores[best], second == -.infinity ? 6 : min(6, scores[best] - second), spread,
            FAQIndex.log(1 + scores.reduce(0) { $0 + FAQModel.power($1) }), context.questions,
            FAQIndex.log(Float(1 + context.bytes)), max(-10, words.cue), context.questions == 0 ? 1 : 0,
            isAgreed ? 1 : 0, isAgreed ? odds : 0, odds, words.entry < 0 ? 1 : 0, words.isSure ? 1 : 0,
        ]
        return Answer(
            entry: best,
            probability: heads.probability(judged + candidates[best] + [asks.max() ?? 0, asks[0]]))
    }

    /// Log-odds that stand for nothing found.
    private static let noOdds: Float = -8

    static func odds(_ words: Words) -> Float {
        guard words.entry >= 0 else { return noOdds }
        let probability = max(1e-4, min(1 - 1e-4, words.probability))
        return FAQIndex.log(probability / (1 - probability))
    }

    private func readEntries(_ encoder: SentenceEncoder) -> [Entry] {
        entries.withLock { entries in
            if let entries { return entries }
            let wordings = max(1, min(Self.mostWordings, Self.mostOfAll / library.entries.count))
            let read = library.entries.map { entry in
                let questions = ([entry.question] + entry.alsoAsked).prefix(wordings).map { Array($0.utf8) }
                let answer = Array(entry.answer.utf8.prefix(Self.longestAnswer))
                let meanings = encoder.vectors(of: [answer] + questions).map { Meaning($0, heads) }
                return Entry(wordings: Array(meanings.dropFirst()), answer: meanings[0])
            }
            entries = read
            return read
        }
    }

    /// How near the entries are to a message, by one kind of vectors.
    private struct Candidates {
        /// Four of each entry: the nearest wording to any sentence, the answer, the nearest wording to the whole, and the mean
        /// of the first two of one sentence.
        private var near: [[Float]]
        private var highest: [Float]
        private var second: [Float]
        private var mean: [Float]
        private static let kinds = 4

        /// - Parameter spans: the whole message first.
        init(_ spans: [[Float]], _ entries: [(wordings: [[Float]], answer: [Float])]) {
            near = entries.map { entry in
                var found = [Float](repeating: -1, count: Self.kinds)
                for (number, span) in spans.enumerated() {
                    let wording = entry.wordings.reduce(Float(-1)) { max($0, Self.cosine($1, span)) }
                    let answer = Self.cosine(entry.answer, span)
                    found[0] = max(found[0], wording)
                    found[1] = max(found[1], answer)
                    if number == 0 { found[2] = wording }
                    found[3] = max(found[3], (wording + answer) / 2)
                }
                return found
            }
            (highest, second, mean) = ([], [], [])
            for kind in 0..<Self.kinds {
                let values = near.map { $0[kind] }.sorted()
                highest.append(values.last ?? 0)
                second.append(values.dropLast().last ?? values.last ?? 0)
                mean.append(values.reduce(0, +) / Float(max(1, values.count)))
            }
        }

        /// All four, by how much each leads the next entry or is behind the first, and how far it is above the mean.
        func values(of entry: Int) -> [Float] {
            let own = near[entry]
            let kinds = 0..<Self.kinds
            return own + kinds.map { own[$0] == highest[$0] ? own[$0] - second[$0] : own[$0] - highest[$0] }
                + kinds.map { own[$0] - mean[$0] }
        }

        private static func cosine(_ a: [Float], _ b: [Float]) -> Float {
            var sums = SIMD8<Float>.zero
            for k in stride(from: 0, to: a.count, by: 8) {
                for n in 0..<8 { sums[n] += a[k + n] * b[k + n] }
            }
            return sums.sum()
        }
    }
}
