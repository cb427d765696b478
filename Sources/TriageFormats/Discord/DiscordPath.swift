/// What the path of a file in a data package of Discord says.
///
/// The folders above have translated names and changed their case, so only the folder of a channel counts.
struct DiscordPath: Equatable {
    enum Kind: Equatable { case channel, messages }

    var kind: Kind
    /// Digits of the channel.
    var channel: String
    /// The folder of the file, with the `/` at its end.
    var folder: String
    /// The folder around it, which holds all channels; empty at the top.
    var parent: String

    /// nil: not a file in the folder of a channel, `c123…` or, in old packages, `123…`.
    init?(_ path: String) {
        let parts = path.split(separator: "/")
        guard parts.count >= 2 else { return nil }
        switch parts[parts.count - 1] {
        case "channel.json": kind = .channel
        case "messages.json", "messages.csv": kind = .messages
        default: return nil
        }
        guard let channel = Self.channel(parts[parts.count - 2]) else { return nil }
        self.channel = channel
        parent = parts.dropLast(2).reduce(into: "") { $0 += $1 + "/" }
        folder = parent + parts[parts.count - 2] + "/"
    }

    /// Whether the digits are as many as ids have; fewer could be a year.
    var isCertain: Bool { Snowflake.length.contains(channel.utf8.count) }

    private static func channel(_ folder: Substring) -> String? {
        Snowflake.id(folder.hasPrefix("c") ? folder.dropFirst() : folder)
    }
}
