/// One of the tables of a Reddit export, told by its header alone: other exports use the same file names.
struct RedditTable {
    enum Kind {
        case messages, chat, comments, posts
        /// Says who the owner is.
        case statistics
        /// Belongs to an export and has no messages.
        case other

        /// Whether only the owner wrote what is in it.
        var isOwn: Bool { self == .comments || self == .posts }
        var hasMessages: Bool { self != .statistics && self != .other }
    }

    let kind: Kind
    let table: NamedTable

    init?(_ opening: Opening) {
        guard let found = NamedTable.find(opening, Self.kind(of:)) else { return nil }
        (kind, table) = found
    }

    private static func kind(of names: Set<String>) -> Kind? {
        if names.isSuperset(of: ["thread_id", "from", "to", "subject", "body"]) { return .messages }
        if names.isSuperset(of: ["message_id", "channel_url", "message"]) { return .chat }
        if names.isSuperset(of: ["subreddit", "parent", "body", "gildings"]) { return .comments }
        if names.isSuperset(of: ["permalink", "subreddit", "gildings", "title"]) { return .posts }
        if names == ["statistic", "value"] { return .statistics }
        // Lists without texts, and what Reddit wrote itself.
        if names.isSuperset(of: ["id", "permalink", "thread_id", "from", "to"]) { return .other }
        if names.isSuperset(of: ["id", "permalink", "subreddit", "gildings"]) { return .other }
        if names.isSuperset(of: ["announcement_id", "body"]) { return .other }
        return nil
    }
}
