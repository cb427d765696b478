/// Comments as the Graph API lists them for a post, with their replies.
struct GraphCommentsFormat: ExportFormat {
    let name = "graph-comments"
    let summary = "comments on a post from Meta's Graph API (JSON)"

    func detect(_ opening: Opening) -> Detection? {
        guard opening.firstByte == UInt8(ascii: "{") || opening.firstByte == UInt8(ascii: "[") else { return nil }
        let outline = JSONOutline(opening)
        for list in ["data[].", "comments.data[].", "data[].comments.data[]."] {
            for place in [list, "[]." + list] where outline.has(place + "id") {
                if outline.has(place + "text", place + "timestamp"),
                    outline.has(place + "username") || outline.kinds[place + "from"] == .object
                {
                    return Detection(format: name, reason: "'data' with 'id', 'text', 'timestamp' and who wrote it")
                }
                // Facebook names them otherwise; what has a `to` is a chat.
                if outline.has(place + "message", place + "created_time"), outline.kinds[place + "from"] == .object,
                    !outline.has(place + "to")
                {
                    return Detection(format: name, reason: "'data' with 'id', 'message', 'created_time' and 'from'")
                }
            }
        }
        return nil
    }

    func makeReader(_ context: ReadingContext) -> any ExportReader { GraphCommentsReader(context) }
}
