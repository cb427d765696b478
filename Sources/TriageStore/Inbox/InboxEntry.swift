internal import Foundation
internal import GRDB

/// A message as it lies in a store.
public struct InboxEntry: Sendable, Equatable {
    /// Its number in the store, which stays: short, for people to name it by.
    public var number: Int64
    public var message: InboxMessage
    /// The run that brought this revision of it; nil: unknown.
    public var run: Int64?
    /// What people say of it now, by field; of what was undone or said again only the last counts, and what was said of an
    /// entry of the library that is not the answer any more is said as `entry:ID` or `none`, or not at all.
    public var corrections: [InboxFeedback.Field: String] = [:]

    /// The category, corrected if somebody did.
    public var category: String? { corrections[.category] ?? message.category }
    /// The sentiment, corrected if somebody did.
    public var sentiment: String? { corrections[.sentiment] ?? message.sentiment }
    /// Whether it is urgent, corrected if somebody did.
    public var isUrgent: Bool { corrections[.urgent].map { $0 == "true" } ?? message.isUrgent }

    static let columns = """
        m.seq, m.key, m.revision, m.kind, m.id, m.platform, m.conversation, m.sender, m.sender_id, m.handle, m.sent_at,
        m.category, m.confidence, m.sentiment, m.intensity, m.urgent, m.urgency, m.score, m.tier, m.usd, m.deadline,
        m.faq, m.faq_match, m.language, m.has_draft, m.injection, m.priority, m.text, m.record, m.facts, m.run
        """

    /// nil when the row is damaged.
    init?(_ row: Row, corrections: [InboxFeedback.Field: String] = [:]) {
        guard let key = RecordKey(row["key"] as Data) else { return nil }
        var message = InboxMessage(
            key: key, id: row["id"], text: row["text"], record: [UInt8](row["record"] as Data))
        message.revision = row["revision"]
        message.kind = InboxMessage.Kind(rawValue: row["kind"]) ?? .notMessage
        message.platform = row["platform"]
        message.conversation = row["conversation"]
        message.sender = row["sender"]
        message.senderID = row["sender_id"]
        message.handle = row["handle"]
        message.sentAt = row["sent_at"]
        message.category = row["category"]
        message.confidence = row["confidence"]
        message.sentiment = row["sentiment"]
        message.intensity = row["intensity"]
        message.isUrgent = row["urgent"]
        message.urgency = row["urgency"]
        message.score = row["score"]
        message.tier = row["tier"]
        message.usd = row["usd"]
        message.deadline = row["deadline"]
        message.faq = row["faq"]
        message.faqMatch = row["faq_match"]
        message.language = row["language"]
        message.hasDraft = row["has_draft"]
        message.isInjection = row["injection"]
        message.priority = row["priority"]
        message.facts = (row["facts"] as Data?).map { [UInt8]($0) }
        number = row["seq"]
        run = row["run"]
        self.message = message
        self.corrections = corrections
    }
}

/// How a message was answered before it was edited or answered better.
public struct InboxRevision: Sendable, Equatable {
    public var revision: Int
    /// The annotated record, UTF-8, without line break.
    public var record: [UInt8]
}
