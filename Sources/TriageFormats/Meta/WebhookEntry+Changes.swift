import TriageCore

/// Subscriptions beside the chats: comments, mentions, posts of a page; WhatsApp.
extension WebhookEntry {
    func change(_ field: String, _ value: JSONNode) -> [WebhookEvent] {
        if value["messaging_product"] != nil || object == "whatsapp_business_account" {
            var entry = self
            entry.object = "whatsapp_business_account"
            return entry.whatsApp(value)
        }
        switch field {
        case "comments", "live_comments": return [comment(field, value)]
        case "feed":
            var entry = self
            entry.object = "page"
            return [entry.feed(value)]
        // Only the ids of a mention are sent, no text.
        case "mentions", "mention": return [.notice("mentions")]
        default:
            // Chats come so from the test button, and with some kinds of login.
            if value["sender"] != nil || value["message"] != nil { return [messaging(value)] }
            return [.notice(field)]
        }
    }

    private func comment(_ field: String, _ value: JSONNode) -> WebhookEvent {
        guard let id = Self.id(value["id"]) else { return .notice(field) }
        var message = message("comment", platform: commentPlatform)
        message.id = id
        message.text = value["text"]?.string ?? ""
        message.sender.id = value["from"]?["id"]?.identifier
        message.sender.handle = value["from"]?["username"]?.string
        if let owner, let sender = message.sender.id { message.sender.isSelf = sender == owner }
        message.conversationID = value["media"]?["id"]?.identifier ?? value["media_id"]?.identifier
        message.replyTo = Self.id(value["parent_id"])
        message.sentAt = Self.time(value["timestamp"] ?? value["created_time"] ?? time)
        message.mark("media_type", value["media"]?["media_product_type"]?.string.map { .string($0) })
        if field == "live_comments" { message.mark("live", .bool(true)) }
        message.raw.append(source)
        return .message(message)
    }

    /// Comments on a page, posts of others on it, and reactions to both.
    private func feed(_ value: JSONNode) -> WebhookEvent {
        let item = value["item"]?.string ?? "other"
        let verb = value["verb"]?.string ?? "add"
        let post = value["post_id"]?.identifier
        var message = message("comment", platform: "facebook")
        message.sender.id = value["from"]?["id"]?.identifier ?? value["sender_id"]?.identifier
        message.sender.name = value["from"]?["name"]?.string ?? value["sender_name"]?.string
        if let owner, let sender = message.sender.id { message.sender.isSelf = sender == owner }
        message.conversationID = post
        message.sentAt = Self.time(value["created_time"] ?? time)
        if item == "reaction" || item == "like" {
            guard let target = value["comment_id"]?.identifier ?? post else { return .notice(item) }
            return reaction(value, to: "meta:" + target, message)
        }
        let isComment = item == "comment"
        guard isComment || ["status", "post", "photo", "video", "share"].contains(item),
            let own = isComment ? value["comment_id"]?.identifier : post
        else { return .notice("feed") }
        let id = "meta:" + own
        message.id = id
        message.text = value["message"]?.string ?? ""
        if isComment, let parent = value["parent_id"]?.identifier, parent != post { message.replyTo = "meta:" + parent }
        for (key, type) in [("photo", "image"), ("video", "video"), ("link", "link")] {
            guard let url = value[key]?.string else { continue }
            message.attachments.append(Message.Attachment(type: type, url: Self.withoutToken(url)))
        }
        if !isComment { message.mark("item", .string(item)) }
        if verb == "remove" {
            message.setKind("unsent")
            message.replyTo = id
            message.id = Self.made(message, id, "unsent")
            message.raw.append(source)
            return .withdrawal(of: id, message)
        }
        guard ["add", "edit", "edited"].contains(verb) else { return .notice("feed") }
        if !isComment, message.text.isEmpty { return .notice("feed") }
        message.raw.append(source)
        return verb == "add" ? .message(message) : .edit(of: id, message)
    }

    private func reaction(_ value: JSONNode, to target: String, _ base: Message) -> WebhookEvent {
        let emojis = ["like": "👍", "love": "❤️", "haha": "😆", "wow": "😮", "sad": "😢", "angry": "😠", "care": "🤗"]
        let word = value["reaction_type"]?.string ?? "like"
        let emoji = emojis[word] ?? word
        let isRemoved = value["verb"]?.string == "remove"
        var message = base
        message.setKind("reaction_notice")
        message.replyTo = target
        message.mark("emoji", .string(emoji))
        message.raw.append(source)
        message.id = Self.made(message, target, emoji, isRemoved ? "-" : "+")
        let by = base.sender.name ?? base.sender.id
        return .reaction(to: target, Message.Reaction(emoji: emoji, by: by), isRemoved: isRemoved, message)
    }

    /// An epoch, or a date as the Graph API writes it.
    private static func time(_ node: JSONNode?) -> String? {
        (ExportTime(epoch: node) ?? node?.string.flatMap { ExportTime(iso: $0) })?.text
    }
}
