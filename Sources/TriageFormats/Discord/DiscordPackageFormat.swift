import TriageCore

/// The data package that Discord sends to its users: what they wrote themselves, a folder a channel.
struct DiscordPackageFormat: ExportFormat {
    let name = "discord-package"
    let summary = "own messages from Discord's data package, as folder, zip or one messages.json or messages.csv"
    var readsFilesAlone: Bool { false }

    /// Columns of tables until March 2024, in small letters.
    private static let columns: Set<String> = ["id", "timestamp", "contents", "attachments"]

    /// nil: the opening is of something else.
    static func table(_ opening: Opening) -> NamedTable? { NamedTable(opening) { $0.isSuperset(of: columns) } }

    private static let missing = [
        "Discord's data package only has your own messages, so there is nothing to triage; DiscordChatExporter"
            + " exports messages from others"
    ]

    func detect(_ opening: Opening) -> Detection? {
        if opening.firstByte == UInt8(ascii: "[") {
            guard JSONOutline(opening).has("[].ID", "[].Timestamp", "[].Contents") else { return nil }
            return Detection(
                format: name, reason: "entries with 'ID', 'Timestamp' and 'Contents'", missing: Self.missing)
        }
        if opening.firstByte == UInt8(ascii: "{") {
            return DiscordMetadata(opening).map {
                Detection(format: name, reason: $0.words, hasMessages: false)
            }
        }
        guard Self.table(opening) != nil else { return nil }
        return Detection(
            format: name, reason: "columns named ID, Timestamp, Contents, Attachments", missing: Self.missing)
    }

    func claim(_ all: [String]) -> Claim? {
        // Several packages have the same paths.
        let paths = Set(all).sorted()
        let files = paths.compactMap { path in DiscordPath(path).map { (path: path, place: $0) } }
        let described = Set(files.filter { $0.place.kind == .channel }.map(\.place.folder))
        let messages = files.filter { file in
            file.place.kind == .messages && (file.place.isCertain || described.contains(file.place.folder))
        }
        guard !messages.isEmpty else { return nil }
        let folders = Set(messages.map(\.place.folder))
        let parents = Set(messages.map(\.place.parent))
        let channels = files.filter { $0.place.kind == .channel && folders.contains($0.place.folder) }
        let indexes = paths.filter { $0.hasSuffix("index.json") && parents.contains(Self.folder(of: $0)) }
        let tops = Set(parents.filter { !$0.isEmpty }.map(Self.above))
        let owners = paths.filter { path in
            guard path.hasSuffix("/user.json") else { return false }
            let folder = Self.folder(of: path)
            return !folder.isEmpty && tops.contains(Self.above(folder))
        }
        let survey = owners + indexes.sorted() + channels.map(\.path).sorted()
        return Claim(
            detection: Detection(
                format: name, reason: "the messages of channels such as \(messages[0].path)", missing: Self.missing),
            passes: [survey, messages.map(\.path).sorted()],
            roots: Self.roots(paths, parents, withIndex: Set(indexes.map(Self.folder)), owners))
    }

    /// Folders of a package in English; they are translated and change their case.
    private static let folders: Set<String> = [
        "account", "activity", "activities", "ads", "messages", "programs", "servers", "support_tickets",
    ]

    /// What belongs to the packages besides: other exports may lie beside their folders.
    private static func roots(
        _ paths: [String], _ parents: Set<String>, withIndex: Set<String>, _ owners: [String]
    ) -> [String] {
        func isNamed(_ folder: String) -> Bool {
            folder.split(separator: "/").last.map { folders.contains($0.lowercased()) } ?? false
        }
        var roots = Set(parents.filter { !$0.isEmpty && (withIndex.contains($0) || isNamed($0)) })
        let tops = Set(owners.map { above(folder(of: $0)) })
        roots.formUnion(owners.map(folder))
        for path in paths {
            let parts = path.split(separator: "/")
            var top = ""
            for (index, part) in parts.dropLast().enumerated() {
                let inside = top + part + "/"
                if tops.contains(top) {
                    let next = index + 1 < parts.count - 1 ? parts[index + 1] : ""
                    let isLog = ["analytics", "reporting", "tns", "modeling"].contains(next)
                    if isNamed(inside) || isLog || parts.last == "guild.json" { roots.insert(inside) }
                }
                top = inside
            }
            if parts.last == "README.txt", tops.contains(top) { roots.insert(path) }
        }
        // Every path is compared with every root: no more of them than packages ever have.
        return Array(roots.sorted().prefix(200))
    }

    /// The folder that a path lies in, with the `/` at its end.
    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }

    /// The folder around a folder.
    private static func above(_ folder: String) -> String { self.folder(of: String(folder.dropLast())) }

    func makeReader(_ context: ReadingContext) -> any ExportReader { DiscordPackageReader(context) }
}
