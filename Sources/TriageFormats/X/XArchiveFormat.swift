/// An archive of X (Twitter): the whole folder tree, or one of its data files.
struct XArchiveFormat: ExportFormat {
    let name = "x-archive"
    let summary = "an X (Twitter) archive, as folder, zip or one of its data files such as direct-messages.js"
    var readsFilesAlone: Bool { false }

    /// Reported for archives with messages, because nothing in them shows what is missing.
    static let missingEncrypted =
        "X archives lack encrypted chats, or only have ciphertext; X has been encrypting chats since late 2025, "
        + "so newer messages may be missing"

    func detect(_ opening: Opening) -> Detection? {
        switch XContent(opening) {
        case .messages(let isGroup):
            Detection(
                format: name, reason: isGroup ? "direct messages of groups" : "direct messages ('dmConversation')",
                missing: [Self.missingEncrypted])
        case .posts:
            Detection(
                format: name, reason: "posts from an X archive",
                missing: ["these are only the owner's posts, so there is nothing to triage"])
        case .account: Detection(format: name, reason: "the account of an X archive", hasMessages: false)
        case .manifest: Detection(format: name, reason: "the manifest of an X archive", hasMessages: false)
        case .other: Detection(format: name, reason: "a list without texts from an X archive", hasMessages: false)
        case nil: nil
        }
    }

    func claim(_ paths: [String]) -> Claim? {
        var folders: [String: [(path: String, kind: XPath.Kind)]] = [:]
        for path in paths {
            if let known = XPath(path) { folders[known.folder, default: []].append((path, known.kind)) }
        }
        // Only `data/` or a pair of file names distinguishes an archive from scripts with the same names.
        let archives = folders.filter { folder, files in
            let hasMessages = files.contains { $0.kind == .messages || $0.kind == .groups }
            let hasOwner = files.contains { $0.kind == .owner }
            return folder == "data/" || folder.hasSuffix("/data/") ? hasMessages || hasOwner : hasMessages && hasOwner
        }
        guard !archives.isEmpty else { return nil }
        let files = archives.sorted { $0.key < $1.key }.flatMap { $0.value.sorted { $0.path < $1.path } }
        func all(_ kinds: XPath.Kind...) -> [String] { files.filter { kinds.contains($0.kind) }.map(\.path) }
        let messages = all(.messages) + all(.groups)
        let hasOwner = !all(.owner).isEmpty
        let survey = all(.owner) + all(.posts) + all(.groups) + (hasOwner ? [] : all(.messages))
        let read = messages + all(.posts)
        return Claim(
            detection: Detection(
                format: name, reason: "the data files of an X archive such as \(read.first ?? files[0].path)",
                missing: messages.isEmpty ? ["the archive has no direct messages"] : [Self.missingEncrypted],
                hasMessages: !read.isEmpty),
            passes: [survey, read], roots: Self.roots(archives.keys.sorted(), paths))
    }

    /// The locations that belong to the archives; other exports may lie beside their folders.
    private static func roots(_ folders: [String], _ paths: [String]) -> [String] {
        var roots: [String] = []
        for folder in folders {
            guard folder == "data/" || folder.hasSuffix("/data/") else {
                // The first archives had no top-level folder.
                roots += folder.isEmpty ? paths.filter { !$0.contains("/") && $0.hasSuffix(".js") } : [folder]
                continue
            }
            let parent = String(folder.dropLast(5))
            roots += [folder, parent + "assets/"]
            // The archive's viewer page has a translated name.
            roots += paths.filter { path in
                guard path.hasPrefix(parent) else { return false }
                let name = path.dropFirst(parent.count)
                return !name.contains("/") && name.hasSuffix(".html")
            }
        }
        return roots
    }

    func makeReader(_ context: ReadingContext) -> any ExportReader { XArchiveReader(context) }
}

/// The information in the path of an X archive's file.
private struct XPath: Equatable {
    enum Kind: Equatable { case owner, messages, groups, posts }

    var kind: Kind
    /// The folder it is in, with a trailing `/`; empty at the top.
    var folder: String

    init?(_ path: String) {
        guard path.hasSuffix(".js") else { return nil }
        let end = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        folder = String(path[..<end])
        var name = path[end...].dropLast(3)
        if let part = name.firstRange(of: "-part"), !name[part.upperBound...].isEmpty,
            name[part.upperBound...].allSatisfy(\.isNumber)
        {
            name = name[..<part.lowerBound]
        }
        switch name {
        case "account", "manifest": kind = .owner
        case "direct-message", "direct-messages": kind = .messages
        case "direct-message-group", "direct-messages-group": kind = .groups
        case "tweet", "tweets", "community-tweet": kind = .posts
        default: return nil
        }
    }
}

/// The content of an X archive's data file, recognized by its beginning, because the name says nothing.
enum XContent: Equatable {
    case messages(isGroup: Bool)
    case posts
    /// Names the archive's owner.
    case account
    /// The list of files, which also names the owner.
    case manifest
    /// Other lists: headers, followers, likes and so on.
    case other

    /// nil: not a file of an X archive.
    init?(_ opening: Opening) {
        let rest = opening.bytes.drop(while: Opening.isBlank).prefix(200)
        guard let first = rest.first else { return nil }
        if first == UInt8(ascii: "[") {
            guard let content = Self.bare(opening) else { return nil }
            self = content
            return
        }
        let text = String(decoding: rest.prefix { $0 != 0x3D && $0 != 0x0A }, as: UTF8.self)
        if text.hasPrefix("window.YTD.") {
            let type = text.dropFirst(11).prefix { $0 != "." && $0 != " " && $0 != "\t" }
            self = Self.types[String(type)] ?? .other
        } else if text.hasPrefix("window.__THAR_CONFIG") {
            self = .manifest
        } else if text.hasPrefix("Grailbird.data.") {
            // Archives from before 2019: posts by month, no messages.
            self = text.hasPrefix("Grailbird.data.tweets") ? .posts : .other
        } else if ["var payload_details", "var user_details", "var tweet_index"].contains(where: text.hasPrefix) {
            self = .other
        } else {
            return nil
        }
    }

    private static let types: [String: XContent] = [
        "direct_message": .messages(isGroup: false), "direct_messages": .messages(isGroup: false),
        "direct_message_group": .messages(isGroup: true), "direct_messages_group": .messages(isGroup: true),
        "tweet": .posts, "tweets": .posts, "community_tweet": .posts, "account": .account,
    ]

    /// Recognizes a file without its prefix: objects with one member that has a known name.
    private static func bare(_ opening: Opening) -> XContent? {
        var keys: [String] = []
        // The picker asks about each value with its key; record the keys.
        var picker = JSONPicker(maximumLength: 1) { path, _ in
            if path.count == 2, path[0] == .element(0), let key = path[1].key, keys.count < 3 { keys.append(key) }
            return path.isEmpty || path == [.element(0)] ? .enter : .skip
        }
        opening.bytes.withUnsafeBufferPointer { picker.feed($0) { _ in } }
        switch keys {
        case ["dmConversation"]: return .messages(isGroup: false)
        case ["tweet"]: return .posts
        case ["account"]: return .account
        default: return nil
        }
    }
}
