import TriageCore

/// Channels and direct messages saved by DiscordChatExporter, as JSON or CSV.
struct DiscordChatFormat: ExportFormat {
    let name = "discord-chat"
    let summary = "Discord channels saved by DiscordChatExporter (JSON, CSV)"

    /// Column names in lower case.
    private static let columns: Set<String> = ["authorid", "author", "date", "content"]

    /// The table in an opening; nil: the opening is something else.
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
        // Several archives may contain the same paths.
        let paths = Set(all)
        let files = paths.compactMap { path in DiscordChatPath(path).map { (path: path, place: $0) } }
        guard !files.isEmpty else { return nil }
        let sorted = files.sorted { a, b in
            (a.place.base, a.place.part, a.path) < (b.place.base, b.place.part, b.path)
        }
        // Media are in a folder named after the file.
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
            // Every path is compared with every root, so limit the roots to more than anybody has.
            passes: [sorted.map(\.path)], roots: Array(media.sorted().prefix(500)))
    }

    func makeReader(_ context: ReadingContext) -> any ExportReader { DiscordChatReader(context) }
}

/// Reads channels saved by DiscordChatExporter; parts of one export, and overlapping exports, become one.
///
/// The export does not say who saved it. Only direct messages with one account show it, because they are named after
/// the other side.
private final class DiscordChatReader: DiscordReader {
    private var chat = DiscordChat()
    private var path: DiscordChatPath?
    private var row: DiscordChatRow?
    /// Holds messages until the file's details are known and, in direct messages, the other side.
    private var hold = MessageHold()
    /// Ids of the accounts that direct messages are named after; with more than one, the owner is unknown.
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
            return .refused("this is not a JSON or CSV file from DiscordChatExporter")
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

    /// Fills in what the file says about all of its messages, and puts them into the buffer.
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

/// The details that all messages of a DiscordChatExporter export share.
private struct DiscordChat {
    var guild: JSONNode?
    var channel: JSONNode?

    var id: String? { channel?["id"]?.identifier }
    var type: String? { channel?["type"]?.identifier }

    private var name: String? { channel?["name"]?.string.flatMap { $0.isEmpty ? nil : $0 } }
    private var isDirect: Bool { guild?["id"]?.identifier == "0" || type?.hasPrefix("Direct") == true }

    /// The other side of a direct message, if it is one account: the channel is named after it.
    var partner: String? { isDirect && type != "DirectGroupTextChat" ? name : nil }

    /// `server / #channel`; for direct messages, the people in them.
    var title: String? {
        guard !isDirect, let guild = guild?["name"]?.string, !guild.isEmpty else { return name }
        return name.map { guild + " / #" + $0 } ?? guild
    }

    /// The channel that a thread belongs to; other channels have their category in its place.
    var parent: (id: String?, name: String?)? {
        guard let type, type.contains("Thread") else { return nil }
        return (channel?["categoryId"]?.identifier, channel?["category"]?.string)
    }
}

/// The parts of DiscordChatExporter's default file name: `Server - category - channel [123…] [part 2].json`.
struct DiscordChatPath: Equatable {
    /// Server, category and channel.
    var title: String
    /// The id of the channel.
    var channel: String
    /// The number of the part, from 1; long exports are split into parts.
    var part = 1
    /// The path up to the channel, which all parts have in common.
    var base: String

    /// - Parameter path: of a JSON or CSV file; nil for any other name.
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
        // In `Direct Messages - Private - zoe` only the last part has meaning.
        for lead in ["Direct Messages - Private - ", "Direct Messages - Group - ", "Direct Messages - "]
        where name.hasPrefix(lead) {
            name = String(name.dropFirst(lead.count))
            break
        }
        title = name
    }
}

/// Makes a message from a row of DiscordChatExporter's CSV.
struct DiscordChatRow {
    private let table: NamedTable
    private let time: TableTime
    private let zone: TimeZoneRules
    private let zoneName: String

    init(_ table: NamedTable, _ opening: Opening, _ options: ReadingOptions) {
        self.table = table
        var time = TableTime(sample: Self.dates(table, opening))
        if time.order == nil { time.order = options.dateOrder.flatMap { .init(rawValue: $0.rawValue) } }
        self.time = time
        zone = TimeZoneRules(name: options.timeZone)
        zoneName = options.timeZone.isEmpty ? "UTC" : options.timeZone
    }

