public import TriageCore

/// Which questions an answer settles.
public struct AnswerFields: OptionSet, Sendable, Hashable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let category = AnswerFields(rawValue: 1)
    public static let sentiment = AnswerFields(rawValue: 2)
    public static let urgency = AnswerFields(rawValue: 4)
    public static let injection = AnswerFields(rawValue: 8)
    public static let faq = AnswerFields(rawValue: 16)
    public static let offer = AnswerFields(rawValue: 32)

    public static let all: AnswerFields = [.category, .sentiment, .urgency, .injection, .faq, .offer]

    /// What a prompt's question asks; draft and repair ask none of these.
    public init(_ question: PromptQuestion) {
        switch question {
        case .triage: self = .all
        case .category: self = [.category, .injection]
        case .sentiment: self = .sentiment
        case .urgency: self = .urgency
        case .offer: self = .offer
        case .faq: self = .faq
        case .draft, .repair: self = []
        }
    }
}

/// What an answer says about one message: of each question that was asked something, of the others nil.
public struct PartialVerdict: Sendable, Equatable {
    public var category: Category?
    public var sentiment: Sentiment?
    /// 0–1.
    public var intensity: Float?
    /// Why a person should look within a day; `none`: no need to.
    public var urgency: UrgencyAnswer.Kind?
    public var steersReader: Bool?
    /// Id of the library's entry; nil when none answers, or when it was not asked.
    public var faq: String?
    public var offer: OfferVerdict?

    public init() {}

    /// The whole verdict; nil when category or sentiment was not asked.
    public var verdict: MessageVerdict? {
        guard let category, let sentiment else { return nil }
        return MessageVerdict(
            category: category, sentiment: sentiment, intensity: intensity ?? 0, isUrgent: (urgency ?? .none) != .none,
            urgencyKind: urgency ?? .none, steersReader: steersReader ?? false, faq: faq, offer: offer)
    }
}

/// What came of reading an answer about several messages.
public struct AnswerReading: Sendable, Equatable {
    /// One for each id that was sent, and no other.
    public var results: [String: Result<PartialVerdict, CallFailure.BadOutput>] = [:]
    /// What is wrong, by id, in words of ours; for the request that repairs it.
    public var faults: [String: [String]] = [:]
    /// Entries whose id was never sent: a sign that a message spoke of others.
    public var unknownIDs = 0
    /// Keys that were not asked for.
    public var extraKeys = 0

    /// Whole verdicts, where all was asked.
    public var verdicts: [String: Result<MessageVerdict, CallFailure.BadOutput>] {
        results.mapValues { result in
            result.flatMap { partial in partial.verdict.map { .success($0) } ?? .failure(.wrongSchema) }
        }
    }
}
