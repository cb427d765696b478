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
