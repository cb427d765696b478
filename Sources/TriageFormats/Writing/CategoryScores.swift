import TriageCore

/// Probabilities of fan, business and spam as all outputs write them: in ten-thousandths that sum to exactly 1.
struct CategoryScores {
    private(set) var fan: Int
    private(set) var business: Int
    private(set) var spam: Int

    /// Rounds each; the largest takes the rest.
    @inline(__always)
    init(_ answer: CategoryAnswer) {
        (fan, business, spam) = (
            Self.rounded(answer.scores[0]), Self.rounded(answer.scores[1]), Self.rounded(answer.scores[2])
        )
        let rest = 10_000 &- fan &- business &- spam
        if fan >= business, fan >= spam {
            fan &+= rest
        } else if business >= spam {
            business &+= rest
        } else {
            spam &+= rest
        }
    }

    /// What is written as the confidence of a label.
    @inline(__always)
    func of(_ label: Category) -> Int { label == .fan ? fan : label == .business ? business : spam }

    /// Half of one is rounded up.
    @inline(__always)
    private static func rounded(_ probability: Float) -> Int {
        let scaled = Double(probability * 10_000)
        return scaled > 0 ? Int(min(scaled, 10_000) + 0.5) : 0
    }
}
