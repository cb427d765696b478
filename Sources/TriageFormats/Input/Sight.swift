/// Describes a file of unknown format without quoting anything that could be message text.
enum Sight {
    static func describe(_ opening: Opening) -> String {
        let bytes = opening.bytes
        if let magic = magic(bytes) { return magic }
        if let kind = ArchiveKind(bytes) {
            return packed + " (\(kind.words)) inside, which is not read: unpack it first"
        }
        if opening.isBinary { return "binary data" }
        if let stranger = KnownLists.stranger(opening) { return stranger }
        // Log lines begin with a bracket too.
        let isList =
            opening.firstByte == UInt8(ascii: "[")
            && (JSONArrayFormat.shape(of: opening) != nil || JSONNode(bytes) != nil)
        if opening.firstByte == UInt8(ascii: "{") || isList {
            let text = opening.firstLine.flatMap { JSONNode($0) } ?? JSONNode(bytes)
            let record = text?.elements.first ?? text
            let keys = (record?.members ?? []).prefix(8).map { isName($0.key) ? $0.key : "…" }
            return keys.isEmpty ? "JSON without members" : "JSON with the keys " + keys.joined(separator: ", ")
        }
        if let advice = discordAdvice(opening) { return advice }
        if opening.firstByte == UInt8(ascii: "<") { return "HTML or XML; ask the platform for JSON instead" }
        if let header = TableShape(opening)?.header {
            return "columns named " + header.prefix(8).map { isName($0) ? $0 : "…" }.joined(separator: ", ")
        }
        return String(validating: bytes.prefix(4096), as: UTF8.self) == nil && !opening.isWhole
            ? "bytes that are not text" : "text without columns or JSON"
    }

    private static let packed = "a packed file"

    /// Whether a description says that the file is an archive.
    static func isPacked(_ sight: String) -> Bool { sight.hasPrefix(packed) }

    /// Whether a text can be a name: names are short and have few words, and anything longer could be a message.
    private static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 32 && text.split(separator: " ").count <= 3
    }

    /// Advice for DiscordChatExporter's HTML and plain text, in which messages cannot be identified reliably.
    private static func discordAdvice(_ opening: Opening) -> String? {
        let head = opening.bytes.prefix(1 << 16)
        if opening.firstByte == UInt8(ascii: "<") {
            guard head.firstRange(of: Array("chatlog__".utf8)) != nil else { return nil }
            return "a page of DiscordChatExporter; export the channel as JSON instead"
        }
        let lines = head.prefix(4096).split(separator: 0x0A).prefix(3).map { String(decoding: $0, as: UTF8.self) }
        guard lines.count == 3, lines[0].hasPrefix("====="), lines[1].hasPrefix("Guild: "),
            lines[2].hasPrefix("Channel: ")
        else { return nil }
        return "text of DiscordChatExporter; export the channel as JSON instead"
    }

    private static func magic(_ bytes: [UInt8]) -> String? {
        let known: [([UInt8], String)] = [
            ([0x89, 0x50, 0x4E, 0x47], "a PNG image"), ([0xFF, 0xD8, 0xFF], "a JPEG image"),
            ([0x25, 0x50, 0x44, 0x46], "a PDF document"), ([0x53, 0x51, 0x4C, 0x69, 0x74, 0x65], "an SQLite database"),
            ([0x47, 0x49, 0x46, 0x38], "a GIF image"),
            ([0xD0, 0xCF, 0x11, 0xE0], "an old Office document; save a spreadsheet as CSV"),
        ]
        return known.first { bytes.starts(with: $0.0) }?.1
    }
}
