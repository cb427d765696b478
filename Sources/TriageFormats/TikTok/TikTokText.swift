import TriageCore

/// What stands in a message of TikTok: words, a shared video, or a picture in brackets.
struct TikTokText {
    var text: String
    var kind = "message"
    var attachment: Message.Attachment?

    init(_ content: String) {
        text = content
        let trimmed = content.trimmingBlanks()
        guard trimmed.hasPrefix("http") || trimmed.hasPrefix("[http"),
            !trimmed.utf8.contains(where: Opening.isBlank)
        else { return }
        if trimmed.hasPrefix("["), trimmed.hasSuffix("]") {
            let address = Self.withoutToken(trimmed.dropFirst().dropLast())
            text = ""
            attachment = Message.Attachment(type: address.hasSuffix(".gif") ? "gif" : "sticker", url: address)
        } else if Self.isShare(trimmed) {
            text = ""
            kind = "share"
            attachment = Message.Attachment(type: "share", url: Self.withoutToken(trimmed[...]))
        }
    }

    private static let shares = ["https://www.tiktokv.com/share/", "https://www.tiktok.com/@"]

    /// Whether an address is that of a video, photo or account that was shared with the app.
    static func isShare(_ address: String) -> Bool { shares.contains(where: address.hasPrefix) }

    /// Behind the `?` stand signatures.
    static func withoutToken(_ address: Substring) -> String { String(address.prefix { $0 != "?" }) }

    /// The partner of `Chat History with zoe.k::`.
    static func partner(_ header: String) -> String {
        var name = header[...]
        if header.lowercased().hasPrefix("chat history with ") { name = name.dropFirst(18) }
        while let last = name.last, last == ":" || last == " " { name = name.dropLast() }
        return String(name)
    }
}
