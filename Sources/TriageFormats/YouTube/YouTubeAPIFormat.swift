import TriageCore

/// Answers of YouTube's Data API: comments, threads of comments, live chats; what the audience wrote.
///
/// One answer a file, many one after the other or a line each, an array of answers, or of comments without anything around.
struct YouTubeAPIFormat: ExportFormat {
    let name = "youtube-api"
    let summary = "comments and live chats from the YouTube Data API (JSON)"

    func detect(_ opening: Opening) -> Detection? {
        let outline = JSONOutline(opening, texts: ["kind"])
        if let kind = Self.kinds(outline).first(where: { $0.hasPrefix("youtube#") }) {
            guard let hasMessages = Self.hasMessages(kind) else { return nil }
            return Detection(format: name, reason: "'kind' is '\(kind)'", hasMessages: hasMessages)
        }
        for place in ["[].snippet.", "items[].snippet.", "[].items[].snippet."] {
            let isThread = outline.kinds[place + "topLevelComment"] == .object
            let isComment = outline.has(place + "textDisplay", place + "authorDisplayName")
            if isThread || isComment { return Detection(format: name, reason: "entries with a 'snippet' of a comment") }
        }
        return nil
    }

    private static func kinds(_ outline: JSONOutline) -> [String] {
        ["kind", "[].kind", "items[].kind", "[].items[].kind"].compactMap { outline.texts[$0] }
    }

    /// nil: something of the API that this is not about.
    private static func hasMessages(_ kind: String) -> Bool? {
        let name = kind.dropFirst("youtube#".count)
        if ["comment", "liveChatMessage"].contains(where: { name.hasPrefix($0) }) { return true }
        // Lists of videos, channels and the like lie beside the comments of those who save what the API says.
        return ["video", "channel", "playlist", "search", "liveBroadcast"].contains { name.hasPrefix($0) } ? false : nil
    }

    /// Whether comments lie in `items` of an object.
    static func hasItems(_ opening: Opening) -> Bool {
        let outline = JSONOutline(opening)
        return outline.kinds["items"] == .array || outline.kinds["[].items"] == .array
    }

    func makeReader(_ context: ReadingContext) -> any ExportReader { YouTubeAPIReader(context) }
}

/// Reads threads, comments and live chat messages; replies come behind what they answer, by their time.
final class YouTubeAPIReader: ShelvedJSONReader {
    private var missingReplies = 0

    init(_ context: ReadingContext) { super.init(context, order: .newestFirst) }

    override func chooser(_ opening: Opening) -> ([JSONPicker.Step], JSONPicker.Kind) -> JSONPicker.Choice {
        let hasItems = YouTubeAPIFormat.hasItems(opening)
        return { path, kind in
            switch path.last {
            case nil: return kind == .array || hasItems ? .enter : .take
            case .element:
                // Of `items`, or of an array of answers or comments.
                return path.count == 1 && hasItems ? .enter : .take
            case .key(let key):
                if key == "items", kind == .array { return .enter }
                return ["kind", "etag", "pageInfo", "nextPageToken"].contains(key) ? .skip : .passOver
            }
        }
    }

    override func take(_ node: JSONNode, at path: [JSONPicker.Step]) throws -> Bool {
        let kind = node["kind"]?.string ?? ""
        let snippet = node["snippet"]
        if kind == "youtube#liveChatMessage" || snippet?["liveChatId"] != nil {
            guard let live = YouTubeComment(live: node) else { return false }
            try add(live.message, of: node, time: live.time)
            return true
        }
        if let items = node["items"] {
            // A whole answer on a line where others had none.
            for item in items.elements where try !take(item, at: path) { return false }
            return true
        }
        guard let top = snippet?["topLevelComment"] else {
            guard let comment = YouTubeComment(node) else { return false }
            try add(comment.message, of: node, time: comment.time)
            return true
        }
        guard let comment = YouTubeComment(top, thread: snippet) else { return false }
        try add(comment.message, of: top, time: comment.time)
        let replies = node["replies"]?["comments"]?.elements ?? []
        // Answers under another name, or in another form.
        let isOther =
            node.without("snippet", "replies").hasStrayWords
            || snippet?.without("topLevelComment").hasStrayWords == true
        if isOther || node.hidesWords || (replies.isEmpty && node["replies"]?.hasWords == true) { noteUnread() }
        let parent = top["id"]?.identifier
        for reply in replies {
            guard var comment = YouTubeComment(reply, thread: snippet, parent: parent) else {
                if reply.hasWords { noteUnread() }
                continue
            }
            comment.message.raw.removeAll { $0.key == "total_reply_count" || $0.key == "can_reply" }
            try add(comment.message, of: reply, time: comment.time)
        }
        missingReplies &+= max(0, min(1 << 32, max(0, snippet?["totalReplyCount"]?.int ?? 0)) - replies.count)
        return true
    }

    override func finish() throws {
        guard missingReplies > 0 else { return }
        context.notices(
            "replies missing from the file: \(missingReplies); get them from the API with comments.list and parentId"
        )
    }
}
