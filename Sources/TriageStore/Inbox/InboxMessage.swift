internal import Foundation
internal import GRDB

/// A message as the store keeps it: the searchable columns, and the annotated record as it was written.
package struct InboxMessage: Sendable, Equatable {
    /// What kind of record it is.
    package enum Kind: Int, Sendable {
        /// From somebody else; triaged.
        case message = 0
        /// The creator's own message; context only.
        case own = 1
        /// A reaction, a call or a notice; context only.
        case notMessage = 2
    }

    package var key: RecordKey
    /// Starts at 1 and grows by one with each edit.
    package var revision = 1
    package var kind = Kind.message
    /// The platform's id, or a generated one.
    package var id: String
    package var platform: String?
    package var conversation: String?
    /// The sender's display name: the name, else the handle, else the id.
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
    /// Id of the FAQ entry that answers the message.
    package var faq: String?
    /// `high` or `possible`.
    package var faqMatch: String?
    /// BCP 47.
    package var language: String?
    package var hasDraft = false
    package var isInjection = false
    /// 0–100.
    package var priority: Int?
    /// The decoded text, for full-text search.
    package var text: String
    /// The annotated record, UTF-8, without a line break.
    package var record: [UInt8]
    /// A language model's answer, in the cache's format; nil: there is none.
    package var facts: [UInt8]?

    package init(key: RecordKey, id: String, text: String, record: [UInt8]) {
        self.key = key
        self.id = id
        self.text = text
        self.record = record
    }
}

/// A message still waiting for a language model's answer after a temporary failure.
package struct OwedMessage: Sendable, Equatable {
    /// Its position in the queue; assigned by the store on commit.
    package var number: Int64 = 0
    package var identity: RecordIdentity
    /// The revision that was committed with the offline answer.
    package var revision: Int
    /// The record as it was read, or as it was annotated; UTF-8, without a line break.
    package var line: [UInt8]
    /// Name of the JSON member that holds the text; nil: `text`.
    package var textKey: String?
    /// The state of its conversation before this message, a few bytes; nil: there was none.
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

/// A stored message with its number and corrections.
package struct InboxEntry: Sendable, Equatable {
    /// Its permanent number in the store, short enough for people to use as a name.
    package var number: Int64
    package var message: InboxMessage
    /// The run that brought this revision; nil: unknown.
    package var run: Int64?
    /// The corrections that currently count, by field.
    ///
    /// Only the last feedback on a field counts, and none that was undone. If another FAQ entry answers the message by
    /// now, feedback on the old entry becomes `entry:ID` or `none`, or is dropped.
    package var corrections: [InboxFeedback.Field: String] = [:]

    /// The category, as corrected if anybody corrected it.
    package var category: String? { corrections[.category] ?? message.category }
    /// The sentiment, as corrected if anybody corrected it.
    package var sentiment: String? { corrections[.sentiment] ?? message.sentiment }
    /// Whether the message is urgent, as corrected if anybody corrected it.
    package var isUrgent: Bool { corrections[.urgent].map { $0 == "true" } ?? message.isUrgent }

    static let columns = """
        m.seq, m.key, m.revision, m.kind, m.id, m.platform, m.conversation, m.sender, m.sender_id, m.handle, m.sent_at,
        m.category, m.confidence, m.sentiment, m.intensity, m.urgent, m.urgency, m.score, m.tier, m.usd, m.deadline,
        m.faq, m.faq_match, m.language, m.has_draft, m.injection, m.priority, m.text, m.record, m.facts, m.run
        """

    /// - Throws: ``DamagedRow``.
    init(_ row: Row, corrections: [InboxFeedback.Field: String] = [:]) throws {
        var message = InboxMessage(
            key: try row.key("key"), id: try row.get("id"), text: try row.get("text"),
            record: [UInt8](try row.get("record") as Data))
        message.revision = try row.revision()
        message.kind = InboxMessage.Kind(rawValue: try row.get("kind")) ?? .notMessage
        message.platform = try row.get("platform")
        message.conversation = try row.get("conversation")
        message.sender = try row.get("sender")
        message.senderID = try row.get("sender_id")
        message.handle = try row.get("handle")
        message.sentAt = try row.get("sent_at")
        message.category = try row.get("category")
        message.confidence = try row.get("confidence")
        message.sentiment = try row.get("sentiment")
        message.intensity = try row.get("intensity")
        message.isUrgent = try row.get("urgent")
        message.urgency = try row.get("urgency")
        message.score = try row.get("score")
        message.tier = try row.get("tier")
        message.usd = try row.get("usd")
        message.deadline = try row.get("deadline")
        message.faq = try row.get("faq")
        message.faqMatch = try row.get("faq_match")
        message.language = try row.get("language")
        message.hasDraft = try row.get("has_draft")
        message.isInjection = try row.get("injection")
        message.priority = try row.get("priority")
        message.facts = (try row.get("facts") as Data?).map { [UInt8]($0) }
        number = try row.get("seq")
        run = try row.get("run")
        self.message = message
        self.corrections = corrections
    }
}

/// The earlier answers for a message, from before it was edited or answered better.
package struct InboxRevision: Sendable, Equatable {
    package var revision: Int
    /// The annotated record, UTF-8, without a line break.
    package var record: [UInt8]
}
