internal import ShippedEncoder
import TriageCore

/// What tells from the vector of an offer which topic it advertises, as `Tests/Benchmarks/topics.py` fitted it on offers that avoid
/// the obvious word: "pick who wins the weekend and cash out".
///
/// The file: `TTP1`, then little-endian 32-bit floats: for no topic and for each topic the bias and the weights of the vector.
struct TopicHeads: Sendable {
    static let shipped: TopicHeads? = {
        let file = shipped_topic_heads
        return TopicHeads(Array(UnsafeRawBufferPointer(start: file.bytes, count: file.count)))
    }()

    /// Names of topics in the language files, in the order of the file.
    static let topics = [
        "adult", "ai-images", "alcohol", "cannabis", "cosmetic-surgery", "crypto", "dating", "emissions-tampering",
        "fast-fashion", "gambling", "loans", "loot-boxes", "meat", "miracle-cures", "pesticides", "politics",
        "pyramid-schemes", "slimming", "supplements", "tobacco", "weapons",
    ]

    /// What a share counts beside ``MatterAnswer/excluded``: from one half on an offer is declined, from a quarter on it gets no draft.
    ///
    /// A harmless offer that is declined is worse than an unwanted one without an answer. Of four unseen creators, shares below one
    /// half declined an offer in a language that the authors of the examples did not write.
    static let weight: Float = 0.6

    private let rows: [WeightRow]

    /// - Parameter bytes: nil is returned for another file.
    init?(_ bytes: [UInt8]) {
        let count = Self.topics.count + 1
        guard var file = WeightFile(bytes, magic: "TTP1", numbers: count * WeightRow.size(found: 0)) else { return nil }
        var rows: [WeightRow] = []
        for _ in 0..<count { rows.append(file.nextRow(found: 0)) }
        self.rows = rows
    }

    /// Probability that one of these topics is advertised, 0–1.
    ///
    /// - Parameter topics: places in ``topics``.
    func share(of topics: [Int], _ sentence: ArraySlice<Float>) -> Float {
        let scores = rows.map { $0.sum([], sentence) }
        let most = scores.max() ?? 0
        let powers = scores.map { FAQModel.power($0 - most) }
        return topics.reduce(0) { $0 + powers[$1 + 1] } / powers.reduce(0, +)
    }
}
