internal import Synchronization
package import TriageCore

/// Tells what business messages are about (``MatterHeads``), for the words of drafts.
///
/// Reads the vector and what the rules found; writes `matter` of business messages that the encoder read, and leaves it nil
/// elsewhere. Stands before the stages that refine sentiment and urgency by the same vector, because its weights were fitted so.
package struct MatterStage: LocalStage {
    package let name = "matter.encoder"
    package let reads: Set<Field> = [
        .fields, .facts, .thread, .category, .sentiment, .urgency, .injection, .sentence,
    ]
    package let writes: Set<Field> = [.matter]

    /// By index of the rules' table: place in ``MatterHeads/rules``.
    private let places: [Int?]
    private let topics: Topics
    /// Excluded topics that are known by name: places in ``TopicHeads/topics``.
    private let namedTopics: [Int]

    /// Of excluded topics, and of niches, no more are read.
    private static let mostTopics = 32

    /// The profile's topics, read when the first message asks.
    private final class Topics: Sendable {
        let excluded: [String]
        let niches: [String]
        private let read = Mutex<(excluded: [[Float]], niches: [[Float]])?>(nil)

        init(_ profile: CreatorProfile) {
            excluded = Array(profile.excludedTopics.prefix(MatterStage.mostTopics))
            niches = Array(profile.niches.prefix(MatterStage.mostTopics))
        }

        func vectors(_ encoder: SentenceEncoder, _ heads: MatterHeads) -> (excluded: [[Float]], niches: [[Float]]) {
            read.withLock { read in
                if let read { return read }
                let points = heads.pointed(topics: encoder.vectors(of: (excluded + niches).map { Array($0.utf8) }))
                let found = (Array(points.prefix(excluded.count)), Array(points.dropFirst(excluded.count)))
                read = found
                return found
            }
        }
    }

    package init(rules: RuleSet, profile: CreatorProfile) {
        places = rules.kinds.map { kind in MatterHeads.rules.firstIndex(of: kind.id) }
        topics = Topics(profile)
        namedTopics = CreatorWords.excludedTopics(of: profile).compactMap { TopicHeads.topics.firstIndex(of: $0) }
            .sorted()
    }

    package func annotate(_ batch: inout Batch) {
        guard let heads = MatterHeads.shipped else { return }
        for index in batch.records.indices {
            guard batch.records[index].category?.label == .business,
                let sentence = batch.sentence(of: batch.records[index]), let encoder = SentenceEncoder.shipped
            else { continue }
            let text = batch.arena[batch.records[index].fields.text.range]
            let bytes = Array(text)
            let rule = Int(batch.records[index].facts.kind)
            let found = withUnsafePointer(to: batch.records[index]) { record in
                MatterHeads.Found(
                    record, rule: places.indices.contains(rule) ? places[rule] : nil,
                    text: bytes[FAQSpans.whole(of: bytes)])
            }
            guard let found else { continue }
            let point = heads.pointed(sentence)
            let (excluded, niches) = topics.vectors(encoder, heads)
            let nearness = MatterHeads.Nearness(
                excluded: Self.nearest(point, excluded), niche: Self.nearest(point, niches))
            var matter = heads.answer(found, nearness, sentence)
            if !namedTopics.isEmpty, let named = TopicHeads.shipped {
                matter.excluded = max(
                    matter.excluded, TopicHeads.weight * named.share(of: namedTopics, sentence))
            }
            batch.records[index].matter = matter
        }
    }

    private static func nearest(_ point: [Float], _ topics: [[Float]]) -> Float {
        topics.map { topic in zip(topic, point).reduce(Float(0)) { $0 + $1.0 * $1.1 } }.max() ?? 0
    }
}
