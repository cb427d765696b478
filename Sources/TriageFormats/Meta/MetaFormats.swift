/// An Instagram export in JSON: a folder, one or several zips, or one of its conversation files.
///
/// Supports all layouts since 2018, recognized by the ends of the paths; ``MetaReader`` explains how messages are read.
struct InstagramJSONFormat: ExportFormat {
    let name = "instagram-json"
    let summary = "an Instagram export (JSON), as folder, zip or one message_1.json"
    var readsFilesAlone: Bool { false }

    private static let ownOnly = "these are only the owner's comments, so there is nothing to triage"

    func detect(_ opening: Opening) -> Detection? {
        if Self.isAllThreads(opening) {
            return Detection(format: name, reason: "conversations with 'participants' and 'conversation'")
        }
        guard let seen = MetaOpening(opening) else { return nil }
        if seen.isThread {
            guard seen.signs.platform == .instagram else { return nil }
            return Detection(
                format: name, reason: "messages with 'sender_name' and 'timestamp_ms' that share from Instagram")
        }
        if seen.first?["string_map_data"]?.isObject == true {
            return Detection(format: name, reason: "entries with 'string_map_data'", missing: [Self.ownOnly])
        }
        if Self.isLabeledComments(opening) {
            return Detection(format: name, reason: "entries with 'label_values' of comments", missing: [Self.ownOnly])
        }
        // This file names the owner; without conversations there is nothing to read.
        guard seen.members.contains("profile_user") else { return nil }
        return Detection(format: name, reason: "a profile of the owner", hasMessages: false)
    }

    func claim(_ paths: [String]) -> Claim? {
        if let claim = MetaClaim.threads(in: paths, of: .instagram, format: name) { return claim }
        // Until 2020 all conversations were in one file, but `messages.json` alone could be anything.
        guard paths.contains(where: { $0.hasSuffix("profile.json") || $0.hasSuffix("connections.json") }),
            !paths.contains(where: { if case .thread = MetaPath($0)?.kind { true } else { false } })
        else { return nil }
        let known = paths.compactMap { path in MetaPath(path).map { (path: path, kind: $0.kind) } }
        let all = known.filter { $0.kind == .allThreads }.map(\.path)
        guard !all.isEmpty else { return nil }
        return Claim(
            detection: Detection(format: name, reason: "a messages.json beside the files of an old export"),
            passes: [known.filter { $0.kind == .profile }.map(\.path) + all, all],
            roots: Claim.roots(of: all) { _ in false })
    }

    /// Whether it is an export from before 2021: one array of all conversations.
    ///
    /// A single conversation may be larger than the opening.
    static func isAllThreads(_ opening: Opening) -> Bool {
        guard opening.firstByte == UInt8(ascii: "[") else { return false }
        let text = String(decoding: opening.bytes.prefix(1 << 16), as: UTF8.self)
        return ["\"participants\"", "\"conversation\"", "\"created_at\""].allSatisfy { text.contains($0) }
    }

    /// Whether labeled rows are comments: lists of many kinds have such rows, so the label must say it.
    static func isLabeledComments(_ opening: Opening) -> Bool {
        guard opening.firstByte == UInt8(ascii: "[") || opening.firstByte == UInt8(ascii: "{") else { return false }
        let text = String(decoding: opening.bytes.prefix(1 << 14), as: UTF8.self)
        guard text.contains("\"label_values\"") else { return false }
        return text.contains("\"comments_media_comments\"") || text.contains("\"comments_reels_comments\"")
            || (opening.firstByte == UInt8(ascii: "[") && text.contains("\"Comment\""))
    }

    func makeReader(_ context: ReadingContext) -> any ExportReader { MetaReader(context, otherwise: .instagram) }
}

/// Messenger conversations from a Facebook export in JSON: a folder, one or several zips, or one of its files.
///
/// If neither paths nor content distinguish it from Instagram, it counts as Messenger, and each message is marked as a
/// guess.
struct MessengerJSONFormat: ExportFormat {
    let name = "messenger-json"
    let summary = "messages of a Facebook export (JSON), as folder, zip or one message_1.json"
    var readsFilesAlone: Bool { false }

    /// Reported for every export, because otherwise the conversations would just seem to end.
    static let missingEncrypted =
        "encrypted Messenger chats, most since late 2023, are not in a Facebook export; "
        + "download them separately from messenger.com and name both"

    func detect(_ opening: Opening) -> Detection? {
        guard let seen = MetaOpening(opening) else { return nil }
        if seen.isThread {
            guard seen.signs.platform != .instagram else { return nil }
            return Detection(
                format: name,
                reason: seen.signs.platform == .messenger
                    ? "messages with 'sender_name' and 'timestamp_ms', with signs of Facebook"
                    : "messages with 'sender_name' and 'timestamp_ms'; could be Messenger or Instagram",
                missing: seen.signs.platform == .messenger ? [Self.missingEncrypted] : [])
        }
        if seen.members.contains("profile_v2") {
            return Detection(format: name, reason: "a profile of the owner", hasMessages: false)
        }
        guard seen.first == nil, !seen.members.isEmpty,
            seen.members.allSatisfy(Self.isSetting) || Self.isLabeled(seen.members)
        else { return nil }
        return Detection(format: name, reason: "Meta settings", hasMessages: false)
    }

    /// Whether a top-level member is that of a list beside the conversations: named like its file, with a version
    /// appended.
    private static func isSetting(_ name: String) -> Bool {
        settings.contains { name.hasPrefix($0) } || (name.hasPrefix("messenger_") && name.contains("_settings"))
    }

