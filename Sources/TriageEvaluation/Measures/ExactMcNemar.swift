import Platform

/// Whether two methods are right on the same records equally often.
///
/// Exact (binomial) form of McNemar, *Psychometrika* 12 (1947): of the records on which only one of the two is right, each
/// is equally likely under no difference, so p = min(1, 2·P(X ≤ min(b, c))), X ~ B(b + c, ½). As scipy's
/// `binomtest(b, b + c).pvalue`. It takes records as independent: where conversations repeat themselves the clustered
/// bootstrap is the one to trust.
package struct ExactMcNemar: Sendable, Equatable {
    /// Records that only the first has right.
    package var onlyFirst: Int
    /// Records that only the second has right.
    package var onlySecond: Int

    package var pValue: Double {
        let n = onlyFirst + onlySecond
        let least = min(onlyFirst, onlySecond)
        guard n > 0, onlyFirst != onlySecond else { return 1 }
        // The largest term in logarithms, the others by their ratio to the one before: P(k−1) = P(k)·k/(n−k+1).
        // One expression of them all takes the compiler six seconds.
        let ways: Double = lgamma(Double(n) + 1) - lgamma(Double(least) + 1) - lgamma(Double(n - least) + 1)
        let logarithm = ways - Double(n) * log(2.0)
        var (term, sum) = (1.0, 1.0)
        var k = least
        while k > 0, term > 1e-18 {
            term *= Double(k) / Double(n - k + 1)
            sum += term
            k -= 1
        }
        return min(1, 2 * sum * exp(logarithm))
    }
}
