/// Whether stated probabilities come true.
///
/// Reliability curve: answers are put into 15 bins of equal width by their probability, `(k/15, (k+1)/15]`, a
/// probability of 0 into the first; each bin sets the mean probability against the share that came true (DeGroot &
/// Fienberg 1983). ECE: the mean of the gaps, weighted by the records in the bins (Naeini et al., AAAI 2015; 15 bins as
/// in Guo et al., ICML 2017). Brier: mean of (probability − outcome)² (Brier 1950).
///
/// For a question with two classes the probability is that of the class that is looked for; else that of the label.
package struct Calibration: Sendable, Equatable {
    package struct Bin: Sendable, Equatable {
        package var count: Int
        /// Mean stated probability.
        package var stated: Double
        /// Share that came true.
        package var observed: Double
    }

    package static let binCount = 15

    package let count: Int
    package let ece: Double?
    package let brier: Double?
    /// Those that hold any record, in ascending order.
    package let bins: [Bin]

    /// - Parameter outcomes: what was stated, and whether it came true.
    package init(_ outcomes: [(probability: Double, cameTrue: Bool)]) {
        var counts = [Int](repeating: 0, count: Self.binCount)
        var stated = [Double](repeating: 0, count: Self.binCount)
        var observed = [Double](repeating: 0, count: Self.binCount)
        var squares = 0.0
        for (probability, cameTrue) in outcomes {
            let p = max(0, min(1, probability.isNaN ? 0 : probability))
            let bin = Self.bin(of: p)
            counts[bin] += 1
            stated[bin] += p
            observed[bin] += cameTrue ? 1 : 0
            let miss = p - (cameTrue ? 1 : 0)
            squares += miss * miss
        }
        let total = outcomes.count
        count = total
        brier = ratio(squares, Double(total))
        bins = counts.indices.filter { counts[$0] > 0 }.map { bin in
            Bin(
                count: counts[bin], stated: stated[bin] / Double(counts[bin]),
                observed: observed[bin] / Double(counts[bin]))
        }
        ece = ratio(bins.reduce(0) { $0 + Double($1.count) * abs($1.stated - $1.observed) }, Double(total))
    }

    /// The bin whose upper bound `(k+1)/15` is the first not below the probability.
    static func bin(of probability: Double) -> Int {
        let guess = min(binCount - 1, Int(probability * Double(binCount)))
        // The product may have been rounded over a bound: the bounds themselves decide.
        for bin in max(0, guess - 1)..<binCount where probability <= Double(bin + 1) / Double(binCount) { return bin }
        return binCount - 1
    }
}

/// How accurate the answers are when only the surest are kept (El-Yaniv & Wiener, JMLR 2010).
///
/// Answers are kept in descending order of confidence. Where several are equally sure, no order among them is known, so
/// each counts as the mean of them: the curve is what a random order gives on average, and does not depend on the order
/// of the records. AURC: the mean of the risk over all coverages 1/n … n/n (Geifman et al., ICLR 2019).
package struct RiskCoverage: Sendable, Equatable {
    package struct Point: Sendable, Equatable {
        /// Share of the records that are answered.
        package var coverage: Double
        /// Share of those that are right.
        package var accuracy: Double
    }

    package let count: Int
    package let aurc: Double?
    /// At every 2 % of the records, at most 50 points.
    package let points: [Point]
    private let rightBefore: [Double]

    /// - Parameter answers: how sure each was, and whether it was right.
    package init(_ answers: [(confidence: Double, isRight: Bool)]) {
        let sorted = answers.sorted { $0.confidence > $1.confidence }
        // Right answers among the first k.
        var right: [Double] = [0]
        right.reserveCapacity(sorted.count + 1)
        var start = 0
        while start < sorted.count {
            var end = start
            var hits = 0.0
            while end < sorted.count, sorted[end].confidence == sorted[start].confidence {
                hits += sorted[end].isRight ? 1 : 0
                end += 1
            }
            let share = hits / Double(end - start)
            let before = right[start]
            for place in start..<end { right.append(before + share * Double(place + 1 - start)) }
            start = end
        }
        count = sorted.count
        rightBefore = right
        var risk = 0.0
        for k in right.indices.dropFirst() { risk += 1 - right[k] / Double(k) }
        aurc = ratio(risk, Double(count))
        let kept = Set((1...50).map { ($0 * sorted.count + 49) / 50 }).filter { $0 > 0 }.sorted()
        let n = Double(max(1, sorted.count))
        points = kept.map { Point(coverage: Double($0) / n, accuracy: right[$0] / Double($0)) }
    }

    /// Accuracy of the surest `share` of the answers, at least one of them; nil when there is none.
    package func accuracy(at share: Double) -> Double? {
        guard count > 0 else { return nil }
        let kept = max(1, min(count, Int((share * Double(count)).rounded(.up))))
        return rightBefore[kept] / Double(kept)
    }
}
