/// The tables of a Reddit data export: private messages, chats, own comments.
struct RedditCSVFormat: ExportFormat {
    let name = "reddit-csv"
    let summary = "a Reddit data export: messages.csv, chat_history.csv, comments.csv"

    /// Names of files that lie in no other export; `messages.csv` is in many.
    private static let marks: Set<String> = [
        "statistics.csv", "chat_history.csv", "messages_archive.csv", "messages_headers.csv",
        "messages_archive_headers.csv", "comment_headers.csv", "post_headers.csv", "announcements.csv",
        "subscribed_subreddits.csv", "account_gender.csv", "user_preferences.csv", "checkfile.csv", "ip_logs.csv",
    ]

    func detect(_ opening: Opening) -> Detection? {
        guard let table = RedditTable(opening) else { return nil }
        let (reason, missing): (String, [String]) =
            switch table {
            case .messages: ("the columns of Reddit's messages", [])
            case .chats: ("the columns of Reddit's chats", [])
            case .comments:
                (
                    "the columns of Reddit's comments",
                    ["a Reddit export has only the owner's own comments: there is nothing to triage in them"]
                )
            case .statistics, .other: ("a file of a Reddit export without messages", [])
            }
        return Detection(format: name, reason: reason, missing: missing, hasMessages: table.hasMessages)
    }

    func claim(_ paths: [String]) -> Claim? {
        var folders: [String: [String]] = [:]
        for path in paths where path.lowercased().hasSuffix(".csv") {
            let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
            folders[folder, default: []].append(path)
        }
        let found = folders.filter { _, paths in
            Set(paths.map(Self.plainName)).intersection(Self.marks).count >= 2
        }
        guard let (folder, files) = found.min(by: { $0.key < $1.key }) else { return nil }
        let sorted = files.sorted()
        let statistics = sorted.filter { Self.plainName($0) == "statistics.csv" }
        let tables = sorted.filter {
            ["messages.csv", "messages_archive.csv", "chat_history.csv", "comments.csv"].contains(Self.plainName($0))
        }
        return Claim(
            detection: Detection(
                format: name, reason: "the tables of a Reddit export", hasMessages: !tables.isEmpty),
            passes: [statistics, tables], roots: [folder.isEmpty ? "" : folder + "/"])
    }

    /// The name of a file without folders and without the number of its part: `messages_1.csv` is `messages.csv`.
    private static func plainName(_ path: String) -> String {
        let name = (path.split(separator: "/").last.map(String.init) ?? path).lowercased()
        let stem = name.dropLast(4)
        guard let mark = stem.lastIndex(of: "_"), !stem[mark...].dropFirst().isEmpty,
            stem[mark...].dropFirst().utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return name }
        return stem[..<mark] + ".csv"
    }

    func makeReader(_ context: ReadingContext) -> any ExportReader { RedditCSVReader(context) }
}
