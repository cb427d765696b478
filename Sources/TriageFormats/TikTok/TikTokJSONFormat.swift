import TriageCore

/// TikTok's `user_data.json`, in all its layouts.
struct TikTokJSONFormat: ExportFormat {
    let name = "tiktok-json"
    let summary = "a TikTok data export (JSON), user_data_tiktok.json"

    /// Members that identify TikTok but do not imply messages, which a long history may precede.
    private static let others: Set<String> = [
        "favoriteeffectslist", "favoritehashtaglist", "favoritesoundlist", "favoritevideolist", "fanslist",
        "itemfavoritelist", "loginhistorylist", "videolist", "searchlist", "sharehistorylist", "settingsmap",
    ]

    func detect(_ opening: Opening) -> Detection? {
        guard opening.firstByte == UInt8(ascii: "{") else { return nil }
        var found = Set<TikTokSection>()
        var hints = Set<String>()
        var picker = JSONPicker(maximumLength: 1) { path, kind in
            if let last = path.last?.key, let section = TikTokSection(key: last) {
                found.insert(section)
                return .skip
            }
            if let last = path.last?.key?.lowercased(), Self.others.contains(last) { hints.insert(last) }
            return path.count < TikTokSection.depth && kind == .object ? .enter : .skip
        }
        opening.bytes.withUnsafeBufferPointer { picker.feed($0) { _ in } }
        let sections = found.subtracting([.profile])
        if sections.isEmpty {
            guard found.contains(.profile) || hints.count > 1 else { return nil }
            let reason = "a TikTok export, no messages found yet"
            return Detection(format: name, reason: reason, hasMessages: !opening.isWhole)
        }
        let hasChats = !sections.isDisjoint(with: [.chats, .groups]) || !opening.isWhole
        return Detection(
            format: name, reason: "a TikTok export with " + sections.map(\.rawValue).sorted().joined(separator: ", "),
            missing: hasChats
                ? ["TikTok exports only contain the owner's comments, not those of others"]
                : ["these are only the owner's comments, so there is nothing to triage"])
    }

    func makeReader(_ context: ReadingContext) -> any ExportReader { TikTokJSONReader(context) }
}

/// Reads TikTok's JSON: conversations, groups, and the owner's comments.
private final class TikTokJSONReader: ExportReader {
    private let context: ReadingContext
    private let conversations: TikTokConversations
    private var member = Member(path: "", source: "")
    private var picker = JSONPicker(maximumLength: 0) { _, _ in .skip }
    private var index = 0

    init(_ context: ReadingContext) {
        self.context = context
        conversations = TikTokConversations(context)
    }

    func begin(_ member: Member, opening: Opening) throws {
        self.member = member
        index = 0
        let (unread, source) = (context.unread, member.source)
        picker = JSONPicker(
            maximumLength: context.options.maximumLine, offset: opening.markLength,
            unread: { path, bytes in
                // Elsewhere in the export, only what is structured like messages counts, and no short text about
                // oneself.
                let isString = bytes.first == UInt8(ascii: "\"")
                let isInside = TikTokSection.locate(path) != nil
                let isOpen = isString && (isInside || bytes.count > TikTokSection.longestWord)
                if StrayWords.areIn(bytes, { isOpen || TikTokSection.isText($0) }) { unread.note(source) }
            },
            choose: { path, kind in
                if let (section, rest) = TikTokSection.locate(path) {
                    let choice = section.choice(rest, kind)
                    return choice == .skip && section != .profile ? .passOver : choice
                }
                return path.count < TikTokSection.depth && kind == .object ? .enter : .passOver
            })
    }

    func read(_ bytes: UnsafeBufferPointer<UInt8>) throws -> Bool {
        try picker.feed(bytes, take)
        return true
    }

    func end(fault: RejectReason?) throws {
        if let fault { try reject(fault, -1) } else { try picker.finish(take) }
    }

    func finish() throws { try conversations.finish() }

    private func take(_ event: JSONPicker.Event) throws {
        switch event {
        case .opened, .closed: break
        case .tooLong(_, let offset, _):
            index += 1
            try reject(RejectReason(code: "input.line-too-long", reason: "the entry is too long (--max-line)"), offset)
        case .fault(let reason, let offset, _): try reject(reason, offset)
        case .value(let path, let bytes, let offset, _):
            guard let (section, rest) = TikTokSection.locate(path) else { return }
            guard section != .profile else {
                if let name = JSONNode(bytes)?.string { conversations.add(profile: name) }
                return
            }
            defer { index += 1 }
            guard let node = JSONNode(bytes), node.isObject, let message = message(node, section, rest.first?.key)
            else {
                return try reject(
                    RejectReason(code: "tiktok.no-message", reason: "the entry is not a message, or is over 1 MiB"),
                    offset)
            }
            if node.hasWords(besides: message.text) { context.unread.note(member.source) }
            try add(message, node, isPair: section == .chats)
        }
    }

    private func add(_ message: Message, _ node: JSONNode, isPair: Bool) throws {
        var message = message
        let timeText = Self.value("date", node) ?? Self.value("commenttime", node) ?? Self.value("questiontime", node)
        let time = timeText.flatMap(SourceTime.milliseconds)
        message.sentAt = time.flatMap(SourceTime.text)
        if time == nil, let timeText { message.raw.append(("time_text", .string(timeText))) }
        message.raw.append(Message.source(member.path, index: index))
        try conversations.add(
            MessageHold.Item(
                message: message, time: time, timeText: timeText ?? "", number: index + 1, source: member.source),
            isPair: isPair)
    }