    /// The times in the first rows, used to find the order of day and month.
    private static func dates(_ table: NamedTable, _ opening: Opening) -> [String] {
        var dates: [String] = []
        let rows = NamedRows(table, opening: opening, maximumLine: 1 << 16)
        opening.bytes.withUnsafeBufferPointer { bytes in
            rows.feed(UnsafeBufferPointer(rebasing: bytes.prefix(1 << 16))) { event in
                if dates.count < 50, case .row(let row) = event, let date = table.cell("date", row) {
                    dates.append(date)
                }
            }
        }
        return dates
    }

    /// The time as written in the table.
    func date(_ row: CSVParser.Row) -> String { table.cell("date", row) ?? "" }

    /// The message, without the details from the file name.
    func message(_ row: CSVParser.Row) -> (message: Message, milliseconds: Int64?) {
        var message = Message()
        message.platform = "discord"
        message.sender.id = table.cell("authorid", row)
        message.sender.handle = table.cell("author", row).map(Self.handle)
        message.text = table.cell("content", row) ?? ""
        message.attachments = Self.addresses(table.cell("attachments", row) ?? "").map {
            let address = SharedLink.withoutToken($0)
            let name = SharedLink.name(of: address)
            return Message.Attachment(
                type: name == "voice-message.ogg" ? "voice" : SharedLink.type(of: address), name: name, url: address)
        }
        message.reactions = Self.reactions(table.cell("reactions", row) ?? "")
        message.raw = [("kind", .string("message"))]
        let date = date(row)
        var milliseconds: Int64?
        if let exact = ExportTime(iso: date), date.utf8.count > 19 {
            message.sentAt = exact.text
            milliseconds = exact.milliseconds
        } else if let reading = read(date) {
            let seconds = reading.hasZone ? reading.seconds : zone.utc(ofLocal: reading.seconds)
            message.sentAt = Timestamp.text(seconds: seconds, milliseconds: reading.milliseconds)
            milliseconds = seconds * 1000 + Int64(reading.milliseconds)
            if let precision = reading.precision { message.raw.append(("sent_at_precision", .string(precision))) }
            if !reading.hasZone { message.raw.append(("tz_assumed", .string(zoneName))) }
        } else if !date.isEmpty {
            message.raw.append(("time_text", .string(date)))
        }
        return (message, milliseconds)
    }

    private static let months = [
        "jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "oct": 10, "nov": 11,
        "dec": 12,
    ]

    /// Reads a time, including `11-Dec-23 02:01 AM` as versions until 2023 wrote it.
    private func read(_ date: String) -> TableTime.Reading? {
        let parts = date.split(separator: "-", maxSplits: 2)
        guard parts.count == 3, let month = Self.months[parts[1].lowercased()] else { return time.read(date) }
        var plain = time
        plain.order = .dmy
        return plain.read("\(parts[0])/\(month)/\(parts[2])")
    }

    /// Removes `#0000`, which was appended to the names of accounts without a number.
    private static func handle(_ author: String) -> String {
        guard let sign = author.lastIndex(of: "#"), sign > author.startIndex else { return author }
        let number = author[sign...].dropFirst()
        return !number.isEmpty && number.allSatisfy { $0 == "0" } ? String(author[..<sign]) : author
    }

    /// Splits comma-separated URLs; file names in them may contain commas too.
    private static func addresses(_ cell: String) -> [String] {
        let parts = cell.split(separator: ",")
        guard parts.first?.hasPrefix("http") == true else { return parts.map(String.init) }
        return parts.reduce(into: []) { found, part in
            if part.hasPrefix("http") { found.append(String(part)) } else { found[found.count - 1] += "," + part }
        }
    }

    /// Parses reactions such as `👍 (3),wave (1)`.
    private static func reactions(_ cell: String) -> [Message.Reaction] {
        cell.split(separator: ",").compactMap { part in
            guard part.hasSuffix(")"), let open = part.lastIndex(of: "("),
                let count = Int(part[open...].dropFirst().dropLast())
            else { return nil }
            let name = String(part[..<open]).trimmingBlanks()
            guard !name.isEmpty else { return nil }
            // A server's custom emojis have names made of ASCII letters.
            let isOwn = name.utf8.allSatisfy { $0 < 0x80 }
            return Message.Reaction(emoji: isOwn ? ":\(name):" : name, count: count)
        }
    }
}
