import Testing
import TriageCore

@testable import TriageTraining

struct LearningTests {
    @Test func `the lowest point of a bowl is found from afar`() async {
        let target: [Float] = [3, -2, 0.5, 40]
        let steepness: [Float] = [1, 10, 0.1, 4]
        let found = await LBFGS(iterations: 200, tolerance: 1e-12).minimize(from: [0, 0, 0, 0]) { point in
            var loss = 0.0
            var gradient = point
            for i in point.indices {
                let away = point[i] - target[i]
                loss += Double(steepness[i] * away * away) / 2
                gradient[i] = steepness[i] * away
            }
            return (loss, gradient)
        }
        for (value, wanted) in zip(found, target) { #expect(abs(value - wanted) < 0.01) }
    }

    /// Labels of three classes with certain, partial and unlike weights.
    ///
    /// - Parameters:
    ///   - off: how far the earlier model is off, in logits of the first lane.
    ///   - agreement: weighs that every third example is a copy of the one before it.
    private static func loss(lanes: Int, off: Float = 0, agreement: Float = 0) -> HeadLoss {
        var set = TrainingSet(bits: 12, signals: ["a.b"])
        for example in 0..<12 {
            var features = TextFeatures()
            features.hashes = [UInt64(example % 5) << 52, UInt64(example % 3 + 7) << 52, 5 << 52]
            features.share = 0.5
            features.signals = example.isMultiple(of: 2) ? [0] : []
            features.facts = [.length32]
            features.rules[0] = Float(example) - 6
            let mask: UInt8 = lanes == 1 ? [1, 2][example % 2] : [1, 2, 4, 3][example % 4]
            set.add(features, labels: [mask, mask, mask, mask], group: UInt32(example), source: 0, isHome: true)
        }
        let matrix = SparseMatrix(set, Array(0..<12), scale: FeatureScale(set, Array(0..<12)))
        return HeadLoss(
            matrix: matrix, masks: set.masks.map { $0[0] }, weights: (0..<12).map { 1 + Float($0) / 12 },
            offsets: (0..<12).map { SIMD4(Float($0) / 10 + off, 0, -0.2, 0) }, lanes: lanes, penalty: 0.3,
            originals: (0..<12).map { $0 % 3 == 2 ? Int32($0 - 1) : -1 }, agreement: agreement)
    }

    @Test(arguments: [(1, 0), (3, 0), (1, 60), (3, 60), (1, -60), (3, -60)] as [(Int, Float)])
    func `the gradient is the slope of the loss, however far off the answers are`(lanes: Int, off: Float) async {
        let loss = Self.loss(lanes: lanes, off: off, agreement: 0.4)
        let point = (0..<loss.parameters).map { Float(($0 * 37) % 11) / 10 - 0.5 }
        let (_, gradient) = await loss.evaluate(point)
        for index in 0..<loss.parameters {
            var (before, after) = (point, point)
            before[index] -= 0.01
            after[index] += 0.01
            let slope = (await loss.evaluate(after).loss - loss.evaluate(before).loss) / 0.02
            #expect(abs(slope - Double(gradient[index])) < 0.02, "\(index)")
        }
    }

    @Test func `overconfident answers are cooled, shy ones are heated`() {
        // Right in three of four cases, whatever it says.
        func answers(_ logit: Float) -> [HeldOutAnswer] {
            (0..<400).map { HeldOutAnswer(logits: [logit, 0, 0, 0], mask: $0 % 4 == 0 ? 1 : 2, weight: 1) }
        }
        let calibrator = Calibrator(lanes: 1)
        // ln 3 is the logit of ¾.
        #expect(abs(calibrator.temperature(answers(4.394)) - 4) < 0.1)
        #expect(abs(calibrator.temperature(answers(0.549)) - 0.5) < 0.05)
    }

    @Test func `the threshold is where F1 is best`() {
        let scores: [(Float, Bool)] = [
            (3, true), (2.5, true), (2, true), (1, false), (0.5, true), (0.4, true), (-1, false), (-4.5, true),
            (-2, false), (-3, false), (-4, false), (-5, false),
        ]
        let answers = scores.map { HeldOutAnswer(logits: [$0.0, 0, 0, 0], mask: $0.1 ? 2 : 1, weight: 1) }
        let threshold = Calibrator(lanes: 1).threshold(answers, temperature: 1)
        // Between 0.4 and -1: five of six are found with one false alarm.
        #expect(threshold > 0.3 && threshold < 0.6)
        #expect(abs(Calibrator(lanes: 1).measure(answers, temperature: 1, threshold: threshold).f1 - 10 / 12) < 1e-9)
    }
}
