import TriageCore

/// Direct messages: `messaging` and `standby` of Instagram and Messenger.
extension WebhookEntry {
    func messaging(_ item: JSONNode, isStandby: Bool = false) -> WebhookEvent {
        if let message = item["message"], message.isObject { return chat(item, message, isStandby) }
        if let postback = item["postback"], postback.isObject {
            return .message(self.postback(item, postback, isStandby))
        }
        if let reaction = item["reaction"], let target = Self.id(reaction["mid"]) {
            return self.reaction(item, reaction, target)
        }
        if let edit = item["message_edit"], let target = Self.id(edit["mid"]), let text = edit["text"]?.string {
            var message = base(item, isEcho: edit["is_echo"]?.flag == true)
            message.id = target
            message.text = text
            finish(&message, isStandby)
            return .edit(of: target, message)
        }
        let known = [
            "read", "delivery", "reaction", "referral", "optin", "message_edit", "pass_thread_control",
            "take_thread_control", "request_thread_control", "app_roles", "account_linking", "policy_enforcement",
        ]
        return .notice(known.first { item[$0] != nil } ?? "other")
    }

    /// Sender, conversation and time.
    private func base(_ item: JSONNode, isEcho: Bool) -> Message {
        var message = message("message", platform: chatPlatform)
        let sender = item["sender"]?["id"]?.identifier
        let recipient = item["recipient"]?["id"]?.identifier
        let isOwn = isEcho || (sender != nil && sender == owner)
        let reference = item["sender"]?["user_ref"]?.identifier
        message.sender.id = sender
        // Without an entry only an echo says whose account it is.
        if isOwn || owner != nil { message.sender.isSelf = isOwn }
        message.conversationID = isOwn ? recipient : sender ?? reference
        if let reference { message.raw.append(("user_ref", .string(reference))) }
        message.sentAt = (ExportTime(epoch: item["timestamp"]) ?? ExportTime(epoch: time))?.text
        return message
    }

    private func finish(_ message: inout Message, _ isStandby: Bool) {
        if isStandby { message.raw.append(("standby", .bool(true))) }
        message.raw.append(source)
    }

    private func chat(_ item: JSONNode, _ content: JSONNode, _ isStandby: Bool) -> WebhookEvent {
        if content["mid"]?.string == "random_mid" { return .test }
        var message = base(item, isEcho: content["is_echo"]?.flag == true)
        message.id = Self.id(content["mid"])
        if content["is_deleted"]?.flag == true, let target = message.id {
            message.id = Self.made(message, target, "unsent")
            message.raw[0] = ("kind", .string("unsent"))
            message.replyTo = target
            finish(&message, isStandby)
            return .withdrawal(of: target, message)
        }
        message.text = content["text"]?.string ?? ""
        add(content["attachments"]?.elements ?? [], to: &message)
        if message.text.isEmpty, !message.attachments.isEmpty,
            message.attachments.allSatisfy({ $0.type == "share" || $0.type == "link" })
        {
            message.raw[0] = ("kind", .string("share"))
        }
        if let reply = content["reply_to"] {
            message.replyTo = Self.id(reply["mid"])
            if let story = reply["story"] {
                let address = story["url"]?.string.map(Self.withoutToken) ?? story["id"]?.identifier ?? ""
                message.raw.append(("story_reply", .string(address)))
            }
        }
        if content["is_unsupported"]?.flag == true { message.raw.append(("unsupported", .bool(true))) }
        if let payload = content["quick_reply"]?["payload"]?.string {
            message.raw.append(("payload", .string(payload)))
        }
        if let referral = content["referral"], let ref = referral["ref"]?.string ?? referral["source"]?.string {
            message.raw.append(("referral", .string(ref)))
        }
        finish(&message, isStandby)
        if message.id == nil { message.id = Self.made(message) }
        return .message(message)
    }

    private func postback(_ item: JSONNode, _ postback: JSONNode, _ isStandby: Bool) -> Message {
        var message = base(item, isEcho: false)
        message.text = postback["title"]?.string ?? ""
        let payload = postback["payload"]?.string
        if let payload { message.raw.append(("payload", .string(payload))) }
        finish(&message, isStandby)
        message.id = Self.id(postback["mid"]) ?? Self.made(message, payload)
        return message
    }

    private func reaction(_ item: JSONNode, _ reaction: JSONNode, _ target: String) -> WebhookEvent {
        var message = base(item, isEcho: false)
        let word = reaction["reaction"]?.string
        let emoji = reaction["emoji"]?.string ?? word ?? ""
        let isRemoved = reaction["action"]?.string == "unreact"
        message.raw[0] = ("kind", .string("reaction_notice"))
        message.replyTo = target
        message.raw.append(("action", .string(isRemoved ? "unreact" : "react")))
        if !emoji.isEmpty { message.raw.append(("emoji", .string(emoji))) }
        message.raw.append(source)
        message.id = Self.made(message, target, emoji, isRemoved ? "-" : "+")
        return .reaction(
            to: target, Message.Reaction(emoji: emoji, by: message.sender.id), isRemoved: isRemoved, message)
    }

    private static let types: [String: String] = [
        "image": "image", "video": "video", "audio": "audio", "file": "file", "location": "location",
        "fallback": "link", "share": "share", "story_mention": "share", "reel": "share", "ig_reel": "share",
        "post": "share", "ig_post": "share", "template": "share",
    ]

    private func add(_ attachments: [JSONNode], to message: inout Message) {
        for attachment in attachments {
            let type = attachment["type"]?.string ?? "file"
            let payload = attachment["payload"]
            let isSticker = payload?["sticker_id"] != nil
            message.attachments.append(
                Message.Attachment(
                    type: isSticker ? "sticker" : Self.types[type] ?? "file",
                    name: payload?["title"]?.string ?? attachment["title"]?.string,
                    url: (payload?["url"]?.string ?? attachment["url"]?.string).map(Self.withoutToken)))
            if type == "story_mention" { message.mark("story_mention", .bool(true)) }
            if type == "template" || type == "appointment_booking" { message.mark("template", .string(type)) }
        }
    }
}
