import TriageCore

/// Responses of YouTube's Data API with what the audience wrote: comments, comment threads, live chats.
///
/// A file may hold one response, many in sequence or one per line, an array of responses, or an array of bare comments.
struct YouTubeAPIFormat: ExportFormat {
    let name = "youtube-api"
    let summary = "comments and live chats from the YouTube Data API (JSON)"

    func detect(_ opening: Opening) -> Detection? {
        let outline = JSONOutline(opening, texts: ["kind"])
        if let kind = Self.kinds(outline).first(where: { $0.hasPrefix("youtube#") }) {
            guard let hasMessages = Self.hasMessages(kind) else { return nil }
            return Detection(format: name, reason: "'kind' is '\(kind)'", hasMessages: hasMessages)
        }
        for place in ["[].snippet.", "items[].snippet.", "[].items[].snippet."] {
            let isThread = outline.kinds[place + "topLevelComment"] == .object
            let isComment = outline.has(place + "textDisplay", place + "authorDisplayName")
            if isThread || isComment { return Detection(format: name, reason: "entries with a 'snippet' of a comment") }
        }
        return nil
    }

    private static func kinds(_ outline: JSONOutline) -> [String] {
        ["kind", "[].kind", "items[].kind", "[].items[].kind"].compactMap { outline.texts[$0] }
    }

    /// Whether a resource kind contains messages; nil: unrelated to this format.
    private static func hasMessages(_ kind: String) -> Bool? {
        let name = kind.dropFirst("youtube#".count)
        if ["comment", "liveChatMessage"].contains(where: { name.hasPrefix($0) }) { return true }
        // People who save API responses also save lists of videos, channels and so on beside the comments.
        return ["video", "channel", "playlist", "search", "liveBroadcast"].contains { name.hasPrefix($0) } ? false : nil
    }

    /// Whether the `items` of an object are comments.
    static func hasItems(_ opening: Opening) -> Bool {
        let outline = JSONOutline(opening)
        return outline.kinds["items"] == .array || outline.kinds["[].items"] == .array
    }

    func makeReader(_ context: ReadingContext) -> any ExportReader { YouTubeAPIReader(context) }
}

/// Reads threads, comments and live chat messages; replies follow what they reply to, ordered by time.
private final class YouTubeAPIReader: ShelvedJSONReader {
    private var missingReplies = 0

    init(_ context: ReadingContext) { super.init(context, order: .newestFirst) }

    override func chooser(_ opening: Opening) -> ([JSONPicker.Step], JSONPicker.Kind) -> JSONPicker.Choice {
        let hasItems = YouTubeAPIFormat.hasItems(opening)
        return { path, kind in
            switch path.last {
            case nil: return kind == .array || hasItems ? .enter : .take
            case .element:
                // Elements of `items`, or of an array of responses or comments.
                return path.count == 1 && hasItems ? .enter : .take
            case .key(let key):
                if key == "items", kind == .array { return .enter }
                return ["kind", "etag", "pageInfo", "nextPageToken"].contains(key) ? .skip : .passOver
            }
        }
    }

    override func take(_ node: JSONNode, at path: [JSONPicker.Step]) throws -> Bool {
        let kind = node["kind"]?.string ?? ""
        let snippet = node["snippet"]
        if kind == "youtube#liveChatMessage" || snippet?["liveChatId"] != nil {
            guard let live = YouTubeComment(live: node) else { return false }
            try add(live.message, of: node, time: live.time)
            return true
        }
        if let items = node["items"] {
            // A complete response with `items`, although the opening had none.
            for item in items.elements where try !take(item, at: path) { return false }
            return true
        }
        guard let top = snippet?["topLevelComment"] else {
            guard let comment = YouTubeComment(node) else { return false }
            try add(comment.message, of: node, time: comment.time)
            return true
        }
        guard let comment = YouTubeComment(top, thread: snippet) else { return false }
        try add(comment.message, of: top, time: comment.time)
        let replies = node["replies"]?["comments"]?.elements ?? []
        // Replies under another name, or in another form.
        let isOther =
            node.without("snippet", "replies").hasStrayWords
            || snippet?.without("topLevelComment").hasStrayWords == true
        if isOther || node.hidesWords || (replies.isEmpty && node["replies"]?.hasWords == true) { noteUnread() }
        let parent = top["id"]?.identifier
        for reply in replies {
            guard var comment = YouTubeComment(reply, thread: snippet, parent: parent) else {
                if reply.hasWords { noteUnread() }
                continue
            }
            comment.message.raw.removeAll { $0.key == "total_reply_count" || $0.key == "can_reply" }
            try add(comment.message, of: reply, time: comment.time)
        }
        missingReplies &+= max(0, min(1 << 32, max(0, snippet?["totalReplyCount"]?.int ?? 0)) - replies.count)
        return true
    }

    override func finish() throws {
        guard missingReplies > 0 else { return }
        context.notices(
            "replies missing from the file: \(missingReplies); get them from the API with comments.list and parentId"
        )
    }
}

