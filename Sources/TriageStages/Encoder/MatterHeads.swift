internal import ShippedEncoder
import TriageCore

/// What tells the matter of a business message: what the program found without the encoder, and the vector of the message, as
/// `Tests/Benchmarks/matters.py` fitted their weights on labelled messages.
///
/// The file: `TMH2`, then little-endian 32-bit floats: the centres of messages and of topics; for each ``Matter``, for excluded topics
/// and for ongoing matters the bias, the weights of what was found, and those of the vector.
struct MatterHeads: Sendable {
    static let shipped: MatterHeads? = {
        let file = shipped_matter_heads
        return MatterHeads(Array(UnsafeRawBufferPointer(start: file.bytes, count: file.count)))
    }()

    /// Kinds of the rules' table that have a weight.
    static let rules = [
        "legal", "bill", "payment", "notice", "order", "podcast", "press", "charity", "agency", "job", "event",
        "licence",
        "rates", "affiliate", "gift", "service", "purchase", "speaking", "hire", "rights", "position", "takeover",
        "publishing", "sponsorship", "barter",
    ]

    /// Which excluded topics and niches a message comes near to.
    struct Nearness {
        /// Cosines, 0 where the profile names none.
        var excluded: Float
        var niche: Float
    }

    private static let leastTopics = 4
    /// Numbers that are known of topics.
    private static let topicCount = 5

    private let centre: [Float]
    private let topicCentre: [Float]
    private let kinds: [WeightRow]
    private let excluded: WeightRow
    private let ongoing: WeightRow

    /// - Parameter bytes: nil is returned for another file.
    init?(_ bytes: [UInt8]) {
        let size = Batch.sentenceSize
        let numbers =
            2 * size + Matter.allCases.count * WeightRow.size(found: Found.count)
            + WeightRow.size(found: Self.topicCount) + WeightRow.size(found: Found.count)
        guard var file = WeightFile(bytes, magic: "TMH2", numbers: numbers) else { return nil }
        centre = file.next(size)
        topicCentre = file.next(size)
        var kinds: [WeightRow] = []
        for _ in Matter.allCases { kinds.append(file.nextRow(found: Found.count)) }
        self.kinds = kinds
        excluded = file.nextRow(found: Self.topicCount)
        ongoing = file.nextRow(found: Found.count)
    }

    /// Where the topics of a profile lie, to compare messages with: beside the middle of all of them, so that the language that they
    /// are written in says nothing.
    ///
    /// - Parameter topics: vectors of all that the profile excludes, and of its niches. With fewer than four, the middle of many
    ///   creators' topics is taken.
    func pointed(topics: [[Float]]) -> [[Float]] {
        guard topics.count >= Self.leastTopics else { return topics.map { unit(zip($0, topicCentre).map { $0 - $1 }) } }
        let sums = topics.reduce([Float](repeating: 0, count: Batch.sentenceSize)) { sums, topic in
            zip(sums, topic).map { $0 + $1 }
        }
        let middle = sums.map { $0 / Float(topics.count) }
        return topics.map { topic in unit(zip(topic, middle).map { $0 - $1 }) }
    }

    /// Where a message lies, to compare with topics.
    func pointed(_ sentence: ArraySlice<Float>) -> [Float] { unit(zip(sentence, centre).map { $0 - $1 }) }

    func answer(_ found: Found, _ nearness: Nearness, _ sentence: ArraySlice<Float>) -> MatterAnswer {
        let scores = kinds.map { $0.sum(found.values, sentence) }
        let most = scores.max() ?? 0
        let powers = scores.map { FAQModel.power($0 - most) }
        let total = powers.reduce(0, +)
        var answered = [Float](repeating: 0, count: powers.count)
        var (advertised, handled): (Float, Float) = (0, 0)
        for (kind, power) in zip(Matter.allCases, powers) {
            answered[Int(kind.answered.rawValue)] += power / total
            if kind.isAdvertising { advertised += power / total }
            if kind.isHandled { handled += power / total }
        }
        var best = Matter.deal
        for kind in Matter.allCases where answered[Int(kind.rawValue)] > answered[Int(best.rawValue)] { best = kind }
        var kind = best
        for other in Matter.allCases
        where other.answered == best && powers[Int(other.rawValue)] > powers[Int(kind.rawValue)] {
            kind = other
        }
        let flag: Float = found.isExcluded ? 1 : 0
        let topics = [
            10 * nearness.excluded, 2 * flag, 10 * nearness.excluded * flag, 5 * (nearness.excluded - nearness.niche),
            2 * advertised,
        ]
        let second = answered.indices.filter { $0 != Int(best.rawValue) }.map { answered[$0] }.max() ?? 0
        return MatterAnswer(
            kind: kind, probability: answered[Int(best.rawValue)], second: second, handled: handled,
            feeless: answered[Int(Matter.commission.rawValue)] + answered[Int(Matter.gift.rawValue)],
            excluded: FAQModel.logistic(excluded.sum(topics, sentence)),
            ongoing: FAQModel.logistic(ongoing.sum(found.values, sentence)))
    }
}

