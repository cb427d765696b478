import TriageCore

/// An export of a Slack workspace: lists of people and conversations, and per conversation a folder with daily files.
struct SlackFormat: ExportFormat {
    let name = "slack-export"
    let summary = "a Slack workspace export, as folder, zip or the file of one day"
    var readsFilesAlone: Bool { false }

    private static let missingDirect =
        "the export has no direct messages: Slack only exports them on higher plans"

    func detect(_ opening: Opening) -> Detection? {
        guard opening.firstByte == UInt8(ascii: "[") else { return nil }
        let outline = JSONOutline(opening, texts: ["ts", "type"])
        if let time = outline.texts["[].ts"], SlackTime.isCertain(time),
            outline.texts["[].type"] == "message" || outline.kinds["[].user"] == .scalar
                || outline.kinds["[].bot_id"] == .scalar
        {
            return Detection(format: name, reason: "messages whose 'ts' has seconds and a counter")
        }
        return Self.metadata(outline).map { Detection(format: name, reason: $0, hasMessages: false) }
    }

    /// A description of an export's file without messages; nil: something else.
    private static func metadata(_ outline: JSONOutline) -> String? {
        guard outline.kinds["[]"] == .object, !outline.has("[].text"), !outline.has("[].ts") else { return nil }
        if outline.kinds["[].profile"] == .object, outline.has("[].id"),
            outline.has("[].team_id") || outline.has("[].name")
        {
            return "the people of a Slack workspace"
        }
        let member = outline.kinds["[].members[]"]
        if outline.kinds["[].members"] == .array, member == nil || member == .scalar, outline.has("[].id"),
            outline.has("[].created") || outline.has("[].name")
        {
            return "the conversations of a Slack workspace"
        }
        if outline.has("[].change_type", "[].date"), outline.has("[].user_id") || outline.has("[].user_name") {
            return "the integrations of a Slack workspace"
        }
        if outline.has("[].id", "[].filetype", "[].mimetype"),
            outline.has("[].permalink") || outline.has("[].url_private")
        {
            return "the canvases or lists of a Slack workspace"
        }
        return nil
    }

    func claim(_ all: [String]) -> Claim? {
        // Several archives of one workspace have the same paths.
        let paths = Set(all)
        var lists: [String: [(path: String, roster: SlackPath.Roster)]] = [:]
        for path in paths {
            if let (roster, scope) = SlackPath.roster(path) { lists[scope, default: []].append((path, roster)) }
        }
        var days: [(path: String, place: SlackPath)] = []
        var scopes = Set<String>()
        for path in paths {
            guard let place = SlackPath(path) else { continue }
            let organization = SlackPath.organization(of: place.scope).flatMap { lists[$0] == nil ? nil : $0 }
            // Files named only by a day could be anybody's, so each is judged by its content.
            guard lists[place.scope] != nil || organization != nil else { continue }
            days.append((path, place))
            scopes.insert(place.scope)
            if let organization { scopes.insert(organization) }
        }
        guard !days.isEmpty else { return nil }
        days.sort {
            ($0.place.scope, $0.place.conversation, $0.place.day) < (
                $1.place.scope, $1.place.conversation, $1.place.day
            )
        }
        let read = scopes.sorted().flatMap { lists[$0] ?? [] }
        return Claim(
            detection: Detection(
                format: name, reason: "workspace lists and one file per day such as \(days[0].path)",
                missing: read.contains { $0.roster == .direct } ? [] : [Self.missingDirect]),
            passes: [read.map(\.path).sorted(), days.map(\.path)],
            roots: Self.roots(paths, scopes, claimed: Set(days.map(\.path))))
    }

    /// The locations of other files in the conversations' folders and beside the lists.
    private static func roots(_ paths: Set<String>, _ scopes: Set<String>, claimed: Set<String>) -> [String] {
        let folders = Set(claimed.map { $0.dropLast("2024-06-01.json".utf8.count) })
        var roots = Set<String>()
        for path in paths where !claimed.contains(path) {
            guard let slash = path.lastIndex(of: "/") else {
                if scopes.contains(""), SlackPath.others.contains(path) { roots.insert(path) }
                continue
            }
            let folder = path[...slash]
            let name = String(path[slash...].dropFirst())
            let isCanvas = folder.split(separator: "/").last?.hasPrefix("FC:") == true
            if folders.contains(folder) || isCanvas {
                roots.insert(String(folder))
            } else if scopes.contains(String(folder)), SlackPath.others.contains(name) {
                roots.insert(path)
            }
        }
        // Every path is compared with every root, so limit the roots to more than anybody has workspaces.
        return Array(roots.sorted().prefix(500))
    }

