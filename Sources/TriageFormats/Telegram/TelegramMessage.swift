import TriageCore

/// Makes a message from an entry of a chat.
struct TelegramMessage {
    let node: JSONNode
    let chat: TelegramChat
    let zone: TimeZoneRules
    let zoneName: String

    /// Its number in the chat.
    var number: Int64? { node["id"].flatMap(Self.written).flatMap { Int64($0) } }

    /// The time as written in the export, for generated ids.
    var timeText: String { node["date_unixtime"].flatMap(Self.written) ?? node["date"]?.string ?? "" }

    /// Milliseconds since 1970.
    var milliseconds: Int64? {
        guard let seconds = time()?.seconds else { return nil }
        let product = seconds.multipliedReportingOverflow(by: 1000)
        return product.overflow ? nil : product.partialValue
    }

    func message(file: String, index: Int) -> Message {
        var message = Message()
        message.platform = "telegram"
        message.conversationID = chat.id
        message.conversationTitle = chat.name
        if let id = chat.id, let number { message.id = "tg:\(id)/\(number)" }
        message.sender.id = (node["from_id"] ?? node["actor_id"]).flatMap(Self.written)
        message.sender.name = (node["from"] ?? node["actor"])?.string
        message.sender.isSelf = chat.isOwn(message.sender.id)
        let question = node["poll"]?["question"].map(Self.joined) ?? ""
        message.text = Self.text(of: node)
        if message.text.isEmpty { message.text = question }
        message.replyTo = replyTo()
        message.attachments = attachments(question)
        message.reactions = reactions()
        message.raw = [("kind", .string(kind(of: message.text)))]
        if let folder = chat.folder { message.raw.append(("folder", .string(folder))) }
        if let type = chat.type { message.raw.append(("chat_type", .string(type))) }
        if let time = time(), let text = Timestamp.text(seconds: time.seconds) {
            message.sentAt = text
            if time.isLocal { message.raw.append(("tz_assumed", .string(zoneName))) }
        } else if !timeText.isEmpty {
            message.raw.append(("time_text", .string(timeText)))
        }
        addDetails(to: &message)
        message.raw.append(Message.source(file, index: index))
        return message
    }

    private func kind(of text: String) -> String {
        switch node["type"]?.string {
        case "service": node["action"]?.string == "phone_call" ? "call" : "system"
        // Content that a newer program could show; any text in it is a person's.
        case "unsupported": text.isEmpty ? "unsupported" : "message"
        default: "message"
        }
    }

    /// The time, preferably from the epoch seconds: the clock time in `date` is ambiguous when clocks change.
    private func time() -> (seconds: Int64, isLocal: Bool)? {
        if let seconds = node["date_unixtime"].flatMap(Self.written).flatMap({ Int64($0) }) { return (seconds, false) }
        guard var date = node["date"]?.string, let local = date.withUTF8({ Timestamp.seconds($0) }) else { return nil }
        return (zone.utc(ofLocal: local), true)
    }

    /// A number or string as written.
    static func written(_ node: JSONNode) -> String? {
        switch node {
        case .number(let text), .string(let text): text
        default: nil
        }
    }

    /// The plain text of a string, or of parts that are strings and objects.
    private static func text(of node: JSONNode) -> String {
        let text = node["text"].map(Self.joined) ?? ""
        return text.isEmpty ? node["text_entities"].map(Self.joined) ?? "" : text
    }

    private static func joined(_ node: JSONNode) -> String {
        if let text = node.string { return text }
        var out = ""
        for part in node.elements {
            out += part.string ?? part["text"]?.string ?? ""
            if part["type"]?.string == "text_link", let link = part["href"]?.string { out += " (\(link))" }
        }
        return out
    }

    /// Whether some parts of its text cannot be read.
    var hasUnreadParts: Bool {
        guard let text = node["text"], text.string == nil else { return false }
        return text.isObject || text.elements.contains { $0.string == nil && $0["text"]?.string == nil && $0.hasWords }
    }

    private func replyTo() -> String? {
        guard let number = node["reply_to_message_id"].flatMap(Self.written) else { return nil }
        // The replied-to message is in another chat: `user12`, `channel34`.
        let peer = node["reply_to_peer_id"].flatMap(Self.written).map { String($0.drop { $0.isLetter }) }
        return (peer ?? chat.id).map { "tg:\($0)/\(number)" }
    }

    private static let mediaTypes = [
        "sticker": "sticker", "video_message": "video", "voice_message": "voice", "animation": "gif",
        "video_file": "video", "audio_file": "audio",
    ]

