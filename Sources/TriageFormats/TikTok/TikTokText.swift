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
        if trimmed.hasPrefix("["), trimmed.hasSuffix("]"), Self.isPicture(trimmed.dropFirst().dropLast()) {
            let address = Self.withoutToken(trimmed.dropFirst().dropLast())
            text = ""
            attachment = Message.Attachment(type: address.hasSuffix(".gif") ? "gif" : "sticker", url: address)
        } else if Self.isShare(trimmed) {
            // The address of an account or video is also what people send for others to look at.
            if trimmed.hasPrefix(Self.appShare) {
                text = ""
                kind = "share"
            }
            attachment = Message.Attachment(type: "share", url: Self.withoutToken(trimmed[...]))
        }
    }

    private static let appShare = "https://www.tiktokv.com/share/"
    private static let shares = [appShare, "https://www.tiktok.com/@"]

    /// Hosts and endings of the pictures that the app sends.
    private static let pictureHosts = ["tiktokcdn", "giphy.com", "tenor.com", "byteoversea", "ibyteimg", "ibytedtos"]
    private static let pictureEndings = [".gif", ".webp", ".png", ".jpg", ".jpeg", ".image", ".awebp"]

    /// Whether an address in brackets is that of a picture, not of a page that somebody sent.
    private static func isPicture(_ address: Substring) -> Bool {
        let path = address.prefix { $0 != "?" && $0 != "#" }.lowercased()
        let host = path.split(separator: "/").dropFirst().first ?? ""
        return pictureHosts.contains { host.contains($0) } || pictureEndings.contains { path.hasSuffix($0) }
    }

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
