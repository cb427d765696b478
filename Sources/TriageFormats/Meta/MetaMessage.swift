import TriageCore

/// One entry of a conversation file, parsed.
struct MetaMessage {
    let node: JSONNode
    let sender: String
    let kind: String
    let text: String
    /// Meta's own text in place of an attachment.
    let placeholder: String?

    /// nil: the entry is empty.
    init?(_ node: JSONNode, _ conversation: MetaConversation) {
        self.node = node
        sender = node["sender_name"]?.metaText ?? ""
        let content = node["content"]?.metaText ?? ""
        let shareText = node["share"]?["share_text"]?.metaText ?? ""
        let hasShare = Self.hasShare(node)
        let hasThings = Self.hasThings(node)
        let isNotice =
            hasThings
            && MetaPhrases.isAttachmentNotice(content, sender: sender, isOwn: conversation.owner?.contains(sender))
        let type = node["type"]?.string

        if node["is_unsent"]?.bool == true {
            kind = "unsent"
            text = content
        } else if type == "Call" || node["call_duration"] != nil {
            kind = "call"
            text = content
        } else if type == "Subscribe" || type == "Unsubscribe" || (type == "placeholder" && content.isEmpty)
            || !(node["users"]?.elements.isEmpty ?? true)
        {
            kind = "system"
            text = content
        } else if !hasThings, MetaPhrases.isReactionNotice(content) {
            kind = "reaction_notice"
            text = content
        } else if !hasThings,
            MetaPhrases.isSystemNotice(
                content, sender: sender, isOwn: conversation.owner?.contains(sender), people: conversation.participants)
        {
            kind = "system"
            text = content
        } else {
            let own = isNotice ? "" : content
            if own.isEmpty, hasShare {
                kind = "share"
                text = shareText
            } else {
                kind = "message"
                text = own
            }
            let isEmpty = own.isEmpty && !hasThings && node["reactions"] == nil
            if isEmpty { return nil }
        }
        placeholder = isNotice && (kind == "message" || kind == "share") ? content : nil
    }

    /// Whether an entry has files, a share or a sticker.
    static func hasThings(_ node: JSONNode) -> Bool {
        hasShare(node) || node["sticker"]?.isObject == true
            || media.contains { !(node[$0.key]?.elements.isEmpty ?? true) }
    }

    private static func hasShare(_ node: JSONNode) -> Bool { node["share"]?.members.isEmpty == false }

    private static let media: [(key: String, type: String)] = [
        ("photos", "image"), ("videos", "video"), ("audio_files", "audio"), ("files", "file"), ("gifs", "gif"),
    ]

    /// Milliseconds since 1970; nil when the entry has no time.
    static func milliseconds(_ node: JSONNode) -> Int? { node["timestamp_ms"]?.int }

    /// - Parameters:
    ///   - digest: the basis of its id.
    ///   - index: position in its file.
    func message(_ conversation: MetaConversation, digest: MessageDigest, file: String, index: Int) -> Message {
        var message = Message()
        message.platform = conversation.platform.rawValue
        message.conversationID = conversation.id
        message.conversationTitle = conversation.title
        if conversation.participants.count > 2 { message.participants = conversation.participants.count }
        if !sender.isEmpty { message.sender.name = sender }
        message.sender.isSelf = conversation.owner.map { $0.contains(sender) }
        message.text = text
        message.sentAt = Self.milliseconds(node).flatMap { SourceTime.text(Int64($0)) }
        message.id = (conversation.platform == .instagram ? "ig:" : "fb:") + digest.hex
        message.attachments = attachments()
        for reaction in node["reactions"]?.elements ?? [] {
            guard let emoji = reaction["reaction"]?.metaText else { continue }
            message.reactions.append(Message.Reaction(emoji: emoji, by: reaction["actor"]?.metaText))
        }
        message.raw = raw(conversation, isSelf: message.sender.isSelf, file: file, index: index)
        return message
    }