    private func attachments(_ question: String) -> [Message.Attachment] {
        var found: [Message.Attachment] = []
        if let photo = node["photo"] { found.append(.init(type: "image", url: Self.path(photo))) }
        if let file = node["file"] {
            let type = node["media_type"]?.string.flatMap { Self.mediaTypes[$0] } ?? "file"
            found.append(.init(type: type, name: node["file_name"]?.string, url: Self.path(file)))
        }
        if node["location_information"] != nil {
            found.append(.init(type: "location", name: node["place_name"]?.string))
        }
        if let contact = node["contact_information"] {
            // Leave out the phone number, which belongs to a third person.
            let names = ["first_name", "last_name"].compactMap { contact[$0]?.string }.filter { !$0.isEmpty }
            found.append(.init(type: "contact", name: names.isEmpty ? nil : names.joined(separator: " ")))
        }
        if node["poll"] != nil { found.append(.init(type: "poll", name: question.isEmpty ? nil : question)) }
        return found
    }

    /// The path of a file; nil for the sentence in brackets that replaces a file that was not exported.
    private static func path(_ node: JSONNode) -> String? {
        guard let text = node.string, !text.isEmpty else { return nil }
        return text.hasPrefix("(") && text.hasSuffix(")") ? nil : text
    }

    private func reactions() -> [Message.Reaction] {
        (node["reactions"]?.elements ?? []).compactMap { reaction in
            guard let emoji = reaction["emoji"]?.string ?? reaction["type"]?.string else { return nil }
            let count = reaction["count"]?.int
            let recent = reaction["recent"]?.elements ?? []
            let by = count == 1 && recent.count == 1 ? recent[0]["from"]?.string : nil
            return Message.Reaction(emoji: emoji, by: by, count: count)
        }
    }

    private static let details = [
        "action", "forwarded_from", "via_bot", "author", "paid_stars_amount", "inline_bot_buttons", "media_spoiler",
        "mime_type", "duration_seconds", "discard_reason", "sticker_emoji", "title",
    ]

    private func addDetails(to message: inout Message) {
        if let edited = node["edited_unixtime"].flatMap(Self.written).flatMap({ Int64($0) }) {
            message.raw.append(("edited", .bool(true)))
            if let text = Timestamp.text(seconds: edited) { message.raw.append(("edited_at", .string(text))) }
        } else if node["edited"] != nil {
            message.raw.append(("edited", .bool(true)))
        }
        for key in Self.details {
            if let value = node[key]?.rawValue { message.raw.append((key, value)) }
        }
        if let place = node["location_information"]?.rawValue { message.raw.append(("location", place)) }
        let answers = node["poll"]?["answers"]?.elements ?? []
        guard !answers.isEmpty else { return }
        let options: [Message.RawValue] = answers.map { answer in
            var members = [Message.RawMember("text", .string(answer["text"].map(Self.joined) ?? ""))]
            if let votes = answer["voters"]?.int { members.append(.init("votes", .int(votes))) }
            return .object(members)
        }
        message.raw.append(("poll_options", .array(options)))
    }
}

extension JSONNode {
    /// The value for `raw`; nil for null.
    ///
    /// Numbers that are not integers stay as written.
    var rawValue: Message.RawValue? {
        switch self {
        case .null: nil
        case .bool(let value): .bool(value)
        case .number(let text): Int(text).map { .int($0) } ?? .string(text)
        case .string(let text): .string(text)
        case .array(let elements): .array(elements.compactMap(\.rawValue))
        case .object(let members):
            .object(members.compactMap { member in member.value.rawValue.map { .init(member.key, $0) } })
        }
    }
}

/// What all messages of a chat share.
struct TelegramChat {
    /// The id as written: digits, possibly with a sign.
    var id: String?
    var name: String?
    var type: String?
    /// `left_chats` for chats that the owner has left.
    var folder: String?
    /// Digits of the owner's account number; nil: unknown.
    var owner: String?

    /// Whether the other side is one account, which has the same number as the chat.
    var isPrivate: Bool { type == "personal_chat" || type == "bot_chat" }

    /// Whether the chat is skipped: login codes, and notes to oneself.
    var isSkipped: Bool { type == "verification_codes" || type == "saved_messages" }

    /// Whether a sender is the owner; nil: unknown, as for channels, which are not people.
    func isOwn(_ sender: String?) -> Bool? {
        guard let number = sender.flatMap(Self.userNumber) else { return nil }
        if let owner { return number == owner }
        guard isPrivate, let id else { return nil }
        return number != id
    }

    /// The digits of `user123`, or of a bare number as in very old exports.
    static func userNumber(_ sender: String) -> String? {
        let digits = sender.hasPrefix("user") ? sender.dropFirst(4) : sender[...]
        return !digits.isEmpty && digits.utf8.allSatisfy { $0 &- 0x30 < 10 } ? String(digits) : nil
    }
}
