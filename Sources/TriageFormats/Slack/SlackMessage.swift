import TriageCore

/// Makes a message from an entry of a day's file.
struct SlackMessage {
    let node: JSONNode
    let time: SlackTime
    let directory: SlackDirectory
    /// Scopes that may have the lists for it.
    let scopes: [String]
    /// nil: no list has its folder.
    let conversation: SlackDirectory.Conversation?
    /// The name of the folder; nil: the file is in none.
    let folder: String?
    let title: String?

    private var text: SlackText { SlackText(directory: directory) }
    private var subtype: String? { node["subtype"]?.string.flatMap { $0.isEmpty ? nil : $0 } }
    private var conversationID: String? { conversation?.id ?? folder }

    private func id(_ time: String) -> String { "slack:" + (conversationID.map { $0 + "/" } ?? "") + time }

    func message(_ place: Message.RawValue) -> Message {
        var message = Message()
        message.platform = "slack"
        message.id = id(time.source)
        message.conversationID = conversationID
        message.conversationTitle = title
        if let count = conversation?.members.count, count > 2 { message.participants = count }
        message.sender = sender()
        message.text = body()
        message.sentAt = time.text
        if let thread = node["thread_ts"]?.identifier, thread != time.source { message.replyTo = id(thread) }
        message.attachments = attachments()
        message.reactions = (node["reactions"]?.elements ?? []).compactMap(reaction)
        message.raw = [("kind", .string(kind))]
        addDetails(to: &message)
        message.raw.append(("source", place))
        return message
    }

    private static let systemTypes: Set<String> = [
        "pinned_item", "unpinned_item", "reminder_add", "bot_add", "bot_remove", "bot_enable", "bot_disable",
        "app_conversation_join", "joiner_notification", "joiner_notification_for_inviter", "sh_room_shared",
    ]

    private var kind: String {
        switch subtype {
        case nil: return "message"
        case "huddle_thread", "sh_room_created": return "call"
        case "tombstone", "message_deleted": return "unsent"
        case let type?:
            let isSystem =
                type.hasPrefix("channel_") || type.hasPrefix("group_") || type.hasPrefix("mpim_")
                || Self.systemTypes.contains(type)
            return isSystem ? "system" : "message"
        }
    }

    private var isBot: Bool { node["bot_id"]?.identifier != nil || subtype == "bot_message" }

    private func sender() -> Message.Sender {
        var sender = Message.Sender()
        func filled(_ node: JSONNode?) -> String? { node?.string.flatMap { $0.isEmpty ? nil : $0 } }
        let username = filled(node["username"])
        sender.id = node["user"]?.identifier ?? node["bot_id"]?.identifier ?? username
        let known = sender.id.flatMap(directory.person)
        let inline = node["user_profile"].map { SlackDirectory.person($0, profile: $0) }
        let bot = node["bot_profile"]?["name"].flatMap(filled)
        sender.handle = known?.handle ?? inline?.handle
        sender.name = known?.name ?? inline?.name ?? username ?? bot
        sender.isSelf = directory.isOwn(sender.id, in: scopes)
        return sender
    }

    private func body() -> String {
        let blocks = node["blocks"]?.elements ?? []
        let own = node["text"]?.string ?? ""
        // Slack writes this text for blocks that a client cannot show.
        if !own.isEmpty, blocks.isEmpty || own != "This content can't be displayed." { return text.plain(own) }
        let inBlocks = text.plain(blocks: blocks)
        if !inBlocks.isEmpty { return inBlocks }
        let fallbacks = (node["attachments"]?.elements ?? []).compactMap { attachment in
            attachment["fallback"]?.string ?? attachment["text"]?.string
        }
        return text.plain(fallbacks.filter { !$0.isEmpty }.joined(separator: "\n"))
    }

