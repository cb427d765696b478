/// What the path of a file in an X archive says.
struct XPath: Equatable {
    enum Kind: Equatable { case owner, messages, groups, posts }

    var kind: Kind
    /// The folder it lies in, with the `/` at its end; empty at the top.
    var folder: String

    init?(_ path: String) {
        guard path.hasSuffix(".js") else { return nil }
        let end = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        folder = String(path[..<end])
        var name = path[end...].dropLast(3)
        if let part = name.firstRange(of: "-part"), !name[part.upperBound...].isEmpty,
            name[part.upperBound...].allSatisfy(\.isNumber)
        {
            name = name[..<part.lowerBound]
        }
        switch name {
        case "account", "manifest": kind = .owner
        case "direct-message", "direct-messages": kind = .messages
        case "direct-message-group", "direct-messages-group": kind = .groups
        case "tweet", "tweets", "community-tweet": kind = .posts
        default: return nil
        }
    }
}
