public import TriageCore

/// Reads out of an annotated batch what ``ModelStage`` would weigh.
public struct FeatureReader: Sendable {
    private let rules: RuleLogits

    public init(rules: RuleSet) { self.rules = RuleLogits(rules: rules) }

    /// The features of one record; nil when it has no text.
    public func features(of index: Int, in batch: inout Batch) -> TextFeatures? {
        var features: TextFeatures?
        batch.withAnswerView { view in
            guard let first = view.records.baseAddress, view.records.indices.contains(index) else { return }
            features = read(first + index, view)
        }
        return features
    }

    private func read(_ record: UnsafePointer<Record>, _ view: AnswerView) -> TextFeatures? {
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
        for hit in view.hits(of: record) where !hit.isCovered {
            features.signals.append(hit.signal)
            features.rules += rules.weights[Int(hit.signal)]
        }
        FactReader.forEach(record, view.arena) { features.facts.append($0) }
        features.rules[ModelLane.positive.rawValue] = record.pointee.feelings.positive
        features.rules[ModelLane.negative.rawValue] = record.pointee.feelings.negative
        return features
    }
}
