public import TriageCore

/// Reads out of an annotated batch what ``ModelStage`` would weigh.
public struct FeatureReader: Sendable {
    private let rules: RuleLogits
    /// By signal: whether it speaks of the sender's reach.
    private let isOfReach: [Bool]

    public init(rules: RuleSet) {
        self.rules = RuleLogits(rules: rules)
        let detectors: [DetectorName] = [
            .senderVerified, .senderFollowers10k, .senderFollowersMid, .senderFollowersLow,
        ]
        isOfReach = rules.signals.map { signal in
            detectors.contains { signal.trigger == .detector($0.rawValue) }
        }
    }

    /// The features of one record; nil when it has no text.
    ///
    /// - Parameter hidesReach: reads it as if nobody knew how many follow the sender and whether the account is
    ///   verified.
    public func features(of index: Int, in batch: inout Batch, hidesReach: Bool = false) -> TextFeatures? {
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
