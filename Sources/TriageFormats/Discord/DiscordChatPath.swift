/// What DiscordChatExporter's own name for a file says: `Server - category - channel [123…] [part 2].json`.
struct DiscordChatPath: Equatable {
    /// Server, category and channel.
    var title: String
    /// Digits of the channel.
    var channel: String
    /// Long exports are cut into parts, from 1.
    var part = 1
    /// The path up to the channel, by which parts belong together.
    var base: String

    /// - Parameter path: of a file in JSON or CSV; nil when it has another name.
    init?(_ path: String) {
        var rest = path[...]
        guard let dot = rest.lastIndex(of: "."), ["json", "csv"].contains(rest[dot...].dropFirst().lowercased()) else {
            return nil
        }
        rest = rest[..<dot]
        if rest.hasSuffix("]"), let open = rest.lastIndex(of: "["), rest[open...].hasPrefix("[part ") {
            guard let number = Int(rest[open...].dropFirst("[part ".count).dropLast()) else { return nil }
            part = number
            rest = rest[..<open]
            if rest.last == " " { rest = rest.dropLast() }
        }
        guard rest.hasSuffix("]"), let open = rest.lastIndex(of: "[") else { return nil }
        guard let id = Snowflake.id(rest[open...].dropFirst().dropLast()), Snowflake.length.contains(id.utf8.count)
        else { return nil }
        channel = id
        base = String(rest)
        let start = rest.lastIndex(of: "/").map { rest.index(after: $0) } ?? rest.startIndex
        guard start <= open else { return nil }
        var name = String(rest[start..<open]).trimmingBlanks()
        // `Direct Messages - Private - zoe`, where only the last says anything.
        for lead in ["Direct Messages - Private - ", "Direct Messages - Group - ", "Direct Messages - "]
        where name.hasPrefix(lead) {
            name = String(name.dropFirst(lead.count))
            break
        }
        title = name
    }
}
