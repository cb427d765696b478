import TriageCore

/// A question that gold labels can ask.
public enum EvaluatedQuestion: String, Sendable, CaseIterable {
    case category, spam, sentiment, urgent, opportunity, faq, injection

    /// The names of its classes, by index; empty where answers are no classes.
    ///
    /// Of a question with two classes the second is the one that is looked for.
    public var classes: [String] {
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
    public var isBinary: Bool { self == .spam || self == .urgent || self == .injection }

    /// The metric that a comparison is decided by.
    public var headline: String {
        switch self {
        case .category, .sentiment: "macro_f1"
        case .spam, .urgent, .injection, .faq: "f1"
        case .opportunity: "mae"
        }
    }
}
