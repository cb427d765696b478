import TriageCore

/// One event of a webhook delivery.
enum WebhookEvent {
    /// A new message.
    case message(Message)
    /// A reaction to a message; the record is emitted if that message is no longer held.
    case reaction(to: String, Message.Reaction, isRemoved: Bool, Message)
    /// A new text for a message.
    case edit(of: String, Message)
    /// A withdrawn message; the record is emitted if that message is no longer held.
    case withdrawal(of: String, Message)
    /// An event without a message: `read`, `delivery` ….
    case notice(String)
    /// An event from the dashboard's test button.
    case test
}

/// The information shared by all events of an entry.
struct WebhookEntry {
    /// `instagram`, `page`, `whatsapp_business_account`; empty: not given.
    var object = ""
    /// The account that receives the delivery.
    var owner: String?
    var time: JSONNode?
    var file = ""
    var line = 0

    static let objects: Set<String> = ["instagram", "page", "whatsapp_business_account"]

    /// The platform for chats.
    var chatPlatform: String {
        switch object {
        case "page": "messenger"
        case "whatsapp_business_account": "whatsapp"
        default: "instagram"
        }
    }

    /// The platform for comments.
    var commentPlatform: String { object == "page" ? "facebook" : "instagram" }

    /// A message with the shared information filled in.
    func message(_ kind: String, platform: String) -> Message {
        var message = Message()
        message.platform = platform
        message.raw = [("kind", .string(kind))]
        return message
    }

    /// The last member of `raw`.
    var source: (key: String, value: Message.RawValue) { Message.source(file, line: line) }

    /// An id for an event without one; the same event delivered again gets the same id.
    static func made(_ message: Message, _ parts: String?...) -> String {
        "meta:"
            + MessageDigest(
                platform: message.platform ?? "", conversation: message.conversationID ?? "",
                time: message.sentAt ?? "", sender: message.sender.id ?? "",
                text: ([message.text] + parts.map { $0 ?? "" }).joined(separator: "\u{1}"), ordinal: 0
            ).hex
    }

    /// Removes the signature from a URL, because it grants access to anybody.
    static func withoutToken(_ url: String) -> String {
        let url = MetaMessage.withoutToken(url)
        guard url.contains("fbsbx.com/"), let start = url.firstRange(of: "&signature=") else { return url }
        let rest = url[start.upperBound...]
        return url[..<start.lowerBound] + String(rest.firstIndex(of: "&").map { rest[$0...] } ?? "")
    }

    /// Meta's id, with a prefix that identifies it as Meta's.
    static func id(_ node: JSONNode?) -> String? { node?.identifier.map { "meta:" + $0 } }
}

extension JSONNode {
    /// An id written as a string or a number; nil when it is empty or neither.
    var identifier: String? {
        switch self {
        case .string(let text), .number(let text): text.isEmpty ? nil : text
        default: nil
        }
    }

    /// A Boolean; Meta documents that any property may be a string.
    var flag: Bool { bool ?? (string == "true") }
}

extension Message {
    /// Adds a member to `raw` unless it already has one of that name.
    mutating func mark(_ key: String, _ value: RawValue?) {
        if let value, !raw.contains(where: { $0.key == key }) { raw.append((key, value)) }
    }

    /// Sets or adds `raw.kind`.
    mutating func setKind(_ kind: String) {
        if let index = raw.firstIndex(where: { $0.key == "kind" }) {
            raw[index].value = .string(kind)
        } else {
            raw.insert(("kind", .string(kind)), at: 0)
        }
    }
}

/// Reads direct messages: `messaging` and `standby` of Instagram and Messenger.
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
        // Without an entry, only an echo shows whose account it is.
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

/// Reads messages of the WhatsApp Cloud API.
extension WebhookEntry {
    func whatsApp(_ value: JSONNode) -> [WebhookEvent] {
        var names: [String: String] = [:]
        for contact in value["contacts"]?.elements ?? [] {
            if let id = contact["wa_id"]?.identifier { names[id] = contact["profile"]?["name"]?.string }
        }
        var events = (value["messages"]?.elements ?? []).map { whatsApp($0, names, isEcho: false) }
        // Messages that the owner wrote in the phone app.
        events += (value["message_echoes"]?.elements ?? []).map { whatsApp($0, names, isEcho: true) }
        events += (value["statuses"]?.elements ?? []).map { _ in .notice("statuses") }
        return events.isEmpty ? [.notice("other")] : events
    }

