import TriageCore

/// An export of Telegram Desktop in JSON: a whole account, or one chat.
struct TelegramJSONFormat: ExportFormat {
    let name = "telegram-json"
    let summary = "a Telegram Desktop export (JSON): result.json of an account or of one chat"

    /// What a chat can be.
    static let chatTypes: Set<String> = [
        "saved_messages", "replies", "verification_codes", "personal_chat", "bot_chat", "private_group",
        "private_supergroup", "public_supergroup", "private_channel", "public_channel",
    ]

    func detect(_ opening: Opening) -> Detection? {
        guard opening.firstByte == UInt8(ascii: "{") else { return nil }
        let sight = TelegramSight(opening)
        if sight.hasChatList {
            return Detection(format: name, reason: "a list of chats", missing: [Self.secretChats])
        }
        if sight.hasMessages { return Detection(format: name, reason: "messages with 'type', 'date' and 'from_id'") }
        if sight.hasEmptyChat { return Detection(format: name, reason: "a chat without messages") }
        guard sight.isAccount else { return nil }
        // The chats of a large account stand far behind its other lists.
        return opening.isWhole
            ? Detection(format: name, reason: "an account without chats", hasMessages: false)
            : Detection(format: name, reason: "an account", missing: [Self.secretChats])
    }

    private static let secretChats = "Telegram exports contain no secret chats: these stay on the phone"

    func claim(_ paths: [String]) -> Claim? {
        var folders = Set<String>()
        for path in paths {
            var folder = ""
            for part in path.split(separator: "/").dropLast() {
                folder += part + "/"
                if Self.ownFolders.contains(String(part)) { folders.insert(folder) }
            }
        }
        var found: [String] = []
        var roots: [String] = []
        for path in Set(paths).sorted() where path == "result.json" || path.hasSuffix("/result.json") {
            let folder = String(path.dropLast("result.json".utf8.count))
            let parent = folder.split(separator: "/").last ?? ""
            let isNamed = parent.hasPrefix("ChatExport_") || parent.hasPrefix("DataExport_")
            let own = Self.ownFolders.map { folder + $0 + "/" }.filter(folders.contains)
            // The name of the file alone could be anything's.
            guard isNamed || !own.isEmpty else { continue }
            found.append(path)
            roots += isNamed ? [folder] : own
        }
        guard !found.isEmpty else { return nil }
        return Claim(
            detection: Detection(format: name, reason: "a result.json beside the folders of an export"),
            // Every path is compared with every root: no more of them than people ever have.
            passes: [found], roots: Array(roots.sorted().prefix(200)))
    }

    /// Folders that Telegram makes beside its file.
    private static let ownFolders: Set<String> = [
        "chats", "lists", "photos", "files", "stickers", "video_files", "voice_messages", "round_video_messages",
        "profile_pictures", "stories", "contacts", "other_data", "css", "images", "js",
    ]

    func makeReader(_ context: ReadingContext) -> any ExportReader { TelegramReader(context) }
}

/// What the opening of a file shows of a Telegram export.
private struct TelegramSight {
    var hasChatList = false
    var hasMessages = false
    var hasEmptyChat = false
    var isAccount = false

    init(_ opening: Opening) {
        var isAbout = false
        var hasParts = false
        var chatType: String?
        var hasArray = false
        var seen = 0
        var isTelegram = false
        var list = false
        var picker = JSONPicker(maximumLength: Opening.limit) { path, kind in
            guard let first = path.first else { return kind == .object ? .enter : .skip }
            switch (path.count, first.key) {
            case (1, "messages"): return kind == .array ? .enter : .skip
            case (1, "chats"), (1, "left_chats"): return kind == .object ? .enter : .skip
            case (1, "contacts"), (1, "personal_information"), (1, "sessions"), (1, "frequent_contacts"):
                return kind == .object ? .enter : .skip
            case (1, "about"), (1, "type"): return kind == .scalar ? .take : .skip
            case (2, "messages"): return .take
            case (2, "chats"), (2, "left_chats"): return path[1].key == "list" && kind == .array ? .enter : .skip
            default: return .skip
            }
        }
        opening.bytes.withUnsafeBufferPointer { bytes in
            picker.feed(bytes) { event in
                switch event {
                case .opened(let path):
                    if path.count == 2 { list = true }
                    guard path.count == 1, let key = path[0].key else { return }
                    if key == "messages" { hasArray = true } else if !key.hasSuffix("chats") { hasParts = true }
                case .value(let path, let value, _, _):
                    if path.count == 1 {
                        if path[0].key == "about" { isAbout = true } else { chatType = JSONNode(value)?.string }
                    } else if seen < 5 {
                        seen += 1
                        isTelegram = isTelegram || (TelegramRepair.node(value)?.node).map(Self.isMessage) ?? false
                    }
                default: break
                }
            }
        }
        hasChatList = list
        hasMessages = isTelegram
        hasEmptyChat = hasArray && seen == 0 && chatType.map(TelegramJSONFormat.chatTypes.contains) ?? false
        isAccount = isAbout && hasParts
    }

    private static func isMessage(_ node: JSONNode) -> Bool {
        guard let type = node["type"]?.string, ["message", "service", "unsupported"].contains(type) else {
            return false
        }
        if node["from_id"] != nil || node["actor_id"] != nil || node["date_unixtime"] != nil { return true }
        return node["date"] != nil && node["from"] != nil && node["text"] != nil
    }
}