extension MatterHeads {
    /// What the program found of a message before the encoder read it, as numbers that the weights belong to.
    struct Found {
        static let count = MatterHeads.rules.count + 11 + 4 + 3 + 3 + 1 + 4

        let values: [Float]
        /// Whether the rules found an excluded topic.
        let isExcluded: Bool

        private static let contract = OpportunityKinds.tags(.contract, .brief)
        private static let role = OpportunityKinds.tags(.role)
        private static let signs: [[[UInt8]]] = [
            (0...9).map { Array("\($0)".utf8) }, "$€£¥₹".map { Array(String($0).utf8) }, [Array("?".utf8)],
            [Array("%".utf8)],
        ]

        /// nil where a question has no answer.
        ///
        /// - Parameters:
        ///   - rule: place of the rules' kind in ``MatterHeads/rules``; nil: another one, or none.
        ///   - text: of the message, as far as the encoder read it.
        init?(_ record: UnsafePointer<Record>, rule: Int?, text: ArraySlice<UInt8>) {
            guard let category = record.pointee.category, let feeling = record.pointee.sentiment?.label,
                let urgency = record.pointee.urgency
            else { return nil }
            let facts = record.pointee.facts
            let points = PointMerge(record)
            let (fit, legitimacy) = (points.merged.brandFit, points.inheritsLegitimacy)
            isExcluded = !points.inheritsFit && fit == 0
            let hasDay = facts.deadlineDay != nil || facts.deadlineHours != nil
            let hurries = points.merged.urgency > 0
            let flags = [
                !points.inheritsMoney && points.merged.monetary > 0 && facts.budget != nil,
                !points.inheritsFit && fit == 30, !points.inheritsFit && fit == 8, isExcluded,
                !legitimacy && facts.isCompany, !legitimacy && facts.hasCompanyAddress,
                !legitimacy && facts.tags & Self.role != 0, !legitimacy && facts.isDefinite,
                !legitimacy && facts.tags & Self.contract != 0, hurries && hasDay, hurries && !hasDay,
            ]
            var values = MatterHeads.rules.indices.map { $0 == rule ? Float(3) : 0 }
            values += flags.map { $0 ? 2 : 0 }
            values += [
                2 * Float(points.merged.monetary) / 40, 2 * Float(fit) / 30, 2 * Float(points.merged.legitimacy) / 20,
                2 * Float(points.merged.urgency) / 10,
            ]
            values += (0..<3).map { 2 * FAQIndex.log(max(1e-3, category.scores[$0])) / 3 }
            values += [feeling == .positive ? 2 : 0, feeling == .negative ? 2 : 0, urgency.isUrgent ? 2 : 0]
            values.append(FAQIndex.log(Float(max(1, text.count))) - 5.5)
            values += Self.signs.map { signs in
                signs.contains { sign in
                    sign.count == 1 ? text.contains(sign[0]) : text.firstRange(of: sign) != nil
                } ? 2 : 0
            }
            self.values = values
        }
    }
}

private func dot(_ first: ArraySlice<Float>, _ second: ArraySlice<Float>) -> Float {
    zip(first, second).reduce(0) { $0 + $1.0 * $1.1 }
}

private func unit(_ vector: [Float]) -> [Float] {
    let length = max(1e-6, dot(vector[...], vector[...]).squareRoot())
    return vector.map { $0 / length }
}

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

    /// What a share counts beside ``MatterAnswer/excluded``: from five sixths on an offer is declined, from a quarter on it gets no draft.
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
