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
            if row.hidesWords { context.unread.note(member.source) }
            guard let row = OwnComments.Row(row, index: index) else {
                emptyEntries += 1
                return
            }
            try hand(comments.add(row))
        case .member(_, let bytes): noteUnread(bytes)
        case .tooLong:
            index += 1
            try reject(RejectReason(code: "input.line-too-long", reason: "the entry is too long (--max-line)"))
        case .fault(let reason, _, _, _): try reject(reason)
        }
    }

    /// Hands rows on whose labels are settled.
    func hand(_ rows: [OwnComments.Row]) throws {
        for row in rows {
            guard let comment = comments.parts(of: row) else {
                emptyEntries += 1
                continue
            }
            var message = Message()
            message.platform = MetaPlatform.instagram.rawValue
            message.conversationID = comment.owner
            message.sender.isSelf = true
            message.text = comment.text
            message.raw = [("kind", .string("comment")), source(row.index)]
            try shelve(message, time: row.time, idPrefix: "ig:", row.index)
        }
    }

    /// Comments of several lists and overlapping exports come out oldest first, each once.
    func shelve(_ message: Message, time: JSONNode?, idPrefix: String, _ index: Int) throws {
        var message = message
        let sent = ExportTime(epoch: time)
        message.sentAt = sent?.text
        let written: String
        switch time {
        case .number(let text), .string(let text): written = text
        default: written = ""
        }
        try buffer.add(
            message, time: sent?.milliseconds, timeText: written, idPrefix: idPrefix, number: index + 1,
            source: member.source)
    }

    func source(_ index: Int) -> (key: String, value: Message.RawValue) {
        ("source", .object([Message.RawMember("file", .string(member.path)), Message.RawMember("index", .int(index))]))
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
            let others = thread.members.filter { $0.key != "participants" && $0.key != "conversation" }
            let entries = thread["conversation"]?.elements ?? []
            let isOther = entries.isEmpty && thread["conversation"]?.hasWords == true
            if isOther || others.contains(where: { $0.value.hasWords }) || thread.hidesWords {
                context.unread.note(member.source)
            }
            try append(entries, people)
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
            if entry.hasWords(besides: text) { context.unread.note(member.source) }
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
            let own = ordinal == 0 ? first : digest(ordinal)
            if context.repeats?.take(own, source: member.source) == true { continue }
            message.id = "ig:" + own.hex
            if let shared {
                message.attachments = [Message.Attachment(type: "share", url: MetaMessage.withoutToken(shared))]
            }
            message.raw = [("kind", .string(text.isEmpty && shared != nil ? "share" : "message")), source(index)]
            try context.assembler.append(message, number: index + 1)
        }
    }
}
