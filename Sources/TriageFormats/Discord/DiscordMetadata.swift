/// The files of a data package that hold no messages.
enum DiscordMetadata {
    case owner, channel, names

    var words: String {
        switch self {
        case .owner: "the account of a Discord data package"
        case .channel: "a channel of a Discord data package"
        case .names: "names of channels or servers in a Discord data package"
        }
    }

    private static let channelKeys: Set<String> = [
        "id", "type", "name", "guild", "recipients", "thread_metadata", "parent_id", "topic",
    ]

    /// What channels are called instead of by numbers.
    private static let channelTypes: Set<String> = [
        "DM", "GROUP_DM", "GUILD_TEXT", "GUILD_VOICE", "GUILD_ANNOUNCEMENT", "GUILD_NEWS", "GUILD_FORUM",
        "GUILD_MEDIA", "GUILD_STAGE_VOICE", "PUBLIC_THREAD", "PRIVATE_THREAD", "ANNOUNCEMENT_THREAD",
        "GUILD_PUBLIC_THREAD", "GUILD_PRIVATE_THREAD", "UNKNOWN",
    ]

    /// nil: something else.
    init?(_ opening: Opening) {
        // Of a file that is cut off the members in sight count.
        var keys: [String] = []
        var kinds: [String: JSONPicker.Kind] = [:]
        var values: [String: JSONNode] = [:]
        var hasMore = false
        var picker = JSONPicker(maximumLength: 1 << 12) { path, kind in
            guard path.count == 1, let key = path[0].key else { return path.isEmpty ? .enter : .skip }
            if keys.count < 200 { keys.append(key) } else { hasMore = true }
            kinds[key] = kind
            return kind == .scalar && values.count < 200 ? .take : .skip
        }
        var isBroken = false
        opening.bytes.withUnsafeBufferPointer { bytes in
            picker.feed(bytes) { event in
                switch event {
                case .value(let path, let bytes, _, _): if let key = path.last?.key { values[key] = JSONNode(bytes) }
                case .fault: isBroken = true
                default: break
                }
            }
        }
        guard !isBroken, !keys.isEmpty, kinds["text"] == nil, kinds["content"] == nil, kinds["messages"] == nil else {
            return nil
        }
        if Self.isNames(keys, values) {
            self = .names
        } else if Snowflake.id(values["id"]) != nil, values["username"]?.string != nil,
            kinds["discriminator"] == .scalar || kinds["global_name"] == .scalar
        {
            self = .owner
        } else if !hasMore, Self.isChannel(keys, kinds, values) {
            self = .channel
        } else {
            return nil
        }
    }

    /// Ids with what they are called, or null.
    private static func isNames(_ keys: [String], _ values: [String: JSONNode]) -> Bool {
        let named = keys.filter { values[$0] != nil }
        guard !named.isEmpty, keys.allSatisfy(Snowflake.isDigits),
            named.allSatisfy({ values[$0] == .null || values[$0]?.string != nil })
        else { return false }
        return keys.allSatisfy { Snowflake.length.contains($0.utf8.count) }
            || values.values.contains { $0.string?.hasPrefix("Direct Message with ") == true }
    }

    private static func isChannel(
        _ keys: [String], _ kinds: [String: JSONPicker.Kind], _ values: [String: JSONNode]
    ) -> Bool {
        guard Snowflake.id(values["id"]) != nil, let type = values["type"], channelKeys.isSuperset(of: keys) else {
            return false
        }
        let isKnown = type.string.map(channelTypes.contains) ?? (type.int != nil)
        return isKnown || kinds["recipients"] == .array || kinds["guild"] == .object
    }
}
