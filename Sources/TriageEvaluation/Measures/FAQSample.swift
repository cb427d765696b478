/// Which entry should have matched, and which one did.
///
/// Precision: of the answers given, `high` or `possible`, how many name the right entry. Recall: of the questions that
/// have an entry, how many got the right one. F1: their harmonic mean, 2·right / (answered + askable). None-correct: of
/// the messages that no entry answers, how many got none. Recall@k: of the questions that have an entry, how many have
/// it among the first k candidates (Manning et al., *Introduction to Information Retrieval*, 2008, chapter 8); only over
/// records whose candidates are known.
struct FAQSample: Statistic {
    let names = [
        "f1", "precision", "recall", "none_correct", "accuracy", "high_precision", "high_recall", "recall_at_1",
        "recall_at_3", "recall_at_5",
    ]

    private struct Flags: OptionSet {
        let rawValue: UInt16
        static let askable = Flags(rawValue: 1)
        static let answered = Flags(rawValue: 2)
        static let right = Flags(rawValue: 4)
        static let high = Flags(rawValue: 8)
        static let ranked = Flags(rawValue: 16)
        static let first = Flags(rawValue: 32)
        static let third = Flags(rawValue: 64)
        static let fifth = Flags(rawValue: 128)
    }

    private var flags: [Flags] = []
    private var clusters: [UInt32] = []

    mutating func add(gold: UInt32, prediction: Prediction, cluster: UInt32) {
        var flag: Flags = []
        if gold != Gold.noEntry { flag.insert(.askable) }
        if prediction.faq != Gold.noEntry {
            flag.insert(.answered)
            if prediction.faqIsHigh { flag.insert(.high) }
            if prediction.faq == gold { flag.insert(.right) }
        }
        if let rank = prediction.faqRank, gold != Gold.noEntry {
            flag.insert(.ranked)
            if rank == 1 { flag.insert(.first) }
            if (1...3).contains(rank) { flag.insert(.third) }
            if (1...5).contains(rank) { flag.insert(.fifth) }
        }
        flags.append(flag)
        clusters.append(cluster)
    }

    var count: Int { flags.count }

    func values(weights: UnsafeBufferPointer<UInt16>?) -> [Double?] {
        var tally = [Int](repeating: 0, count: 256)
        for i in flags.indices {
            tally[Int(flags[i].rawValue)] += weights.map { Int($0[Int(clusters[i])]) } ?? 1
        }
        func count(_ all: Flags, without: Flags = []) -> Int {
            tally.indices.reduce(0) { sum, raw in
                let flag = Flags(rawValue: UInt16(raw))
                return flag.isSuperset(of: all) && flag.isDisjoint(with: without) ? sum + tally[raw] : sum
            }
        }
        let (askable, answered, right) = (count(.askable), count(.answered), count(.right))
        let none = count([], without: .askable)
        let noneRight = count([], without: [.askable, .answered])
        let ranked = count(.ranked)
        return [
            ratio(2 * right, answered + askable), ratio(right, answered), ratio(right, askable),
            ratio(noneRight, none), ratio(right + noneRight, askable + none),
            ratio(count([.high, .right]), count(.high)),
            ratio(count([.high, .right]), askable), ratio(count(.first), ranked), ratio(count(.third), ranked),
            ratio(count(.fifth), ranked),
        ]
    }
}
