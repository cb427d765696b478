/// The messages of a LinkedIn data export.
struct LinkedInCSVFormat: ExportFormat {
    let name = "linkedin-csv"
    let summary = "a LinkedIn data export, or its messages.csv"

    /// Files that tell who the owner is.
    private static let surveyed = ["profile.csv", "invitations.csv"]

    func detect(_ opening: Opening) -> Detection? {
        guard let table = LinkedInTable(opening) else { return nil }
        return Detection(
            format: name,
            reason: table.hasMessages
                ? "the columns of LinkedIn's messages" : "a file of a LinkedIn export without messages",
            hasMessages: table.hasMessages)
    }

    func claim(_ paths: [String]) -> Claim? {
        var folders: [String: [String]] = [:]
        for path in paths where path.lowercased().hasSuffix(".csv") {
            let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
            folders[folder, default: []].append(path)
        }
        func name(_ path: String) -> String { (path.split(separator: "/").last.map(String.init) ?? path).lowercased() }
        let found = folders.filter { _, paths in
            let names = Set(paths.map(name))
            return names.contains("messages.csv")
                && !names.isDisjoint(with: ["profile.csv", "connections.csv", "invitations.csv"])
        }
        guard let (folder, files) = found.min(by: { $0.key < $1.key }) else { return nil }
        return Claim(
            detection: Detection(
                format: self.name, reason: "messages.csv beside the other tables of a LinkedIn export"),
            passes: [
                files.filter { Self.surveyed.contains(name($0)) }.sorted(),
                files.filter { name($0) == "messages.csv" || name($0).hasSuffix("_messages.csv") }.sorted(),
            ],
            roots: [folder.isEmpty ? "" : folder + "/"])
    }

    func makeReader(_ context: ReadingContext) -> any ExportReader { LinkedInCSVReader(context) }
}
