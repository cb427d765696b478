/// The two logistic models behind a match, and what the second one looks at beside the first.
///
/// Fitted on the labelled messages in the repository, and measured by leaving each author of messages out in turn; the
/// guide Matching-questions has the curve behind ``Thresholds/faqPossible`` and
/// ``Thresholds/faqHigh``.
enum FAQModel {
    /// What is known of a message when its best entry is judged.
    struct Context {
        /// Probabilities of fan, business and spam.
        var category: SIMD4<Float> = [1, 0, 0, 0]
        /// The message is in another language than the thesaurus knows best, so that fewer of its words can have been
        /// found.
        var isForeign = false
        /// An offer, but the entry is nothing that offers ask about.
        var isOffTrade = false
        /// Question marks, 4 at most.
        var questions: Float = 0
        /// Bytes of the folded text.
        var bytes = 0
    }

    /// Log-odds that a part answers a clause, on the scale that ranks.
    @inline(__always)
    static func score(_ e: FAQMatcher.Evidence) -> Float {
        var sum: Float = -4.605
        sum += -0.746 * e.partCovered
        sum += 0.640 * e.clauseCovered
        sum += 0.399 * e.matched
        sum += -0.109 * e.partMissing
        sum += -0.720 * e.clauseMissing
        sum += 0.241 * e.side
        sum += 0.559 * e.kind
        sum += 0.479 * e.person
        sum += 0.170 * e.asks
        sum += 0.208 * e.unknown
        sum += -0.316 * e.fragment
        sum += 0.346 * e.partial
        sum += 0.375 * e.strong
        sum += 5.621 * e.pieces
        sum += 0.408 * e.cue
        sum += 1.279 * e.partCovered * e.clauseCovered
        sum += 0.089 * e.partCovered * e.asks
        sum += 0.580 * e.clauseCovered * e.asks
        sum += 0.477 * e.pieces * e.asks
        sum += 0.096 * e.partCovered * e.cue
        sum += 1.077 * e.pieces * e.cue
        return sum
    }

    /// Probability that the best entry settles the message.
    static func probability(_ result: FAQMatcher.Result, _ context: Context) -> Float {
        let (score, e) = (result.score, result.evidence)
        let margin = result.second == -.infinity ? min(6, max(score + 6, 0)) : min(6, score - result.second)
        let length = FAQIndex.log(Float(1 + context.bytes))
        var sum: Float = -0.416
        sum += 0.295 * score
        sum += 0.215 * margin
        sum += 0.341 * result.cue
        sum += 0.007 * context.category[0]
        sum += 0.044 * context.category[1]
        sum += -1.022 * context.category[2]
        sum += 1.103 * (context.isForeign ? 1 : 0)
        sum += -0.204 * context.questions
        sum += -0.712 * length
        sum += -1.195 * (context.isOffTrade ? 1 : 0)
        sum += 0.054 * e.partCovered
        sum += 1.136 * e.clauseCovered
        sum += 0.019 * e.partMissing
        sum += -0.123 * e.clauseMissing
        sum += 0.269 * e.kind
        sum += 0.481 * e.person
        sum += 1.056 * e.asks
        sum += -0.784 * e.unknown
        sum += 0.873 * e.pieces
        return logistic(sum)
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
