/// Draws conversations with replacement, again and again, and computes the same numbers on every draw.
///
/// Messages of one conversation resemble each other, so whole conversations are drawn (cluster bootstrap: Davison &
/// Hinkley, *Bootstrap Methods and their Application*, 1997, section 3.8). Intervals are percentiles with linear
/// interpolation (Efron 1979; numpy's default `percentile`). The same draws serve every method, so that differences are
/// paired. The generator is SplitMix64 (Steele, Lea & Flood, OOPSLA 2014): the same seed gives the same numbers.
struct ClusterBootstrap {
    let clusterCount: Int
    let resamples: Int
    let seed: UInt64

    /// Numbers by statistic, metric and draw; NaN where one was not defined.
    func run(_ statistics: [any Statistic]) -> [[[Double]]] {
        var results = statistics.map { statistic in
            statistic.names.map { _ -> [Double] in
                var empty: [Double] = []
                empty.reserveCapacity(resamples)
                return empty
            }
        }
        guard clusterCount > 0 else { return results }
        var generator = SplitMix64(seed: seed)
        var weights = [UInt16](repeating: 0, count: clusterCount)
        for _ in 0..<resamples {
            for i in weights.indices { weights[i] = 0 }
            for _ in 0..<clusterCount {
                let drawn = Int(generator.next().multipliedFullWidth(by: UInt64(clusterCount)).high)
                if weights[drawn] < UInt16.max { weights[drawn] += 1 }
            }
            weights.withUnsafeBufferPointer { weights in
                for (place, statistic) in statistics.enumerated() {
                    for (metric, value) in statistic.values(weights: weights).enumerated() {
                        results[place][metric].append(value ?? .nan)
                    }
                }
            }
        }
        return results
    }
}

/// A small generator whose sequence is fixed for all time.
package struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

/// What draws say about a number.
package struct Interval: Sendable, Equatable {
    package var low: Double
    package var high: Double
    /// Standard deviation of the draws: the bootstrap's standard error.
    package var standardError: Double

    /// The middle 95 % of draws; nil when fewer than half of them are defined.
    init?(_ draws: [Double]) {
        let defined = draws.filter { !$0.isNaN }.sorted()
        guard defined.count >= 2, defined.count * 2 >= draws.count else { return nil }
        low = Self.percentile(0.025, of: defined)
        high = Self.percentile(0.975, of: defined)
        let mean = defined.reduce(0, +) / Double(defined.count)
        let squares = defined.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        standardError = (squares / Double(defined.count - 1)).squareRoot()
    }

    /// Linear interpolation between the two nearest of the sorted values.
    static func percentile(_ share: Double, of sorted: [Double]) -> Double {
        let place = share * Double(sorted.count - 1)
        let below = Int(place)
        let above = min(below + 1, sorted.count - 1)
        return sorted[below] + (place - Double(below)) * (sorted[above] - sorted[below])
    }
}

/// Numbers that can be computed again on a resample of conversations.
protocol Statistic {
    /// Of the numbers, in order.
    var names: [String] { get }

    /// The numbers; nil where one is not defined.
    ///
    /// - Parameter weights: how often each cluster was drawn; nil: every record once.
    func values(weights: UnsafeBufferPointer<UInt16>?) -> [Double?]
}

/// `numerator / denominator`; nil when the denominator is 0.
func ratio(_ numerator: Double, _ denominator: Double) -> Double? {
    denominator == 0 ? nil : numerator / denominator
}

func ratio(_ numerator: Int, _ denominator: Int) -> Double? { ratio(Double(numerator), Double(denominator)) }
