import TriageCore

/// A post in an X archive, as a message from the owner.
struct XPost {
    var message = Message()
    var time: Int64?

    /// nil: it has no text.
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
            // The link to the post's own picture was not typed by a person.
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

    /// Maps X's language codes: it has special codes for text without a language, and codes from before 1989.
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

/// Restores text of X to what its writer saw: decodes entities and expands shortened links.
enum XText {
    /// - Parameter links: the URL behind each `t.co` link; an empty one removes the link.
    static func plain(_ text: String, links: [String: String]) -> String {
        // Decode entities first, because a URL may contain what looks like one.
        let decoded = text.utf8.contains(0x26) ? BasicEntities.decode(Array(text.utf8)) : Array(text.utf8)
        guard !links.isEmpty else { return String(decoding: decoded, as: UTF8.self) }
        return String(decoding: expand(decoded, links), as: UTF8.self)
    }

    private static let schemes = [Array("https://t.co/".utf8), Array("http://t.co/".utf8)]

    private static func expand(_ bytes: [UInt8], _ links: [String: String]) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        var i = 0
        while i < bytes.count {
            guard bytes[i] == 0x68, let scheme = schemes.first(where: { bytes[i...].starts(with: $0) }) else {
                out.append(bytes[i])
                i += 1
                continue
            }
            var end = i + scheme.count
            while end < bytes.count, isAlphanumeric(bytes[end]) { end += 1 }
            if let address = links[String(decoding: bytes[i..<end], as: UTF8.self)] {
                if address.isEmpty {
                    while let last = out.last, last == 0x20 { out.removeLast() }
                } else {
                    out.append(contentsOf: address.utf8)
                }
            } else {
                out.append(contentsOf: bytes[i..<end])
            }
            i = end
        }
        return out
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x5A) || (byte >= 0x61 && byte <= 0x7A)
    }
}

/// Parses X's times: in ids, in ISO form and in the form of its first API.
enum XTime {
    private static let months: [Substring: Int64] = [
        "Jan": 1, "Feb": 2, "Mar": 3, "Apr": 4, "May": 5, "Jun": 6, "Jul": 7, "Aug": 8, "Sep": 9, "Oct": 10, "Nov": 11,
        "Dec": 12,
    ]

    /// Parses `2024-03-05T14:02:11.250Z` or `Tue Mar 05 14:02:11 +0000 2024` as milliseconds since 1970.
    static func milliseconds(_ text: String) -> Int64? {
        if let time = SourceTime.milliseconds(text) { return time }
        let parts = text.split(separator: " ")
        guard parts.count == 6, let month = months[parts[1]], let day = Int64(parts[2]), parts[5].utf8.count == 4,
            let year = Int64(parts[5]), let days = Timestamp.days(year: year, month: month, day: day)
        else { return nil }
        // The day was checked above; the rest is parsed as a time on the first day of the epoch.
        var rest = "1970-01-01T" + parts[3] + parts[4]
        guard let seconds = rest.withUTF8({ Timestamp.seconds($0) }) else { return nil }
        return (days * 86_400 + seconds) * 1000
    }

    /// The time in an id; ids from before November 2010 contain none.
    static func snowflake(_ id: String) -> Int64? {
        guard let number = UInt64(id), number > 30_000_000_000 else { return nil }
        return Int64(number >> 22) + 1_288_834_974_657
    }
}
