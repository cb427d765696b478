/// The two logistic models behind a match.
///
/// Fitted offline on labelled messages to three creators; measured by leaving one creator out: what is learnt from two
/// is tried on the third. From ``Thresholds/faqPossible`` on, about two of three
/// offered entries are right and six of ten answerable messages get theirs; from ``Thresholds/faqHigh`` on, nine of ten
/// are right.
enum FAQModel {
    /// Log-odds that a part answers a clause, on the scale that ranks.
    @inline(__always)
    static func score(_ e: FAQMatcher.Evidence) -> Float {
        var sum: Float = -5.448
        sum += -0.045 * e.partCovered
        sum += 1.613 * e.clauseCovered
        sum += 1.373 * e.matched
        sum += -0.262 * e.partMissing
        sum += -0.983 * e.clauseMissing
        sum += -0.176 * e.side
        sum += 0.394 * e.kind
        sum += 0.355 * e.person
        sum += 1.384 * e.asks
        sum += -0.492 * e.unknown
        sum += -1.099 * e.fragment
        sum += 0.164 * e.partial
        sum += 0.674 * e.strong
        sum += 1.19 * e.partCovered * e.clauseCovered
        sum += 0.557 * e.partCovered * e.asks
        return sum
    }

    /// Probability that the best entry settles the message.
    ///
    /// - Parameters:
    ///   - score: of the best entry.
    ///   - second: of the next best entry; −∞ when there is none.
    ///   - isForeign: the message is in another language than the thesaurus knows best, so that fewer of its words
    ///     can have been found.
    ///   - isOffTrade: an offer, but the entry is nothing that offers ask about.
    static func probability(score: Float, second: Float, isForeign: Bool, isOffTrade: Bool) -> Float {
        let margin = second == -.infinity ? min(6, max(score + 6, 0)) : min(6, score - second)
        let logit =
            -0.77 + 0.74 * score + 0.19 * margin + (isForeign ? 1.402 : 0)
            + (isOffTrade ? -2.037 : 0)
        return logistic(logit)
    }

    /// 1 / (1 + e^−x) to about 1e-6, without a library call that could differ between platforms.
    private static func logistic(_ x: Float) -> Float {
        let y = Double(max(-20, min(20, -x)))
        // e^y = (e^(y/64))^64.
        let t = y / 64
        var power = 1 + t * (1 + t / 2 * (1 + t / 3 * (1 + t / 4 * (1 + t / 5))))
        for _ in 0..<6 { power *= power }
        return Float(1 / (1 + power))
    }
}