    private func attachments() -> [Message.Attachment] {
        let files = node["files"]?.elements ?? node["file"].map { [$0] } ?? []
        var found = files.filter(\.isObject).map { file in
            let address = file["url_private"]?.string ?? file["permalink"]?.string
            let name = file["name"]?.string ?? file["title"]?.string
            return Message.Attachment(
                type: Self.type(of: file, name), name: name, url: address.map(SharedLink.withoutToken))
        }
        for card in node["attachments"]?.elements ?? [] {
            let isShare = card["is_share"]?.bool == true || card["is_msg_unfurl"]?.bool == true
            guard let address = card["from_url"]?.string ?? card["title_link"]?.string, !address.isEmpty else {
                continue
            }
            found.append(
                Message.Attachment(
                    type: isShare ? "share" : "link", name: card["title"]?.string, url: SharedLink.withoutToken(address)
                ))
        }
        return found
    }

    private static func type(of file: JSONNode, _ name: String?) -> String {
        switch file["subtype"]?.string {
        case "slack_audio": return "voice"
        case "slack_video": return "video"
        default: break
        }
        let media = file["mimetype"]?.string?.split(separator: "/").first.map(String.init)
        switch media {
        case "image": return file["mimetype"]?.string == "image/gif" ? "gif" : "image"
        case "video", "audio": return media ?? "file"
        default: return media == nil ? SharedLink.type(of: name ?? "") : "file"
        }
    }

    private func reaction(_ node: JSONNode) -> Message.Reaction? {
        guard let name = node["name"]?.string, !name.isEmpty else { return nil }
        let people = (node["users"]?.elements ?? []).compactMap(\.identifier)
        let count = node["count"]?.int ?? (people.isEmpty ? nil : people.count)
        // The list of people may be incomplete.
        let by = people.count == 1 && count == 1 ? directory.person(people[0])?.handle ?? people[0] : nil
        return Message.Reaction(emoji: SlackEmoji.emoji(name), by: by, count: count)
    }

    private func addDetails(to message: inout Message) {
        if let type = conversation?.type { message.raw.append(("channel_type", .string(type))) }
        if let subtype { message.raw.append(("subtype", .string(subtype))) }
        if isBot || message.sender.id.flatMap(directory.person)?.isBot == true {
            message.raw.append(("is_bot", .bool(true)))
        }
        if let edited = SlackTime(node["edited"]?["ts"]) { message.raw.append(("edited_at", .string(edited.text))) }
        for key in ["client_msg_id", "parent_user_id"] {
            if let value = node[key]?.identifier { message.raw.append((key, .string(value))) }
        }
        if let replies = node["reply_count"]?.int, replies > 0 { message.raw.append(("reply_count", .int(replies))) }
    }
}

/// The `ts` of a Slack message, seconds since 1970 with a counter after the point: both its id and its time.
struct SlackTime: Equatable {
    /// As written: unique in a conversation, and never treated as a floating-point number.
    let source: String
    /// RFC 3339, with the fraction digits except trailing zeros.
    let text: String
    let milliseconds: Int64

    /// nil: not a `ts`.
    init?(_ node: JSONNode?) {
        guard let source = node?.identifier else { return nil }
        let parts = source.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, (1...12).contains(parts[0].utf8.count), Self.isDigits(parts[0]),
            let seconds = Int64(parts[0]), let whole = Timestamp.text(seconds: seconds)
        else { return nil }
        var digits: [UInt8] = []
        if parts.count == 2 {
            guard (1...9).contains(parts[1].utf8.count), Self.isDigits(parts[1]) else { return nil }
            digits = Array(parts[1].utf8)
        }
        while digits.last == 0x30 { digits.removeLast() }
        self.source = source
        text = digits.isEmpty ? whole : whole.dropLast() + "." + String(decoding: digits, as: UTF8.self) + "Z"
        milliseconds =
            seconds * 1000 + (digits + [0x30, 0x30, 0x30]).prefix(3).reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    /// Whether a text is certainly a `ts`: a recent time with a point.
    static func isCertain(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 2 && (9...10).contains(parts[0].utf8.count) && (1...6).contains(parts[1].utf8.count)
            && isDigits(parts[0]) && isDigits(parts[1])
    }

    private static func isDigits(_ text: Substring) -> Bool { text.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } }
}
