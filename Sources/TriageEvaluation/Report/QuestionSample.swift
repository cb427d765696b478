/// One question of one method: what is counted, and what is plotted.
struct QuestionSample {
    enum Kind {
        case classes(ClassSample)
        case faq(FAQSample)
        case opportunity(OpportunitySample)
        /// While the sample is being added to: two copies of it would make every record a copy of all.
        case taken
    }

    let question: EvaluatedQuestion
    private(set) var kind: Kind

    init(_ question: EvaluatedQuestion) {
        self.question = question
        kind =
            switch question {
            case .faq: .faq(FAQSample())
            case .opportunity: .opportunity(OpportunitySample())
            default: .classes(ClassSample(question))
            }
    }

    var count: Int {
        switch kind {
        case .classes(let sample): sample.count
        case .faq(let sample): sample.count
        case .opportunity(let sample): sample.count
        case .taken: 0
        }
    }

    var statistic: any Statistic {
        switch kind {
        case .classes(let sample): sample
        case .faq(let sample): sample
        case .opportunity(let sample): sample
        case .taken: OpportunitySample()
        }
    }

    /// Adds a record if its gold has the label.
    mutating func add(_ gold: Gold, _ prediction: Prediction) {
        switch kind {
        case .classes(var sample):
            guard let label = gold.label(question) else { return }
            kind = .taken
            sample.add(gold: label, predicted: prediction.label(question), cluster: gold.cluster)
            kind = .classes(sample)
        case .faq(var sample):
            guard gold.hasFAQ else { return }
            kind = .taken
            sample.add(gold: gold.faq, prediction: prediction, cluster: gold.cluster)
            kind = .faq(sample)
        case .opportunity(var sample):
            guard let points = gold.opportunity else { return }
            kind = .taken
            sample.add(gold: points, predicted: prediction.opportunity, cluster: gold.cluster)
            kind = .opportunity(sample)
        case .taken: break
        }
    }

    /// To be called once behind the last record.
    mutating func finish() {
        guard case .opportunity(var sample) = kind else { return }
        sample.finish()
        kind = .opportunity(sample)
    }

    var confusion: ConfusionMatrix? {
        if case .classes(let sample) = kind { sample.matrix(weights: nil) } else { nil }
    }
}

extension EvaluatedQuestion {
    /// Whether an answer is right; nil where the gold does not have the label or answers are not right or wrong.
    func isRight(_ prediction: Prediction, _ gold: Gold) -> Bool? {
        switch self {
        case .opportunity: nil
        case .faq: gold.hasFAQ ? prediction.faq == gold.faq : nil
        default: gold.label(self).map { $0 == prediction.label(self) }
        }
    }
}

/// Which entry should have matched, and which one did.
///
/// Precision: of the answers given, `high` or `possible`, how many name the right entry. Recall: of the questions that
/// have an entry, how many got the right one. F1: their harmonic mean, 2·right / (answered + askable). None-correct: of
/// the messages that no entry answers, how many got none. Recall@k: of the questions that have an entry, how many have
/// it among the first k candidates (Manning et al., *Introduction to Information Retrieval*, 2008, chapter 8); only over
/// records whose candidates are known.
struct FAQSample: Statistic {
    let names = [
        "f1", "precision", "recall", "none_correct", "accuracy", "high_precision", "high_recall", "recall_at_1",
        "recall_at_3", "recall_at_5",
    ]

    private struct Flags: OptionSet {
        let rawValue: UInt16
        static let askable = Flags(rawValue: 1)
        static let answered = Flags(rawValue: 2)
        static let right = Flags(rawValue: 4)
        static let high = Flags(rawValue: 8)
        static let ranked = Flags(rawValue: 16)
        static let first = Flags(rawValue: 32)
        static let third = Flags(rawValue: 64)
        static let fifth = Flags(rawValue: 128)
    }

    private var flags: [Flags] = []
    private var clusters: [UInt32] = []

    mutating func add(gold: UInt32, prediction: Prediction, cluster: UInt32) {
        var flag: Flags = []
        if gold != Gold.noEntry { flag.insert(.askable) }
        if prediction.faq != Gold.noEntry {
            flag.insert(.answered)
            if prediction.faqIsHigh { flag.insert(.high) }
            if prediction.faq == gold { flag.insert(.right) }
        }
        if let rank = prediction.faqRank, gold != Gold.noEntry {
            flag.insert(.ranked)
            if rank == 1 { flag.insert(.first) }
            if (1...3).contains(rank) { flag.insert(.third) }
            if (1...5).contains(rank) { flag.insert(.fifth) }
        }
        flags.append(flag)
        clusters.append(cluster)
    }

    var count: Int { flags.count }

    func values(weights: UnsafeBufferPointer<UInt16>?) -> [Double?] {
        var tally = [Int](repeating: 0, count: 256)
        for i in flags.indices {
            tally[Int(flags[i].rawValue)] += weights.map { Int($0[Int(clusters[i])]) } ?? 1
        }
        func count(_ all: Flags, without: Flags = []) -> Int {
            tally.indices.reduce(0) { sum, raw in
                let flag = Flags(rawValue: UInt16(raw))
                return flag.isSuperset(of: all) && flag.isDisjoint(with: without) ? sum + tally[raw] : sum
            }
        }
        let (askable, answered, right) = (count(.askable), count(.answered), count(.right))
        let none = count([], without: .askable)
        let noneRight = count([], without: [.askable, .answered])
        let ranked = count(.ranked)
        return [
            ratio(2 * right, answered + askable), ratio(right, answered), ratio(right, askable),
            ratio(noneRight, none), ratio(right + noneRight, askable + none),
            ratio(count([.high, .right]), count(.high)),
            ratio(count([.high, .right]), askable), ratio(count(.first), ranked), ratio(count(.third), ranked),
            ratio(count(.fifth), ranked),
        ]
    }
}

