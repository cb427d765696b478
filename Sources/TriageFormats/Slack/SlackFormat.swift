import TriageCore

/// An export of a Slack workspace: lists of people and conversations, and a folder a conversation with a file a day.
struct SlackFormat: ExportFormat {
    let name = "slack-export"
    let summary = "a Slack workspace export, as folder, zip or the file of one day"
    var readsFilesAlone: Bool { false }

    private static let missingDirect =
        "the export has no direct messages: Slack only exports them on higher plans"

    func detect(_ opening: Opening) -> Detection? {
        guard opening.firstByte == UInt8(ascii: "[") else { return nil }
        let outline = JSONOutline(opening, texts: ["ts", "type"])
        if let time = outline.texts["[].ts"], SlackTime.isCertain(time),
            outline.texts["[].type"] == "message" || outline.kinds["[].user"] == .scalar
                || outline.kinds["[].bot_id"] == .scalar
        {
            return Detection(format: name, reason: "messages whose 'ts' has seconds and a counter")
        }
        return Self.metadata(outline).map { Detection(format: name, reason: $0, hasMessages: false) }
    }

    /// What a file is that belongs to an export but holds no messages; nil: something else.
    private static func metadata(_ outline: JSONOutline) -> String? {
        guard outline.kinds["[]"] == .object, !outline.has("[].text"), !outline.has("[].ts") else { return nil }
        if outline.kinds["[].profile"] == .object, outline.has("[].id"),
            outline.has("[].team_id") || outline.has("[].name")
        {
            return "the people of a Slack workspace"
        }
        let member = outline.kinds["[].members[]"]
        if outline.kinds["[].members"] == .array, member == nil || member == .scalar, outline.has("[].id"),
            outline.has("[].created") || outline.has("[].name")
        {
            return "the conversations of a Slack workspace"
        }
        if outline.has("[].change_type", "[].date"), outline.has("[].user_id") || outline.has("[].user_name") {
            return "the integrations of a Slack workspace"
        }
        if outline.has("[].id", "[].filetype", "[].mimetype"),
            outline.has("[].permalink") || outline.has("[].url_private")
        {
            return "the canvases or lists of a Slack workspace"
        }
        return nil
    }

    func claim(_ all: [String]) -> Claim? {
        // Several archives of one workspace have the same paths.
        let paths = Set(all)
        var lists: [String: [(path: String, roster: SlackPath.Roster)]] = [:]
        for path in paths {
            if let (roster, scope) = SlackPath.roster(path) { lists[scope, default: []].append((path, roster)) }
        }
        var days: [(path: String, place: SlackPath)] = []
        var scopes = Set<String>()
        for path in paths {
            guard let place = SlackPath(path) else { continue }
            let organization = SlackPath.organization(of: place.scope).flatMap { lists[$0] == nil ? nil : $0 }
            // Files that are called after days alone could be anybody's: each is judged by its content.
            guard lists[place.scope] != nil || organization != nil else { continue }
            days.append((path, place))
            scopes.insert(place.scope)
            if let organization { scopes.insert(organization) }
        }
        guard !days.isEmpty else { return nil }
        days.sort {
            ($0.place.scope, $0.place.conversation, $0.place.day) < (
                $1.place.scope, $1.place.conversation, $1.place.day
            )
        }
        let read = scopes.sorted().flatMap { lists[$0] ?? [] }
        return Claim(
            detection: Detection(
                format: name, reason: "workspace lists and one file per day such as \(days[0].path)",
                missing: read.contains { $0.roster == .direct } ? [] : [Self.missingDirect]),
            passes: [read.map(\.path).sorted(), days.map(\.path)],
            roots: Self.roots(paths, scopes, claimed: Set(days.map(\.path))))
    }

    /// What lies in the folders of conversations besides, and beside the lists.
    private static func roots(_ paths: Set<String>, _ scopes: Set<String>, claimed: Set<String>) -> [String] {
        let folders = Set(claimed.map { $0.dropLast("2024-06-01.json".utf8.count) })
        var roots = Set<String>()
        for path in paths where !claimed.contains(path) {
            guard let slash = path.lastIndex(of: "/") else {
                if scopes.contains(""), SlackPath.others.contains(path) { roots.insert(path) }
                continue
            }
            let folder = path[...slash]
            let name = String(path[slash...].dropFirst())
            let isCanvas = folder.split(separator: "/").last?.hasPrefix("FC:") == true
            if folders.contains(folder) || isCanvas {
                roots.insert(String(folder))
            } else if scopes.contains(String(folder)), SlackPath.others.contains(name) {
                roots.insert(path)
            }
        }
        // Every path is compared with every root: no more of them than workspaces ever have.
        return Array(roots.sorted().prefix(500))
    }

    func makeReader(_ context: ReadingContext) -> any ExportReader { SlackReader(context) }
}
