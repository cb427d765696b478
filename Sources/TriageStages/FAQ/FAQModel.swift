/// The two logistic models behind a match: ``score(_:)`` ranks, and ``probability(_:_:)`` says whether the best is right.
///
/// Fitted on the labelled messages in the repository and on public sets of questions by `Tests/Benchmarks/faq.py fit`, which writes
/// their weights; measured by leaving each author of messages out in turn. The guide Matching-questions has the curve behind
/// ``Thresholds/faqPossible`` and ``Thresholds/faqHigh``.
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
        /// In the library.
        var entries = 1
        /// Of the best entry.
        var wordings = 1
    }

    /// What ``probability(_:_:)`` looks at.
    static let featureCount = 22
    /// The first of those count by themselves only: whose products would be known from too few messages.
    static let plainCount = 4
    /// Smaller libraries count as of this size: nothing smaller was seen.
    private static let leastEntries = 17

    /// Puts what the second model looks at into `values`, in the order of ``means``.
    @inline(__always)
    static func fill(
        _ values: UnsafeMutableBufferPointer<Float>, _ result: FAQMatcher.Result, _ context: Context
    ) {
        let (score, e) = (result.score, result.evidence)
        let length = FAQIndex.log(Float(1 + context.bytes))
        values[0] = context.category[1]
        values[1] = context.category[2]
        values[2] = context.isForeign ? 1 : 0
        values[3] = context.isOffTrade ? 1 : 0
        values[4] = score
        // With no other entry to compare with, by how much it beats next to nothing.
        values[5] = result.second == -.infinity ? min(6, max(score + 6, 0)) : min(6, score - result.second)
        values[6] = max(-10, result.cue)
        values[7] = context.questions
        values[8] = length
        values[9] = e.partCovered
        values[10] = e.clauseCovered
        values[11] = e.partMissing
        values[12] = e.clauseMissing
        values[13] = e.kind
        values[14] = e.person
        values[15] = e.asks
        values[16] = e.unknown
        values[17] = e.pieces
        values[18] = context.questions == 0 ? 1 : 0
        values[19] = context.questions == 0 ? length : 0
        values[20] = FAQIndex.log(Float(max(leastEntries, context.entries)))
        values[21] = FAQIndex.log(Float(context.wordings))
    }

    /// Probability that the best entry settles the message: logistic in what is known and in products of two of it.
    static func probability(_ result: FAQMatcher.Result, _ context: Context) -> Float {
        let count = featureCount
        let sum = withUnsafeTemporaryAllocation(of: Float.self, capacity: count) { values in
            values.initialize(repeating: 0)
            fill(values, result, context)
            // What is far from all that was seen counts as the farthest that was.
            for i in 0..<count { values[i] = max(-5, min(5, (values[i] - means[i]) * scales[i])) }
            var sum = bias
            var place = 0
            products.withUnsafeBufferPointer { products in
                for i in 0..<plainCount { sum += linear[i] * values[i] }
                for i in plainCount..<count {
                    var inner = linear[i]
                    for k in i..<count { inner += products[place &+ k &- i] * values[k] }
                    place &+= count &- i
                    sum += inner * values[i]
                }
            }
            return sum
        }
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
