/// One message on its way through the stages.
///
/// A record is a plain value of spans and answers without references, so moving it only copies bytes; texts and lists
/// live in the ``Batch``.
package struct Record: Sendable {
    /// What happens to the record.
    package enum Status: Sendable, Equatable {
        /// A message to triage.
        case message
        /// Sent by the creator; used as context only.
        case own
        /// A reaction notice, a call or a system line; used as context only.
        case notMessage
        /// Excluded by `--since` or `--limit`; neither counted nor written.
        case filtered
        /// Not a valid record; the reason is in ``Batch/rejects``.
        case rejected
    }

    /// Index into the batch's input lines.
    package var line = 0
    package var status = Status.message
    package var fields = RecordFields()
    /// Offset of the record's closing brace in its line; the `triage` member is inserted there.
    package var closingBrace = 0
    /// Earlier `triage` members of the line that must be cut out: a range of ``Batch/cuts``.
    package var cuts = 0..<0
    /// Index into ``Batch/rejects`` when ``status`` is `.rejected`.
    package var reject = -1
    /// 1 for a new record; raised each time it comes with other content or gets a better answer.
    package var revision: UInt32 = 1
    /// `sent_at` in seconds since 1970; nil when missing or unreadable.
    package var sentAt: Int64?

    // Derived text, filled by `text.fold`.
    package var folded = FoldedText()
    // Signals that fired, filled by `signals.match`: a range of ``Batch/hits``.
    package var hits = 0..<0
    /// Facts about an offer, filled by `opportunity.facts`.
    package var facts = Facts()
    /// Sums of positive and negative feeling, filled by `sentiment.rules`.
    package var feelings = Feelings()
    /// The statistical model's result for urgency, in calibrated log-odds, filled by `text.model`.
    package var urgentLogit: Float = 0
    /// Words that the statistical model would quote for urgency; empty unless it finds urgency more likely than not.
    package var urgentWords: EvidenceRange = 0..<0
    /// What earlier messages of the conversation add, filled by the ordered pass.
    package var thread = ThreadContext()

    /// Index of its sketch in ``Batch/sketches``, filled by `campaign.sketch`; −1: the text is too short to compare.
    package var sketch: Int32 = -1
    /// Number of its vector in ``Batch/sentences``, filled by `sentence.encoder`; −1: the encoder did not read it.
    package var sentence: Int32 = -1
    /// What `danger.encoder` found; nil: it did not look.
    package var danger: DangerAnswer?
    /// Whether a thank-you answers it, filled by `thanks.encoder`; nil: not from a fan, or the encoder did not read it.
    package var thanks: ThanksAnswer?
    /// What it is about, filled by `matter.encoder`; nil: no business, or the encoder did not read it.
    package var matter: MatterAnswer?

    // Answers.
    package var language: LanguageAnswer?
    package var category: CategoryAnswer?
    package var sentiment: SentimentAnswer?
    package var urgency: UrgencyAnswer?
    package var opportunity: OpportunityAnswer?
    package var faq: FAQAnswer?
    package var injection: InjectionAnswer?
    package var campaign: CampaignAnswer?
    package var draft: DraftAnswer?
    /// Why there is no draft; nil when there is one, or when none is due: spam, senders that take no replies.
    package var noDraft: NoDraft?
    package var priority: Int?
    /// The upper limit of ``priority``: the top of the highest band that local evidence supports.
    ///
    /// A language model alone never lifts a message above it.
    package var priorityCap: UInt8 = 100
    /// Whether a language model read the text for an answer, and whether one wrote the draft.
    package var askedOfModel: ModelUse = []
    /// Whether ``Batch/problems(of:)`` returns any.
    package var hasProblems = false

    package init() {}

    /// Whether the record is triaged: a message with text that is not only white space.
    package var isAsked: Bool { status == .message && fields.text.count > 0 }
}

/// What a language model did for a record.
package struct ModelUse: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// It read the text, and its answers were used.
    package static let text = ModelUse(rawValue: 1)
    /// It wrote the draft.
    package static let draft = ModelUse(rawValue: 2)
}

