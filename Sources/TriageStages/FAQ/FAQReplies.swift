package import TriageCore

/// Finds the FAQ entry that a creator's own reply repeats: what they write to one person is what the entry tells
/// everybody, in nearly the same words.
///
/// It uses the cosine of words, weighted by how few entries contain them. Names, numbers and addresses count as words,
/// too, because they distinguish answers.
package struct FAQReplies: Sendable {
    /// Minimum number of words that a reply shares with an entry, minimum similarity, and minimum lead over any other
    /// entry.
    ///
    /// Chosen by reading the replies to three creators' messages, so that hardly any entry found says something else.
    private static let sharedWords = 5
    private static let likeness: Float = 0.45
    private static let lead: Float = 0.3
    /// Number of bytes of a word that count, so that most endings do not.
    private static let wordBytes = 6
    private static let leastBytes = 3
    /// Maximum number of words of a text that are read.
    private static let wordLimit = 400

    private var entriesOf: [UInt64: [Int]] = [:]
    private var lengths: [Float]
    private let count: Int

    /// Indexes a library.
    ///
    /// - Parameter library: its answers and questions are compared with replies.
    package init(_ library: FAQLibrary) {
        count = library.entries.count
        lengths = Array(repeating: 0, count: count)
        for (number, entry) in library.entries.enumerated() {
            for word in Self.words(entry.answer + " " + entry.question) { entriesOf[word, default: []].append(number) }
        }
        // In a fixed order, so that the same library gives the same bits.
        for word in entriesOf.keys.sorted() {
            let weight = weight(of: word)
            for entry in entriesOf[word] ?? [] { lengths[entry] += weight * weight }
        }
    }

    /// Returns the entry that a reply repeats; nil when there is none, or more than one.
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

    /// Returns each word once, sorted by hash.
    private static func words(_ text: String) -> [UInt64] {
        let words = TextFolder().words(text).prefix(wordLimit).filter { $0.count >= leastBytes }
        return Set(words.map { TextFolder.hash(Array($0.prefix(wordBytes))) }).sorted()
    }
}
