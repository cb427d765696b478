/// What a data file of an X archive holds, told by how it begins; its name says nothing.
enum XContent: Equatable {
    case messages(isGroup: Bool)
    case posts
    /// Who the archive belongs to.
    case account
    /// The list of files; it names the owner too.
    case manifest
    /// Lists of headers, followers, likes and the like.
    case other

    /// nil: no file of an X archive.
    init?(_ opening: Opening) {
        let rest = opening.bytes.drop(while: Opening.isBlank).prefix(200)
        guard let first = rest.first else { return nil }
        if first == UInt8(ascii: "[") {
            guard let content = Self.bare(opening) else { return nil }
            self = content
            return
        }
        let text = String(decoding: rest.prefix { $0 != 0x3D && $0 != 0x0A }, as: UTF8.self)
        if text.hasPrefix("window.YTD.") {
            let type = text.dropFirst(11).prefix { $0 != "." && $0 != " " && $0 != "\t" }
            self = Self.types[String(type)] ?? .other
        } else if text.hasPrefix("window.__THAR_CONFIG") {
            self = .manifest
        } else if text.hasPrefix("Grailbird.data.") {
            // Archives of before 2019: posts by month, no messages.
            self = text.hasPrefix("Grailbird.data.tweets") ? .posts : .other
        } else if ["var payload_details", "var user_details", "var tweet_index"].contains(where: text.hasPrefix) {
            self = .other
        } else {
            return nil
        }
    }

    private static let types: [String: XContent] = [
        "direct_message": .messages(isGroup: false), "direct_messages": .messages(isGroup: false),
        "direct_message_group": .messages(isGroup: true), "direct_messages_group": .messages(isGroup: true),
        "tweet": .posts, "tweets": .posts, "community_tweet": .posts, "account": .account,
    ]

    /// A file whose prefix somebody took off: objects with one member of a telling name.
    private static func bare(_ opening: Opening) -> XContent? {
        var keys: [String] = []
        // A key is seen when its value is chosen.
        var picker = JSONPicker(maximumLength: 1) { path, _ in
            if path.count == 2, path[0] == .element(0), let key = path[1].key, keys.count < 3 { keys.append(key) }
            return path.isEmpty || path == [.element(0)] ? .enter : .skip
        }
        opening.bytes.withUnsafeBufferPointer { picker.feed($0) { _ in } }
        switch keys {
        case ["dmConversation"]: return .messages(isGroup: false)
        case ["tweet"]: return .posts
        case ["account"]: return .account
        default: return nil
        }
    }
}
