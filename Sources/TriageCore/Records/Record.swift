/// One message on its way through the stages.
///
/// A record is a plain value of spans and answers, without references, so that moving one is a copy of bytes; texts and
/// lists live in the ``Batch``.
public struct Record: Sendable {
    /// What becomes of it.
    public enum Status: Sendable, Equatable {
        /// A message to triage.
        case message
        /// Sent by the creator: context only.
        case own
        /// A reaction notice, a call, a system line: context only.
        case notMessage
        /// Beyond `--since` or `--limit`: neither counted nor written.
        case filtered
        /// Not a record; the reason is in ``Batch/rejects``.
        case rejected
    }

    /// Index into the batch's input lines.
    public var line = 0
    public var status = Status.message
    public var fields = RecordFields()
    /// Offset of the record's closing brace in its line, where `triage` is spliced in.
    public var closingBrace = 0
    /// Earlier `triage` members of the line, to be cut out: a range of ``Batch/cuts``.
    public var cuts = 0..<0
    /// Index into ``Batch/rejects`` when ``status`` is `.rejected`.
    public var reject = -1
    /// How often it was seen with other content, or got a better answer; 1 for the first time.
    public var revision: UInt32 = 1
    /// Seconds since 1970 of `sent_at`; nil when absent or unreadable.
    public var sentAt: Int64?

    // Derived text, filled by `text.fold`.
    public var folded = FoldedText()
    // Signals that fired, filled by `signals.match`: a range of ``Batch/hits``.
    public var hits = 0..<0
    /// Facts of offers, filled by `opportunity.facts`.
    public var facts = Facts()
    /// Sums of feeling, filled by `sentiment.rules`.
    public var feelings = Feelings()
    /// What the statistical model says of urgency, in calibrated log-odds, filled by `text.model`.
    public var urgentLogit: Float = 0
    /// Words that the statistical model would quote for urgency; empty unless it finds urgency likelier than not.
    public var urgentWords: EvidenceRange = 0..<0
    /// What the conversation adds, filled by the in-order pass.
    public var thread = ThreadContext()

    /// Index of its sketch in ``Batch/sketches``, filled by `campaign.sketch`; −1: there is too little to compare.
    public var sketch: Int32 = -1

    // Answers.
    public var language: LanguageAnswer?
    public var category: CategoryAnswer?
    public var sentiment: SentimentAnswer?
    public var urgency: UrgencyAnswer?
    public var opportunity: OpportunityAnswer?
    public var faq: FAQAnswer?
    public var injection: InjectionAnswer?
    public var campaign: CampaignAnswer?
    public var draft: DraftAnswer?
    /// Why there is no draft; nil where there is one, and where none is owed: spam, senders that take no replies.
    public var noDraft: NoDraft?
    public var priority: Int?
    /// The most that ``priority`` may be: the top of the highest band for which there is local evidence.
    ///
    /// A language model alone never lifts a message above it.
    public var priorityCap: UInt8 = 100
    /// Whether a language model read the text for an answer, and whether one wrote the draft.
    public var askedOfModel: ModelUse = []
    /// Whether ``Batch/problems(of:)`` has any.
    public var hasProblems = false

    public init() {}

    /// Whether there is anything to ask: a message with text that is not only blanks.
    public var isAsked: Bool { status == .message && fields.text.count > 0 }
}

/// What a language model did for a record.
public struct ModelUse: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// It read the text, and its answers count.
    public static let text = ModelUse(rawValue: 1)
    /// It wrote the draft.
    public static let draft = ModelUse(rawValue: 2)
}

/// Something that went wrong with one message without stopping it.
public struct Problem: Sendable, Equatable {
    /// The stage or `input`.
    public var stage: String
    /// Stable code such as `input.ignored-field`.
    public var code: String
    /// What went wrong and how to fix it; never message text.
    public var message: String

    public init(stage: String, code: String, message: String) {
        self.stage = stage
        self.code = code
        self.message = message
    }
}

/// What the pipeline knows of one message from its record: spans of the batch's arena, decoded (unescaped UTF-8).
///
/// A field of a wrong type is absent here and named in ``ignored``.
public struct RecordFields: Sendable {
    public var text = Span32.absent
    public var id = Span32.absent
    public var platform = Span32.absent
    public var conversationID = Span32.absent
    public var conversationTitle = Span32.absent
    public var senderID = Span32.absent
    public var senderHandle = Span32.absent
    public var senderName = Span32.absent
    public var sentAt = Span32.absent
    public var lang = Span32.absent
    public var replyTo = Span32.absent
    /// `raw.kind`: what a reader says the record is (`message`, `comment`, `share`, `system`, `call`, …).
    public var kind = Span32.absent
    /// The creator the record is addressed to (evaluation sets); not used by `run`.
    public var creator = Span32.absent
    /// `sender.verified`; nil when unknown.
    public var isVerified: Bool?
    /// `sender.followers`; nil when unknown or negative.
    public var followers: Int64?
    /// `sender.is_self`; nil when the owner is unknown.
    public var isSelf: Bool?
    /// Number of people in the conversation; 0 when unknown.
    public var participants: UInt32 = 0
    /// Number of attachments; 0 when there is none.
    public var attachments: UInt32 = 0
    /// Fields that were there with a wrong type and are read as absent.
    public var ignored: IgnoredFields = []

    public init() {}
}

/// Fields of a wrong type, reported as problem `input.ignored-field`.
public struct IgnoredFields: OptionSet, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let id = IgnoredFields(rawValue: 1 << 0)
    public static let platform = IgnoredFields(rawValue: 1 << 1)
    public static let conversationID = IgnoredFields(rawValue: 1 << 2)
    public static let conversationTitle = IgnoredFields(rawValue: 1 << 3)
    public static let sender = IgnoredFields(rawValue: 1 << 4)
    public static let senderID = IgnoredFields(rawValue: 1 << 5)
    public static let senderHandle = IgnoredFields(rawValue: 1 << 6)
    public static let senderName = IgnoredFields(rawValue: 1 << 7)
    public static let senderVerified = IgnoredFields(rawValue: 1 << 8)
    public static let senderFollowers = IgnoredFields(rawValue: 1 << 9)
    public static let senderIsSelf = IgnoredFields(rawValue: 1 << 10)
    public static let sentAt = IgnoredFields(rawValue: 1 << 11)
    public static let lang = IgnoredFields(rawValue: 1 << 12)
    public static let replyTo = IgnoredFields(rawValue: 1 << 13)
    public static let attachments = IgnoredFields(rawValue: 1 << 14)
    public static let reactions = IgnoredFields(rawValue: 1 << 15)
    public static let raw = IgnoredFields(rawValue: 1 << 16)
    public static let kind = IgnoredFields(rawValue: 1 << 17)
    public static let participants = IgnoredFields(rawValue: 1 << 18)

    /// The names as they stand in a record, in order of their bits.
    public static let names = [
        "id", "platform", "conversation_id", "conversation_title", "sender", "sender.id", "sender.handle",
        "sender.name", "sender.verified", "sender.followers", "sender.is_self", "sent_at", "lang", "reply_to",
        "attachments", "reactions", "raw", "raw.kind", "participants",
    ]

    /// The names that are set.
    public var list: [String] {
        Self.names.indices.filter { rawValue & (1 << UInt32($0)) != 0 }.map { Self.names[$0] }
    }
}
