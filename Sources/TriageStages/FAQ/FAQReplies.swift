package import TriageCore

/// Which entry a creator's own reply says: what they write to one person is what the entry answers everybody, in nearly the
/// same words.
///
/// By the cosine of words, of which those that few entries have count most. Names, numbers and addresses are words as well:
/// they are what answers are told apart by.
package struct FAQReplies: Sendable {
    /// Words that a reply must share with an entry, how alike they must be, and how much more than any other entry:
    /// chosen by reading the replies to three creators' messages, so that hardly any that is named says something else.
    private static let sharedWords = 5
    private static let likeness: Float = 0.45
    private static let lead: Float = 0.3
    /// Bytes of a word that count, so that most endings do not.
    private static let wordBytes = 6
    private static let leastBytes = 3
    /// Words of one text that are looked at.
    private static let wordLimit = 400

    private var entriesOf: [UInt64: [Int]] = [:]
    private var lengths: [Float]
    private let count: Int

    /// - Parameter library: of whose entries the answers, with the questions, are compared.
    package init(_ library: FAQLibrary) {
        count = library.entries.count
        lengths = Array(repeating: 0, count: count)
        for (number, entry) in library.entries.enumerated() {
            for word in Self.words(entry.answer + " " + entry.question) { entriesOf[word, default: []].append(number) }
        }
        // In one order, so that the same library gives the same bits.
        for word in entriesOf.keys.sorted() {
            let weight = weight(of: word)
            for entry in entriesOf[word] ?? [] { lengths[entry] += weight * weight }
        }
    }

    /// The entry that a reply says; nil: none, or more than one.
    package func entry(saidBy reply: String) -> Int? {
        var sums = [Float](repeating: 0, count: count)
        var shared = [Int](repeating: 0, count: count)
        var length: Float = 0
        for word in Self.words(reply) {
            let weight = weight(of: word)
            length += weight * weight
            for entry in entriesOf[word] ?? [] {
                sums[entry] += weight * weight
                shared[entry] += 1
            }
        }
        let cosines = zip(sums, lengths).map { $0 / max(0.01, ($1 * length).squareRoot()) }
        guard let best = cosines.indices.max(by: { cosines[$0] < cosines[$1] }) else { return nil }
        let next = cosines.indices.filter { $0 != best }.map { cosines[$0] }.max() ?? 0
        let isSaid =
            shared[best] >= Self.sharedWords && cosines[best] >= Self.likeness && cosines[best] - next >= Self.lead
        return isSaid ? best : nil
    }

    private func weight(of word: UInt64) -> Float {
        let all = Float(count + 1)
        return FAQIndex.log(all / Float(max(1, entriesOf[word]?.count ?? 0))) / FAQIndex.log(all)
    }

    /// Each word once, in order of its hash.
    private static func words(_ text: String) -> [UInt64] {
        let words = TextFolder().words(text).prefix(wordLimit).filter { $0.count >= leastBytes }
        return Set(words.map { TextFolder.hash(Array($0.prefix(wordBytes))) }).sorted()
    }
}
