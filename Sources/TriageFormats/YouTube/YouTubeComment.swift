import TriageCore

/// Comments and live chat messages as YouTube's Data API describes them.
struct YouTubeComment {
    var message = Message()
    var time: Int64?

    /// A comment, of a thread or on its own.
    ///
    /// - Parameters:
    ///   - thread: what the thread around it says: `channelId`, `videoId` ….
    ///   - parent: the comment that it answers, where only the place in the thread says it.
    init?(_ node: JSONNode, thread: JSONNode? = nil, parent: String? = nil) {
        guard let snippet = node["snippet"], snippet.isObject else { return nil }
        message.platform = "youtube"
        message.raw = [("kind", .string("comment"))]
        message.id = node["id"]?.identifier.map { "yt:" + $0 }
        message.conversationID = Self.place(snippet) ?? thread.flatMap(Self.place)
        let author = snippet["authorChannelId"]?["value"]?.string ?? snippet["authorChannelId"]?.string
        message.sender.id = author
        setName(snippet["authorDisplayName"]?.string)
        // The channel that the comment is about; of deleted accounts nothing says who it was.
        if let author, let owner = thread?["channelId"]?.string ?? snippet["channelId"]?.string {
            message.sender.isSelf = author == owner
        }
        // Only the owner of a comment gets what was typed; all others get HTML.
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

    /// A message of a live chat.
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
            // Whatever an event is called, what somebody typed is a comment.
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

    /// Display names are handles since 2023.
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
