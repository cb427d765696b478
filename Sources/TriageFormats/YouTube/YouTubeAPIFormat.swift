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
