import TriageCore

/// Makes a message of one entry of DiscordChatExporter's JSON.
struct DiscordChatMessage {
    let node: JSONNode
    let author: DiscordAuthor

    init(_ node: JSONNode) {
        self.node = node
        author = DiscordAuthor(node["author"])
    }

    private var id: String? { Snowflake.id(node["id"]) }

    /// The time as the export has it, for ids that have to be made.
    var timeText: String { node["timestamp"]?.string ?? "" }

    /// Milliseconds since 1970.
    var milliseconds: Int64? {
        ExportTime(iso: timeText)?.milliseconds ?? id.flatMap(Snowflake.milliseconds)
    }

    /// Without what the whole file says: conversation, sides, place.
    func message() -> Message {
        var message = Message()
        message.platform = "discord"
        message.id = id.map { "dc:" + $0 }
        message.sender = author.sender
        message.text = plain(node["content"])
        let forwarded = node["forwardedMessage"]
        if message.text.isEmpty { message.text = plain(forwarded?["content"]) }
        message.sentAt = ExportTime(iso: timeText)?.text ?? milliseconds.flatMap(SourceTime.text)
        if type == "Reply" || type == "19" {
            message.replyTo = Snowflake.id(node["reference"]?["messageId"]).map { "dc:" + $0 }
        }
        message.attachments = Self.files(node) + (forwarded.map(Self.files) ?? [])
        message.reactions = (node["reactions"]?.elements ?? []).compactMap(Self.reaction)
        message.raw = [("kind", .string(kind))]
        addDetails(to: &message)
        return message
    }

    private var type: String { node["type"]?.identifier ?? "Default" }

    /// Types that a version of the exporter has no word for are numbers, as Discord counts them.
    private var kind: String {
        switch type {
        case "Default", "Reply", "ChatInputCommand", "ContextMenuCommand", "0", "19", "20", "23": "message"
        case "Call", "3": "call"
        default: Self.systemTypes.contains(type) || plain(node["content"]).isEmpty ? "system" : "message"
        }
    }

    /// What Discord itself says (who came, left, pinned, boosted), by name and by number.
    ///
    /// Types that nobody knows yet are somebody's words if they have any.
    private static let systemTypes: Set<String> = [
        "RecipientAdd", "RecipientRemove", "ChannelNameChange", "ChannelIconChange", "ChannelPinnedMessage",
        "GuildMemberJoin", "ThreadCreated", "1", "2", "4", "5", "6", "7", "8", "9", "10", "11", "12", "14", "15", "16",
        "17", "18", "22", "25", "26", "27", "28", "29", "31", "32", "36", "37", "38", "39", "44", "46",
    ]

    private func plain(_ content: JSONNode?) -> String {
        guard let text = content?.string, !text.isEmpty else { return "" }
        var names: [String: String] = [:]
        for mention in node["mentions"]?.elements ?? [] {
            let person = DiscordAuthor(mention)
            if let id = person.id, let name = person.nickname ?? person.name { names[id] = name }
        }
        return DiscordText.plain(text, names: names)
    }

    private static func files(_ node: JSONNode) -> [Message.Attachment] {
        var found: [Message.Attachment] = []
        for file in node["attachments"]?.elements ?? [] {
            let address = file["url"]?.string.map(SharedLink.withoutToken)
            let name = file["fileName"]?.string ?? address.flatMap(SharedLink.name)
            guard address != nil || name != nil else { continue }
            let type = name == "voice-message.ogg" ? "voice" : SharedLink.type(of: name ?? address ?? "")
            found.append(Message.Attachment(type: type, name: name, url: address))
        }
        for sticker in node["stickers"]?.elements ?? [] {
            found.append(
                Message.Attachment(
                    type: "sticker", name: sticker["name"]?.string,
                    url: sticker["sourceUrl"]?.string.map(SharedLink.withoutToken)))
        }
        return found
    }

    private static func reaction(_ node: JSONNode) -> Message.Reaction? {
        guard let emoji = node["emoji"], let name = emoji["name"]?.string, !name.isEmpty else { return nil }
        let isOwn = emoji["id"]?.identifier != nil
        let people = (node["users"]?.elements ?? []).map { DiscordAuthor($0) }
        let count = node["count"]?.int
        let by = people.count == 1 && (count ?? 1) == 1 ? people[0].handle ?? people[0].id : nil
        return Message.Reaction(emoji: isOwn ? ":\(name):" : name, by: by, count: count)
    }

    private func addDetails(to message: inout Message) {
        if kind == "system" { message.raw.append(("type", .string(type))) }
        if author.isBot { message.raw.append(("is_bot", .bool(true))) }
        if node["isPinned"]?.bool == true { message.raw.append(("is_pinned", .bool(true))) }
        func time(_ node: JSONNode?) -> String? { node?.string.flatMap { ExportTime(iso: $0)?.text } }
        if let edited = time(node["timestampEdited"]) { message.raw.append(("edited_at", .string(edited))) }
        if let ended = time(node["callEndedTimestamp"]) { message.raw.append(("call_ended_at", .string(ended))) }
        if let forwarded = node["forwardedMessage"], forwarded.isObject {
            var members = [Message.RawMember("text", .string(plain(forwarded["content"])))]
            if let sent = time(forwarded["timestamp"]) { members.append(.init("sent_at", .string(sent))) }
            message.raw.append(("forwarded", .object(members)))
        }
        if let interaction = node["interaction"], let name = interaction["name"]?.string {
            var members = [Message.RawMember("name", .string(name))]
            if let user = DiscordAuthor(interaction["user"]).handle { members.append(.init("user", .string(user))) }
            message.raw.append(("interaction", .object(members)))
        }
        let embeds = (node["embeds"]?.elements ?? []).prefix(10).compactMap { embed -> Message.RawValue? in
            let members = ["title", "url", "description"].compactMap { key in
                embed[key]?.string.flatMap { $0.isEmpty ? nil : Message.RawMember(key, .string($0)) }
            }
            return members.isEmpty ? nil : .object(members)
        }
        if !embeds.isEmpty { message.raw.append(("embeds", .array(embeds))) }
        if message.sentAt == nil, !timeText.isEmpty { message.raw.append(("time_text", .string(timeText))) }
    }
}
