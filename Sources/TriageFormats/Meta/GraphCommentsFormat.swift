import TriageCore

/// Comments on a post with their replies, as the Graph API returns them.
struct GraphCommentsFormat: ExportFormat {
    let name = "graph-comments"
    let summary = "comments on a post from Meta's Graph API (JSON)"

    func detect(_ opening: Opening) -> Detection? {
        guard opening.firstByte == UInt8(ascii: "{") || opening.firstByte == UInt8(ascii: "[") else { return nil }
        let outline = JSONOutline(opening)
        for list in ["data[].", "comments.data[].", "data[].comments.data[]."] {
            for place in [list, "[]." + list] where outline.has(place + "id") {
                if outline.has(place + "text", place + "timestamp"),
                    outline.has(place + "username") || outline.kinds[place + "from"] == .object
                {
                    return Detection(format: name, reason: "'data' with 'id', 'text', 'timestamp' and who wrote it")
                }
                // Facebook uses other member names; an entry with `to` is a chat message.
                if outline.has(place + "message", place + "created_time"), outline.kinds[place + "from"] == .object,
                    !outline.has(place + "to")
                {
                    return Detection(format: name, reason: "'data' with 'id', 'message', 'created_time' and 'from'")
                }
            }
        }
        return nil
    }

    func makeReader(_ context: ReadingContext) -> any ExportReader { GraphCommentsReader(context) }
}

/// Reads consecutive pages of comments, including replies.
private final class GraphCommentsReader: ShelvedJSONReader {
    /// The post that the file is about, if it says so.
    private var post: String?
    /// Maximum depth of replies that is followed; real data has no replies to replies.
    private static let maximumDepth = 8

    init(_ context: ReadingContext) { super.init(context, order: .newestFirst) }

    override func documentChanged() { post = nil }

    override func chooser(_ opening: Opening) -> ([JSONPicker.Step], JSONPicker.Kind) -> JSONPicker.Choice {
        { path, kind in
            switch path.last {
            case nil: .enter
            case .element: path.count == 1 ? .enter : .take
            case .key("data"): kind == .array ? .enter : .passOver
            case .key("comments"): kind == .object ? .enter : .passOver
            case .key("id"): kind == .scalar ? .take : .passOver
            // Members of the post itself, if the file also contains the post.
            case .key("paging"), .key("summary"), .key("caption"), .key("message"): .skip
            default: .passOver
            }
        }
    }

    override func take(_ node: JSONNode, at path: [JSONPicker.Step]) throws -> Bool {
        if path.last == .key("id") {
            post = node.identifier
            return true
        }
        guard node["id"] != nil else { return false }
        // A list of posts, each with its comments.
        if let comments = node["comments"]?["data"],
            node["from"] == nil || node["text"] == nil && node["message"] == nil
        {
            for comment in comments.elements {
                guard try add(comment, post: node["id"]?.identifier, parent: nil, depth: 0) else { return false }
            }
            return true
        }
        return try add(node, post: post, parent: nil, depth: 0)
    }

    private func add(_ node: JSONNode, post: String?, parent: String?, depth: Int) throws -> Bool {
        guard let id = node["id"]?.identifier, depth < Self.maximumDepth else { return false }
        let isFacebook = node["text"] == nil && node["message"] != nil
        var message = Message()
        message.platform = isFacebook ? "facebook" : "instagram"
        message.id = "meta:" + id
        message.conversationID = node["media"]?["id"]?.identifier ?? post
        message.sender.id = node["from"]?["id"]?.identifier
        message.sender.handle = node["username"]?.string ?? node["from"]?["username"]?.string
        message.sender.name = node["from"]?["name"]?.string
        message.text = node["text"]?.string ?? node["message"]?.string ?? ""
        let stamp = node["timestamp"] ?? node["created_time"]
        let time = stamp?.string.flatMap { ExportTime(iso: $0) } ?? ExportTime(epoch: stamp)
        message.sentAt = time?.text
        let answered = node["parent_id"]?.identifier ?? node["parent"]?["id"]?.identifier ?? parent
        message.replyTo = answered.map { "meta:" + $0 }
        message.raw = [("kind", .string("comment"))]
        message.mark("like_count", node["like_count"]?.int.map { .int($0) })
        if node["hidden"]?.flag == true || node["is_hidden"]?.flag == true { message.mark("hidden", .bool(true)) }
        if let url = node["attachment"]?["media"]?["image"]?["src"]?.string ?? node["attachment"]?["url"]?.string {
            message.attachments = [Message.Attachment(type: "image", url: WebhookEntry.withoutToken(url))]
        }
        let lists = ["replies", "comments"]
        let own = node.without("replies", "comments")
        try add(message, of: own, time: time?.milliseconds, idPrefix: "meta:")
        for list in lists {
            let replies = node[list]?["data"]?.elements ?? []
            if replies.isEmpty, node[list]?.hasWords == true { noteUnread() }
            for reply in replies {
                let isRead = try add(reply, post: message.conversationID, parent: id, depth: depth + 1)
                if !isRead, reply.hasWords { noteUnread() }
            }
        }
        // Replies under an unknown name.
        let isOther = own.members.contains { member in
            guard case .object = member.value else { return false }
            return member.value["data"] != nil && member.value.hasWords
        }
        if isOther { noteUnread() }
        return true
    }
}
