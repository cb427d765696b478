package import TriageCore

/// Finds how the creator answered messages like one, as examples for who writes in their manner.
///
/// Of a pair only those sentences are shown that name nobody, and no number or address that the library and the profile do
/// not hold: what somebody else wrote or was told stays where it is. The names of all senders are known however they are
/// written, those of others only by their capitals.
package struct VoiceExamples: Sendable {
    /// A message and the reply to it, as far as they may be shown.
    package struct Example: Sendable, Equatable {
        package var asked: String
        package var answered: String
    }

    private struct Known: Sendable {
        var example: Example
        var language: String
        /// Words of the whole message, whatever of it is shown.
        var words: Set<UInt64>
    }

    private var known: [Known] = []
    /// By word: places in ``known`` of the messages that hold it.
    private var places: [UInt64: [Int32]] = [:]
    /// By language: the latest that may be shown, latest first.
    private var latest: [String: [Int32]] = [:]

    /// Examples for one message.
    private static let limit = 4
    /// Words of a message that are compared.
    private static let wordLimit = 64
    /// Words of a reply that shows how somebody writes: "Hi!" shows nothing.
    private static let leastWords = 3
    /// Bytes of a word that tells messages apart.
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
            // Words that were said in answer to anything teach nothing about what they answer.
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

    /// The nearest, best first, at most four, no reply twice.
    ///
    /// Compared are the words that both messages have, rare ones counting more; those in the message's language come before
    /// others. Where there are fewer than four, the latest in the message's language follow: they show the manner if not the
    /// matter.
    package func nearest(to text: String, language: String) -> [Example] {
        let own = Self.words(of: text)
        var scores: [Int32: Double] = [:]
        // In one order, so that sums have the same bits in every run.
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
