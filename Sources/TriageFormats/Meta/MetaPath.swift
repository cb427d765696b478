/// What a path inside a Meta export says; layouts moved over the years, so only the end of it counts.
struct MetaPath: Equatable {
    enum Kind: Equatable {
        /// `…/<section>/<folder>/message_<part>.json`
        case thread(part: Int)
        /// Who the account belongs to.
        case profile
        /// Comments that the owner wrote.
        case ownComments
        /// All conversations in one file, as until 2020.
        case allThreads
    }

    var kind: Kind
    /// `inbox`, `message_requests` …; empty when the path does not say.
    var section = ""
    /// The conversation's folder; empty when the path does not say.
    var folder = ""

    /// What all parts of a conversation share.
    var thread: String { section + "/" + folder }

    /// Of a conversation as a web page, `…/<section>/<folder>/message_<part>.html`.
    init?(page path: String) {
        guard path.hasSuffix(".html"), let found = MetaPath(String(path.dropLast(5)) + ".json"),
            case .thread = found.kind
        else { return nil }
        self = found
    }

    init?(_ path: String) {
        let parts = path.split(whereSeparator: { $0 == "/" || $0 == "\\" }).map(String.init)
        guard let file = parts.last, file.hasSuffix(".json") else { return nil }
        let name = file.dropLast(5)
        if name.hasPrefix("message_"), let part = Int(name.dropFirst(8)), part >= 0 {
            kind = .thread(part: part)
            if parts.count >= 3 { section = parts[parts.count - 3] }
            if parts.count >= 2 { folder = parts[parts.count - 2] }
        } else if name == "personal_information" || name == "profile_information"
            || (name == "profile" && parts.count <= 3)
        {
            kind = .profile
        } else if name == "reels_comments" || name == "post_comments" || name.hasPrefix("post_comments_")
            || (name == "comments" && ["comments_and_reactions", "comments"].contains(parts.dropLast().last ?? ""))
        {
            kind = .ownComments
        } else if name == "messages", parts.count <= 3 {
            kind = .allThreads
        } else {
            return nil
        }
    }
}
