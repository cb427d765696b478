import Platform
import TriageCore

/// What was answered for an example that the answering model had not seen.
struct HeldOutAnswer: Sendable {
    var logits: SIMD4<Float>
    var mask: LabelMask
    var weight: Float
}

/// Chooses the temperature and the threshold of a head from answers to examples that were held out.
struct Calibrator {
    let lanes: Int

    /// The lowest temperature that is looked for.
    private static let coldest: Float = 0.2

    /// What logits are divided by so that the held-out labels are most likely.
    ///
    /// Temperature scaling: Guo, Pleiss, Sun & Weinberger, On Calibration of Modern Neural Networks, 2017.
    func temperature(_ answers: [HeldOutAnswer]) -> Float {
        guard answers.count >= 20 else { return 1 }
        func loss(_ temperature: Float) -> Double {
            answers.reduce(0) { sum, answer in
                sum + Double(answer.weight * HeadLoss.slope(answer.logits / temperature, answer.mask, lanes: lanes).0)
            }
        }
        // Golden section over the logarithm; the loss has one valley there.
        let ratio = (Float(5).squareRoot() - 1) / 2
        var (low, high) = (logf(Self.coldest), logf(8))
        for _ in 0..<40 {
            let left = high - ratio * (high - low)
            let right = low + ratio * (high - low)
            if loss(expf(left)) < loss(expf(right)) { high = right } else { low = left }
        }
        // Where every answer is right the labels are the likelier the colder it is, without an end, or lose nothing
        // anywhere: that is no estimate.
        let found = expf((low + high) / 2)
        return low > logf(Self.coldest) + 0.01 && loss(found) < loss(Self.coldest) ? found : 1
    }

    /// The probability from which on "yes" gives the best F1; between two answers, in their middle.
    ///
    /// Kept within 0.1 and 0.9: beyond, a few odd examples decided it.
    func threshold(_ answers: [HeldOutAnswer], temperature: Float) -> Float {
        let sorted = answers.map { answer in
            (score: HeadLoss.probabilities(answer.logits / temperature, lanes: 1)[1], isYes: answer.mask & 2 != 0)
        }.sorted { $0.score > $1.score }
        let all = sorted.count { $0.isYes }
        guard all >= 5 else { return 0.5 }
        var best = (f1: -1.0, threshold: Float(0.5))
        var right = 0
        for (index, answer) in sorted.enumerated() {
            if answer.isYes { right += 1 }
            let next = index + 1 < sorted.count ? sorted[index + 1].score : 0
            guard next < answer.score else { continue }
            let f1 = 2 * Double(right) / Double(index + 1 + all)
            if f1 > best.f1 { best = (f1, (answer.score + next) / 2) }
        }
        return min(0.9, max(0.1, best.threshold))
    }

    /// How well the answers do: macro-F1 or F1, and the expected calibration error of ten equal bins.
    func measure(_ answers: [HeldOutAnswer], temperature: Float, threshold: Float) -> (f1: Double, error: Double) {
        let classes = lanes == 1 ? 2 : lanes
        let none = [Int](repeating: 0, count: classes)
        var (right, said, gold) = (none, none, none)
        var bins = [(count: Int, confidence: Double, right: Int)](repeating: (0, 0, 0), count: 10)
        for answer in answers {
            let shares = HeadLoss.probabilities(answer.logits / temperature, lanes: lanes)
            var label = 0
            if lanes == 1 {
                label = shares[1] >= threshold ? 1 : 0
            } else {
                for lane in 1..<lanes where shares[lane] > shares[label] { label = lane }
            }
            let truth = (0..<classes).filter { answer.mask & 1 << UInt8($0) != 0 }
            // A label that allows several classes says too little to count.
            guard truth.count == 1, let truth = truth.first else { continue }
            said[label] += 1
            gold[truth] += 1
            if label == truth { right[label] += 1 }
            let confidence = Double(lanes == 1 ? shares[1] : shares[label])
            let bin = min(9, Int(confidence * 10))
            let isRight = lanes == 1 ? truth == 1 : label == truth
            bins[bin] = (bins[bin].count + 1, bins[bin].confidence + confidence, bins[bin].right + (isRight ? 1 : 0))
        }
        let f1 = (0..<classes).map { index -> Double in
            let all = said[index] + gold[index]
            return all == 0 ? 0 : 2 * Double(right[index]) / Double(all)
        }
        let count = Double(max(1, said.reduce(0, +)))
        let error = bins.reduce(0.0) { sum, bin in sum + abs(bin.confidence - Double(bin.right)) / count }
        return (lanes == 1 ? f1[1] : f1.reduce(0, +) / Double(classes), error)
    }
}
