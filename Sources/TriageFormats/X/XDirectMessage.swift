import TriageCore

/// One entry of an X conversation: a message, or an event in a group.
enum XDirectMessage {
    /// A message of which only the ciphertext is available.
    case encrypted
    case entry(Message, time: Int64?, timeText: String)
    case nothing

    /// - Parameter conversation: its id; nil: not given by the file, but possibly by the entry.
    init(_ node: JSONNode, conversation: String?) {
        guard let (key, body) = node.members.first.map({ ($0.key, $0.value) }), body.isObject else {
            self = .nothing
            return
        }
        let isMessage = key == "messageCreate"
        if body["text"] == nil,
            key.hasPrefix("encrypted") || body.members.contains(where: { $0.key.hasPrefix("encrypted") })
        {
            self = .encrypted
            return
        }
        var message = Message()
        message.platform = "x"
        message.id = body["id"]?.xID.map { "x:" + $0 }
        let sender = body["senderId"]?.xID ?? body["initiatingUserId"]?.xID
        message.sender.id = sender
        message.conversationID = conversation ?? Self.conversation(sender, body["recipientId"]?.xID)
        let timeText = body["createdAt"]?.string ?? ""
        let time = XTime.milliseconds(timeText) ?? body["id"]?.xID.flatMap(XTime.snowflake)
        message.sentAt = time.flatMap(SourceTime.text)
        message.raw.append(("kind", .string(isMessage ? "message" : "system")))
        if isMessage {
            Self.fill(&message, from: body)
        } else {
            Self.tell(key, body, &message)
        }
        self = .entry(message, time: time, timeText: timeText)
    }

    /// The id of a conversation between two people, made from both ids, the smaller one first.
    private static func conversation(_ a: String?, _ b: String?) -> String? {
        guard let a, let b else { return nil }
        let isOrdered = (a.utf8.count, a) <= (b.utf8.count, b)
        return isOrdered ? a + "-" + b : b + "-" + a
    }

    private static func fill(_ message: inout Message, from body: JSONNode) {
        let media = body["mediaUrls"]?.elements.compactMap(\.string) ?? []
        var links: [String: String] = [:]
        for link in body["urls"]?.elements ?? [] {
            guard let short = link["url"]?.string, let long = link["expanded"]?.string, !long.isEmpty else { continue }
            // The link to the message's own picture was not typed by a person.
            links[short] = !media.isEmpty && long.contains("/messages/media/") ? "" : long
        }
        message.text = XText.plain(body["text"]?.string ?? "", links: links)
        for address in media {
            let path = address.prefix { $0 != "?" }
            message.attachments.append(
                Message.Attachment(type: type(of: path), name: fileName(path, body["id"]?.xID), url: String(path)))
        }
        for reaction in body["reactions"]?.elements ?? [] {
            guard let word = reaction["reactionKey"]?.string, !word.isEmpty else { continue }
            message.reactions.append(
                Message.Reaction(emoji: emoji[word] ?? word, by: reaction["senderId"]?.xID))
        }
        let edits = (body["editHistory"]?.elements ?? []).compactMap(edit)
        if !edits.isEmpty { message.raw.append(("edits", .array(edits))) }
    }

    private static let emoji = [
        "like": "❤️", "funny": "😂", "surprised": "😲", "sad": "😢", "excited": "🔥", "agree": "👍", "disagree": "👎",
    ]

    private static func edit(_ node: JSONNode) -> Message.RawValue? {
        guard let text = node["editedText"]?.string else { return nil }
        var members = [Message.RawMember("text", .string(XText.plain(text, links: [:])))]
        if let seconds = node["createdAtSec"]?.int, let time = Timestamp.text(seconds: Int64(seconds)) {
            members.insert(Message.RawMember("at", .string(time)), at: 0)
        }
        return .object(members)
    }

    private static func type(of address: Substring) -> String {
        if address.contains("/dm_gif") { return "gif" }
        let name = address.lowercased()
        if [".jpg", ".jpeg", ".png", ".webp"].contains(where: name.hasSuffix) { return "image" }
        if name.hasSuffix(".gif") { return "gif" }
        if [".mp4", ".mov", ".m3u8"].contains(where: name.hasSuffix) { return "video" }
        if [".m4a", ".mp3", ".aac", ".ogg"].contains(where: name.hasSuffix) { return "voice" }
        return "file"
    }

    /// The name of the file in the archive's media folder.
    private static func fileName(_ address: Substring, _ id: String?) -> String? {
        guard let id, let name = address.split(separator: "/").last, name.contains("."), name.utf8.count <= 128 else {
            return nil
        }
        return id + "-" + name
    }

    /// Describes an event in a group, and whom it concerns.
    private static func tell(_ key: String, _ body: JSONNode, _ message: inout Message) {
        message.raw.append(("event", .string(String(key.prefix(64)))))
        if let name = body["name"]?.string { message.raw.append(("name", .string(name))) }
        let people = (body["userIds"] ?? body["participantsSnapshot"])?.elements.compactMap(\.xID) ?? []
        if !people.isEmpty { message.raw.append(("users", .array(people.map { .string($0) }))) }
    }
}
