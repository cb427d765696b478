/// A LinkedIn data export: messages, and the words that came with invitations, as its zip, its folder or one table.
struct LinkedInFormat: ExportFormat {
    let name = "linkedin-csv"
    let summary = "a LinkedIn data export: messages.csv alone, or its zip or folder"
    var readsFilesAlone: Bool { false }

    var sharesNames: Bool { true }

    func detect(_ opening: Opening) -> Detection? {
        guard let table = LinkedInTable(opening) else { return nil }
        let reason =
            switch table.kind {
            case .messages: "columns of LinkedIn messages ('FROM', 'TO', 'DATE', 'CONTENT')"
            case .invitations: "columns of LinkedIn invitations"
            case .profile: "the profile of a LinkedIn export"
            case .other: "the connections of a LinkedIn export"
            }
        return Detection(
            format: name, reason: reason, hasMessages: table.kind == .messages || table.kind == .invitations)
    }

    /// Names of tables that no other export has.
    private static let certain: Set<String> = [
        "profile", "connections", "invitations", "positions", "registration", "email addresses", "profile summary",
    ]
    /// Folders of an export that stand beside its tables.
    private static let folders = ["Jobs/", "Verifications/", "Articles/"]

    func claim(_ paths: [String]) -> Claim? {
        var folders: [String: [(path: String, base: String)]] = [:]
        for path in paths {
            guard let base = TablePath.base(path) else { continue }
            folders[TablePath.folder(path), default: []].append((path, base))
        }
        let exports = folders.filter { _, files in
            let certain = Set(files.map(\.base)).intersection(Self.certain)
            let hasMessages = files.contains { $0.base == "messages" }
            return hasMessages ? !certain.isEmpty : certain.isSuperset(of: ["profile", "connections"])
        }
        guard !exports.isEmpty else { return nil }
        let files = exports.sorted { $0.key < $1.key }.flatMap { $0.value.sorted { $0.path < $1.path } }
        func all(_ bases: String...) -> [String] { files.filter { bases.contains($0.base) }.map(\.path) }
        let messages = all("messages")
        let beside = exports.keys.sorted().filter(\.isEmpty).flatMap { _ in Self.folders }
        return Claim(
            detection: Detection(
                format: name, reason: "the tables of a LinkedIn export such as \(files[0].path)",
                missing: messages.isEmpty
                    ? ["the export has no messages.csv: request it again from LinkedIn and select messages"] : [],
                hasMessages: !(messages + all("invitations")).isEmpty),
            passes: [all("profile", "invitations", "messages"), messages + all("invitations")],
            roots: TablePath.roots(of: exports.keys.sorted(), among: paths) + beside)
    }

    func makeReader(_ context: ReadingContext) -> any ExportReader { LinkedInReader(context) }
}
