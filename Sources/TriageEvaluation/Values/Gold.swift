import TriageCore

/// The labels of one record, without its text: compact, so that 100,000 of them are small.
package struct Gold: Sendable, Equatable {
    /// Index of the class by ``EvaluatedQuestion/classes``; ``absent`` where the set does not have the label.
    package var category = absent
    package var spam = absent
    package var sentiment = absent
    package var urgent = absent
    package var injection = absent
    /// Whether the set labels opportunities; null counts as a label.
    package var hasOpportunity = false
    /// Points of the parts; nil: no offer.
    package var opportunity: OpportunityPoints?
    /// Whether the set labels FAQ entries; null counts as a label.
    package var hasFAQ = false
    /// The entry by its number in the run's ``Names``; ``noEntry``: none must match.
    package var faq: UInt32 = noEntry

    /// What a record is sliced by, as numbers of the run's ``Names``.
    package var language: UInt32 = 0
    package var platform: UInt32 = 0
    package var creator: UInt32 = 0
    package var source: UInt32 = 0
    /// Index into ``LengthBucket/names``.
    package var length: UInt8 = 0
    /// The conversation, or the record itself when it has none: what the bootstrap draws.
    package var cluster: UInt32 = 0
    /// Of the decoded text, to see whether two runs read the same.
    package var textDigest: UInt64 = 0

    package static let absent: UInt8 = 255
    package static let noEntry = UInt32.max

    package init() {}

    /// Whether any label is there.
    package var isLabelled: Bool {
        category != Self.absent || spam != Self.absent || sentiment != Self.absent || urgent != Self.absent
            || injection != Self.absent || hasOpportunity || hasFAQ
    }

    /// The class of a question; nil where the set does not have the label, or the question has no classes.
    package func label(_ question: EvaluatedQuestion) -> UInt8? {
        let value =
            switch question {
            case .category: category
            case .spam: spam
            case .sentiment: sentiment
            case .urgent: urgent
            case .injection: injection
            case .opportunity, .faq: Self.absent
            }
        return value == Self.absent ? nil : value
    }
}

/// Points of an offer by part, on the default maxima 40, 30, 20, 10.
package struct OpportunityPoints: Sendable, Equatable {
    package var monetary: Float
    package var brandFit: Float
    package var legitimacy: Float
    package var urgency: Float

    package static let none = OpportunityPoints(monetary: 0, brandFit: 0, legitimacy: 0, urgency: 0)
    package static let parts = ["monetary", "brand_fit", "legitimacy", "urgency"]

    /// 0–100.
    package var total: Double { Double(monetary) + Double(brandFit) + Double(legitimacy) + Double(urgency) }

    /// A part by its place in ``parts``.
    package subscript(part: Int) -> Double {
        switch part {
        case 0: Double(monetary)
        case 1: Double(brandFit)
        case 2: Double(legitimacy)
        default: Double(urgency)
        }
    }
}

/// How long a text is, in Unicode scalars.
package enum LengthBucket {
    package static let names = ["0-20", "21-80", "81-200", "201-500", "501+"]

    /// Index into ``names``.
    package static func index(scalars: Int) -> UInt8 {
        switch scalars {
        case ...20: 0
        case ...80: 1
        case ...200: 2
        case ...500: 3
        default: 4
        }
    }
}

/// A question that gold labels can ask.
package enum EvaluatedQuestion: String, Sendable, CaseIterable {
    case category, spam, sentiment, urgent, opportunity, faq, injection

    /// The names of its classes, by index; empty where answers are no classes.
    ///
    /// Of a question with two classes the second is the one that is looked for.
    package var classes: [String] {
        switch self {
        case .category: Category.allCases.map(\.name)
        case .sentiment: Sentiment.allCases.map(\.name)
        case .spam: ["not spam", "spam"]
        case .urgent: ["not urgent", "urgent"]
        case .injection: ["clean", "injection"]
        case .opportunity, .faq: []
        }
    }

    /// Whether there is one class that is looked for, and the rest.
    package var isBinary: Bool { self == .spam || self == .urgent || self == .injection }

    /// The metric that a comparison is decided by.
    package var headline: String {
        switch self {
        case .category, .sentiment: "macro_f1"
        case .spam, .urgent, .injection, .faq: "f1"
        case .opportunity: "mae"
        }
    }
}
