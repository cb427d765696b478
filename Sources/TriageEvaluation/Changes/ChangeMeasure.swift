/// What is counted of a change.
package enum ChangeMeasure: String, Sendable, CaseIterable {
    case category, sentiment, urgent
    /// Fans whose message was not called spam, and is once it is changed.
    case fanToSpam = "fan_to_spam"
    /// Likewise of offers, which are the dearest to lose.
    case offerToSpam = "offer_to_spam"

    /// What is asked, of the measures that are about all answers to a question.
    var question: EvaluatedQuestion? {
        switch self {
        case .category: .category
        case .sentiment: .sentiment
        case .urgent: .urgent
        case .fanToSpam, .offerToSpam: nil
        }
    }

    /// What people read.
    var words: String {
        switch self {
        case .fanToSpam: "fans to spam"
        case .offerToSpam: "offers to spam"
        default: rawValue
        }
    }

    /// The highest share that may move, where a file does not say.
    package static let standardBounds: [ChangeMeasure: Double] = [
        .category: 0.02, .sentiment: 0.03, .urgent: 0.03, .fanToSpam: 0.01, .offerToSpam: 0,
    ]
}

/// A share with the 95 % interval of Wilson, *JASA* 22 (1927): as R's `prop.test(…, correct = FALSE)`.
///
/// It takes records as independent.
package struct WilsonInterval: Sendable, Equatable {
    package var low: Double
    package var high: Double

    /// nil for none of none.
    package init?(_ count: Int, of total: Int) {
        guard total > 0 else { return nil }
        let z = 1.959963984540054
        let (n, share) = (Double(total), Double(count) / Double(total))
        let middle = (share + z * z / (2 * n)) / (1 + z * z / n)
        let half = z / (1 + z * z / n) * (share * (1 - share) / n + z * z / (4 * n * n)).squareRoot()
        low = count == 0 ? 0 : max(0, middle - half)
        high = count == total ? 1 : min(1, middle + half)
    }
}
