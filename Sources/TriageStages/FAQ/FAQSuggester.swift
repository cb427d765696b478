import TriageCore

/// Groups questions that no entry answers by what they ask, one message after another.
///
/// A question joins the most similar group or starts a new one. Memory is bounded: if there are too many groups, half
/// are dropped, first those asked in the fewest messages, and among these the oldest; ``isPruned`` tells so. The same
/// messages in the same order give the same groups.
package struct FAQSuggester: Sendable {
    /// A question that several people asked.
    package struct Suggestion: Sendable, Equatable {
        /// The wording that is most similar to all the others.
        package var question: String
        /// Other wordings, most typical first.
        package var wordings: [String]
        package var messages: Int
        package var senders: Int
        /// Tags of ``LanguageTable``, most frequent first.
        package var languages: [String]
        /// Ids of the first messages that ask it.
        package var ids: [String]
    }

    /// Maximum number of groups kept at a time.
    package static let groupLimit = 8192
    /// Similarity from which two questions count as the same.
    static let nearness: Float = 0.62
    private static let sampleLimit = 8
    private static let idLimit = 5
    private static let topicLimit = 24
    private static let senderLimit = 4096
    /// Topics that occur in more groups than this tell nothing.
    private static let commonLimit = 1024

    private struct Group: Sendable {
        var topics: FAQQuestions.Topics
        var sum: [UInt64: Float]
        var samples: [(text: String, topics: FAQQuestions.Topics)]
        var messages = 0
        var senders: Set<UInt64> = []
        var languages: [UInt8: Int] = [:]
        var ids: [String] = []
        var lastMessage = -1
        var born: Int
    }

    private let reader = FAQQuestions()
    private var groups: [Group] = []
    private var places: [UInt64: [Int32]] = [:]
    private var number = 0
    /// Number of questions that were put into a group.
    package private(set) var questions = 0
    /// Whether groups were dropped for lack of room.
    package private(set) var isPruned = false

    package init() {}

    /// Adds the questions of one message.
    ///
    /// - Parameters:
    ///   - language: index into ``LanguageTable/tags``.
    ///   - sender: identifies the sender; nil: an unknown one.
    ///   - id: the id of the message.
    package mutating func add(_ text: String, language: UInt8, sender: String?, id: String) {
        number += 1
        let who = sender.map { TextFolder.hash(Array($0.utf8)) } ?? UInt64(number) | 1 << 63
        for question in reader.questions(in: text) {
            let topics = reader.topics(of: question, language: language)
            guard topics.words >= 1, topics.weights.count >= 2 else { continue }
            let place = nearest(topics) ?? begin(topics)
            questions += 1
            join(place, question, topics, language, who, id)
        }
    }

    private func nearest(_ topics: FAQQuestions.Topics) -> Int? {
        var sums: [Int32: Float] = [:]
        for (id, weight) in topics.weights {
            guard let list = places[id], list.count <= Self.commonLimit else { continue }
            for place in list { sums[place, default: 0] += weight }
        }
        var best: (place: Int, similarity: Float)?
        for (place, _) in sums.filter({ $0.value >= 0.5 }).sorted(by: { $0.key < $1.key }) {
            let similarity = groups[Int(place)].topics.similarity(to: topics)
            if similarity >= Self.nearness, similarity > best?.similarity ?? 0 { best = (Int(place), similarity) }
        }
        return best?.place
    }

    private mutating func begin(_ topics: FAQQuestions.Topics) -> Int {
        if groups.count >= Self.groupLimit { prune() }
        groups.append(Group(topics: topics, sum: [:], samples: [], born: number))
        for (id, _) in topics.weights { places[id, default: []].append(Int32(groups.count - 1)) }
        return groups.count - 1
    }

    private mutating func join(
        _ place: Int, _ question: String, _ topics: FAQQuestions.Topics, _ language: UInt8, _ sender: UInt64,
        _ id: String
    ) {
        for (topic, weight) in topics.weights
        where groups[place].sum[topic] != nil || groups[place].sum.count < Self.topicLimit {
            groups[place].sum[topic, default: 0] += weight
        }
        if groups[place].samples.count < Self.sampleLimit,
            !groups[place].samples.contains(where: { $0.text == question })
        {
            groups[place].samples.append((question, topics))
        }
        // A message that asks it twice counts once.
        guard groups[place].lastMessage != number else { return }
        groups[place].lastMessage = number
        groups[place].messages += 1
        groups[place].languages[language, default: 0] += 1
        if groups[place].senders.count < Self.senderLimit { groups[place].senders.insert(sender) }
        if groups[place].ids.count < Self.idLimit, !id.isEmpty { groups[place].ids.append(id) }
    }

    /// Drops half of the groups: those with the fewest messages, the oldest first.
    private mutating func prune() {
        isPruned = true
        let kept = groups.indices.sorted {
            (groups[$0].messages, groups[$0].born) > (groups[$1].messages, groups[$1].born)
        }.prefix(Self.groupLimit / 2).sorted()
        groups = kept.map { groups[$0] }
        places.removeAll(keepingCapacity: true)
        for (place, group) in groups.enumerated() {
            for (id, _) in group.topics.weights { places[id, default: []].append(Int32(place)) }
        }
    }

    /// Returns the groups, those with the most senders first.
    ///
    /// - Parameter minimum: minimum number of senders that asked.
    package func suggestions(minimum: Int) -> [Suggestion] {
        groups.filter { $0.senders.count >= minimum }
            .sorted { ($0.senders.count, $0.messages, -$0.born) > ($1.senders.count, $1.messages, -$1.born) }
            .map(Self.suggestion)
    }

    // In one expression with the above, the compiler takes twenty seconds for it.
    private static func suggestion(_ group: Group) -> Suggestion {
        let likeness = group.samples.map { typical($0, of: group) }
        let ranked = group.samples.indices.sorted { (one: Int, other: Int) -> Bool in
            likeness[one] != likeness[other] ? likeness[one] > likeness[other] : one < other
        }
        let wordings = ranked.map { group.samples[$0].text }
        let languages = group.languages.sorted { ($0.value, $1.key) > ($1.value, $0.key) }
        return Suggestion(
            question: wordings.first ?? "", wordings: Array(wordings.dropFirst()), messages: group.messages,
            senders: group.senders.count,
            languages: languages.map { LanguageTable.tags[Int($0.key) < LanguageTable.tags.count ? Int($0.key) : 0] },
            ids: group.ids)
    }

    /// Returns how similar a wording is to its group; long wordings are penalised because they do not suit a list.
    private static func typical(_ sample: (text: String, topics: FAQQuestions.Topics), of group: Group) -> Float {
        let sum = sample.topics.weights.reduce(Float(0)) { $0 + $1.weight * (group.sum[$1.id] ?? 0) }
        return sum / Float(max(1, group.messages)) - Float(max(0, sample.text.utf8.count - 80)) / 400
    }
}
