extension MetaHTMLPage {
    /// Said of every page, because the same export in JSON has more.
    static let missing =
        "Meta's web pages give no time zone and omit a lot; request the export as JSON"

    /// Judges a page by its opening; without signs of Facebook it is Instagram's.
    static func detection(of opening: Opening, _ platform: MetaPlatform, format: String) -> Detection? {
        guard opening.firstByte == UInt8(ascii: "<") else { return nil }
        var page = MetaHTMLPage()
        let scanner = HTMLScanner()
        opening.bytes.withUnsafeBufferPointer { bytes in
            scanner.feed(bytes) { page.take($0) { _ in } }
            // The scanner keeps the end of what it has until it knows that it is the end.
            scanner.finish { page.take($0) { _ in } }
        }
        guard (page.platform ?? .instagram) == platform else { return nil }
        guard page.hasEntries, page.hasNames else {
            // Lists of other things have the same build; the first page says when the export was made.
            guard page.hasEntries || page.offset != nil else { return nil }
            return Detection(format: format, reason: "a Meta page without messages", hasMessages: false)
        }
        return Detection(
            format: format, reason: "a page with the classes '_a6-g' and '_a6-h'", missing: [missing])
    }
}
