import TriageCore

/// Channels and direct messages as DiscordChatExporter saves them, in JSON or as a table.
struct DiscordChatFormat: ExportFormat {
    let name = "discord-chat"
    let summary = "Discord channels saved by DiscordChatExporter (JSON, CSV)"

    /// Names of columns in small letters.
    private static let columns: Set<String> = ["authorid", "author", "date", "content"]

    /// nil: the opening is of something else.
    static func table(_ opening: Opening) -> NamedTable? { NamedTable(opening) { $0.isSuperset(of: columns) } }

    private static let missingInTables = [
        "DiscordChatExporter's tables have no ids, replies or message types; its JSON has them"
    ]

    func detect(_ opening: Opening) -> Detection? {
        if opening.firstByte == UInt8(ascii: "{") {
            let kinds = JSONOutline(opening).kinds
            guard kinds["guild"] == .object, kinds["channel"] == .object, kinds["messages"] == .array else {
                return nil
            }
            return Detection(format: name, reason: "an object with 'guild', 'channel' and 'messages'")
        }
        guard Self.table(opening) != nil else { return nil }
        return Detection(
            format: name, reason: "columns named AuthorID, Author, Date, Content", missing: Self.missingInTables)
    }

    func claim(_ all: [String]) -> Claim? {
        // Several archives may have the same paths.
        let paths = Set(all)
        let files = paths.compactMap { path in DiscordChatPath(path).map { (path: path, place: $0) } }
        guard !files.isEmpty else { return nil }
        let sorted = files.sorted { a, b in
            (a.place.base, a.place.part, a.path) < (b.place.base, b.place.part, b.path)
        }
        // Media lie in a folder that is called after the file.
        let claimed = Set(sorted.map(\.path))
        var media = Set<String>()
        for path in paths {
            var folder = ""
            for part in path.split(separator: "/").dropLast() {
                folder += part
                if folder.hasSuffix("_Files"), claimed.contains(String(folder.dropLast("_Files".count))) {
                    media.insert(folder + "/")
                }
                folder += "/"
            }
        }
        let isTable = sorted.allSatisfy { $0.path.lowercased().hasSuffix(".csv") }
        return Claim(
            detection: Detection(
                format: name, reason: "files named after channels such as \(sorted[0].path)",
                missing: isTable ? Self.missingInTables : []),
            // Every path is compared with every root: no more of them than people ever have.
            passes: [sorted.map(\.path)], roots: Array(media.sorted().prefix(500)))
    }

    func makeReader(_ context: ReadingContext) -> any ExportReader { DiscordChatReader(context) }
}

/// Reads channels that DiscordChatExporter saved; parts of one export and overlapping ones become one.
///
/// Who saved them is not written down. Only in direct messages with one account it can be told: they are called after
/// the other side.
private final class DiscordChatReader: DiscordReader {
    private var chat = DiscordChat()
    private var path: DiscordChatPath?
    private var row: DiscordChatRow?
    /// Until it is known what the file is of, and in direct messages who the other side is.
    private var hold = MessageHold()
    /// The ids of those the direct messages are called after; more than one cannot be told apart.
    private var partners = Set<String>()

    override func work(_ member: Member, _ opening: Opening) -> Work {
        chat = DiscordChat()
        partners = []
        row = nil
        path = DiscordChatPath(member.path)
        if opening.firstByte == UInt8(ascii: "{") {
            return .json { path, kind in
                switch path.count {
                case 0: return .enter
                case 1:
                    switch path[0].key {
                    case "guild", "channel": return kind == .object ? .take : .skip
                    case "messages": return kind == .array ? .enter : .passOver
                    case "exportedAt", "messageCount": return kind == .scalar ? .skip : .passOver
                    default: return .passOver
                    }
                default: return .take
                }
            }
        }
        guard let table = DiscordChatFormat.table(opening) else {
            return .refused("the file is no export of DiscordChatExporter in JSON or CSV")
        }
        row = DiscordChatRow(table, opening, context.options)
        return .table(table)
    }

    override func take(_ node: JSONNode, at path: [JSONPicker.Step]) throws -> Bool {
        if path.count == 1 {
            if node.hasMisplacedWords { context.unread.note(member.source) }
            if path[0].key == "guild" { chat.guild = node } else { chat.channel = node }
            return true
        }
        guard node.isObject, node["content"] != nil || node["author"] != nil else { return false }
        let entry = DiscordChatMessage(node)
        if let partner = chat.partner, let id = entry.author.id, entry.author.isCalled(partner) { partners.insert(id) }
        var message = entry.message()
        if node.hasWords(besides: message.text) { context.unread.note(member.source) }
        message.raw.append(("source", place()))
        hold.add(
            MessageHold.Item(
                message: message, time: entry.milliseconds, timeText: entry.timeText, number: index,
                source: member.source))
        let isKnown = chat.channel != nil && (chat.partner == nil || !partners.isEmpty)
        if isKnown || hold.isFull { try settle() }
        return true
    }

    override func take(_ cells: CSVParser.Row) throws {
        guard let row else { return }
        var (message, milliseconds) = row.message(cells)
        message.conversationID = path?.channel
        message.conversationTitle = path.flatMap { $0.title.isEmpty ? nil : $0.title }
        message.raw.append(("source", place(line: cells.line)))
        try buffer.add(
            message, time: milliseconds, timeText: row.date(cells), idPrefix: "dc:", number: index,
            source: member.source)
    }

    override func fileEnds() throws { try settle() }

    /// Fills in what the file says of all its messages and puts them into the buffer.
    private func settle() throws {
        for var item in hold.take() {
            item.message.conversationID = chat.id ?? path?.channel
            item.message.conversationTitle = chat.title
            if partners.count == 1, let sender = item.message.sender.id {
                item.message.sender.isSelf = !partners.contains(sender)
            }
            var details: [(key: String, value: Message.RawValue)] = []
            if let type = chat.type { details.append(("channel_type", .string(type))) }
            if let parent = chat.parent {
                let members = [("id", parent.id), ("name", parent.name)].compactMap { key, value in
                    value.map { Message.RawMember(key, .string($0)) }
                }
                if !members.isEmpty { details.append(("parent", .object(members))) }
            }
            item.message.raw.insert(contentsOf: details, at: min(1, item.message.raw.count))
            try buffer.add(
                item.message, time: item.time, timeText: item.timeText, idPrefix: "dc:", number: item.number,
                source: item.source)
        }
    }
}

/// What all messages of an export by DiscordChatExporter share.
private struct DiscordChat {
    var guild: JSONNode?
    var channel: JSONNode?

    var id: String? { channel?["id"]?.identifier }
    var type: String? { channel?["type"]?.identifier }

    private var name: String? { channel?["name"]?.string.flatMap { $0.isEmpty ? nil : $0 } }
    private var isDirect: Bool { guild?["id"]?.identifier == "0" || type?.hasPrefix("Direct") == true }

    /// Whether the other side is one account, after which the channel is called.
    var partner: String? { isDirect && type != "DirectGroupTextChat" ? name : nil }

    /// `server / #channel`; of direct messages who they are with.
    var title: String? {
        guard !isDirect, let guild = guild?["name"]?.string, !guild.isEmpty else { return name }
        return name.map { guild + " / #" + $0 } ?? guild
    }

    /// Of a thread the channel it hangs in, which stands where other channels have their category.
    var parent: (id: String?, name: String?)? {
        guard let type, type.contains("Thread") else { return nil }
        return (channel?["categoryId"]?.identifier, channel?["category"]?.string)
    }
}

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
