import TriageCore

/// Messages of the WhatsApp Cloud API.
extension WebhookEntry {
    func whatsApp(_ value: JSONNode) -> [WebhookEvent] {
        var names: [String: String] = [:]
        for contact in value["contacts"]?.elements ?? [] {
            if let id = contact["wa_id"]?.identifier { names[id] = contact["profile"]?["name"]?.string }
        }
        var events = (value["messages"]?.elements ?? []).map { whatsApp($0, names, isEcho: false) }
        // What the owner wrote in the app on the telephone.
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
            // Taking a reaction back is a reaction with nothing.
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
            // Their numbers are those of third parties.
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
