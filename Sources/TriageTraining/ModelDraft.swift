import TriageCore

/// A model in full precision while its heads are learned.
struct ModelDraft: Sendable {
    private let set: TrainingSet
    /// Weights in units of the set's values: one vector for each column.
    private var weights: [SIMD8<Float>]
    private var bias = SIMD8<Float>(repeating: 0)
    private let isEmpty: Bool
    var urgentThreshold: Float = 0.5
    var injectionThreshold: Float = 0.5

    init(_ set: TrainingSet, base: StatisticalModel?) {
        self.set = set
        weights = Array(repeating: SIMD8(repeating: 0), count: set.width)
        isEmpty = base == nil
        guard let base else { return }
        for bucket in base.rows.indices { weights[bucket] = SIMD8<Float>(base.rows[bucket]) * base.scale }
        for (index, name) in set.signals.enumerated() {
            weights[set.signalBase + index] = (base.signals[name] ?? SIMD8(repeating: 0)) / TrainingSet.otherWorth
        }
        for fact in base.facts.indices { weights[set.factBase + fact] = base.facts[fact] / TrainingSet.otherWorth }
        for lane in base.rules.indices { weights[set.ruleBase + lane] = base.rules[lane] / TrainingSet.otherWorth }
        bias = base.bias
        urgentThreshold = base.urgentThreshold
        injectionThreshold = base.injectionThreshold
    }

    /// What the base says of an example.
    func logits(_ set: TrainingSet, _ example: Int, _ head: ModelHead) -> SIMD4<Float> {
        guard !isEmpty else { return SIMD4(repeating: 0) }
        var sums = bias
        for place in set.starts[example]..<set.starts[example + 1] {
            sums += set.values[place] * weights[Int(set.columns[place])]
        }
        var logits = SIMD4<Float>(repeating: 0)
        for (index, lane) in head.lanes.enumerated() { logits[index] = sums[lane] }
        return logits
    }

    /// Adds what was learned, and divides the head by its temperature.
    mutating func add(_ learned: LearnedHead, head: ModelHead, temperature: Float) {
        for (index, lane) in head.lanes.enumerated() {
            for column in weights.indices {
                weights[column][lane] =
                    (weights[column][lane] + learned.weights[column * learned.lanes + index]) / temperature
            }
            bias[lane] = (bias[lane] + learned.bias[index]) / temperature
        }
    }

    /// The model, its text weights rounded to a byte each.
    func model() -> StatisticalModel {
        var model = StatisticalModel(bits: set.bits)
        for lane in 0..<8 {
            var greatest: Float = 0
            for bucket in 0..<set.signalBase { greatest = max(greatest, weights[bucket][lane].magnitude) }
            model.scale[lane] = greatest / 127
        }
        for bucket in 0..<set.signalBase {
            for lane in 0..<8 where model.scale[lane] > 0 {
                model.rows[bucket][lane] = Int8((weights[bucket][lane] / model.scale[lane]).rounded())
            }
        }
        for (index, name) in set.signals.enumerated() {
            let weight = weights[set.signalBase + index] * TrainingSet.otherWorth
            if weight != SIMD8(repeating: 0) { model.signals[name] = weight }
        }
        for fact in model.facts.indices { model.facts[fact] = weights[set.factBase + fact] * TrainingSet.otherWorth }
        for lane in model.rules.indices { model.rules[lane] = weights[set.ruleBase + lane] * TrainingSet.otherWorth }
        model.bias = bias
        model.urgentThreshold = urgentThreshold
        model.injectionThreshold = injectionThreshold
        return model
    }
}
