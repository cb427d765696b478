package import TriageCore
import TriageRun
package import TriageStore

/// A person's decision about one message, in the form shared by the command line and the review page.
package enum Decision: Equatable, Sendable {
    case category(Category)
    case sentiment(Sentiment)
    case urgent(Bool)
    /// Whether the FAQ entry is right; without an entry: whether it is right that none matches.
    case faqIsRight(Bool)
    /// The FAQ entry that would be right; nil: none.
    case faqEntry(String?)
    case draft(Fate)
    /// Whether the draft is good, independent of what became of it.
    case draftIsGood(Bool)
    /// The offer is not interesting.
    case dismissedOffer
    /// Nothing is left to do about the message.
    case seen

    /// What a person did with a draft.
    package enum Fate: String, CaseIterable, Sendable { case accepted, edited, dismissed }

    package var field: InboxFeedback.Field {
        switch self {
        case .category: .category
        case .sentiment: .sentiment
        case .urgent: .urgent
        case .faqIsRight, .faqEntry: .faq
        case .draft: .draft
        case .draftIsGood: .rating
        case .dismissedOffer: .opportunity
        case .seen: .seen
        }
    }

    package var value: String {
        switch self {
        case .category(let category): category.name
        case .sentiment(let sentiment): sentiment.name
        case .urgent(let isUrgent): isUrgent ? "true" : "false"
        case .faqIsRight(let isRight): isRight ? "right" : "wrong"
        case .faqEntry(let id): id.map { "entry:\($0)" } ?? "none"
        case .draft(let fate): fate.rawValue
        case .draftIsGood(let isGood): isGood ? "good" : "bad"
        case .dismissedOffer: "dismissed"
        case .seen: "true"
        }
    }

    /// The maximum length, in bytes, of a stored note or final draft text.
    package static let noteLimit = 2000
    package static let textLimit = 32 << 10

    /// The feedback row that stores the decision.
    ///
    /// - Parameters:
    ///   - note: the person's reason.
    ///   - text: the final text of a draft that was edited, or accepted with its blanks filled in.
    /// - Throws: ``TriageError`` (64) where the message has nothing to decide on: `feedback.no-answers`,
    ///   `feedback.no-draft`, `feedback.no-offer`.
    package func row(
        on entry: InboxEntry, source: String, request: String? = nil, note: String? = nil, text: String? = nil
    )
        throws(TriageError) -> InboxFeedback
    {
        let message = entry.message
        func fault(_ code: String, _ what: String, _ remedy: String) -> TriageError {
            TriageError("feedback.\(code)", what, remedy: remedy, exit: .usage)
        }
        guard message.kind == .message else {
            throw fault(
                "no-answers", "this message is context: it has no answers to correct",
                "name a message from someone else")
        }
        let before: String?
        switch self {
        case .category: before = message.category
        case .sentiment: before = message.sentiment
        case .urgent: before = message.isUrgent ? "true" : "false"
        case .faqIsRight, .faqEntry: before = message.faq
        case .draft, .draftIsGood:
            guard message.hasDraft else {
                throw fault(
                    "no-draft", "this message has no draft", "if you have answered it, use: triage done NUMBER")
            }
            before = nil
        case .dismissedOffer:
            guard let score = message.score else {
                throw fault("no-offer", "this message has no offer score", "omit --opportunity")
            }
            before = "\(score)"
        case .seen: before = nil
        }
        return InboxFeedback(
            key: message.key, revision: message.revision, at: UTCTime.now, field: field, value: value, before: before,
            source: source, request: request, note: note,
            text: self == .draft(.edited) || self == .draft(.accepted) ? text : nil)
    }
}
