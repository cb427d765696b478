/// What youtube-comment-downloader writes: one comment a line, or an array of them.
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