    /// A digest of the five parts of its id and its ordinal among equal messages.
    func digest(_ conversation: MetaConversation, ordinal: Int) -> MessageDigest {
        let time: String =
            switch node["timestamp_ms"] {
            case .number(let written), .string(let written): written
            default: ""
            }
        return MessageDigest(
            platform: conversation.platform.rawValue, conversation: conversation.id ?? "", time: time, sender: sender,
            text: placeholder.flatMap { MetaPhrases.isOldNotice($0, sender: sender) ? nil : $0 } ?? text,
            ordinal: ordinal)
    }

    private func attachments() -> [Message.Attachment] {
        var found: [Message.Attachment] = []
        for (key, type) in Self.media {
            for item in node[key]?.elements ?? [] {
                found.append(Message.Attachment(type: type, url: item["uri"]?.metaText.map(Self.withoutToken)))
            }
        }
        if let sticker = node["sticker"], sticker.isObject {
            found.append(Message.Attachment(type: "sticker", url: sticker["uri"]?.metaText.map(Self.withoutToken)))
        }
        if let link = node["share"]?["link"]?.metaText {
            found.append(
                Message.Attachment(type: Self.isStory(link) ? "story_reply" : "share", url: Self.withoutToken(link)))
        }
        return found
    }

    private func raw(
        _ conversation: MetaConversation, isSelf: Bool?, file: String, index: Int
    ) -> [(key: String, value: Message.RawValue)] {
        var raw: [(key: String, value: Message.RawValue)] = [("kind", .string(kind))]
        if !conversation.folder.isEmpty { raw.append(("folder", .string(conversation.folder))) }
        if let link = node["share"]?["link"]?.metaText, Self.isStory(link) {
            raw.append(("story_reply", .string(Self.withoutToken(link))))
            if let owner = Self.storyOwner(link) { raw.append(("story_owner", .string(owner))) }
        }
        if let owner = node["share"]?["original_content_owner"]?.metaText {
            raw.append(("share_owner", .string(owner)))
        }
        if kind == "message", let shareText = node["share"]?["share_text"]?.metaText, !shareText.isEmpty {
            raw.append(("share_text", .string(shareText)))
        }
        if let placeholder { raw.append(("placeholder", .string(placeholder))) }
        if let seconds = node["call_duration"]?.int { raw.append(("call_duration", .int(seconds))) }
        if let missed = node["missed"]?.bool { raw.append(("missed", .bool(missed))) }
        if isSelf == false, !conversation.isGroup, let hint = Self.handleHint(conversation.directory) {
            raw.append(("handle_hint", .string(hint)))
        }
        if let missing = node["media_missing"]?.bool { raw.append(("media_missing", .bool(missing))) }
        if conversation.isPlatformGuessed { raw.append(("platform_guess", .bool(true))) }
        raw.append(Message.source(file, index: index))
        return raw
    }

    private static func isStory(_ link: String) -> Bool { link.contains("/stories/") }

    /// The owner of a story, which identifies replies to the export owner's stories.
    private static func storyOwner(_ link: String) -> String? {
        guard let range = link.firstRange(of: "/stories/") else { return nil }
        let owner = link[range.upperBound...].prefix { $0 != "/" && $0 != "?" }
        return owner.isEmpty || owner.utf8.count > 64 ? nil : String(owner)
    }

    /// Removes the query of a signed URL to Meta's servers, because it contains access tokens.
    static func withoutToken(_ url: String) -> String {
        guard url.contains("fbcdn.net/") || url.contains("cdninstagram.com/"),
            let query = url.firstIndex(of: "?")
        else { return url }
        return String(url[..<query])
    }

    /// The handle `zoe` from `zoe_1001`.
    private static func handleHint(_ directory: String) -> String? {
        guard let separator = directory.lastIndex(of: "_") else { return nil }
        let number = directory[directory.index(after: separator)...]
        let name = directory[..<separator]
        guard !name.isEmpty, !number.isEmpty, number.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
        return name == "instagramuser" ? nil : String(name)
    }
}
