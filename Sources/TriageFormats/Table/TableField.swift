/// What a column can be.
enum TableField: String, CaseIterable, Sendable {
    case text
    case handle = "sender.handle"
    case name = "sender.name"
    case senderID = "sender.id"
    case time = "sent_at"
    /// The clock beside a column of days.
    case clock = "sent_time"
    case id
    case conversation = "conversation_id"
    case platform
    case reply = "reply_to"
    case direction = "sender.is_self"
    case followers = "sender.followers"
    case verified = "sender.verified"
    case lang
}
