/// The two logistic models behind a match: ``Ranking/score(_:)`` ranks, and ``probability(_:_:)`` judges the best
/// entry.
///
/// `Tests/Benchmarks/faq.py fit` fits them on the labelled messages in the repository and on public question sets, and
/// writes their weights; they are evaluated on authors held out from fitting. The guide Matching-questions shows the
/// curve behind ``Thresholds/faqPossible`` and ``Thresholds/faqHigh``.
struct FAQModel: Sendable {
    /// What is known about a message when its best entry is judged.
    struct Context {
        /// Probabilities of fan, business and spam.
        var category: SIMD4<Float> = [1, 0, 0, 0]
        /// Whether the message is in a language that the thesaurus covers less well, so that fewer of its words were
        /// recognised.
        var isForeign = false
        /// Whether the message is an offer but the entry is nothing that offers ask about.
        var isOffTrade = false
        /// Number of question marks, at most 4.
        var questions: Float = 0
        /// Length of the folded text in bytes.
        var bytes = 0
        /// Number of entries in the library.
        var entries = 1
        /// Number of wordings of the best entry.
        var wordings = 1
    }

    /// Number of ranking features: all evidence, and products of two.
    static let scoreCount = 19 + 14
    /// Number of features of ``probability(_:_:)``.
    static let featureCount = 37
    /// The first features have no products, because too few messages would support those.
    static let plainCount = 4
    private static let productCount = (featureCount - plainCount) * (featureCount - plainCount + 1) / 2
    /// Smaller libraries count as having this size: none smaller was in the data.
    private static let leastEntries = 17

    /// Weights of the ranking features, and a constant.
    private let ranking: [Float]
    /// Mean of each feature of ``probability(_:_:)``, and one over its standard deviation.
    private let means: [Float]
    private let scales: [Float]
    /// Weights of the features in log-odds, and of the products of two: first feature with itself and all later ones,
    /// and so on.
    private let linear: [Float]
    private let products: [Float]
    /// A constant, then the calibration that turns sums into probabilities, measured on held-out authors.
    private let bias: [Float]

    init(_ weights: FAQWeights) {
        ranking = weights.list("ranking", count: Self.scoreCount + 1)
        means = weights.list("means", count: Self.featureCount)
        scales = weights.list("scales", count: Self.featureCount)
        linear = weights.list("linear", count: Self.featureCount)
        products = weights.list("products", count: Self.productCount)
        bias = weights.list("bias", count: 3)
    }

    /// Calls `body` with the ranking weights, which must not outlive the call.
    func withRanking<R>(_ body: (Ranking) -> R) -> R {
        ranking.withUnsafeBufferPointer { body(Ranking(weights: $0)) }
    }

    /// A bare pointer to the ranking weights.
    struct Ranking {
        fileprivate let weights: UnsafeBufferPointer<Float>

        /// Returns the log-odds that a wording answers a clause, on the ranking scale.
        @inline(__always)
        func score(_ e: FAQMatcher.Evidence) -> Float {
            let w = weights
            var sum = w[33]
            sum += w[0] * e.partCovered + w[1] * e.clauseCovered + w[2] * e.matched + w[3] * e.partMissing
            sum += w[4] * e.clauseMissing + w[5] * e.side + w[6] * e.kind + w[7] * e.person
            sum += w[8] * e.asks + w[9] * e.unknown + w[10] * e.fragment + w[11] * e.partial
            sum += w[12] * e.strong + w[13] * e.pieces + w[14] * e.cue + w[15] * e.strange
            sum += w[16] * e.meaning + w[17] * e.meaningLead + w[18] * e.meaningShare
            sum += w[19] * e.partCovered * e.clauseCovered + w[20] * e.partCovered * e.asks
            sum += w[21] * e.clauseCovered * e.asks + w[22] * e.pieces * e.asks
            sum += w[23] * e.partCovered * e.cue + w[24] * e.pieces * e.cue
            sum += w[25] * e.pieces * e.clauseMissing + w[26] * e.pieces * e.strong
            sum += w[27] * e.meaning * e.cue + w[28] * e.meaning * e.asks + w[29] * e.meaning * e.strong
            sum += w[30] * e.meaning * e.pieces + w[31] * e.meaning * e.partCovered + w[32] * e.meaning * e.unknown
            return sum
        }
    }