    func makeReader(_ context: ReadingContext) -> any ExportReader { SlackReader(context) }
}

/// Reads the days of a Slack export, after its lists of people and conversations.
///
/// The days of a conversation are emitted together, because an archive may have them in any order.
private final class SlackReader: ExportReader {
    private let context: ReadingContext
    private let buffer: ConversationBuffer
    private var directory: SlackDirectory
    /// Number of days still to come, by conversation.
    private var expected: [String: Int] = [:]
    /// Conversations of which some, but not all, days were read.
    private var begun = Set<String>()
    private var untimed = 0

    // The file being read.
    private var member = Member(path: "", source: "")
    private var picker = JSONPicker(maximumLength: 0) { _, _ in .skip }
    private var roster: SlackPath.Roster?
    private var isSurvey = false
    private var isMetadata = false
    private var scopes: [String] = []
    private var folder: String?
    private var conversation: SlackDirectory.Conversation?
    private var title: String?
    private var index = 0

    init(_ context: ReadingContext) {
        self.context = context
        buffer = ConversationBuffer(context, order: .oldestFirst)
        directory = SlackDirectory(said: context.options.ownIdentities)
        for path in context.paths where SlackPath(path) != nil { expected[Self.folder(of: path), default: 0] += 1 }
    }

    private var isWhole: Bool { !context.paths.isEmpty }

    func begin(_ member: Member, opening: Opening) throws {
        self.member = member
        context.assembler.beginSource(member.source)
        try context.assembler.useTextKey(nil)
        index = 0
        isSurvey = isWhole && member.pass == 0
        roster = isSurvey ? SlackPath.roster(member.path)?.roster : nil
        isMetadata = !isWhole && SlackFormat().detect(opening)?.hasMessages == false
        if isMetadata { context.notices("\(member.source) contains no messages: it is a list from the export") }
        place(member)
        picker = JSONPicker(maximumLength: context.options.maximumLine, offset: opening.markLength) { path, kind in
            path.isEmpty && kind == .array ? .enter : .take
        }
    }

    /// Finds the conversation that a file belongs to, and where its lists are.
    private func place(_ member: Member) {
        // For a single file, the given path may say more than its name.
        let place = SlackPath(member.path) ?? (isWhole ? nil : SlackPath(member.source))
        folder = place?.conversation
        // Include the container, because exports side by side may have channels with the same name. An export split
        // over several archives has its lists in another one.
        let container = String(member.source.dropLast(member.path.count))
        let own = place?.scope ?? SlackPath.roster(member.path)?.scope ?? ""
        scopes = [container + own, own]
        if let above = SlackPath.organization(of: own) { scopes += [container + above, above] }
        conversation = folder.flatMap { directory.conversation($0, in: scopes) }
        // Folders of direct messages are named by an id, which means nothing to people.
        title = conversation.map { directory.title(of: $0, in: scopes) } ?? folder.flatMap { Self.isID($0) ? nil : $0 }
        if !isSurvey, folder != nil { begun.insert(Self.folder(of: member.path)) }
    }

    private static func isID(_ name: String) -> Bool {
        name.utf8.count >= 8 && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
    }

    private static func folder(of path: String) -> String { path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "" }

    func read(_ bytes: UnsafeBufferPointer<UInt8>) throws -> Bool {
        if isMetadata || (isSurvey && roster == nil) { return false }
        try picker.feed(bytes, take)
        return true
    }

    func end(fault: RejectReason?) throws {
        if isSurvey || isMetadata {
            if fault == nil, !isMetadata { try picker.finish(take) }
            return
        }
        if fault == nil { try picker.finish(take) }
        let key = Self.folder(of: member.path)
        let left = (expected[key] ?? 1) - 1
        expected[key] = left
        if left <= 0 { begun.remove(key) }
        if !isWhole || begun.isEmpty || fault != nil { try buffer.flush() }
        if let fault {
            context.assembler.beginSource(member.source)
            try context.assembler.append(reject: fault, number: index + 1, offset: -1)
        }
    }

    func finish() throws {
        try buffer.flush()
        guard untimed > 0 else { return }
        context.notices(
            untimed == 1
                ? "1 entry without a time was skipped" : "\(untimed) entries without a time were skipped")
    }