    private func whatsApp(_ item: JSONNode, _ names: [String: String], isEcho: Bool) -> WebhookEvent {
        var message = message("message", platform: "whatsapp")
        let sender = item["from"]?.identifier
        message.sender.id = sender
        message.sender.name = sender.flatMap { names[$0] }
        message.sender.isSelf = isEcho
        message.conversationID = item["group_id"]?.identifier ?? (isEcho ? item["to"]?.identifier : sender)
        message.sentAt = (ExportTime(epoch: item["timestamp"]) ?? ExportTime(epoch: time))?.text
        message.replyTo = Self.id(item["context"]?["id"])
        let type = item["type"]?.string ?? "text"
        switch type {
        case "reaction":
            guard let target = Self.id(item["reaction"]?["message_id"]) else { return .notice("reaction") }
            let emoji = item["reaction"]?["emoji"]?.string ?? ""
            message.setKind("reaction_notice")
            message.replyTo = target
            if !emoji.isEmpty { message.mark("emoji", .string(emoji)) }
            message.raw.append(source)
            message.id = Self.id(item["id"]) ?? Self.made(message, target, emoji)
            let reaction = Message.Reaction(emoji: emoji, by: message.sender.name ?? sender)
            // An empty reaction removes the previous one.
            return .reaction(to: target, reaction, isRemoved: emoji.isEmpty, message)
        case "revoke":
            guard let target = Self.id(item["revoke"]?["original_message_id"]) else { return .notice("revoke") }
            message.setKind("unsent")
            message.replyTo = target
            message.raw.append(source)
            message.id = Self.id(item["id"]) ?? Self.made(message, target)
            return .withdrawal(of: target, message)
        case "edit":
            guard let target = Self.id(item["edit"]?["original_message_id"]), let new = item["edit"]?["message"] else {
                return .notice("edit")
            }
            message.id = target
            fill(&message, new, new["type"]?.string ?? "text")
            message.raw.append(source)
            return .edit(of: target, message)
        default:
            fill(&message, item, type)
            message.raw.append(source)
            message.id = Self.id(item["id"]) ?? Self.made(message)
            return .message(message)
        }
    }

    private static let media = [
        "image": "image", "video": "video", "audio": "audio", "voice": "voice", "document": "file",
        "sticker": "sticker",
    ]

    private func fill(_ message: inout Message, _ item: JSONNode, _ type: String) {
        let content = item[type]
        switch type {
        case "text": message.text = content?["body"]?.string ?? ""
        case "button":
            message.text = content?["text"]?.string ?? ""
            message.mark("payload", content?["payload"]?.string.map { .string($0) })
        case "interactive":
            let reply = content?["button_reply"] ?? content?["list_reply"] ?? content?["nfm_reply"]
            message.text = reply?["title"]?.string ?? reply?["body"]?.string ?? ""
            message.mark("payload", reply?["id"]?.identifier.map { .string($0) })
        case "location":
            let name = content?["name"]?.string ?? content?["address"]?.string
            message.attachments.append(Message.Attachment(type: "location", name: name))
        case "contacts":
            // Leave out the numbers, which belong to third parties.
            for contact in content?.elements ?? [] {
                let name = contact["name"]?["formatted_name"]?.string
                message.attachments.append(Message.Attachment(type: "contact", name: name))
            }
        case "order": message.text = content?["text"]?.string ?? ""
        case "system":
            message.text = content?["body"]?.string ?? ""
            message.setKind("system")
        default:
            guard let kind = Self.media[type] else {
                message.mark("unsupported", .bool(true))
                break
            }
            message.text = content?["caption"]?.string ?? ""
            let isVoice = content?["voice"]?.flag == true
            message.attachments.append(
                Message.Attachment(type: isVoice ? "voice" : kind, name: content?["filename"]?.string))
        }
    }
}

/// Reads other subscriptions: comments, mentions, posts on a page; and WhatsApp.
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
        // A mention contains only ids, no text.
        case "mentions", "mention": return [.notice("mentions")]
        default:
            // The test button and some login types send chats in this form.
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

    /// Reads comments on a page, posts by others on it, and reactions to both.
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

    /// Reads an epoch time, or a date as the Graph API writes it.
    private static func time(_ node: JSONNode?) -> String? {
        (ExportTime(epoch: node) ?? node?.string.flatMap { ExportTime(iso: $0) })?.text
    }
}
