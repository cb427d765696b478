import TriageCore

/// The `.info.json` that yt-dlp writes beside a video, including comments if they were requested.
struct YTDLPFormat: ExportFormat {
    let name = "yt-dlp"
    let summary = "comments in a yt-dlp info.json"

    func detect(_ opening: Opening) -> Detection? {
        guard opening.firstByte == UInt8(ascii: "{") else { return nil }
        let outline = JSONOutline(opening)
        if outline.has("comments[].author_id", "comments[].parent") {
            return Detection(format: name, reason: "'comments' with 'author_id' and 'parent'")
        }
        // Formats and subtitles come before the comments and may fill the whole opening.
        let isInfo =
            outline.has("extractor", "webpage_url")
            || outline.has("id", "title", "formats[].format_id")
            || outline.has("id", "title", "thumbnails[].url", "formats")
        guard isInfo, outline.kinds["text"] == nil else { return nil }
        guard opening.isWhole, !outline.has("comments") else {
            return Detection(format: name, reason: "an info.json of a video")
        }
        return Detection(format: name, reason: "an info.json without comments", hasMessages: false)
    }

    func makeReader(_ context: ReadingContext) -> any ExportReader { YTDLPReader(context) }
}

/// Reads the comments of one video; their times are only as exact as "2 weeks ago".
private final class YTDLPReader: ShelvedJSONReader {
    /// The details of the video.
    private var video: [String: String] = [:]
    private var count = 0

    private static let members: Set<String> = [
        "id", "title", "extractor", "extractor_key", "channel_id", "uploader_id",
    ]

    init(_ context: ReadingContext) { super.init(context, order: .oldestFirst) }

    override func chooser(_ opening: Opening) -> ([JSONPicker.Step], JSONPicker.Kind) -> JSONPicker.Choice {
        { path, kind in
            switch path.count {
            case 0: return .enter
            case 1:
                if path[0].key == "comments" { return kind == .array ? .enter : .passOver }
                guard kind == .scalar, let key = path[0].key else { return .skip }
                return Self.members.contains(key) ? .take : StrayWords.isText(key) ? .passOver : .skip
            default: return .take
            }
        }
    }

    override func documentChanged() { video = [:] }

    override func take(_ node: JSONNode, at path: [JSONPicker.Step]) throws -> Bool {
        if path.count == 1, let key = path[0].key {
            if let text = node.identifier { video[key] = text }
            return true
        }
        guard path.count > 1, let id = node["id"]?.identifier else { return false }
        count += 1
        var message = Message()
        message.platform = platform
        message.conversationID = video["id"]
        message.conversationTitle = video["title"]
        message.raw = [("kind", .string("comment"))]
        let prefix = platform == "youtube" ? "yt:" : platform + ":"
        message.id = prefix + id
        if let parent = node["parent"]?.identifier, parent != "root" { message.replyTo = prefix + parent }
        let author = node["author_id"]?.identifier
        message.sender.id = author
        message.sender.name = node["author"]?.string
        if let name = message.sender.name, name.hasPrefix("@") { message.sender.handle = name }
        message.sender.isVerified = node["author_is_verified"]?.bool
        message.sender.isSelf = node["author_is_uploader"]?.bool
        if message.sender.isSelf == nil, let author, let owner = video["channel_id"] ?? video["uploader_id"] {
            message.sender.isSelf = author == owner
        }
        message.text = node["text"]?.string ?? node["html"]?.string.map { HTMLText.plain($0) } ?? ""
        let time = ExportTime(epoch: node["timestamp"])
        message.sentAt = time?.text
        // YouTube gives no exact times; other sites do.
        if time != nil, platform == "youtube" { message.mark("sent_at_precision", .string("relative")) }
        message.mark("time_text", (node["_time_text"] ?? node["time_text"])?.string.map { .string($0) })
        message.mark("like_count", node["like_count"]?.int.map { .int($0) })
        if node["is_favorited"]?.flag == true { message.mark("hearted", .bool(true)) }
        if node["is_pinned"]?.flag == true { message.mark("pinned", .bool(true)) }
        try add(message, of: node, time: time?.milliseconds)
        return true
    }

    override func finish() throws {
        if count == 0 {
            context.notices("\(member.path) has no comments; yt-dlp saves them with --write-comments")
        }
    }

    /// The platform, by the extractor's name; most files are YouTube's, and say so after the comments or not at all.
    private var platform: String {
        let name = (video["extractor"] ?? video["extractor_key"] ?? "youtube").lowercased()
        return ["tiktok", "twitch", "patreon", "facebook", "instagram", "reddit"].first { name.hasPrefix($0) }
            ?? (name.hasPrefix("youtube") ? "youtube" : "generic")
    }
}
