import TriageCore

/// Reads the messages of a data package, which are all the owner's.
///
/// Of a whole package the first pass looks at the account and at what channels are called.
final class DiscordPackageReader: DiscordReader {
    private struct Channel {
        var title: String?
        var type: String?
        var participants: Int?
    }

    /// The accounts that were seen, by their ids.
    private var owners: [String: Message.Sender] = [:]
    private var indexed: [String: String] = [:]
    private var channels: [String: Channel] = [:]
    /// The account of the file at hand.
    private var account: [String: JSONNode] = [:]
    private var isSurvey = false
    private var channel: String?
    private var table: NamedTable?

    override func work(_ member: Member, _ opening: Opening) -> Work {
        isSurvey = !context.paths.isEmpty && member.pass == 0
        if isSurvey { return survey(member) }
        // Of a single file the path that was given may tell more than its name.
        channel = (DiscordPath(member.path) ?? DiscordPath(member.source)).map(\.channel)
        if opening.firstByte == UInt8(ascii: "[") {
            return .json { path, kind in path.isEmpty && kind == .array ? .enter : .take }
        }
        table = DiscordPackageFormat.table(opening)
        if let table { return .table(table) }
        return DiscordMetadata(opening) != nil
            ? .nothing : .refused("the file is no list of messages of a Discord data package")
    }

    private func survey(_ member: Member) -> Work {
        account = [:]
        switch member.path.split(separator: "/").last {
        case "user.json":
            let wanted: Set<String> = ["id", "username", "discriminator", "global_name"]
            return .json { path, kind in
                if path.isEmpty { return .enter }
                return path.count == 1 && kind == .scalar && wanted.contains(path[0].key ?? "") ? .take : .skip
            }
        case "index.json":
            return .json { path, kind in path.isEmpty ? .enter : kind == .scalar && path.count == 1 ? .take : .skip }
        default: return .json { _, _ in .take }
        }
    }

    // A list that cannot be read costs names, no message.
    override func isMessage(_ path: [JSONPicker.Step]) -> Bool { !isSurvey && super.isMessage(path) }

    override func take(_ node: JSONNode, at path: [JSONPicker.Step]) throws -> Bool {
        guard isSurvey else { return try takeMessage(node) }
        switch member.path.split(separator: "/").last {
        case "user.json": if let key = path.last?.key { account[key] = node }
        case "index.json":
            if let key = path.last?.key, let name = node.string, !name.isEmpty { indexed[key] = name }
        default: takeChannel(node)
        }
        return true
    }

    override func fileEnds() throws {
        guard isSurvey, let id = Snowflake.id(account["id"]) else { return }
        var owner = Message.Sender()
        owner.id = id
        owner.handle = DiscordAuthor.handle(account["username"], account["discriminator"])
        owner.name = account["global_name"]?.string
        owners[id] = owner
        account = [:]
    }

    private func takeChannel(_ node: JSONNode) {
        guard let id = Snowflake.id(node["id"]) else { return }
        var channel = Channel()
        channel.type = node["type"]?.identifier
        let name = node["name"]?.string
        let guild = node["guild"]?["name"]?.string
        if let guild, let name { channel.title = guild + " / #" + name } else { channel.title = name ?? guild }
        let people = Set((node["recipients"]?.elements ?? []).compactMap(\.identifier)).count
        channel.participants = people > 2 ? people : nil
        channels[id] = channel
    }

    // MARK: Messages

    private func takeMessage(_ node: JSONNode) throws -> Bool {
        guard node.isObject, node["ID"] != nil || node["Contents"] != nil else { return false }
        if node.hasWords(besides: node["Contents"]?.string ?? "") { context.unread.note(member.source) }
        try add(
            id: Snowflake.id(node["ID"]), time: node["Timestamp"]?.string, text: node["Contents"]?.string ?? "",
            attachments: node["Attachments"]?.string ?? "", line: nil)
        return true
    }

    override func take(_ row: CSVParser.Row) throws {
        guard let table else { return }
        try add(
            id: table.cell("id", row).flatMap { Snowflake.id($0) }, time: table.cell("timestamp", row),
            text: table.cell("contents", row) ?? "", attachments: table.cell("attachments", row) ?? "",
            line: row.line)
    }

    private func add(id: String?, time: String?, text: String, attachments: String, line: Int?) throws {
        var message = Message()
        message.id = id.map { "dc:" + $0 }
        message.platform = "discord"
        message.conversationID = channel
        if let channel {
            message.conversationTitle = indexed[channel] ?? channels[channel]?.title
            message.participants = channels[channel]?.participants
        }
        // Of packages of several accounts it cannot be told whose a channel is.
        if owners.count == 1, let owner = owners.values.first { message.sender = owner }
        message.sender.isSelf = true
        message.text = text
        let sent = time.flatMap { ExportTime(iso: $0) }
        let milliseconds = sent?.milliseconds ?? id.flatMap(Snowflake.milliseconds)
        message.sentAt = sent?.text ?? milliseconds.flatMap(SourceTime.text)
        message.attachments = attachments.split(separator: " ").map { part in
            let address = SharedLink.withoutToken(String(part))
            return Message.Attachment(
                type: SharedLink.type(of: address), name: SharedLink.name(of: address), url: address)
        }
        message.raw = [("kind", .string("message"))]
        if let type = channel.flatMap({ channels[$0]?.type }) { message.raw.append(("channel_type", .string(type))) }
        if sent == nil, let time { message.raw.append(("time_text", .string(time))) }
        message.raw.append(("source", place(line: line)))
        try shelf.add(
            message, time: milliseconds, timeText: time ?? "", idPrefix: "dc:", number: index, source: member.source)
    }
}
