package import TriageCore

/// Extracts from an annotated batch the features that ``ModelStage`` would weigh.
package struct FeatureReader: Sendable {
    private let rules: RuleLogits
    /// For each signal: whether it depends on the sender's reach.
    private let isOfReach: [Bool]

    package init(rules: RuleSet) {
        self.rules = RuleLogits(rules: rules)
        let detectors: [DetectorName] = [
            .senderVerified, .senderFollowers10k, .senderFollowersMid, .senderFollowersLow,
        ]
        isOfReach = rules.signals.map { signal in
            detectors.contains { signal.trigger == .detector($0.rawValue) }
        }
    }

    /// Returns the features of one record; nil when it has no text.
    ///
    /// - Parameter hidesReach: reads it as if the sender's follower count and verification were unknown.
    package func features(of index: Int, in batch: inout Batch, hidesReach: Bool = false) -> TextFeatures? {
        var features: TextFeatures?
        batch.withAnswerView { view in
            guard let first = view.records.baseAddress, view.records.indices.contains(index) else { return }
            features = read(first + index, view, hidesReach)
        }
        return features
    }

    private func read(_ record: UnsafePointer<Record>, _ view: AnswerView, _ hidesReach: Bool) -> TextFeatures? {
        let folded = record.pointee.folded
        guard record.pointee.isAsked, folded.span.count > 0 else { return nil }
        var features = TextFeatures()
        let text = UnsafeBufferPointer(rebasing: view.folded[folded.span.range])
        var walk = TextWalk(text: text, tokens: UnsafeBufferPointer(rebasing: view.tokens[folded.tokens]))
        walk.run(
            word: { token, before in
                features.hashes.append(TextFeature.word(token.hash))
                features.hashes.append(TextFeature.pair(before, token.hash))
                guard token.flags.contains(.letters) else { return }
                let word = UnsafeBufferPointer(
                    rebasing: text[Int(token.start)..<Int(token.start) + Int(token.count)])
                TextFeature.forEachPiece(of: word) { features.hashes.append($0) }
            },
            sign: { feature, _ in features.hashes.append(feature) })
        features.share = TextWalk.share(mass: walk.mass)
        let selection = HitSelection(signals: isOfReach.count)
        defer { withExtendedLifetime(selection) {} }
        for hit in selection.select(from: view.hits(of: record)) where !(hidesReach && isOfReach[Int(hit.signal)]) {
            features.signals.append(hit.signal)
            features.rules += rules.weights[Int(hit.signal)]
        }
        FactReader.forEach(record, length: walk.length, view.arena) { fact in
            if !hidesReach || !fact.isOfReach { features.facts.append(fact) }
        }
        if hidesReach { features.facts.append(.followersUnknown) }
        features.rules[ModelLane.positive.rawValue] = record.pointee.feelings.positive
        features.rules[ModelLane.negative.rawValue] = record.pointee.feelings.negative
        return features
    }
}

/// Reads the ``ModelFact``s of a message.
enum FactReader {
    /// Calls `visit` with each fact.
    ///
    /// - Parameter length: length of the text as in ``TextWalk/length``; repeating one thing forty times does not make
    ///   a message long.
    @inline(__always)
    static func forEach(
        _ record: UnsafePointer<Record>, length: Int, _ arena: UnsafeBufferPointer<UInt8>, _ visit: (ModelFact) -> Void
    ) {
        visit(self.length(length))
        visit(reach(record.pointee.fields.followers))
        if record.pointee.fields.isVerified == true { visit(.verified) }
        let handle = arena[record.pointee.fields.senderHandle.range]
        // After the first character, because many handles are written with an at sign.
        if handle.dropFirst().contains(0x40) { visit(.mailHandle) }
        if record.pointee.folded.shape.questionMarks > 0 { visit(.question) }
        if record.pointee.fields.replyTo.isPresent { visit(.isReply) }
    }

    private static func length(_ bytes: Int) -> ModelFact {
        switch bytes {
        case ..<16: bytes < 8 ? .length8 : .length16
        case ..<64: bytes < 32 ? .length32 : .length64
        case ..<256: bytes < 128 ? .length128 : .length256
        case ..<512: .length512
        default: .lengthMore
        }
    }

    private static func reach(_ followers: Int64?) -> ModelFact {
        switch followers {
        case nil: .followersUnknown
        case .some(..<100): .followers100
        case .some(..<1_000): .followers1k
        case .some(..<10_000): .followers10k
        case .some(..<100_000): .followers100k
        case .some: .followersMore
        }
    }
}

/// What the rules say about a message, in the lanes of the model.
struct RuleLogits {
    /// What a hit of each signal adds, apart from sentiment, which depends on the context of the words.
    let weights: [SIMD8<Float>]

    init(rules: RuleSet) {
        weights = rules.signals.map { signal in
            let feeds = signal.feeds
            var weights = SIMD8<Float>(repeating: 0)
            if feeds.feedsCategory {
                let mean = (feeds.category[0] + feeds.category[1] + feeds.category[2]) / 3
                for lane in 0..<3 { weights[lane] = feeds.category[lane] - mean }
            }
            weights[ModelLane.urgent.rawValue] = feeds.urgent
            weights[ModelLane.injection.rawValue] = feeds.injection
            return weights
        }
    }
}

/// Selects the hits of a message that the model weighs: the first uncovered hit of each signal.
///
/// Ten laughing faces are ten hits of one signal; added up, they would outweigh everything else.
///
/// Only one batch at a time may use it.
final class HitSelection {
    /// For each signal: whether it occurred in the current message.
    private let isThere: UnsafeMutablePointer<Bool>
    private var chosen: UnsafeMutablePointer<SignalHit>
    private var room = 256

    /// Creates a selection.
    ///
    /// - Parameter signals: number of signals.
    init(signals: Int) {
        isThere = .allocate(capacity: max(1, signals))
        isThere.initialize(repeating: false, count: max(1, signals))
        chosen = .allocate(capacity: room)
    }

    deinit {
        isThere.deallocate()
        chosen.deallocate()
    }

    /// Returns the hits that count, in order; valid until the next call.
    @inline(__always)
    func select(from hits: UnsafeBufferPointer<SignalHit>) -> UnsafeBufferPointer<SignalHit> {
        if hits.count > room { grow(to: hits.count) }
        var found = 0
        for hit in hits {
            guard !hit.isCovered, !isThere[Int(hit.signal)] else { continue }
            isThere[Int(hit.signal)] = true
            chosen[found] = hit
            found &+= 1
        }
        for hit in hits { isThere[Int(hit.signal)] = false }
        return UnsafeBufferPointer(start: chosen, count: found)
    }

    @inline(never)
    private func grow(to count: Int) {
        chosen.deallocate()
        room = 2 * count
        chosen = .allocate(capacity: room)
    }
}