    private func message(_ node: JSONNode, _ section: TikTokSection, _ key: String?) -> Message? {
        var message = Message()
        message.platform = "tiktok"
        switch section {
        case .chats, .groups:
            let from = Self.value("from", node)
            let content = Self.value("content", node)
            guard from != nil || content != nil else { return nil }
            let said = TikTokText(content ?? "")
            message.text = said.text
            message.sender.handle = from
            message.conversationID = section == .chats ? key.map(TikTokText.partner) : key
            message.conversationTitle = message.conversationID
            if let attachment = said.attachment { message.attachments.append(attachment) }
            message.raw.append(("kind", .string(said.kind)))
        case .comments:
            guard node.members.contains(where: { ["comment", "date"].contains($0.key.lowercased()) }) else {
                return nil
            }
            message.text = Self.given("comment", node) ?? ""
            message.sender.isSelf = true
            for type in ["photo", "sticker", "video"] {
                guard let address = Self.given(type, node) else { continue }
                message.attachments.append(
                    Message.Attachment(
                        type: type == "photo" ? "image" : type, url: TikTokText.withoutToken(address[...])))
            }
            message.raw.append(("kind", .string("comment")))
            let post = Self.given("original post link", node)
            message.conversationID = post.map { TikTokText.withoutToken($0[...]) }
            if let address = Self.given("url", node) {
                message.attachments.append(
                    Message.Attachment(type: "link", url: TikTokText.withoutToken(address[...])))
            }
        case .live:
            guard let text = Self.value("commentcontent", node) ?? Self.value("questioncontent", node) else {
                return nil
            }
            message.text = text
            message.sender.isSelf = true
            message.conversationID = key.map { "live/" + $0 }
            message.raw.append(("kind", .string("comment")))
        case .profile: return nil
        }
        return message
    }

    /// A member's text by its key, in any case.
    private static func value(_ key: String, _ node: JSONNode) -> String? {
        node.members.last { $0.key.utf8.count == key.utf8.count && $0.key.lowercased() == key }?.value.string
    }

    /// Like ``value(_:_:)``, but nil for placeholders that mean "nothing".
    private static func given(_ key: String, _ node: JSONNode) -> String? {
        value(key, node).flatMap { $0.isEmpty || $0 == "N/A" ? nil : $0 }
    }

    private func reject(_ reason: RejectReason, _ offset: Int) throws {
        try context.reject(reason, in: member.source, number: index + 1, offset: offset)
    }
}

/// The relevant sections of a TikTok export, identified by their own key because the keys above are often renamed.
private enum TikTokSection: String {
    case chats = "ChatHistory"
    case groups = "GroupChat"
    case comments = "CommentsList"
    case live = "WatchLiveMap"
    case profile = "ProfileMap"

    /// Maximum number of keys down to a section, its own included.
    static let depth = 4

    private static let keys: [String: TikTokSection] = [
        "chathistory": .chats, "groupchat": .groups, "commentslist": .comments, "watchlivemap": .live,
        "profilemap": .profile,
    ]

    /// The section with a key, in any case.
    init?(key: String) {
        guard key.utf8.count <= 12, let section = Self.keys[key.lowercased()] else { return nil }
        self = section
    }

    /// The section that a path leads into, and the rest of the path after its key.
    static func locate(_ path: [JSONPicker.Step]) -> (section: TikTokSection, rest: ArraySlice<JSONPicker.Step>)? {
        for (index, step) in path.prefix(depth).enumerated() {
            guard let key = step.key else { return nil }
            if let section = TikTokSection(key: key) { return (section, path[(index + 1)...]) }
        }
        return nil
    }

    /// Maximum bytes of a string that is ignored outside all sections, such as in a profile.
    static let longestWord = 200

    /// Whether a member with this name contains text that somebody wrote.
    static func isText(_ key: String) -> Bool {
        ["content", "comment", "commentcontent", "questioncontent"].contains(key.lowercased())
    }

    /// What to do with a value at the rest of a path.
    func choice(_ rest: ArraySlice<JSONPicker.Step>, _ kind: JSONPicker.Kind) -> JSONPicker.Choice {
        guard let last = rest.last else { return kind == .scalar ? .skip : .enter }
        let isEntry = last.key == nil
        switch self {
        case .chats, .groups:
            // A conversation is a list, or an object with one.
            if isEntry { return kind == .object && rest.count > 1 ? .take : kind == .scalar ? .skip : .enter }
            return rest.count < 3 && kind != .scalar ? .enter : .skip
        case .comments: return isEntry ? .take : kind == .array && rest.count == 1 ? .enter : .skip
        case .live:
            if rest.count == 1 { return kind == .scalar ? .skip : .enter }
            if rest.count == 2, let key = last.key?.lowercased() {
                return kind == .array && (key == "comments" || key == "questions") ? .enter : .skip
            }
            return isEntry && rest.count == 3 ? .take : .skip
        case .profile: return rest.count == 1 && last.key?.lowercased() == "username" ? .take : .skip
        }
    }
}
