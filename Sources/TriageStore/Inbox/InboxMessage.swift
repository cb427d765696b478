/// A message as a store keeps it: the columns to look for, and the annotated record as it was written.
package struct InboxMessage: Sendable, Equatable {
    /// What kind of record it is.
    package enum Kind: Int, Sendable {
        /// Of somebody else, triaged.
        case message = 0
        /// Of the creator's own: context.
        case own = 1
        /// A reaction, a call, a notice: context.
        case notMessage = 2
    }

    package var key: RecordKey
    /// From 1; one more with each edit.
    package var revision = 1
    package var kind = Kind.message
    /// The id of the platform, or the made one.
    package var id: String
    package var platform: String?
    package var conversation: String?
    /// Name of the sender as it is shown: the name, else the handle, else the id.
    package var sender: String?
    package var senderID: String?
    package var handle: String?
    /// Seconds since 1970.
    package var sentAt: Int64?
    /// `fan`, `business` or `spam`.
    package var category: String?
    /// 0–1.
    package var confidence: Double?
    /// `positive`, `negative` or `neutral`.
    package var sentiment: String?
    /// 0–1.
    package var intensity: Double?
    package var isUrgent = false
    /// 0–1.
    package var urgency: Double?
    /// 0–100, of an offer.
    package var score: Int?
    package var tier: String?
    /// The budget in US dollars.
    package var usd: Double?
    /// Days since 1970.
    package var deadline: Int?
    /// Id of the entry of the FAQ that answers it.
    package var faq: String?
    /// `high` or `possible`.
    package var faqMatch: String?
    /// BCP 47.
    package var language: String?
    package var hasDraft = false
    package var isInjection = false
    /// 0–100.
    package var priority: Int?
    /// The decoded text, for the search.
    package var text: String
    /// The annotated record, UTF-8, without line break.
    package var record: [UInt8]
    /// What a language model answered, in the form of the cache; nil: none did.
    package var facts: [UInt8]?

    package init(key: RecordKey, id: String, text: String, record: [UInt8]) {
        self.key = key
        self.id = id
        self.text = text
        self.record = record
    }
}

/// A message that a language model still owes an answer, for a reason that passes.
package struct OwedMessage: Sendable, Equatable {
    /// Where it stands in the queue; the store gives it when it is committed.
    package var number: Int64 = 0
    package var identity: RecordIdentity
    /// The revision that its offline answer was committed with.
    package var revision: Int
    /// The record as it came, or as it was annotated; UTF-8, without line break.
    package var line: [UInt8]
    /// Name of the member that holds the text; nil: `text`.
    package var textKey: String?
    /// What its conversation was before it, a few bytes; nil: it had none.
    package var context: [UInt8]?

    package init(
        identity: RecordIdentity, revision: Int, line: [UInt8], textKey: String? = nil, context: [UInt8]? = nil
    ) {
        self.identity = identity
        self.revision = revision
        self.line = line
        self.textKey = textKey
        self.context = context
    }
}
