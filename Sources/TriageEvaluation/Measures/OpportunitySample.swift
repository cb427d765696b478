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
