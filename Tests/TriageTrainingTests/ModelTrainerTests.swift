import Testing
import TriageCore

@testable import TriageTraining

struct ModelTrainerTests {
    /// Words are numbers here: 1 to 9 speak for fan, 11 to 19 for business, 21 to 29 for spam, the others for nothing.
    private static func set(seed: UInt64 = 1, labels: (Int) -> LabelMask = { [1, 2, 4][$0 % 3] }) -> TrainingSet {
        var set = TrainingSet(bits: 12, signals: ["money.offer", "never.fires"])
        var random = seed
        func next(_ limit: Int) -> Int {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(random >> 33) % limit
        }
        for example in 0..<300 {
            var features = TextFeatures()
            for _ in 0..<4 { features.hashes.append(UInt64(10 * (example % 3) + 1 + next(9)) << 52) }
            for _ in 0..<6 { features.hashes.append(UInt64(100 + next(200)) << 52) }
            features.share = 0.3
            if example % 3 == 1, next(2) == 0 { features.signals = [0] }
            set.add(
                features, labels: [labels(example), 0, 0, 0], group: UInt32(example / 2), source: 0, isHome: true)
        }
        return set
    }

    private static func train(_ set: TrainingSet, base: StatisticalModel? = nil) async -> StatisticalModel {
        await ModelTrainer().train(set, base: base)
    }

    @Test func `what tells classes apart is learned, and what does not is not`() async {
        var reports: [ModelTrainer.HeadReport] = []
        let model = await ModelTrainer().train(Self.set(), base: nil) { reports.append($0) }
        #expect(reports.map(\.head) == [.category])
        #expect(reports[0].f1 > 0.97)
        #expect(reports[0].home == 300)
        for (word, lane) in [(5, 0), (15, 1), (25, 2)] {
            let row = model.rows[word]
            let best = (0..<3).max { row[$0] < row[$1] }
            #expect(best == lane, "\(word)")
        }
        let signal = model.signals["money.offer"] ?? SIMD8(repeating: 0)
        #expect(signal[1] > signal[0] && signal[1] > signal[2])
        #expect(model.signals["never.fires"] == nil)
        // Other heads had no labels.
        for lane in 3..<8 { #expect(model.rows.allSatisfy { $0[lane] == 0 }) }
    }

    @Test func `the same set gives the same bytes, another seed other folds but the same kind of model`() async {
        let first = await Self.train(Self.set()).encoded()
        #expect(await Self.train(Self.set()).encoded() == first)
        var options = ModelTrainer.Options()
        options.seed = 2
        let other = await ModelTrainer(options: options).train(Self.set(), base: nil)
        #expect(other.rows.count == 1 << 12)
    }

    @Test func `not spam teaches what spam is, and leaves fan and business to others`() async {
        // Of the first two classes only "not spam" is known.
        let model = await Self.train(Self.set { $0 % 3 == 2 ? 4 : 3 })
        #expect(model.rows[25][2] > 10)
        #expect(abs(Int(model.rows[5][0]) - Int(model.rows[5][1])) <= 2)
        #expect(model.rows[5][0] > model.rows[5][2])
    }

    @Test func `building on a model keeps what it knew where nothing new is said`() async {
        var base = StatisticalModel(bits: 12)
        base.scale = SIMD8(repeating: 0.05)
        base.rows[4000][2] = 100
        base.bias[0] = 0.5
        let model = await Self.train(Self.set(), base: base)
        let weight = Float(model.rows[4000][2]) * model.scale[2]
        #expect(weight > 2)
        #expect(Float(model.rows[5][0]) * model.scale[0] > 0)
    }

    @Test func `a set of one class teaches nothing`() async {
        var reports = 0
        let model = await ModelTrainer().train(Self.set { _ in 1 }, base: nil) { _ in reports += 1 }
        #expect(reports == 0)
        #expect(model.rows.allSatisfy { $0 == SIMD8(repeating: 0) })
    }

    @Test func `agreement takes from words that copies carry what their labels leave them`() async {
        // Word 500 stands in every offer, and in a copy of every fan's message, of which it is only said that it is no spam.
        var set = TrainingSet(bits: 12, signals: [])
        for example in 0..<300 {
            var features = TextFeatures()
            features.share = 0.3
            features.hashes = [UInt64(10 * (example % 3) + 1 + example % 7) << 52]
            if example % 3 == 1 { features.hashes.append(500 << 52) }
            set.add(
                features, labels: [[1, 2, 4][example % 3], 0, 0, 0], group: UInt32(example), source: 0, isHome: true)
            guard example % 3 == 0 else { continue }
            features.hashes.append(500 << 52)
            set.add(
                features, labels: [3, 0, 0, 0], group: UInt32(example), source: 0, isHome: true,
                original: set.count - 1)
        }
        func weight(_ agreement: Float) async -> Float {
            var options = ModelTrainer.Options()
            options.agreements = [.category: agreement]
            let model = await ModelTrainer(options: options).train(set, base: nil)
            return Float(model.rows[500][1]) * model.scale[1] - Float(model.rows[500][0]) * model.scale[0]
        }
        let (without, with) = (await weight(0), await weight(1))
        #expect(without > 0)
        #expect(with < without / 2)
    }

    @Test func `what is learned of a question shrinks with its own penalty`() async {
        func size(_ penalties: [ModelHead: Float]) async -> Float {
            var options = ModelTrainer.Options()
            options.penalties = penalties
            return await ModelTrainer(options: options).train(Self.set(), base: nil).scale[2]
        }
        let usual = await size([:])
        #expect(await size([.sentiment: 10]) == usual)
        #expect(await size([.category: 10]) < usual / 2)
    }

    @Test func `a base that is sure of the contrary is overruled`() async {
        // A step too far is no reason to stay where one is: the losses of such answers are as steep as any.
        var base = StatisticalModel(bits: 12)
        base.bias = SIMD8(60, 0, 0, 0, 0, 0, 0, 0)
        let model = await ModelTrainer().train(Self.set(), base: base)
        #expect(abs(model.bias[0] - model.bias[2]) < 5)
    }

    @Test func `a foreign set weighs what its question's share says`() async {
        // Word 40 stands in a foreign set only, and speaks for spam there.
        func weight(_ shares: [ModelHead: Float]) async -> Float {
            var set = Self.set()
            for example in 0..<200 {
                var features = TextFeatures()
                features.hashes = [UInt64(example % 2 == 0 ? 40 : 41) << 52]
                features.share = 0.3
                set.add(
                    features, labels: [example % 2 == 0 ? 4 : 3, 0, 0, 0], group: UInt32(1000 + example), source: 1,
                    isHome: false)
            }
            var options = ModelTrainer.Options()
            options.foreignShare = 0.01
            options.foreignShares = shares
            let model = await ModelTrainer(options: options).train(set, base: nil)
            return Float(model.rows[40][2]) * model.scale[2]
        }
        let little = await weight([:])
        #expect(await weight([.sentiment: 0.5]) == little)
        #expect(await weight([.category: 0.5]) > 2 * little)
    }
}
