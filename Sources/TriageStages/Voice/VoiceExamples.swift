package import TriageCore

/// Finds how the creator answered similar messages, as examples for writing in their manner.
///
/// Only sentences of a pair are shown that name nobody and contain no number or address that is missing from the
/// library and the profile, so that nothing private of other people leaks. The names of all senders are recognised
/// however they are written, other names only by their capitals.
package struct VoiceExamples: Sendable {
    /// A message and the reply to it, as far as they may be shown.
    package struct Example: Sendable, Equatable {
        package var asked: String
        package var answered: String
    }

    private struct Known: Sendable {
        var example: Example
        var language: String
        /// The words of the whole message, including parts that are not shown.
        var words: Set<UInt64>
    }

    private var known: [Known] = []
    /// For each word: indices in ``known`` of the messages that contain it.
    private var places: [UInt64: [Int32]] = [:]
    /// For each language: the examples that may be shown, latest first.
    private var latest: [String: [Int32]] = [:]

    /// Maximum number of examples for a message.
    private static let limit = 4
    /// Maximum number of words of a message that are compared.
    private static let wordLimit = 64
    /// Minimum number of words in an example reply: "Hi!" shows nothing.
    private static let leastWords = 3
    /// Number of bytes of a word that are compared.
    private static let wordBytes = 4

    package init(_ voice: Voice, library: FAQLibrary, profile: CreatorProfile) {
        let words = VoiceWords()
        let facts = PublicFacts(library: library, profile: profile)
        let signers = Set((profile.name.split(separator: " ").map(String.init) + profile.handles).map(VoiceText.folded))
        let replies = voice.pairs.map { VoiceLearner.Reply(VoiceLearner.Exchange($0), words.greetings, signers) }
        let crowd = VoiceCrowd(replies, words, facts)
        for reply in replies {
            let asked = VoiceText(
                reply.exchange.asked, greetings: words.greetings, sender: reply.names, names: signers)
            let answered = crowd.impersonal(reply.text.sentences, reply)
            guard answered.split(separator: " ").count >= Self.leastWords else { continue }
            let example = Example(asked: crowd.impersonal(asked.sentences, reply), answered: answered)
            // If nothing of the message may be shown, the reply teaches nothing about what it answers.
            guard !example.asked.isEmpty else { continue }
            let place = Int32(known.count)
            let own = Self.words(of: reply.exchange.asked)
            known.append(Known(example: example, language: reply.exchange.language, words: own))
            for word in own { places[word, default: []].append(place) }
        }
        for (place, entry) in known.enumerated().reversed() where latest[entry.language, default: []].count < Self.limit
        {
            latest[entry.language, default: []].append(Int32(place))
        }
    }

    /// Returns the nearest examples, best first, at most four, without repeating a reply.
    ///
    /// Messages are compared by their common words, with more weight for rare ones; examples in the message's language
    /// come first. If there are fewer than four, the latest in the message's language follow, because they show the
    /// manner if not the matter.
    package func nearest(to text: String, language: String) -> [Example] {
        let own = Self.words(of: text)
        var scores: [Int32: Double] = [:]
        // In a fixed order, so that sums have the same bits in every run.
        for word in own.sorted() {
            guard let holders = places[word] else { continue }
            let weight = FAQIndex.log(Float(known.count + 1) / Float(holders.count))
            for place in holders { scores[place, default: 0] += Double(weight) }
        }
        let order = scores.map { place, score in
            let entry = known[Int(place)]
            let length = Double(max(1, entry.words.count) * max(1, own.count)).squareRoot()
            return (place: place, isOwn: entry.language == language, score: score / length)
        }.sorted { ($1.isOwn ? 1 : 0, $1.score, $0.place) < ($0.isOwn ? 1 : 0, $0.score, $1.place) }
        var shown: Set<String> = []
        var best: [Example] = []
        for place in order.map(\.place) + (latest[language] ?? []) where best.count < Self.limit {
            let example = known[Int(place)].example
            if shown.insert(example.answered).inserted { best.append(example) }
        }
        return best
    }

    private static func words(of text: String) -> Set<UInt64> {
        Set(TextFolder().words(text).prefix(wordLimit).filter { $0.count >= wordBytes }.map { TextFolder.hash($0) })
    }
}
