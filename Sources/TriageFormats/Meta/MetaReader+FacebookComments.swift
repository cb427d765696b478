import TriageCore

/// The comments that the owner wrote on Facebook.
extension MetaReader {
    func takeFacebookComment(_ event: JSONSplitter.Event) throws {
        switch event {
        case .element(let bytes, _, _):
            defer { index += 1 }
            guard let row = JSONNode(bytes), row.isObject else {
                return try reject(RejectReason(code: "json.syntax", reason: "the entry is no JSON object"))
            }
            let comment = row["data"]?.elements.lazy.compactMap { $0["comment"] }.first
            var message = Message()
            message.platform = "facebook"
            message.conversationTitle = row["title"]?.metaText
            message.sender.name = comment?["author"]?.metaText
            message.sender.isSelf = true
            message.text = comment?["comment"]?.metaText ?? ""
            message.attachments = Self.attachments(of: row)
            guard !message.text.isEmpty || !message.attachments.isEmpty else {
                emptyEntries += 1
                return
            }
            if row.hasWords(besides: message.text) { context.unread.note(member.source) }
            message.raw = [("kind", .string("comment"))]
            if let group = comment?["group"]?.metaText, !group.isEmpty { message.raw.append(("group", .string(group))) }
            message.raw.append(source(index))
            try shelve(message, time: comment?["timestamp"] ?? row["timestamp"], idPrefix: "fb:", index)
        case .member(_, let bytes): noteUnread(bytes)
        case .tooLong:
            index += 1
            try reject(RejectReason(code: "input.line-too-long", reason: "the entry is too long (--max-line)"))
        case .fault(let reason, _, _, _): try reject(reason)
        }
    }

    /// Tells words in a part of a list of comments that is none that is known.
    func noteUnread(_ bytes: UnsafeBufferPointer<UInt8>) {
        if StrayWords.areIn(bytes) { context.unread.note(member.source) }
    }

    private static func attachments(of row: JSONNode) -> [Message.Attachment] {
        var found: [Message.Attachment] = []
        for item in (row["attachments"]?.elements ?? []).flatMap({ $0["data"]?.elements ?? [] }) {
            if let path = item["media"]?["uri"]?.metaText, !path.isEmpty {
                found.append(
                    Message.Attachment(type: MetaFile.type(of: path) ?? "file", url: MetaMessage.withoutToken(path)))
            } else if let link = item["external_context"]?["url"]?.metaText, !link.isEmpty {
                found.append(Message.Attachment(type: "share", url: MetaMessage.withoutToken(link)))
            }
        }
        return found
    }
}
