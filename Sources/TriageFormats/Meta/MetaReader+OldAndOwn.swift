import TriageCore

/// Layouts beside the conversation files of today.
extension MetaReader {
    /// A row of the comments that the owner wrote; its labels are translated, so shapes decide.
    func takeComment(_ event: JSONSplitter.Event) throws {
        switch event {
        case .element(let bytes, _, _):
            defer { index += 1 }
            guard let row = JSONNode(bytes), row.isObject else {
                return try reject(RejectReason(code: "json.syntax", reason: "the entry is no JSON object"))
            }
            guard let comment = Self.comment(row) else {
                emptyEntries += 1
                return
            }
            var message = Message()
            message.platform = MetaPlatform.instagram.rawValue
            message.conversationID = comment.owner
            message.sender.isSelf = true
            message.text = comment.text
            message.sentAt = comment.seconds.flatMap { Timestamp.text(seconds: Int64($0)) }
            message.raw = [("kind", .string("comment")), source]
            try context.assembler.append(message, number: index + 1)
        case .member: break
        case .tooLong:
            index += 1
            try reject(RejectReason(code: "input.line-too-long", reason: "the entry is too long (--max-line)"))
        case .fault(let reason, _, _, _): try reject(reason)
        }
    }

    private var source: (key: String, value: Message.RawValue) {
        ("source", .object([Message.RawMember("file", .string(member.path)), Message.RawMember("index", .int(index))]))
    }

    private static func comment(_ row: JSONNode) -> (text: String, owner: String?, seconds: Int?)? {
        var seconds: Int?
        var values: [(label: String, value: String)] = []
        for entry in row["string_map_data"]?.members ?? [] {
            if let time = entry.value["timestamp"]?.int, time > 0 { seconds = seconds ?? time }
            if let value = entry.value["value"]?.metaText, !value.isEmpty { values.append((entry.key, value)) }
        }
        guard let first = values.first else { return nil }
        let owners = ["Media Owner", "Media-eigenaar", "Proprietario del contenuto multimediale"]
        guard let second = values.dropFirst().first else {
            return owners.contains(first.label) ? nil : (first.value, nil, seconds)
        }
        // The owner's handle has no blanks; where both could be one, the comment stands first.
        let ownerIsFirst = owners.contains(first.label) || (isHandle(first.value) && !isHandle(second.value))
        return ownerIsFirst ? (second.value, first.value, seconds) : (first.value, second.value, seconds)
    }

    private static func isHandle(_ text: String) -> Bool {
        text.utf8.count <= 30
            && text.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2E || byte == 0x5F
            }
    }

    /// A whole conversation, as exports had them until 2020: newest first, people by their handles.
    func takeThread(_ event: JSONSplitter.Event) throws {
        switch event {
        case .element(let bytes, _, _):
            defer { index += 1 }
            // Whole conversations, larger than any entry.
            guard let thread = JSONNode(bytes, limit: 16 << 20), thread.isObject else {
                if member.pass > 0 || context.paths.isEmpty {
                    try reject(RejectReason(code: "json.syntax", reason: "the conversation is no JSON object"))
                }
                return
            }
            let people = (thread["participants"]?.elements ?? []).compactMap(\.metaText)
            if member.pass == 0, !context.paths.isEmpty { return owner.add(participants: people) }
            try append(thread["conversation"]?.elements ?? [], people)
        case .member: break
        case .tooLong:
            index += 1
            try reject(RejectReason(code: "input.line-too-long", reason: "the conversation is too long (--max-line)"))
        case .fault(let reason, _, _, _):
            if member.pass > 0 || context.paths.isEmpty { try reject(reason) }
        }
    }

    private func append(_ entries: [JSONNode], _ people: [String]) throws {
        var conversation = MetaConversation()
        // There is no id; who talks is what stays the same from export to export.
        conversation.id = "direct/" + people.sorted().joined(separator: ",")
        conversation.participants = people
        conversation.owner = owner.owner(of: people, title: nil)
        let others = people.filter { conversation.owner?.contains($0) != true }
        conversation.title = others.isEmpty ? nil : others.joined(separator: ", ")
        var ordinals: [MessageDigest: Int] = [:]
        for entry in entries.reversed() {
            let sender = entry["sender"]?.metaText ?? ""
            let text = entry["text"]?.metaText ?? ""
            let shared = entry["media_share_url"]?.metaText ?? entry["story_share"]?.metaText
            guard !text.isEmpty || shared != nil || entry["media"] != nil else {
                emptyEntries += 1
                continue
            }
            var message = Message()
            message.platform = conversation.platform.rawValue
            message.conversationID = conversation.id
            message.conversationTitle = conversation.title
            if people.count > 2 { message.participants = people.count }
            message.sender.handle = sender.isEmpty ? nil : sender
            message.sender.isSelf = conversation.owner.map { $0.contains(sender) }
            message.text = text
            var time = entry["created_at"]?.string ?? ""
            message.sentAt = time.withUTF8 { Timestamp.seconds($0) }.flatMap { Timestamp.text(seconds: $0) }
            func digest(_ ordinal: Int) -> MessageDigest {
                MessageDigest(
                    platform: conversation.platform.rawValue, conversation: conversation.id ?? "", time: time,
                    sender: sender, text: text, ordinal: ordinal)
            }
            let first = digest(0)
            let ordinal = ordinals[first, default: 0]
            ordinals[first] = ordinal + 1
            message.id = "ig:" + (ordinal == 0 ? first : digest(ordinal)).hex
            if let shared {
                message.attachments = [Message.Attachment(type: "share", url: MetaMessage.withoutToken(shared))]
            }
            message.raw = [("kind", .string(text.isEmpty && shared != nil ? "share" : "message")), source]
            try context.assembler.append(message, number: index + 1)
        }
    }
}
