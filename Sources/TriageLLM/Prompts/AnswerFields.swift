package import TriageCore

/// The questions that an answer covers.
package struct AnswerFields: OptionSet, Sendable, Hashable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let category = AnswerFields(rawValue: 1)
    package static let sentiment = AnswerFields(rawValue: 2)
    package static let urgency = AnswerFields(rawValue: 4)
    package static let injection = AnswerFields(rawValue: 8)
    package static let faq = AnswerFields(rawValue: 16)
    package static let offer = AnswerFields(rawValue: 32)

    package static let all: AnswerFields = [.category, .sentiment, .urgency, .injection, .faq, .offer]

    /// What the prompt for a question asks; draft and repair ask none of these.
    package init(_ question: PromptQuestion) {
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

/// A model's answer about one message; questions that were not asked are nil.
package struct PartialVerdict: Sendable, Equatable {
    package var category: Category?
    package var sentiment: Sentiment?
    /// 0–1.
    package var intensity: Float?
    /// Why a person should look at it within a day; `none`: no need to.
    package var urgency: UrgencyAnswer.Kind?
    package var steersReader: Bool?
    /// The id of the library entry; nil when no entry answers the message, or when this was not asked.
    package var faq: String?
    package var offer: OfferVerdict?

    package init() {}

    /// The complete verdict; nil when category or sentiment was not asked.
    package var verdict: MessageVerdict? {
        guard let category, let sentiment else { return nil }
        return MessageVerdict(
            category: category, sentiment: sentiment, intensity: intensity ?? 0, isUrgent: (urgency ?? .none) != .none,
            urgencyKind: urgency ?? .none, steersReader: steersReader ?? false, faq: faq, offer: offer)
    }
}

/// The result of reading an answer about several messages.
package struct AnswerReading: Sendable, Equatable {
    /// One result for each id that was sent, and no others.
    package var results: [String: Result<PartialVerdict, CallFailure.BadOutput>] = [:]
    /// What is wrong, by id, in our own words; for the request that repairs it.
    package var faults: [String: [String]] = [:]
    /// Entries with an id that was never sent, which suggest that a message referred to others.
    package var unknownIDs = 0
    /// The number of keys that were not asked for.
    package var extraKeys = 0

    /// The complete verdicts, if everything was asked.
    package var verdicts: [String: Result<MessageVerdict, CallFailure.BadOutput>] {
        results.mapValues { result in
            result.flatMap { partial in partial.verdict.map { .success($0) } ?? .failure(.wrongSchema) }
        }
    }
}
