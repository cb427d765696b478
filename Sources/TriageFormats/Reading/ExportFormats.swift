import TriageCore

/// The formats that can be read.
public enum ExportFormats {
    /// In the order of their judgement: the first that recognizes an input reads it.
    public static let standard: [any ExportFormat] = [
        // Before those in JSON: what is there in JSON they leave to them.
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

    /// The format of a name.
    ///
    /// - Throws: ``TriageError`` `input.unknown-format-name` with the list of names.
    public static func named(_ name: String, among formats: [any ExportFormat] = standard) throws -> any ExportFormat {
        if let format = formats.first(where: { $0.name == name }) { return format }
        // Names people try.
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
    public static func detect(
        _ opening: Opening, among formats: [any ExportFormat] = standard
    ) -> (format: any ExportFormat, detection: Detection)? {
        for format in formats {
            if let detection = format.detect(opening) { return (format, detection) }
        }
        return nil
    }
}
