import TriageCore

/// Channels and direct messages as DiscordChatExporter saves them, in JSON or as a table.
struct DiscordChatFormat: ExportFormat {
    let name = "discord-chat"
    let summary = "Discord channels saved by DiscordChatExporter (JSON, CSV)"

    /// Names of columns in small letters.
    private static let columns: Set<String> = ["authorid", "author", "date", "content"]

    /// nil: the opening is of something else.
    static func table(_ opening: Opening) -> NamedTable? { NamedTable(opening) { $0.isSuperset(of: columns) } }

    private static let missingInTables = [
        "DiscordChatExporter's tables have no ids, replies or message types; its JSON has them"
    ]

    func detect(_ opening: Opening) -> Detection? {
        if opening.firstByte == UInt8(ascii: "{") {
            let kinds = JSONOutline(opening).kinds
            guard kinds["guild"] == .object, kinds["channel"] == .object, kinds["messages"] == .array else {
                return nil
            }
            return Detection(format: name, reason: "an object with 'guild', 'channel' and 'messages'")
        }
        guard Self.table(opening) != nil else { return nil }
        return Detection(
            format: name, reason: "columns named AuthorID, Author, Date, Content", missing: Self.missingInTables)
    }

    func claim(_ all: [String]) -> Claim? {
        // Several archives may have the same paths.
        let paths = Set(all)
        let files = paths.compactMap { path in DiscordChatPath(path).map { (path: path, place: $0) } }
        guard !files.isEmpty else { return nil }
        let sorted = files.sorted { a, b in
            (a.place.base, a.place.part, a.path) < (b.place.base, b.place.part, b.path)
        }
        // Media lie in a folder that is called after the file.
        let claimed = Set(sorted.map(\.path))
        var media = Set<String>()
        for path in paths {
            var folder = ""
            for part in path.split(separator: "/").dropLast() {
                folder += part
                if folder.hasSuffix("_Files"), claimed.contains(String(folder.dropLast("_Files".count))) {
                    media.insert(folder + "/")
                }
                folder += "/"
            }
        }
        let isTable = sorted.allSatisfy { $0.path.lowercased().hasSuffix(".csv") }
        return Claim(
            detection: Detection(
                format: name, reason: "files named after channels such as \(sorted[0].path)",
                missing: isTable ? Self.missingInTables : []),
            // Every path is compared with every root: no more of them than people ever have.
            passes: [sorted.map(\.path)], roots: Array(media.sorted().prefix(500)))
    }

    func makeReader(_ context: ReadingContext) -> any ExportReader { DiscordChatReader(context) }
}
