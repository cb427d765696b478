/// One of the tables of a Reddit data export.
enum RedditTable: Equatable {
    case messages(NamedTable)
    /// Chat rooms.
    case chats(NamedTable)
    /// The owner's own comments.
    case comments(NamedTable)
    /// Name and value of facts about the account.
    case statistics(NamedTable)
    /// Messages, comments or posts without their text, and the owner's posts.
    case other

    /// nil: the opening is of something else.
    init?(_ opening: Opening) {
        if let table = NamedTable(opening, { $0.isSuperset(of: ["thread_id", "from", "to", "subject", "body"]) }) {
            self = .messages(table)
        } else if let table = NamedTable(opening, { $0.isSuperset(of: ["message_id", "channel_url", "message"]) }) {
            self = .chats(table)
        } else if let table = NamedTable(
            opening, { $0.isSuperset(of: ["subreddit", "parent", "body", "gildings", "permalink"]) })
        {
            self = .comments(table)
        } else if let table = NamedTable(opening, { $0 == ["statistic", "value"] }) {
            self = .statistics(table)
        } else if NamedTable(opening, { Self.hasNoMessages($0) }) != nil {
            self = .other
        } else {
            return nil
        }
    }

    private static func hasNoMessages(_ names: Set<String>) -> Bool {
        let isHeaders = names.isSuperset(of: ["id", "permalink", "date", "ip"]) && !names.contains("body")
        let isPosts = names.isSuperset(of: ["permalink", "subreddit", "gildings", "title", "url"])
        return isPosts || isHeaders && (names.contains("thread_id") || names.contains("subreddit"))
    }

    var hasMessages: Bool {
        switch self {
        case .messages, .chats, .comments: true
        case .statistics, .other: false
        }
    }

    var table: NamedTable? {
        switch self {
        case .messages(let table), .chats(let table), .comments(let table), .statistics(let table): table
        case .other: nil
        }
    }
}
