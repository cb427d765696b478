import TriageCore

/// A post of an X archive as a message of the owner.
struct XPost {
    var message = Message()
    var time: Int64?

    /// nil: there is no text in it.
    init?(_ node: JSONNode) {
        let post = node["tweet"] ?? node
        guard let text = post["full_text"]?.string ?? post["text"]?.string else { return nil }
        let id = post["id_str"]?.xID ?? post["id"]?.xID
        message.platform = "x"
        message.id = id.map { "x:" + $0 }
        message.sender.id = post["user"]?["id_str"]?.xID
        message.sender.handle = post["user"]?["screen_name"]?.string
        message.sender.isSelf = true
        time = post["created_at"]?.string.flatMap(XTime.milliseconds) ?? id.flatMap(XTime.snowflake)
        message.sentAt = time.flatMap(SourceTime.text)
        message.lang = post["lang"]?.string.flatMap(Self.language)
        let answered = post["in_reply_to_status_id_str"]?.xID
        message.replyTo = answered.map { "x:" + $0 }
        let isReply = answered != nil || post["in_reply_to_user_id_str"]?.xID != nil
        var links: [String: String] = [:]
        for link in post["entities"]?["urls"]?.elements ?? [] {
            guard let short = link["url"]?.string, let long = link["expanded_url"]?.string, !long.isEmpty else {
                continue
            }
            links[short] = long
        }
        for item in (post["extended_entities"] ?? post["entities"])?["media"]?.elements ?? [] {
            // The link to the post's own picture was not typed by anybody.
            if let short = item["url"]?.string { links[short] = "" }
            let type = Self.types[item["type"]?.string ?? ""] ?? "image"
            message.attachments.append(
                Message.Attachment(type: type, url: (item["media_url_https"] ?? item["media_url"])?.string))
        }
        message.text = XText.plain(text, links: links)
        let kind = text.hasPrefix("RT @") ? "share" : isReply ? "comment" : "message"
        message.raw.append(("kind", .string(kind)))
    }

    private static let types = ["photo": "image", "video": "video", "animated_gif": "gif"]

    /// X has codes of its own for text without a language and writes two languages in the way of before 1989.
    private static func language(_ code: String) -> String? {
        switch code {
        case "in": "id"
        case "iw": "he"
        case "ji": "yi"
        case "und", "zxx", "art": nil
        default: code.hasPrefix("q") && code.utf8.count == 3 || !(2...8).contains(code.utf8.count) ? nil : code
        }
    }
}
