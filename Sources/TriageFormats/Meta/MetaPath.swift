/// The information in a path within a Meta export; layouts changed over the years, so only the end of the path counts.
struct MetaPath: Equatable {
    enum Kind: Equatable {
        /// `…/<section>/<folder>/message_<part>.json`
        case thread(part: Int)
        /// The account's owner.
        case profile
        /// The owner's comments.
        case ownComments
        /// All conversations in one file, as used until 2020.
        case allThreads
    }

    var kind: Kind
    /// `inbox`, `message_requests` …; empty when the path does not show it.
    var section = ""
    /// The conversation's folder; empty when the path does not show it.
    var folder = ""

    /// The part of the path that all files of a conversation share.
    var thread: String { section + "/" + folder }

    /// The path of a conversation as an HTML page, `…/<section>/<folder>/message_<part>.html`.
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

/// The platform of an export, as far as paths show it.
enum MetaPlatform: String {
    case instagram
    case messenger

    init?(paths: [String], container: String) {
        func has(_ part: String) -> Bool { paths.contains { $0.contains(part) } }
        let names = container.split(separator: "/").map(String.init)
        if has("your_instagram_activity/") || names.contains(where: { $0.hasPrefix("instagram-") }) {
            self = .instagram
        } else if has("your_facebook_activity/") || has("your_activity_across_facebook/")
            || names.contains(where: { $0.hasPrefix("facebook-") })
        {
            self = .messenger
        } else if has("messages/archived_threads/") || has("messages/filtered_threads/")
            || has("messages/e2ee_cutover/")
        {
            self = .messenger
        } else {
            return nil
        }
    }
}

/// Identifies files beside the conversations by the ends of their names alone.
enum MetaFile {
    /// The type of attachment that a path leads to; nil: its name does not show it.
    static func type(of path: String) -> String? {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: ".") else { return nil }
        switch name[name.index(after: dot)...].lowercased() {
        case "jpg", "jpeg", "png", "webp", "heic", "bmp": return "image"
        case "gif": return "gif"
        case "mp4", "mov", "webm", "mkv", "3gp", "avi": return "video"
        case "m4a", "aac", "mp3", "ogg", "opus", "wav": return "audio"
        default: return nil
        }
    }
}