/// Makes messages from YouTube Data API comments and live chat messages.
struct YouTubeComment {
    var message = Message()
    var time: Int64?

    /// A comment, in a thread or on its own.
    ///
    /// - Parameters:
    ///   - thread: the enclosing thread's details: `channelId`, `videoId` ….
    ///   - parent: the comment that it replies to, if only its position in the thread shows that.
    init?(_ node: JSONNode, thread: JSONNode? = nil, parent: String? = nil) {
        guard let snippet = node["snippet"], snippet.isObject else { return nil }
        message.platform = "youtube"
        message.raw = [("kind", .string("comment"))]
        message.id = node["id"]?.identifier.map { "yt:" + $0 }
        message.conversationID = Self.place(snippet) ?? thread.flatMap(Self.place)
        let author = snippet["authorChannelId"]?["value"]?.string ?? snippet["authorChannelId"]?.string
        message.sender.id = author
        setName(snippet["authorDisplayName"]?.string)
        // This is the channel that the comment is about; nothing identifies the author of a deleted account.
        if let author, let owner = thread?["channelId"]?.string ?? snippet["channelId"]?.string {
            message.sender.isSelf = author == owner
        }
        // Only the comment's author gets the original text; everybody else gets HTML.
        message.text = snippet["textOriginal"]?.string ?? HTMLText.plain(snippet["textDisplay"]?.string ?? "")
        setTime(snippet["publishedAt"]?.string)
        message.replyTo = (snippet["parentId"]?.string ?? parent).map { "yt:" + $0 }
        let updated = snippet["updatedAt"]?.string
        if updated != snippet["publishedAt"]?.string { message.mark("updated_at", updated.map { .string($0) }) }
        message.mark("like_count", snippet["likeCount"]?.int.map { .int($0) })
        message.mark("moderation_status", snippet["moderationStatus"]?.string.map { .string($0) })
        message.mark("total_reply_count", thread?["totalReplyCount"]?.int.map { .int($0) })
        message.mark("can_reply", thread?["canReply"]?.bool.map { .bool($0) })
    }

    /// A live chat message.
    init?(live node: JSONNode) {
        guard let snippet = node["snippet"], snippet.isObject else { return nil }
        let type = snippet["type"]?.string ?? "textMessageEvent"
        let author = node["authorDetails"]
        let paid = snippet["superChatDetails"] ?? snippet["superStickerDetails"]
        let milestone = snippet["memberMilestoneChatDetails"]
        message.platform = "youtube"
        message.id = node["id"]?.identifier.map { "yt:" + $0 }
        message.conversationID = snippet["liveChatId"]?.string
        message.sender.id = author?["channelId"]?.string ?? snippet["authorChannelId"]?.string
        setName(author?["displayName"]?.string)
        message.sender.isVerified = author?["isVerified"]?.bool
        message.sender.isSelf = author?["isChatOwner"]?.bool
        setTime(snippet["publishedAt"]?.string)
        switch type {
        case "textMessageEvent":
            message.raw = [("kind", .string("comment"))]
            message.text =
                snippet["textMessageDetails"]?["messageText"]?.string ?? snippet["displayMessage"]?.string ?? ""
        case "superChatEvent", "memberMilestoneChatEvent":
            message.raw = [("kind", .string("comment"))]
            message.text = (paid ?? milestone)?["userComment"]?.string ?? ""
        case "superStickerEvent":
            message.raw = [("kind", .string("comment"))]
            let name = paid?["superStickerMetadata"]?["altText"]?.string
            message.attachments = [Message.Attachment(type: "sticker", name: name)]
        default:
            // Whatever the event is called, text that a person typed is a comment.
            let typed = snippet["textMessageDetails"]?["messageText"]?.string
            message.raw = [("kind", .string(typed == nil ? "system" : "comment"))]
            message.text = typed ?? snippet["displayMessage"]?.string ?? ""
        }
        message.mark("live", .bool(true))
        if type != "textMessageEvent" { message.mark("type", .string(type)) }
        message.mark("amount_micros", paid?["amountMicros"]?.identifier.map { .string($0) })
        message.mark("currency", paid?["currency"]?.string.map { .string($0) })
        for (key, name) in [("isChatModerator", "moderator"), ("isChatSponsor", "member")]
        where author?[key]?.bool == true {
            message.mark(name, .bool(true))
        }
    }

    private static func place(_ snippet: JSONNode) -> String? {
        snippet["videoId"]?.identifier ?? snippet["postId"]?.identifier
    }

    /// Sets the name: since 2023, display names are handles.
    private mutating func setName(_ name: String?) {
        message.sender.name = name
        if let name, name.hasPrefix("@") { message.sender.handle = name }
    }

    private mutating func setTime(_ text: String?) {
        guard let text, let time = ExportTime(iso: text) else { return }
        message.sentAt = time.text
        self.time = time.milliseconds
    }
}
