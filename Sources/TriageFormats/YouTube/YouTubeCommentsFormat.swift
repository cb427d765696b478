import TriageCore

/// Output of youtube-comment-downloader: one comment per line, or an array of them.
struct YouTubeCommentsFormat: ExportFormat {
    let name = "youtube-comments"
    let summary = "comments saved by youtube-comment-downloader (JSON Lines)"

    func detect(_ opening: Opening) -> Detection? {
        let outline = JSONOutline(opening)
        for place in ["", "[].", "comments[]."]
        where outline.has(place + "cid", place + "text")
            && (outline.has(place + "votes") || outline.has(place + "time_parsed"))
        {
            return Detection(format: name, reason: "comments with 'cid' and 'votes' or 'time_parsed'")
        }
        return nil
    }

    func makeReader(_ context: ReadingContext) -> any ExportReader { YouTubeCommentsReader(context) }
}

/// Reads comments whose times are only as exact as "2 weeks ago".
private final class YouTubeCommentsReader: ShelvedJSONReader {
    init(_ context: ReadingContext) { super.init(context, order: .newestFirst) }

    override func chooser(_ opening: Opening) -> ([JSONPicker.Step], JSONPicker.Kind) -> JSONPicker.Choice {
        let isContainer = JSONOutline(opening).kinds["comments"] == .array
        return { path, kind in
            switch path.last {
            case nil: kind == .array || isContainer ? .enter : .take
            case .key(let key): key == "comments" && kind == .array ? .enter : .passOver
            case .element: .take
            }
        }
    }

    override func take(_ node: JSONNode, at path: [JSONPicker.Step]) throws -> Bool {
        guard let id = node["cid"]?.identifier else { return false }
        var message = Message()
        message.platform = "youtube"
        message.id = "yt:" + id
        message.raw = [("kind", .string("comment"))]
        message.sender.id = node["channel"]?.string
        message.sender.name = node["author"]?.string
        if let name = message.sender.name, name.hasPrefix("@") { message.sender.handle = name }
        message.text = node["text"]?.string ?? ""
        // Ids of replies have the form `<parent>.<child>`.
        if let dot = id.firstIndex(of: ".") { message.replyTo = "yt:" + id[..<dot] }
        let time = ExportTime(epoch: node["time_parsed"])
        if let time {
            // The time was calculated from the time of saving, so fractions of a second are meaningless.
            message.sentAt = Timestamp.text(seconds: time.milliseconds / 1000)
            message.mark("sent_at_precision", .string("relative"))
        }
        message.mark("time_text", node["time"]?.string.map { .string($0) })
        message.mark("votes", node["votes"]?.identifier.map { .string($0) })
        message.mark("replies", node["replies"]?.identifier.flatMap { $0 == "0" ? nil : .string($0) })
        if node["heart"]?.flag == true { message.mark("hearted", .bool(true)) }
        message.mark("paid", node["paid"]?.string.map { .string($0) })
        try add(message, of: node, time: time?.milliseconds)
        return true
    }
}
