/// The comments and live chat messages in a Google Takeout: all of them the owner's own.
struct YouTubeTakeoutFormat: ExportFormat {
    let name = "youtube-takeout"
    let summary = "own comments and live chats from Google Takeout (CSV, older exports HTML)"

    private static let missing = [
        "Takeout only has your own comments, so there is nothing to triage; get other comments from the YouTube Data"
            + " API, yt-dlp --write-comments or youtube-comment-downloader"
    ]

    func detect(_ opening: Opening) -> Detection? {
        if Self.isPage(opening) {
            return Detection(format: name, reason: "a page of comments 'Sent at … UTC'", missing: Self.missing)
        }
        guard let first = opening.firstByte, first != UInt8(ascii: "{"), first != UInt8(ascii: "["),
            TakeoutColumns(opening) != nil
        else { return nil }
        return Detection(format: name, reason: "columns of YouTube comments", missing: Self.missing)
    }

    /// Until 2022 comments came as a web page.
    static func isPage(_ opening: Opening) -> Bool {
        guard opening.firstByte == UInt8(ascii: "<") else { return false }
        // The styles before it may be long.
        let text = String(decoding: opening.bytes, as: UTF8.self)
        guard let start = text.firstRange(of: "<li>Sent at ") else { return false }
        return text[start.upperBound...].prefix(64).contains(" UTC while watching")
    }

    func makeReader(_ context: ReadingContext) -> any ExportReader { YouTubeTakeoutReader(context) }
}
