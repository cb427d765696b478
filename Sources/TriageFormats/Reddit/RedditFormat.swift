/// A Reddit data export: private messages, chats, and own comments and posts, as its zip, its folder or one table.
struct RedditFormat: ExportFormat {
    let name = "reddit-csv"
    let summary = "a Reddit data export: messages, chats and own comments (CSV), as zip, folder or one of its tables"
    var readsFilesAlone: Bool { false }

    var sharesNames: Bool { true }

    private static let onlyOwn = "these are your own comments and posts, so there is nothing to triage"

    func detect(_ opening: Opening) -> Detection? {
        guard let table = RedditTable(opening) else { return nil }
        let reason =
            switch table.kind {
            case .messages: "columns of Reddit messages ('thread_id', 'subject', 'body')"
            case .chat: "columns of Reddit chats ('channel_url', 'message')"
            case .comments: "columns of Reddit comments"
            case .posts: "columns of Reddit posts"
            case .statistics: "the statistics from a Reddit export"
            case .other: "a list without messages from a Reddit export"
            }
        return Detection(
            format: name, reason: reason, missing: table.kind.isOwn ? [Self.onlyOwn] : [],
            hasMessages: table.kind.hasMessages)
    }

    private static let fromOthers: Set<String> = ["messages", "messages_archive", "chat_history"]
    private static let own: Set<String> = ["comments", "posts"]
    /// Names that no other export has.
    private static let certain: Set<String> = [
        "statistics", "chat_history", "messages_archive", "message_headers", "messages_headers",
        "messages_archive_headers", "comment_headers", "post_headers", "post_votes", "comment_votes", "saved_posts",
        "saved_comments", "subscribed_subreddits", "moderated_subreddits", "account_gender", "reddit_gold_information",
    ]

    func claim(_ paths: [String]) -> Claim? {
        var folders: [String: [(path: String, base: String)]] = [:]
        for path in paths {
            guard let base = TablePath.base(path) else { continue }
            folders[TablePath.folder(path), default: []].append((path, base))
        }
        let exports = folders.filter { _, files in
            files.contains { Self.certain.contains($0.base) }
                && files.contains { Self.fromOthers.contains($0.base) || Self.own.contains($0.base) }
        }
        guard !exports.isEmpty else { return nil }
        let files = exports.sorted { $0.key < $1.key }.flatMap { $0.value.sorted { $0.path < $1.path } }
        func all(_ isOne: (String) -> Bool) -> [String] { files.filter { isOne($0.base) }.map(\.path) }
        let messages = all(Self.fromOthers.contains)
        let owner = all { $0 == "statistics" }
        return Claim(
            detection: Detection(
                format: name, reason: "the tables of a Reddit export such as \(files[0].path)",
                missing: messages.isEmpty ? [Self.onlyOwn] : []),
            passes: [owner.isEmpty ? messages : owner, messages + all(Self.own.contains)],
            roots: TablePath.roots(of: exports.keys.sorted(), among: paths))
    }

    func makeReader(_ context: ReadingContext) -> any ExportReader { RedditReader(context) }
}
