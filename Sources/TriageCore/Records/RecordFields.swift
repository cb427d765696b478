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
