/// What the path of a file in a Slack export says: `brand-talk/2024-06-01.json`, in exports of whole organizations below
/// `teams/<workspace>/`.
struct SlackPath: Equatable {
    /// The folder around those of the conversations, with the `/` at its end; empty at the top.
    var scope: String
    /// The name of a channel or group, or the id of direct messages.
    var conversation: String
    /// `2024-06-01`; not a day in UTC.
    var day: String

    /// nil: not a file of messages of one day.
    init?(_ path: String) {
        let parts = path.split(separator: "/")
        guard parts.count >= 2 else { return nil }
        let name = parts[parts.count - 1]
        guard name.utf8.count == 15, name.hasSuffix(".json") else { return nil }
        day = String(name.dropLast(5))
        for (index, byte) in day.utf8.enumerated() {
            guard index == 4 || index == 7 ? byte == 0x2D : (0x30...0x39).contains(byte) else { return nil }
        }
        conversation = String(parts[parts.count - 2])
        // Comments on canvases.
        guard !conversation.hasPrefix("FC:") else { return nil }
        // Whatever stands before, also a `/` at the very beginning.
        scope = String(path.dropLast(conversation.count + 1 + name.count))
    }

    /// Lists of people and conversations.
    enum Roster: String {
        case users = "users.json"
        case organization = "org_users.json"
        case channels = "channels.json"
        case groups = "groups.json"
        case direct = "dms.json"
        case groupDirect = "mpims.json"

        /// What the conversations in it are.
        var type: String? {
            switch self {
            case .users, .organization: nil
            case .channels: "channel"
            case .groups: "group"
            case .direct: "dm"
            case .groupDirect: "mpim"
            }
        }
    }

    /// The list that a path names, and the folder it lies in.
    static func roster(_ path: String) -> (roster: Roster, scope: String)? {
        let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        return Roster(rawValue: String(path[start...])).map { ($0, String(path[..<start])) }
    }

    /// Of `one/teams/T1/` the folder `one/`, where the lists of the organization lie; nil: not a workspace of one.
    static func organization(of scope: String) -> String? {
        let parts = scope.split(separator: "/")
        guard parts.count >= 2, parts[parts.count - 2] == "teams" else { return nil }
        return parts.dropLast(2).reduce(into: "") { $0 += $1 + "/" }
    }

    /// Files that lie beside the lists and hold no messages.
    static let others: Set<String> = [
        "canvases.json", "integration_logs.json", "content_flags.json", "huddle_transcripts.json", "lists.json",
        "file_conversations.json",
    ]
}
