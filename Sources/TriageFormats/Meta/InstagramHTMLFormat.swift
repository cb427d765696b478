/// Conversations of an Instagram export in web pages, as a folder, a zip or one of its pages.
struct InstagramHTMLFormat: ExportFormat {
    let name = "instagram-html"
    let summary = "an Instagram export as web pages, as folder, zip or one message_1.html"

    func detect(_ opening: Opening) -> Detection? { MetaHTMLPage.detection(of: opening, .instagram, format: name) }

    func claim(_ paths: [String]) -> Claim? { MetaClaim.pages(in: paths, of: .instagram, format: name) }

    func makeReader(_ context: ReadingContext) -> any ExportReader { MetaHTMLReader(context, otherwise: .instagram) }
}
