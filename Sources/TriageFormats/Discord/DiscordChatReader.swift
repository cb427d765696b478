import TriageCore

/// Reads channels that DiscordChatExporter saved; parts of one export and overlapping ones become one.
///
/// Who saved them is not written down. Only in direct messages with one account it can be told: they are called after
/// the other side.
final class DiscordChatReader: DiscordReader {
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
        try shelf.add(
            message, time: milliseconds, timeText: row.date(cells), idPrefix: "dc:", number: index,
            source: member.source)
    }

    override func fileEnds() throws { try settle() }

    /// Fills in what the file says of all its messages and puts them on the shelf.
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
            try shelf.add(
                item.message, time: item.time, timeText: item.timeText, idPrefix: "dc:", number: item.number,
                source: item.source)
        }
    }
}
