internal import ShippedFAQ

/// Weights that the FAQ matcher applies to sentence vectors, fitted on labelled messages by `Tests/Benchmarks/faq.py
/// fit`.
///
/// File format: `TFH1`, then 32-bit floats in the order of the members.
struct FAQHeads: Sendable {
    /// Size of a projected vector; the projection moves questions close to the entries that answer them.
    static let turnedSize = 128
    /// Number of features that rank an entry (``FAQEncoder/Candidates``).
    static let entryCount = 26
    /// Number of further features that judge the best entry; products of two of these count, too.
    static let contextCount = 17
    static let judgedCount = contextCount + entryCount + 2
    private static let productCount = contextCount * (contextCount + 1) / 2

    static let shipped: FAQHeads? = {
        let file = shipped_faq_heads
        return FAQHeads(Array(UnsafeRawBufferPointer(start: file.bytes, count: file.count)))
    }()

    private let mean: [Float]
    /// The projection: a row of ``turnedSize`` for each component of a sentence vector.
    private let turn: [Float]
    private let askMean: [Float]
    private let ask: [Float]
    private let ranking: [Float]
    private let means: [Float]
    private let scales: [Float]
    private let linear: [Float]
    private let products: [Float]
    /// Constants for asking, ranking and judging; then the calibration that turns the sum of the weights into a
    /// probability.
    private let bias: [Float]

    /// Parses a file; nil when it is in another format.
    ///
    /// - Parameter bytes: the file's content.
    init?(_ bytes: [UInt8]) {
        let size = SentenceEncoder.size
        let counts = [
            size, size * Self.turnedSize, size, size, Self.entryCount, Self.judgedCount, Self.judgedCount,
            Self.judgedCount, Self.productCount, 5,
        ]
        guard var file = WeightFile(bytes, magic: "TFH1", numbers: counts.reduce(0, +)) else { return nil }
        mean = file.next(counts[0])
        turn = file.next(counts[1])
        askMean = file.next(counts[2])
        ask = file.next(counts[3])
        ranking = file.next(counts[4])
        means = file.next(counts[5])
        scales = file.next(counts[6])
        linear = file.next(counts[7])
        products = file.next(counts[8])
        bias = file.next(counts[9])
    }

    /// Projects a vector; the result has length 1.
    func turned(_ vector: [Float]) -> [Float] {
        var sums = [Float](repeating: 0, count: Self.turnedSize)
        for k in 0..<vector.count {
            let value = vector[k] - mean[k]
            let row = k * Self.turnedSize
            for n in 0..<Self.turnedSize { sums[n] += value * turn[row + n] }
        }
        let length = sums.reduce(0) { $0 + $1 * $1 }.squareRoot()
        return length > 0 ? sums.map { $0 / length } : sums
    }

    /// Returns the log-odds that a text asks something that an entry of some library answers.
    func asks(_ vector: [Float]) -> Float {
        var sum = bias[0]
        for k in 0..<vector.count { sum += (vector[k] - askMean[k]) * ask[k] }
        return sum
    }

    /// Returns how well an entry fits, on the ranking scale; 0 stands for no entry.
    func score(_ entry: [Float]) -> Float {
        var sum = bias[1]
        for k in 0..<Self.entryCount { sum += entry[k] * ranking[k] }
        return sum
    }

    /// Returns the probability that the best entry settles the message.
    func probability(_ judged: [Float]) -> Float {
        let values = judged.indices.map { max(-5, min(5, (judged[$0] - means[$0]) * scales[$0])) }
        var sum = bias[2]
        for k in 0..<Self.judgedCount { sum += linear[k] * values[k] }
        var place = 0
        for a in 0..<Self.contextCount {
            for b in a..<Self.contextCount {
                sum += products[place] * values[a] * values[b]
                place += 1
            }
        }
        return FAQModel.logistic(bias[3] * sum + bias[4])
    }
}
