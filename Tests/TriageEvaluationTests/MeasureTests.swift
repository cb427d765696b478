import Testing

@testable import TriageEvaluation

/// Numbers that can be worked out by hand.
struct MeasureTests {
    @Test func `macro-F1 leaves out classes that the gold does not hold, and counts a missing label as wrong`() {
        var matrix = ConfusionMatrix(classes: ["a", "b", "c"])
        matrix.add(gold: 0, predicted: 0)
        matrix.add(gold: 0, predicted: 2)
        matrix.add(gold: 1, predicted: 1)
        matrix.add(gold: 1, predicted: nil)
        // a: P 1, R 1/2; b: P 1, R 1/2; c is in no gold label.
        let twoThirds: Double = 2.0 / 3
        #expect(matrix.macroF1 == twoThirds)
        #expect(matrix.accuracy == 0.5)
        #expect(matrix.answered == 0.75)
        #expect(matrix.recall(2) == nil)
        #expect(matrix.precision(2) == 0)
    }

    @Test func `nothing counted gives no number instead of a zero`() {
        let matrix = ConfusionMatrix(classes: ["a", "b"])
        for value in [matrix.accuracy, matrix.macroF1, matrix.f1(0), matrix.falseAlarms(1)] { #expect(value == nil) }
        for value in [Calibration([]).ece, RiskCoverage([]).aurc] { #expect(value == nil) }
        #expect(RiskCoverage([]).accuracy(at: 0.5) == nil)
        #expect(OpportunitySample().values(weights: nil).allSatisfy { $0 == nil })
        #expect(FAQSample().values(weights: nil).allSatisfy { $0 == nil })
    }

    static let bounds: [(Double, Int)] = [
        (0.0, 0), (1.0 / 15, 0), (1.0 / 15 + 1e-12, 1), (0.2, 2), (14.0 / 15, 13), (0.999, 14), (1.0, 14),
    ]

    @Test(arguments: bounds)
    func `a probability on a bound belongs to the bin below`(probability: Double, bin: Int) {
        #expect(Calibration.bin(of: probability) == bin)
    }

    @Test func `answers that are equally sure count the same in any order`() {
        let answers: [(confidence: Double, isRight: Bool)] = [(0.9, true), (0.5, false), (0.5, true), (0.5, true)]
        let one = RiskCoverage(answers)
        let other = RiskCoverage(answers.reversed())
        #expect(one == other)
        let half: Double = (1 + 2.0 / 3) / 2
        #expect(one.accuracy(at: 0.5) == half)
        #expect(one.accuracy(at: 0.01) == 1)
    }

    @Test func `an offer that was not seen is worth nothing, and is shown apart`() {
        var sample = OpportunitySample()
        let offer = OpportunityPoints(monetary: 40, brandFit: 30, legitimacy: 10, urgency: 0)
        sample.add(gold: offer, predicted: nil, cluster: 0)
        sample.add(gold: offer, predicted: offer, cluster: 1)
        sample.finish()
        let values = Dictionary(uniqueKeysWithValues: zip(sample.names, sample.values(weights: nil)))
        #expect(values["mae"] == 40)
        #expect(values["mae_found"] == 0)
        #expect(values["found"] == 0.5)
        #expect(values["mae.monetary"] == 20)
        #expect(values["spearman"] == .some(nil))
    }

    @Test func `a conversation that was drawn twice counts as if it were there twice`() {
        var once = ClassSample(.urgent)
        var twice = ClassSample(.urgent)
        let rows: [(UInt8, UInt8, UInt32)] = [(1, 1, 0), (0, 1, 0), (1, 0, 1), (0, 0, 2)]
        for (gold, predicted, cluster) in rows {
            once.add(gold: gold, predicted: predicted, cluster: cluster)
            for _ in 0..<[2, 0, 1][Int(cluster)] { twice.add(gold: gold, predicted: predicted, cluster: cluster) }
        }
        let weights: [UInt16] = [2, 0, 1]
        let values = weights.withUnsafeBufferPointer { once.values(weights: $0) }
        #expect(values == twice.values(weights: nil))
    }

    @Test func `the same seed draws the same, another seed other numbers`() {
        var sample = ClassSample(.urgent)
        for place in 0..<40 as Range<UInt32> {
            sample.add(gold: UInt8(place % 2), predicted: UInt8(place % 3 % 2), cluster: place)
        }
        func draws(_ seed: UInt64) -> [[[Double]]] {
            ClusterBootstrap(clusterCount: 40, resamples: 20, seed: seed).run([sample])
        }
        #expect(draws(1) == draws(1))
        #expect(draws(1) != draws(2))
    }

    @Test func `draws that are mostly undefined give no interval`() {
        #expect(Interval([1, .nan, .nan]) == nil)
        #expect(Interval([]) == nil)
        #expect(Interval([1, 2, 3])?.low == 1.05)
    }
}
