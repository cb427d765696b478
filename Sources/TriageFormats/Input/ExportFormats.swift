import TriageCore

/// The formats that can be read.
package enum ExportFormats {
    /// All formats in order of precedence: the first that recognizes an input reads it.
    package static let standard: [any ExportFormat] = [
        // HTML before JSON: these formats leave the JSON files to the JSON formats.
        InstagramHTMLFormat(),
        MessengerHTMLFormat(),
        InstagramJSONFormat(),
        MessengerE2EEFormat(),
        MessengerJSONFormat(),
        FacebookCommentsFormat(),
        MetaWebhookFormat(),
        TelegramJSONFormat(),
        DiscordPackageFormat(),
        DiscordChatFormat(),
        SlackFormat(),
        YouTubeAPIFormat(),
        YTDLPFormat(),
        YouTubeCommentsFormat(),
        GraphCommentsFormat(),
        YouTubeTakeoutFormat(),
        XArchiveFormat(),
        TikTokJSONFormat(),
        TikTokTextFormat(),
        TwitchJSONFormat(),
        TwitchCSVFormat(),
        RedditFormat(),
        LinkedInFormat(),
        MboxFormat(),
        EMLFormat(),
        JSONLFormat(),
        JSONArrayFormat(),
        WhatsAppTextFormat(),
        TableFormat(),
    ]

    /// The format with a name.
    ///
    /// - Throws: ``TriageError`` `input.unknown-format-name` with the list of names.
    package static func named(_ name: String, among formats: [any ExportFormat] = standard) throws -> any ExportFormat {
        if let format = formats.first(where: { $0.name == name }) { return format }
        // Names that people are likely to try.
        let others = [
            "json": "json-array", "tsv": "csv", "ndjson": "jsonl", "instagram": "instagram-json",
            "messenger": "messenger-json", "facebook": "messenger-json",
        ]
        if let other = others[name], let format = formats.first(where: { $0.name == other }) { return format }
        throw TriageError(
            "input.unknown-format-name", "there is no format '\(name)'", at: "--from",
            remedy: "use one of: " + formats.map(\.name).joined(separator: ", "), exit: .usage)
    }

    /// The first format that recognizes the opening, with its reasons.
    ///
    /// Generic formats, which accept anything with a text, are not given two kinds of files: those of a known export
    /// without messages (the detection then says that there are none), and those known to be something else.
    ///
    /// - Parameters:
    ///   - path: of the file, with its parent folders; an export's folders help to identify a file.
    ///   - isMapped: whether the user named the text column, which overrides all of this.
    package static func detect(
        _ opening: Opening, among formats: [any ExportFormat] = standard, path: String = "", isMapped: Bool = false
    ) -> (format: any ExportFormat, detection: Detection)? {
        for format in formats {
            guard let detection = format.detect(opening) else { continue }
            guard format.takesAnyText, !isMapped else { return (format, detection) }
            if let list = KnownLists.list(opening, path: path) { return (format, list) }
            return KnownLists.stranger(opening) == nil ? (format, detection) : nil
        }
        guard !isMapped, let format = formats.last, let list = KnownLists.list(opening, path: path) else { return nil }
        return (format, list)
    }
}