    /// Newer lists hold only labels and the number of an object.
    private static func isLabeled(_ members: Set<String>) -> Bool {
        members.isSuperset(of: ["label_values", "fbid"])
            && members.isSubset(of: ["label_values", "fbid", "media", "timestamp", "ent_name", "title"])
    }

    private static let settings = [
        "autofill_information", "chat_invites_received", "community_chats_settings", "encrypted_messaging_backup_",
        "information_about_your_devices", "messaging_settings", "secret_conversations",
        "support_messages", "your_chat_settings_on_web", "your_end-to-end_encryption_enabled_",
        "your_messenger_app_install_information", "your_responsiveness_in_messaging_threads",
    ]

    func claim(_ paths: [String]) -> Claim? {
        guard var claim = MetaClaim.threads(in: paths, of: .messenger, format: name) else { return nil }
        let hasEncrypted = claim.passes.joined().contains(where: EncryptedEntry.isPath)
        claim.detection.missing = hasEncrypted ? [] : [Self.missingEncrypted]
        return claim
    }

    /// A file with the name of an encrypted chat may be anything.
    func isUnsure(of path: String) -> Bool { EncryptedEntry.isPath(path) }

    func reads(_ other: any ExportFormat) -> Bool { other.name == name || other.name == MessengerE2EEFormat().name }

    func makeReader(_ context: ReadingContext) -> any ExportReader { MetaReader(context, otherwise: .messenger) }
}

/// A conversation from Messenger's export of encrypted chats, a separate download from the account's export.
struct MessengerE2EEFormat: ExportFormat {
    let name = "messenger-e2ee"
    let summary = "a Messenger export of encrypted chats (JSON): one file per conversation"

    func detect(_ opening: Opening) -> Detection? {
        guard opening.firstByte == UInt8(ascii: "{") else { return nil }
        var hasEntry = false
        var isNamed = false
        var hasPeople = false
        var isOther = false
        var hasMessages = false
        var splitter = JSONSplitter(.container(["messages"]), maximumLength: Opening.limit)
        opening.bytes.withUnsafeBufferPointer { bytes in
            splitter.feed(bytes) { event in
                switch event {
                case .element(let element, _, _):
                    if !hasMessages, let node = JSONNode(element) {
                        hasEntry = EncryptedEntry.isOne(node)
                        isOther = !hasEntry
                    }
                    hasMessages = true
                case .member("threadName", _): isNamed = true
                case .member("participants", let value):
                    hasPeople = JSONNode(value)?.elements.first?.string != nil
                default: break
                }
            }
        }
        guard !isOther, hasEntry || (isNamed && hasPeople) else { return nil }
        return Detection(
            format: name,
            reason: hasEntry
                ? "messages with 'senderName' and 'timestamp'" : "a conversation with 'threadName' and 'participants'")
    }

    func makeReader(_ context: ReadingContext) -> any ExportReader { MetaReader(context, platform: .messenger) }
}

/// The owner's comments on Facebook, a list in a Facebook export.
struct FacebookCommentsFormat: ExportFormat {
    let name = "facebook-comments"
    let summary = "own comments in a Facebook export (comments_and_reactions/comments.json)"

    private static let missing = "these are only the owner's comments, so there is nothing to triage"

    func detect(_ opening: Opening) -> Detection? {
        guard opening.firstByte == UInt8(ascii: "{") else { return nil }
        let outline = JSONOutline(opening)
        if outline.kinds["comments_v2"] == .array {
            return Detection(format: name, reason: "a list 'comments_v2'", missing: [Self.missing])
        }
        guard Self.isOld(outline) else { return nil }
        return Detection(format: name, reason: "a list 'comments' of an older export", missing: [Self.missing])
    }

    /// Whether the list has the name used until 2021.
    static func isOld(_ outline: JSONOutline) -> Bool { outline.kinds["comments[].data[].comment"] == .object }

    func makeReader(_ context: ReadingContext) -> any ExportReader { MetaReader(context, platform: .messenger) }
}

/// What the first bytes of a Meta JSON file show.
private struct MetaOpening {
    /// The first entry of a known Meta array; nil: none is in sight.
    private(set) var first: JSONNode?
    /// Names of the top-level members in sight.
    private(set) var members = Set<String>()
    /// Signs of the platform in the messages in sight.
    private(set) var signs = MetaSigns()

    private static let arrays: Set<String> = ["messages", "comments_media_comments", "comments_reels_comments"]

    /// nil: not JSON.
    init?(_ opening: Opening) {
        var splitter: JSONSplitter
        switch opening.firstByte {
        case UInt8(ascii: "{"): splitter = JSONSplitter(.container(Self.arrays), maximumLength: Opening.limit)
        case UInt8(ascii: "["): splitter = JSONSplitter(.array, maximumLength: Opening.limit)
        default: return nil
        }
        opening.bytes.withUnsafeBufferPointer { bytes in
            splitter.feed(bytes) { event in
                switch event {
                case .element(let element, _, _):
                    guard let node = JSONNode(element) else { return }
                    if first == nil { first = node }
                    if first?["sender_name"] != nil { signs.add(node) }
                case .member(let name, _):
                    members.insert(name)
                    if name == "thread_type" { signs.hasType = true }
                default: break
                }
            }
        }
    }

    /// Whether it is a conversation in the usual form.
    var isThread: Bool { first?["sender_name"] != nil && first?["timestamp_ms"] != nil }
}
