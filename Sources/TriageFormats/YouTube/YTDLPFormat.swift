/// The `.info.json` that yt-dlp writes beside a video, with comments when it was asked for them.
struct YTDLPFormat: ExportFormat {
    let name = "yt-dlp"
    let summary = "comments in a yt-dlp info.json"

    func detect(_ opening: Opening) -> Detection? {
        guard opening.firstByte == UInt8(ascii: "{") else { return nil }
        let outline = JSONOutline(opening)
        if outline.has("comments[].author_id", "comments[].parent") {
            return Detection(format: name, reason: "'comments' with 'author_id' and 'parent'")
        }
        // Formats and subtitles stand before the comments and may fill the whole opening.
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
