/// Ranks with ties averaged, and their correlation.
public enum RankCorrelation {
    /// Spearman's rank correlation; nil with fewer than two values, or when one side does not vary.
    ///
    /// Pearson's r of the ranks (Spearman 1904), ties getting the mean of the ranks they cover.
    public static func spearman(_ x: [Double], _ y: [Double]) -> Double? {
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
