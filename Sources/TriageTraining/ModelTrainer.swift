import Platform
package import TriageCore

/// Fits a ``StatisticalModel`` to labelled messages.
///
/// Each head by itself: L2-regularized logistic regression by L-BFGS; temperature and threshold from answers under
/// cross-validation (``Folds`` says what stays together). The same set, options and base give the same model on all
/// machines with the same processor and C library, whatever the number of cores; elsewhere the last bits of `expf`,
/// `logf` and `log1pf` may differ.
package struct ModelTrainer: Sendable {
    package struct Options: Sendable {
        /// Weight of the L2 penalty against the sum of the examples' losses.
        package var penalty: Float = 0.1
        /// The same for single heads.
        package var penalties: [ModelHead: Float] = [:]
        package var folds = 5
        /// Steps towards the minimum at most.
        ///
        /// Most heads need 60 to 250; stopped after 80, sentiment had twice the loss.
        package var iterations = 300
        /// What all of one foreign set may weigh next to all messages to creators.
        package var foreignShare: Float = 0.5
        /// The same for single heads.
        package var foreignShares: [ModelHead: Float] = [:]
        /// What it costs that a changed copy is answered otherwise than its original; 0: only their labels count.
        ///
        /// In log-odds squared, halved, against the log loss of one example.
        package var agreement: Float = 0
        /// The same for single heads.
        package var agreements: [ModelHead: Float] = [:]
        /// Where groups are dealt into folds.
        package var seed: UInt64 = 1

        package init() {}
    }

    /// What became of one head.
    package struct HeadReport: Sendable {
        package var head: ModelHead
        /// Labelled messages to creators, and others.
        package var home = 0
        package var foreign = 0
        /// Answers that the figures are made of; 0: there are none.
        package var measured = 0
        /// Macro-F1, or F1 of a head with one lane, under cross-validation, of messages to creators if there are any.
        package var f1 = 0.0
        /// Expected calibration error, likewise.
        package var calibrationError = 0.0
        package var temperature: Float = 1
        package var threshold: Float = 0.5
    }

    let options: Options

    package init(options: Options = Options()) { self.options = options }

    /// Fits every head that has labels of at least two classes; others stay as the base has them.
    ///
    /// - Parameters:
    ///   - base: what is known before: only the difference to it is learned and penalized.
    ///   - progress: called when a head is done.
    package func train(
        _ set: TrainingSet, base: StatisticalModel?, progress: (HeadReport) -> Void = { _ in }
    ) async -> StatisticalModel {
        var draft = ModelDraft(set, base: base)
        let folds = Folds(set, count: options.folds, seed: options.seed)
        for head in ModelHead.allCases {
            let examples = (0..<set.count).filter { set.masks[$0][head.rawValue] != 0 }
            guard hasTwoClasses(set, head, examples) else { continue }
            let fit = HeadFit(set: set, head: head, options: options, draft: draft, folds: folds)
            var report = HeadReport(head: head)
            report.home = examples.count { set.isHome[$0] }
            report.foreign = examples.count - report.home
            let held = await fit.heldOut(examples)
            report.measured = held.count
            let calibrator = Calibrator(lanes: head.lanes.count)
            report.temperature = calibrator.temperature(held)
            if head.lanes.count == 1 { report.threshold = calibrator.threshold(held, temperature: report.temperature) }
            (report.f1, report.calibrationError) = calibrator.measure(
                held, temperature: report.temperature, threshold: report.threshold)
            draft.add(await fit.learn(examples), head: head, temperature: report.temperature)
            if head == .urgent { draft.urgentThreshold = report.threshold }
            if head == .injection { draft.injectionThreshold = report.threshold }
            progress(report)
        }
        return draft.model()
    }

    private func hasTwoClasses(_ set: TrainingSet, _ head: ModelHead, _ examples: [Int]) -> Bool {
        Set(examples.map { set.masks[$0][head.rawValue] }).count > 1
    }
}

/// Learns one head.
struct HeadFit: Sendable {
    let set: TrainingSet
    let head: ModelHead
    let options: ModelTrainer.Options
    let draft: ModelDraft
    let folds: Folds

    /// Answers for the messages to creators (or, without any, all), each by a model that has not seen its group.
    func heldOut(_ examples: [Int]) async -> [HeldOutAnswer] {
        let hasHome = examples.contains { set.isHome[$0] }
        var answers: [HeldOutAnswer] = []
        for fold in 0..<options.folds {
            let test = examples.filter { folds[$0] == fold && (set.isHome[$0] || !hasHome) }
            guard !test.isEmpty else { continue }
            let learned = await learn(examples.filter { folds[$0] != fold })
            answers += test.map { example in
                HeldOutAnswer(
                    logits: learned.logits(set, example) + draft.logits(set, example, head),
                    mask: set.masks[example][head.rawValue], weight: 1)
            }
        }
        return answers
    }

