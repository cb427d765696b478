internal import Foundation
internal import GRDB

/// A message as it lies in a store.
package struct InboxEntry: Sendable, Equatable {
    /// Its number in the store, which stays: short, for people to name it by.
    package var number: Int64
    package var message: InboxMessage
    /// The run that brought this revision of it; nil: unknown.
    package var run: Int64?
    /// What people say of it now, by field; of what was undone or said again only the last counts, and what was said of an
    /// entry of the library that is not the answer any more is said as `entry:ID` or `none`, or not at all.
    package var corrections: [InboxFeedback.Field: String] = [:]

    /// The category, corrected if somebody did.
    package var category: String? { corrections[.category] ?? message.category }
    /// The sentiment, corrected if somebody did.
    package var sentiment: String? { corrections[.sentiment] ?? message.sentiment }
    /// Whether it is urgent, corrected if somebody did.
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

/// How a message was answered before it was edited or answered better.
package struct InboxRevision: Sendable, Equatable {
    package var revision: Int
    /// The annotated record, UTF-8, without line break.
    package var record: [UInt8]
}