    private func take(_ event: JSONPicker.Event) throws {
        switch event {
        case .opened, .closed: break
        case .value(_, let bytes, let offset, let line):
            if isSurvey { return takeListed(bytes) }
            defer { index += 1 }
            guard let node = JSONNode(bytes), node.isObject else {
                return try reject(
                    "json.syntax", "the entry is not a Slack message, or is over 1 MiB", bytes, line, offset)
            }
            try takeMessage(node)
        case .tooLong(_, let offset, let line):
            index += 1
            if !isSurvey { try reject("input.line-too-long", "the entry is too long (--max-line)", nil, line, offset) }
        case .fault(let reason, let offset, let line):
            guard isSurvey else { return try context.assembler.append(reject: reason, number: line, offset: offset) }
            context.notices("a list in the export cannot be read, so names may be missing: \(member.source)")
        }
    }

    private func takeListed(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let roster, let node = JSONNode(bytes) else { return }
        guard let type = roster.type else { return directory.add(person: node) }
        for scope in Set(scopes.prefix(2)) { directory.add(conversation: node, type: type, scope: scope) }
    }

    private func takeMessage(_ node: JSONNode) throws {
        guard let time = SlackTime(node["ts"]) else {
            untimed += 1
            return
        }
        let place = Message.RawValue.object([
            Message.RawMember("file", .string(member.path)), Message.RawMember("index", .int(index)),
        ])
        let entry = SlackMessage(
            node: node, time: time, directory: directory, scopes: scopes, conversation: conversation, folder: folder,
            title: title)
        let message = entry.message(place)
        if node.hasWords(besides: message.text) { context.unread.note(member.source) }
        try buffer.add(
            message, time: time.milliseconds, timeText: time.source, idPrefix: "slack:",
            number: index + 1, source: member.source)
    }

    private func reject(
        _ code: String, _ words: String, _ raw: UnsafeBufferPointer<UInt8>?, _ line: Int, _ offset: Int
    ) throws {
        try context.assembler.append(
            reject: RejectReason(code: code, reason: words), raw: raw.flatMap { $0.count <= 1 << 16 ? $0 : nil },
            number: line, offset: offset)
    }
}

/// The path of a file in a Slack export: `brand-talk/2024-06-01.json`.
///
/// In exports of whole organizations it is below `teams/<workspace>/`.
private struct SlackPath: Equatable {
    /// The parent of the conversation folders, with a trailing `/`; empty at the top.
    var scope: String
    /// The name of a channel or group, or the id of direct messages.
    var conversation: String
    /// The day, such as `2024-06-01`, which is not a day in UTC.
    var day: String

    /// nil: not a file with the messages of one day.
    init?(_ path: String) {
        let parts = path.split(separator: "/")
        guard parts.count >= 2 else { return nil }
        let name = parts[parts.count - 1]
        guard name.utf8.count == 15, name.hasSuffix(".json") else { return nil }
        day = String(name.dropLast(5))
        for (index, byte) in day.utf8.enumerated() {
            guard index == 4 || index == 7 ? byte == 0x2D : (0x30...0x39).contains(byte) else { return nil }
        }
        conversation = String(parts[parts.count - 2])
        // Skip comments on canvases.
        guard !conversation.hasPrefix("FC:") else { return nil }
        // Keep the prefix exactly, even a leading `/`.
        scope = String(path.dropLast(conversation.count + 1 + name.count))
    }

    /// The lists of people and conversations.
    enum Roster: String {
        case users = "users.json"
        case organization = "org_users.json"
        case channels = "channels.json"
        case groups = "groups.json"
        case direct = "dms.json"
        case groupDirect = "mpims.json"

        /// The type of the conversations in a list.
        var type: String? {
            switch self {
            case .users, .organization: nil
            case .channels: "channel"
            case .groups: "group"
            case .direct: "dm"
            case .groupDirect: "mpim"
            }
        }
    }

    /// The list that a path names, and its folder.
    static func roster(_ path: String) -> (roster: Roster, scope: String)? {
        let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        return Roster(rawValue: String(path[start...])).map { ($0, String(path[..<start])) }
    }

    /// The folder of an organization's lists, `one/` for `one/teams/T1/`; nil: the workspace is not part of one.
    static func organization(of scope: String) -> String? {
        let parts = scope.split(separator: "/")
        guard parts.count >= 2, parts[parts.count - 2] == "teams" else { return nil }
        return parts.dropLast(2).reduce(into: "") { $0 += $1 + "/" }
    }

    /// Files beside the lists that contain no messages.
    static let others: Set<String> = [
        "canvases.json", "integration_logs.json", "content_flags.json", "huddle_transcripts.json", "lists.json",
        "file_conversations.json",
    ]
}
