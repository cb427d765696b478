internal import TriageCore

/// What the rules say about a message, in the lanes of the model.
struct RuleLogits {
    /// What a hit of each signal adds, before the feeling of the words, which depends on what stands around them.
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