    /// Writes the features of the second model to `values`, in the order of `means`.
    @inline(__always)
    private static func fill(
        _ values: UnsafeMutableBufferPointer<Float>, _ result: FAQMatcher.Result, _ context: Context
    ) {
        let (score, e, meaning) = (result.score, result.evidence, result.meaning)
        let length = FAQIndex.log(Float(1 + context.bytes))
        values[0] = context.category[1]
        values[1] = context.category[2]
        values[2] = context.isForeign ? 1 : 0
        values[3] = context.isOffTrade ? 1 : 0
        values[4] = score
        // Without a second entry, the lead is measured from a score of next to nothing.
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
        values[18] = e.strong
        values[19] = e.side
        values[20] = e.strange
        values[21] = e.cue
        values[22] = e.partial
        values[23] = e.matched
        values[24] = e.fragment
        values[25] = e.meaning
        values[26] = e.meaningLead
        values[27] = e.meaningShare
        values[28] = meaning.highest
        values[29] = meaning.lead
        values[30] = meaning.share
        values[31] = meaning.none
        values[32] = meaning.top
        values[33] = context.questions == 0 ? 1 : 0
        values[34] = context.questions == 0 ? length : 0
        values[35] = FAQIndex.log(Float(max(leastEntries, context.entries)))
        values[36] = FAQIndex.log(Float(context.wordings))
    }

    /// Returns the probability that the best entry settles the message: logistic in the features and in products of
    /// two.
    func probability(_ result: FAQMatcher.Result, _ context: Context) -> Float {
        let count = Self.featureCount
        let sum = withUnsafeTemporaryAllocation(of: Float.self, capacity: count) { values in
            values.initialize(repeating: 0)
            Self.fill(values, result, context)
            // Values beyond the range seen in fitting are clamped to it.
            for i in 0..<count { values[i] = max(-5, min(5, (values[i] - means[i]) * scales[i])) }
            var sum = bias[0]
            var place = 0
            products.withUnsafeBufferPointer { products in
                for i in 0..<Self.plainCount { sum += linear[i] * values[i] }
                for i in Self.plainCount..<count {
                    var inner = linear[i]
                    for k in i..<count { inner += products[place &+ k &- i] * values[k] }
                    place &+= count &- i
                    sum += inner * values[i]
                }
            }
            return sum
        }
        return Self.logistic(bias[1] * sum + bias[2])
    }

    /// 1 / (1 + e^−x) to about 1e-6, without a library call that could differ between platforms.
    static func logistic(_ x: Float) -> Float {
        let y = Double(max(-20, min(20, -x)))
        // e^y = (e^(y/64))^64.
        let t = y / 64
        var power = 1 + t * (1 + t / 2 * (1 + t / 3 * (1 + t / 4 * (1 + t / 5))))
        for _ in 0..<6 { power *= power }
        return Float(1 / (1 + power))
    }

    /// e^x to about 1e-5 for −20 to 20, the same on every platform.
    @inline(__always)
    static func power(_ x: Float) -> Float {
        let t = max(-20, min(20, x)) / 64
        var power = 1 + t * (1 + t * 0.5 * (1 + t * 0.333_333_34 * (1 + t * 0.25)))
        for _ in 0..<6 { power *= power }
        return power
    }

    /// Does the same for sixteen values at a time, all of which must be in that range.
    @inline(__always)
    static func powers(_ x: SIMD16<Float>) -> SIMD16<Float> {
        let t = x / 64
        // Step by step: one expression takes the compiler two seconds.
        let fourth = 1 + t * 0.25
        let third = 1 + t * 0.333_333_34 * fourth
        let second = 1 + t * 0.5 * third
        var power = 1 + t * second
        for _ in 0..<6 { power *= power }
        return power
    }
}
