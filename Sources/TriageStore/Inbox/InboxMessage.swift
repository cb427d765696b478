/// A message as a store keeps it: the columns to look for, and the annotated record as it was written.
public struct InboxMessage: Sendable, Equatable {
    /// What kind of record it is.
    public enum Kind: Int, Sendable {
        /// Of somebody else, triaged.
        case message = 0
        /// Of the creator's own: context.
        case own = 1
        /// A reaction, a call, a notice: context.
        case notMessage = 2
    }

    public var key: RecordKey
    /// From 1; one more with each edit.
    public var revision = 1
    public var kind = Kind.message
    /// The id of the platform, or the made one.
    public var id: String
    public var platform: String?
    public var conversation: String?
    /// Name of the sender as it is shown: the name, else the handle, else the id.
    public var sender: String?
    public var senderID: String?
    public var handle: String?
    /// Seconds since 1970.
    public var sentAt: Int64?
    /// `fan`, `business` or `spam`.
    public var category: String?
    /// 0–1.
    public var confidence: Double?
    /// `positive`, `negative` or `neutral`.
    public var sentiment: String?
    /// 0–1.
    public var intensity: Double?
    public var isUrgent = false
    /// 0–1.
    public var urgency: Double?
    /// 0–100, of an offer.
    public var score: Int?
    public var tier: String?
    /// The budget in US dollars.
    public var usd: Double?
    /// Days since 1970.
    public var deadline: Int?
    /// Id of the entry of the FAQ that answers it.
    public var faq: String?
    /// `high` or `possible`.
    public var faqMatch: String?
    /// BCP 47.
    public var language: String?
    public var hasDraft = false
    public var isInjection = false
    /// 0–100.
    public var priority: Int?
    /// The decoded text, for the search.
    public var text: String
    /// The annotated record, UTF-8, without line break.
    public var record: [UInt8]
    /// What a language model answered, in the form of the cache; nil: none did.
    public var facts: [UInt8]?

    public init(key: RecordKey, id: String, text: String, record: [UInt8]) {
        self.key = key
        self.id = id
        self.text = text
        self.record = record
    }
}

/// A message that a language model still owes an answer, for a reason that passes.
public struct OwedMessage: Sendable, Equatable {
    /// Where it stands in the queue; the store gives it when it is committed.
    public var number: Int64 = 0
    public var identity: RecordIdentity
    /// The revision that its offline answer was committed with.
    public var revision: Int
    /// The record as it came, or as it was annotated; UTF-8, without line break.
    public var line: [UInt8]
    /// Name of the member that holds the text; nil: `text`.
    public var textKey: String?
    /// What its conversation was before it, a few bytes; nil: it had none.
    public var context: [UInt8]?

    public init(
        identity: RecordIdentity, revision: Int, line: [UInt8], textKey: String? = nil, context: [UInt8]? = nil
    ) {
        self.identity = identity
        self.revision = revision
        self.line = line
        self.textKey = textKey
        self.context = context
    }
}