    func learn(_ examples: [Int]) async -> LearnedHead {
        let scale = FeatureScale(set, examples)
        let matrix = SparseMatrix(set, examples, scale: scale)
        let lanes = head.lanes.count
        let loss = HeadLoss(
            matrix: matrix, masks: examples.map { set.masks[$0][head.rawValue] }, weights: weights(examples),
            offsets: examples.map { draft.logits(set, $0, head) }, lanes: lanes,
            penalty: options.penalties[head] ?? options.penalty, originals: originals(examples),
            agreement: options.agreements[head] ?? options.agreement)
        let point = await LBFGS(iterations: options.iterations).minimize(
            from: [Float](repeating: 0, count: loss.parameters)
        ) { await loss.evaluate($0) }
        var learned = LearnedHead(lanes: lanes, width: set.width)
        for column in 0..<matrix.width {
            let original = Int(matrix.original[column])
            for lane in 0..<lanes {
                learned.weights[original * lanes + lane] = point[column * lanes + lane] * scale.factors[original]
            }
        }
        for lane in 0..<lanes { learned.bias[lane] = point[matrix.width * lanes + lane] }
        return learned
    }

    /// By example: the place among the examples of the original that it is a copy of, or -1.
    private func originals(_ examples: [Int]) -> [Int32] {
        var rows = [Int32](repeating: -1, count: set.count)
        for (row, example) in examples.enumerated() { rows[example] = Int32(row) }
        return examples.map { set.originals[$0].map { rows[$0] } ?? -1 }
    }

    /// 1 for each message to a creator; less where a foreign set would outweigh them.
    private func weights(_ examples: [Int]) -> [Float] {
        var counts: [UInt16: Float] = [:]
        var home: Float = 0
        for example in examples {
            if set.isHome[example] { home += 1 } else { counts[set.sources[example], default: 0] += 1 }
        }
        guard home > 0 else { return [Float](repeating: 1, count: examples.count) }
        let share = options.foreignShares[head] ?? options.foreignShare
        return examples.map { example in
            set.isHome[example] ? 1 : min(1, share * home / (counts[set.sources[example]] ?? 1))
        }
    }
}

/// Weights of one head by the training set's columns, in units of its values.
struct LearnedHead: Sendable {
    let lanes: Int
    var weights: [Float]
    var bias = SIMD4<Float>(repeating: 0)

    init(lanes: Int, width: Int) {
        self.lanes = lanes
        weights = [Float](repeating: 0, count: width * lanes)
    }

    func logits(_ set: TrainingSet, _ example: Int) -> SIMD4<Float> {
        var sums = bias
        for place in set.starts[example]..<set.starts[example + 1] {
            for lane in 0..<lanes { sums[lane] += set.values[place] * weights[Int(set.columns[place]) * lanes + lane] }
        }
        return sums
    }
}

/// Which part of a training set each example belongs to under cross-validation.
///
/// No conversation and no sender of a file is on both sides of a split. Where creators' messages come in several files,
/// neither is a file: one file is mostly one inbox, or the labels of one person, and what the model will meet is
/// another. Splits inside of files would make it look surer, and its thresholds higher, than it is with new people.
struct Folds: Sendable {
    private let folds: [UInt8]

    /// So many files there must be for whole files to be held out.
    static let leastFiles = 3

    /// - Parameters:
    ///   - count: folds, 2–255.
    ///   - seed: where groups are dealt.
    init(_ set: TrainingSet, count: Int, seed: UInt64) {
        var sizes: [UInt16: Int] = [:]
        for example in 0..<set.count where set.isHome[example] { sizes[set.sources[example], default: 0] += 1 }
        var byFile: [UInt16: UInt8] = [:]
        if sizes.count >= Self.leastFiles {
            // The largest first, each to the emptiest fold.
            var filled = [Int](repeating: 0, count: min(count, sizes.count))
            for (file, size) in sizes.sorted(by: { ($0.value, $1.key) > ($1.value, $0.key) }) {
                let fold = filled.indices.min { filled[$0] < filled[$1] } ?? 0
                filled[fold] += size
                byFile[file] = UInt8(fold)
            }
        }
        folds = (0..<set.count).map { example in
            if set.isHome[example], let fold = byFile[set.sources[example]] { return fold }
            // SplitMix64, so that neighbouring numbers land anywhere.
            var x = UInt64(set.groups[example]) &+ seed &* 0x9E37_79B9_7F4A_7C15
            x = (x ^ x >> 30) &* 0xBF58_476D_1CE4_E5B9
            x = (x ^ x >> 27) &* 0x94D0_49BB_1331_11EB
            return UInt8((x ^ x >> 31) % UInt64(count))
        }
    }

    subscript(example: Int) -> Int { Int(folds[example]) }
}

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
