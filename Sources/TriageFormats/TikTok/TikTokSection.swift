/// The parts of a TikTok export that matter, by the key right above them: what stands above that is renamed often.
enum TikTokSection: String {
    case chats = "ChatHistory"
    case groups = "GroupChat"
    case comments = "CommentsList"
    case live = "WatchLiveMap"
    case profile = "ProfileMap"

    /// Keys on the way to a section, its own included.
    static let depth = 4

    private static let keys: [String: TikTokSection] = [
        "chathistory": .chats, "groupchat": .groups, "commentslist": .comments, "watchlivemap": .live,
        "profilemap": .profile,
    ]

    /// The section of a key, in any case.
    init?(key: String) {
        guard key.utf8.count <= 12, let section = Self.keys[key.lowercased()] else { return nil }
        self = section
    }

    /// The section that a path leads into, and the way behind its key.
    static func locate(_ path: [JSONPicker.Step]) -> (section: TikTokSection, rest: ArraySlice<JSONPicker.Step>)? {
        for (index, step) in path.prefix(depth).enumerated() {
            guard let key = step.key else { return nil }
            if let section = TikTokSection(key: key) { return (section, path[(index + 1)...]) }
        }
        return nil
    }

    /// Bytes of a string outside of all sections, such as what a profile says, that holds no list.
    static let longestWord = 200

    /// Whether a member of this name holds what somebody wrote.
    static func isText(_ key: String) -> Bool {
        ["content", "comment", "commentcontent", "questioncontent"].contains(key.lowercased())
    }

    /// What to do with a value on that way.
    func choice(_ rest: ArraySlice<JSONPicker.Step>, _ kind: JSONPicker.Kind) -> JSONPicker.Choice {
        guard let last = rest.last else { return kind == .scalar ? .skip : .enter }
        let isEntry = last.key == nil
        switch self {
        case .chats, .groups:
            // A conversation is a list, or an object with one.
            if isEntry { return kind == .object && rest.count > 1 ? .take : kind == .scalar ? .skip : .enter }
            return rest.count < 3 && kind != .scalar ? .enter : .skip
        case .comments: return isEntry ? .take : kind == .array && rest.count == 1 ? .enter : .skip
        case .live:
            if rest.count == 1 { return kind == .scalar ? .skip : .enter }
            if rest.count == 2, let key = last.key?.lowercased() {
                return kind == .array && (key == "comments" || key == "questions") ? .enter : .skip
            }
            return isEntry && rest.count == 3 ? .take : .skip
        case .profile: return rest.count == 1 && last.key?.lowercased() == "username" ? .take : .skip
        }
    }
}
