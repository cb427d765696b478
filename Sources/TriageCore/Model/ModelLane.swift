/// What the statistical model adds up for a message: one number for each class, side by side in a vector.
public enum ModelLane: Int, Sendable, CaseIterable {
    case fan, business, spam
    case positive, negative, neutral
    case urgent, injection

    /// `category.fan`, `urgent` …, as model files and reports call it.
    public var name: String {
        switch self {
        case .fan, .business, .spam: "category.\(self)"
        case .positive, .negative, .neutral: "sentiment.\(self)"
        case .urgent, .injection: "\(self)"
        }
    }
}

/// The questions that the model answers, each by one or more lanes of its own.
public enum ModelHead: Int, Sendable, CaseIterable {
    case category, sentiment, urgent, injection

    /// Its lanes in ``ModelLane``.
    ///
    /// Of several, the label is the greatest (softmax); of one, whether it is above the threshold (logistic).
    public var lanes: Range<Int> {
        switch self {
        case .category: 0..<3
        case .sentiment: 3..<6
        case .urgent: 6..<7
        case .injection: 7..<8
        }
    }

    public var name: String { "\(self)" }
}

/// What the model knows of a message besides its words and the signals that fired.
public enum ModelFact: Int, Sendable, CaseIterable {
    // How long the text is: twice as long each, in bytes of the folded text.
    case length8, length16, length32, length64, length128, length256, length512, lengthMore
    // Who writes; unknown is a value of its own, because exports often do not say.
    case followersUnknown, followers100, followers1k, followers10k, followers100k, followersMore
    case verified, mailHandle, question, isReply

    public var name: String { "\(self)" }

    /// Whether it tells how many follow the sender, or that nobody said, or that the account is verified.
    public var isOfReach: Bool {
        switch self {
        case .followersUnknown, .followers100, .followers1k, .followers10k, .followers100k, .followersMore, .verified:
            true
        default: false
        }
    }
}
