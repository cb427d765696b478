import TriageCore

/// The data package that Discord sends to its users: their own messages, with one folder per channel.
struct DiscordPackageFormat: ExportFormat {
    let name = "discord-package"
    let summary = "own messages from Discord's data package, as folder, zip or one messages.json or messages.csv"
    var readsFilesAlone: Bool { false }

    /// Columns of the CSV files used until March 2024, in lower case.
    private static let columns: Set<String> = ["id", "timestamp", "contents", "attachments"]

    /// The table in an opening; nil: the opening is something else.
    static func table(_ opening: Opening) -> NamedTable? { NamedTable(opening) { $0.isSuperset(of: columns) } }

    private static let missing = [
        "Discord's data package only has your own messages, so there is nothing to triage; DiscordChatExporter"
            + " exports messages from others"
    ]

    func detect(_ opening: Opening) -> Detection? {
        if opening.firstByte == UInt8(ascii: "[") {
            guard JSONOutline(opening).has("[].ID", "[].Timestamp", "[].Contents") else { return nil }
            return Detection(
                format: name, reason: "entries with 'ID', 'Timestamp' and 'Contents'", missing: Self.missing)
        }
        if opening.firstByte == UInt8(ascii: "{") {
            return DiscordMetadata(opening).map {
                Detection(format: name, reason: $0.words, hasMessages: false)
            }
        }
        guard Self.table(opening) != nil else { return nil }
        return Detection(
            format: name, reason: "columns named ID, Timestamp, Contents, Attachments", missing: Self.missing)
    }

    func claim(_ all: [String]) -> Claim? {
        // Several packages have the same paths.
        let paths = Set(all).sorted()
        let files = paths.compactMap { path in DiscordPath(path).map { (path: path, place: $0) } }
        let described = Set(files.filter { $0.place.kind == .channel }.map(\.place.folder))
        let messages = files.filter { file in
            file.place.kind == .messages && (file.place.isCertain || described.contains(file.place.folder))
        }
        guard !messages.isEmpty else { return nil }
        let folders = Set(messages.map(\.place.folder))
        let parents = Set(messages.map(\.place.parent))
        let channels = files.filter { $0.place.kind == .channel && folders.contains($0.place.folder) }
        let indexes = paths.filter { $0.hasSuffix("index.json") && parents.contains(ContainerNames.folder(of: $0)) }
        let tops = Set(parents.filter { !$0.isEmpty }.map(Self.above))
        let owners = paths.filter { path in
            guard path.hasSuffix("/user.json") else { return false }
            let folder = ContainerNames.folder(of: path)
            return !folder.isEmpty && tops.contains(Self.above(folder))
        }
        let survey = owners + indexes.sorted() + channels.map(\.path).sorted()
        return Claim(
            detection: Detection(
                format: name, reason: "the messages of channels such as \(messages[0].path)", missing: Self.missing),
            passes: [survey, messages.map(\.path).sorted()],
            roots: Self.roots(paths, parents, withIndex: Set(indexes.map(ContainerNames.folder(of:))), owners))
    }

    /// English names of a package's folders; Discord translates them and varies their case.
    private static let folders: Set<String> = [
        "account", "activity", "activities", "ads", "messages", "programs", "servers", "support_tickets",
    ]

    /// Folders of the packages besides those with messages; other exports may lie beside them.
    private static func roots(
        _ paths: [String], _ parents: Set<String>, withIndex: Set<String>, _ owners: [String]
    ) -> [String] {
        func isNamed(_ folder: String) -> Bool {
            folder.split(separator: "/").last.map { folders.contains($0.lowercased()) } ?? false
        }
        var roots = Set(parents.filter { !$0.isEmpty && (withIndex.contains($0) || isNamed($0)) })
        let tops = Set(owners.map { above(ContainerNames.folder(of: $0)) })
        roots.formUnion(owners.map(ContainerNames.folder(of:)))
        for path in paths {
            let parts = path.split(separator: "/")
            var top = ""
            for (index, part) in parts.dropLast().enumerated() {
                let inside = top + part + "/"
                if tops.contains(top) {
                    let next = index + 1 < parts.count - 1 ? parts[index + 1] : ""
                    let isLog = ["analytics", "reporting", "tns", "modeling"].contains(next)
                    if isNamed(inside) || isLog || parts.last == "guild.json" { roots.insert(inside) }
                }
                top = inside
            }
            if parts.last == "README.txt", tops.contains(top) { roots.insert(path) }
        }
        // Every path is compared with every root, so limit the roots to more than anybody has packages.
        return Array(roots.sorted().prefix(200))
    }

