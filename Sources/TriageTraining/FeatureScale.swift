#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What each column is multiplied by before it is weighed: rare words more than common ones (inverse document
/// frequency), and nothing for what only one message has, from which nothing can be learned.
struct FeatureScale {
    /// By column; those of signals, facts and rules are 1.
    let factors: [Float]

    /// - Parameter examples: those that are learned from.
    init(_ set: TrainingSet, _ examples: [Int]) {
        var frequency = [UInt32](repeating: 0, count: set.signalBase)
        for example in examples {
            for place in set.starts[example]..<set.starts[example + 1] {
                let column = Int(set.columns[place])
                if column < set.signalBase { frequency[column] += 1 }
            }
        }
        var factors = [Float](repeating: 1, count: set.width)
        let all = Float(1 + examples.count)
        for column in 0..<set.signalBase {
            // Text columns are about two units long in sum; the constant makes them one.
            factors[column] =
                frequency[column] < 2 ? 0 : (logf(all / Float(1 + frequency[column])) + 1) * Self.textWorth
        }
        self.factors = factors
    }

    /// Brings a text's vector to about unit length, as usual for the penalties of ``ModelTrainer/Options``.
    static let textWorth: Float = 0.08
}