/// Points that offers should have got, and did.
///
/// Only records whose gold label is an offer count. An offer that the method did not see is an answer of 0 points in
/// every part: that is what its user is shown, and leaving it out would reward missing the hard ones. `found` says how
/// many were seen, `mae_found` what the error is on those alone. MAE: mean of |gold − answer|. Spearman: Pearson's r of
/// the ranks, ties getting the mean of their ranks (Spearman 1904; Kendall, *Rank Correlation Methods*, chapter 3), as
/// scipy's `spearmanr`; not defined when one side does not vary.
struct OpportunitySample: Statistic {
    let names: [String]

    private var gold: [Double] = []
    private var predicted: [Double] = []
    /// |gold − answer| of the four parts.
    private var partErrors: [SIMD4<Double>] = []
    private var isFound: [Bool] = []
    private var clusters: [UInt32] = []
    // Records in the order of their gold points, and of their answers.
    private var goldOrder: [Int32] = []
    private var predictedOrder: [Int32] = []

    init() {
        names = ["mae", "spearman", "mae_found", "found"] + OpportunityPoints.parts.map { "mae.\($0)" }
    }

    mutating func add(gold points: OpportunityPoints, predicted answer: OpportunityPoints?, cluster: UInt32) {
        let given = answer ?? .none
        gold.append(points.total)
        predicted.append(given.total)
        var errors = SIMD4<Double>()
        for part in 0..<4 { errors[part] = abs(points[part] - given[part]) }
        partErrors.append(errors)
        isFound.append(answer != nil)
        clusters.append(cluster)
    }

    /// To be called once behind the last record.
    mutating func finish() {
        goldOrder = RankCorrelation.order(gold)
        predictedOrder = RankCorrelation.order(predicted)
    }

    var count: Int { gold.count }

    func values(weights: UnsafeBufferPointer<UInt16>?) -> [Double?] {
        var (total, found) = (0.0, 0.0)
        var (error, foundError) = (0.0, 0.0)
        var parts = SIMD4<Double>()
        let weight = clusters.map { cluster in weights.map { Double($0[Int(cluster)]) } ?? 1 }
        for i in gold.indices where weight[i] > 0 {
            let difference = abs(gold[i] - predicted[i]) * weight[i]
            total += weight[i]
            error += difference
            parts += partErrors[i] * weight[i]
            if isFound[i] {
                found += weight[i]
                foundError += difference
            }
        }
        let spearman = RankCorrelation.pearson(
            RankCorrelation.ranks(gold, order: goldOrder, weights: weight),
            RankCorrelation.ranks(predicted, order: predictedOrder, weights: weight), weights: weight)
        return [ratio(error, total), spearman, ratio(foundError, found), ratio(found, total)]
            + (0..<4).map { ratio(parts[$0], total) }
    }
}

/// Ranks with ties averaged, and their correlation.
package enum RankCorrelation {
    /// Spearman's rank correlation; nil with fewer than two values, or when one side does not vary.
    ///
    /// Pearson's r of the ranks (Spearman 1904), ties getting the mean of the ranks they cover.
    package static func spearman(_ x: [Double], _ y: [Double]) -> Double? {
        guard x.count == y.count else { return nil }
        let ones = [Double](repeating: 1, count: x.count)
        return pearson(
            ranks(x, order: order(x), weights: ones), ranks(y, order: order(y), weights: ones), weights: ones)
    }

    /// Indices in ascending order of the values.
    static func order(_ values: [Double]) -> [Int32] {
        (0..<Int32(values.count)).sorted { (values[Int($0)], $0) < (values[Int($1)], $1) }
    }

    /// Ranks of values of which each stands `weights[i]` times, as if they were written out; 0 times gives no rank.
    static func ranks(_ values: [Double], order: [Int32], weights: [Double]) -> [Double] {
        var ranks = [Double](repeating: 0, count: values.count)
        var before = 0.0
        var start = 0
        while start < order.count {
            var end = start
            var held = 0.0
            while end < order.count, values[Int(order[end])] == values[Int(order[start])] {
                held += weights[Int(order[end])]
                end += 1
            }
            // The mean of before + 1 … before + held.
            for place in order[start..<end] { ranks[Int(place)] = before + (held + 1) / 2 }
            before += held
            start = end
        }
        return ranks
    }

    /// Pearson's r with weights; nil when it is not defined.
    static func pearson(_ x: [Double], _ y: [Double], weights: [Double]) -> Double? {
        let total = weights.reduce(0, +)
        guard total >= 2 else { return nil }
        var (meanX, meanY) = (0.0, 0.0)
        for i in x.indices {
            meanX += weights[i] * x[i]
            meanY += weights[i] * y[i]
        }
        meanX /= total
        meanY /= total
        var (xx, yy, xy) = (0.0, 0.0, 0.0)
        for i in x.indices {
            let (a, b) = (x[i] - meanX, y[i] - meanY)
            xx += weights[i] * a * a
            yy += weights[i] * b * b
            xy += weights[i] * a * b
        }
        guard xx > 0, yy > 0 else { return nil }
        return max(-1, min(1, xy / (xx.squareRoot() * yy.squareRoot())))
    }
}
