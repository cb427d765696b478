struct InstagramJSONFormat: ExportFormat {
    let name = "instagram-json"
    let summary = "stub"
    func detect(_ opening: Opening) -> Detection? { nil }
    func makeReader(_ context: ReadingContext) -> any ExportReader { JSONLReader(context) }
}
