/// Conversations of a Facebook export in web pages, as a folder, a zip or one of its pages.
struct MessengerHTMLFormat: ExportFormat {
    let name = "messenger-html"
    let summary = "messages of a Facebook export as web pages, as folder, zip or one message_1.html"

    func detect(_ opening: Opening) -> Detection? { MetaHTMLPage.detection(of: opening, .messenger, format: name) }

    func claim(_ paths: [String]) -> Claim? { MetaClaim.pages(in: paths, of: .messenger, format: name) }

    func makeReader(_ context: ReadingContext) -> any ExportReader { MetaHTMLReader(context, otherwise: .messenger) }
}