/// Something that went wrong with one message without stopping it.
package struct Problem: Sendable, Equatable {
    /// The stage name, or `input`.
    package var stage: String
    /// Stable code such as `input.ignored-field`.
    package var code: String
    /// What went wrong and how to fix it; never message text.
    package var message: String

    package init(stage: String, code: String, message: String) {
        self.stage = stage
        self.code = code
        self.message = message
    }
}

/// The fields of a record that the pipeline uses: spans of the batch's arena, decoded (unescaped UTF-8).
///
/// A field of the wrong type counts as missing and is named in ``ignored``.
package struct RecordFields: Sendable {
    package var text = Span32.absent
    package var id = Span32.absent
    package var platform = Span32.absent
    package var conversationID = Span32.absent
    package var conversationTitle = Span32.absent
    package var senderID = Span32.absent
    package var senderHandle = Span32.absent
    package var senderName = Span32.absent
    package var sentAt = Span32.absent
    package var lang = Span32.absent
    package var replyTo = Span32.absent
    /// `raw.kind`: the kind of record according to the reader (`message`, `comment`, `share`, `system`, `call`, …).
    package var kind = Span32.absent
    /// The creator to whom the record is addressed (evaluation sets only); `run` ignores it.
    package var creator = Span32.absent
    /// `sender.verified`; nil when unknown.
    package var isVerified: Bool?
    /// `sender.followers`; nil when unknown or negative.
    package var followers: Int64?
    /// `sender.is_self`; nil when the owner is unknown.
    package var isSelf: Bool?
    /// Number of people in the conversation; 0 when unknown.
    package var participants: UInt32 = 0
    /// Number of attachments; 0 when there is none.
    package var attachments: UInt32 = 0
    /// Fields that were present with a wrong type and therefore count as missing.
    package var ignored: IgnoredFields = []

    package init() {}
}

/// Fields of a wrong type, reported as problem `input.ignored-field`.
package struct IgnoredFields: OptionSet, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let id = IgnoredFields(rawValue: 1 << 0)
    package static let platform = IgnoredFields(rawValue: 1 << 1)
    package static let conversationID = IgnoredFields(rawValue: 1 << 2)
    package static let conversationTitle = IgnoredFields(rawValue: 1 << 3)
    package static let sender = IgnoredFields(rawValue: 1 << 4)
    package static let senderID = IgnoredFields(rawValue: 1 << 5)
    package static let senderHandle = IgnoredFields(rawValue: 1 << 6)
    package static let senderName = IgnoredFields(rawValue: 1 << 7)
    package static let senderVerified = IgnoredFields(rawValue: 1 << 8)
    package static let senderFollowers = IgnoredFields(rawValue: 1 << 9)
    package static let senderIsSelf = IgnoredFields(rawValue: 1 << 10)
    package static let sentAt = IgnoredFields(rawValue: 1 << 11)
    package static let lang = IgnoredFields(rawValue: 1 << 12)
    package static let replyTo = IgnoredFields(rawValue: 1 << 13)
    package static let attachments = IgnoredFields(rawValue: 1 << 14)
    package static let reactions = IgnoredFields(rawValue: 1 << 15)
    package static let raw = IgnoredFields(rawValue: 1 << 16)
    package static let kind = IgnoredFields(rawValue: 1 << 17)
    package static let participants = IgnoredFields(rawValue: 1 << 18)

    /// The field names as they appear in a record, in the order of the bits.
    package static let names = [
        "id", "platform", "conversation_id", "conversation_title", "sender", "sender.id", "sender.handle",
        "sender.name", "sender.verified", "sender.followers", "sender.is_self", "sent_at", "lang", "reply_to",
        "attachments", "reactions", "raw", "raw.kind", "participants",
    ]

    /// The names of the fields that are set.
    package var list: [String] {
        Self.names.indices.filter { rawValue & (1 << UInt32($0)) != 0 }.map { Self.names[$0] }
    }
}