    /// The parent of a folder.
    private static func above(_ folder: String) -> String { ContainerNames.folder(of: String(folder.dropLast())) }

    func makeReader(_ context: ReadingContext) -> any ExportReader { DiscordPackageReader(context) }
}

/// Reads the messages of a data package, all of them written by its owner.
///
/// For a complete package, a first pass reads the account and the channel names.
private final class DiscordPackageReader: DiscordReader {
    private struct Channel {
        var title: String?
        var type: String?
        var participants: Int?
    }

    /// Accounts seen so far, by id.
    private var owners: [String: Message.Sender] = [:]
    private var indexed: [String: String] = [:]
    private var channels: [String: Channel] = [:]
    /// The account in the current file.
    private var account: [String: JSONNode] = [:]
    private var isSurvey = false
    private var channel: String?
    private var table: NamedTable?

    override func work(_ member: Member, _ opening: Opening) -> Work {
        isSurvey = !context.paths.isEmpty && member.pass == 0
        if isSurvey { return survey(member) }
        // For a single file, the given path may say more than its name.
        channel = (DiscordPath(member.path) ?? DiscordPath(member.source)).map(\.channel)
        if opening.firstByte == UInt8(ascii: "[") {
            return .json { path, kind in path.isEmpty && kind == .array ? .enter : .take }
        }
        table = DiscordPackageFormat.table(opening)
        if let table { return .table(table) }
        return DiscordMetadata(opening) != nil
            ? .nothing : .refused("this is not a message list from a Discord data package")
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

    // An unreadable index costs names, not messages.
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
        // With packages of several accounts, the owner of a channel is unknown.
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
        try buffer.add(
            message, time: milliseconds, timeText: time ?? "", idPrefix: "dc:", number: index, source: member.source)
    }
}

/// The information in a file's path within a Discord data package.
///
/// The parent folders have translated names in varying case, so only the channel's folder counts.
private struct DiscordPath: Equatable {
    enum Kind: Equatable { case channel, messages }

    var kind: Kind
    /// The id of the channel.
    var channel: String
    /// The folder of the file, with a trailing `/`.
    var folder: String
    /// Its parent, which holds all channels; empty at the top.
    var parent: String

    /// nil: the file is not in a channel's folder, `c123…` or, in old packages, `123…`.
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

    /// Whether the number has as many digits as ids have; a shorter one could be a year.
    var isCertain: Bool { Snowflake.length.contains(channel.utf8.count) }

    private static func channel(_ folder: Substring) -> String? {
        Snowflake.id(folder.hasPrefix("c") ? folder.dropFirst() : folder)
    }
}

/// The files of a data package that contain no messages.
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

    /// The channel types written as names; some packages use numbers.
    private static let channelTypes: Set<String> = [
        "DM", "GROUP_DM", "GUILD_TEXT", "GUILD_VOICE", "GUILD_ANNOUNCEMENT", "GUILD_NEWS", "GUILD_FORUM",
        "GUILD_MEDIA", "GUILD_STAGE_VOICE", "PUBLIC_THREAD", "PRIVATE_THREAD", "ANNOUNCEMENT_THREAD",
        "GUILD_PUBLIC_THREAD", "GUILD_PRIVATE_THREAD", "UNKNOWN",
    ]

    /// nil: something else.
    init?(_ opening: Opening) {
        // For a truncated file, use the members that are in sight.
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

    /// Whether all members map ids to names or null.
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
