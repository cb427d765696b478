import TriageCore

/// Makes a message from an entry of DiscordChatExporter's JSON.
struct DiscordChatMessage {
    let node: JSONNode
    let author: DiscordAuthor

    init(_ node: JSONNode) {
        self.node = node
        author = DiscordAuthor(node["author"])
    }

    private var id: String? { Snowflake.id(node["id"]) }

    /// The time as written in the export, for generated ids.
    var timeText: String { node["timestamp"]?.string ?? "" }

    /// Milliseconds since 1970.
    var milliseconds: Int64? {
        ExportTime(iso: timeText)?.milliseconds ?? id.flatMap(Snowflake.milliseconds)
    }

    /// The message, without what the file says about all messages: conversation, participants, place.
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

    /// The type of the message; types unknown to the exporter's version are written as Discord's numbers.
    private var kind: String {
        switch type {
        case "Default", "Reply", "ChatInputCommand", "ContextMenuCommand", "0", "19", "20", "23": "message"
        case "Call", "3": "call"
        default: Self.systemTypes.contains(type) || plain(node["content"]).isEmpty ? "system" : "message"
        }
    }

    /// Types of Discord's system messages (joins, leaves, pins, boosts), by name and by number.
    ///
    /// An unknown type counts as a person's message if it has text.
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

/// Decodes message text that was exported in Discord's raw form, without names filled in.
private enum DiscordText {
    /// The maximum number of bytes between `<` and `>`.
    private static let longest = 64

    /// Replaces `<@42>` by the name of account 42 and `<:wave:7>` by the emoji's name; everything else stays.
    ///
    /// - Parameter names: account names by id.
    static func plain(_ text: String, names: [String: String]) -> String {
        guard text.utf8.contains(0x3C) else { return text }
        let bytes = Array(text.utf8)
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        var at = 0
        while at < bytes.count {
            guard bytes[at] == 0x3C, let end = bytes[at...].prefix(longest).firstIndex(of: 0x3E),
                let plain = plain(bytes[(at + 1)..<end], names)
            else {
                out.append(bytes[at])
                at += 1
                continue
            }
            out += plain
            at = end + 1
        }
        return String(decoding: out, as: UTF8.self)
    }

    private static func plain(_ inside: ArraySlice<UInt8>, _ names: [String: String]) -> [UInt8]? {
        if inside.first == UInt8(ascii: "@") {
            let id = inside.dropFirst(inside.dropFirst().first == UInt8(ascii: "!") ? 2 : 1)
            return names[String(decoding: id, as: UTF8.self)].map { Array("@\($0)".utf8) }
        }
        let parts = inside.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].isEmpty || parts[0].elementsEqual([UInt8(ascii: "a")]), !parts[1].isEmpty,
            Snowflake.isDigits(String(decoding: parts[2], as: UTF8.self))
        else { return nil }
        return [0x3A] + parts[1] + [0x3A]
    }
}

/// An account as written by DiscordChatExporter.
struct DiscordAuthor {
    var id: String?
    /// The account's unique name.
    var name: String?
    /// `name`, or `name#1234` for accounts that still have a number.
    var handle: String?
    /// The account's name on the server, or its display name.
    var nickname: String?
    var isBot = false

    init(_ node: JSONNode?) {
        id = node?["id"]?.identifier
        name = node?["name"]?.string.flatMap { $0.isEmpty ? nil : $0 }
        handle = Self.handle(node?["name"], node?["discriminator"])
        nickname = node?["nickname"]?.string.flatMap { $0.isEmpty ? nil : $0 }
        isBot = node?["isBot"]?.bool ?? false
    }

    /// An account's name, with its number if it has one.
    static func handle(_ name: JSONNode?, _ discriminator: JSONNode?) -> String? {
        guard let name = name?.string, !name.isEmpty else { return nil }
        guard let number = discriminator?.identifier, number.contains(where: { $0 != "0" }) else { return name }
        return name + "#" + number
    }

    /// Whether a direct message with this title is named after the account.
    func isCalled(_ title: String) -> Bool { name == title || nickname == title || handle == title }

    var sender: Message.Sender {
        var sender = Message.Sender()
        sender.id = id
        sender.handle = handle
        sender.name = nickname
        return sender
    }
}
