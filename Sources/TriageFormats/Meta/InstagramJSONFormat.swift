/// An Instagram export in JSON, as a folder, a zip or several, or one of its conversation files.
///
/// All layouts since 2018, by the end of the paths; see ``MetaReader`` for what becomes of a message.
struct InstagramJSONFormat: ExportFormat {
    let name = "instagram-json"
    let summary = "an Instagram export (JSON), as folder, zip or one message_1.json"

    func detect(_ opening: Opening) -> Detection? {
        if Self.isAllThreads(opening) {
            return Detection(format: name, reason: "conversations with 'participants' and 'conversation'")
        }
        guard let (first, members) = Self.firstEntry(opening) else { return nil }
        if first["sender_name"] != nil, first["timestamp_ms"] != nil {
            return Detection(format: name, reason: "messages with 'sender_name' and 'timestamp_ms'")
        }
        if first["string_map_data"]?.isObject == true {
            return Detection(format: name, reason: "entries with 'string_map_data'")
        }
        // Who the owner is; without conversations there is nothing to read in it.
        guard members.contains("profile_user") || members.contains("profile_v2") else { return nil }
        return Detection(format: name, reason: "a profile of the owner", hasMessages: false)
    }

    /// The first entry of the arrays that Instagram writes, and the names of the members before it.
    private static func firstEntry(_ opening: Opening) -> (JSONNode, Set<String>)? {
        var splitter: JSONSplitter
        switch opening.firstByte {
        case UInt8(ascii: "{"): splitter = JSONSplitter(.container(arrays), maximumLength: Opening.limit)
        case UInt8(ascii: "["): splitter = JSONSplitter(.array, maximumLength: Opening.limit)
        default: return nil
        }
        var first: JSONNode?
        var members = Set<String>()
        opening.bytes.withUnsafeBufferPointer { bytes in
            splitter.feed(bytes) { event in
                switch event {
                case .element(let element, _, _): if first == nil { first = JSONNode(element) }
                case .member(let name, _): members.insert(name)
                default: break
                }
            }
        }
        if first == nil, members.isEmpty { return nil }
        return (first ?? .null, members)
    }

    private static let arrays: Set<String> = ["messages", "comments_media_comments", "comments_reels_comments"]

    func claim(_ paths: [String]) -> Claim? {
        let known = paths.compactMap { path in MetaPath(path).map { (path: path, meta: $0) } }
        var threads: [(path: String, meta: MetaPath, part: Int)] = []
        for (path, meta) in known {
            if case .thread(let part) = meta.kind { threads.append((path, meta, part)) }
        }
        let isOld = threads.isEmpty
        let profiles = known.filter { $0.meta.kind == .profile }.map(\.path)
        if isOld {
            // Until 2020 all conversations were in one file; `messages.json` alone could be anything.
            guard paths.contains(where: { $0.hasSuffix("profile.json") || $0.hasSuffix("connections.json") }) else {
                return nil
            }
            let all = known.filter { $0.meta.kind == .allThreads }.map(\.path)
            guard !all.isEmpty else { return nil }
            return Claim(
                detection: Detection(format: name, reason: "a messages.json beside the files of an old export"),
                passes: [profiles + all, all], roots: Claim.roots(of: all) { _ in false })
        }
        threads.sort { ($0.meta.section, $0.meta.folder, $0.part) < ($1.meta.section, $1.meta.folder, $1.part) }
        // The first look is for the people: the lowest part of each conversation names them.
        var surveyed = Set<String>()
        let survey = threads.filter { surveyed.insert($0.meta.thread).inserted }.map(\.path)
        let comments = known.filter { $0.meta.kind == .ownComments }.map(\.path)
        let sample = threads[0].meta
        return Claim(
            detection: Detection(
                format: name,
                reason: "\(surveyed.count) conversations such as \(sample.section)/…/message_\(threads[0].part).json"),
            passes: [profiles + survey, threads.map(\.path) + comments],
            roots: Claim.roots(of: threads.map(\.path) + comments + profiles) { Self.ownFolders.contains(String($0)) })
    }

    /// Folders that Meta makes at the top of an export.
    private static let ownFolders: Set<String> = [
        "your_instagram_activity", "your_facebook_activity", "your_activity_across_facebook", "messages", "comments",
        "personal_information", "profile_information", "account_information", "comments_and_reactions",
    ]

    /// An export of before 2021 has all conversations in one array; one may be larger than the opening.
    static func isAllThreads(_ opening: Opening) -> Bool {
        guard opening.firstByte == UInt8(ascii: "[") else { return false }
        let text = String(decoding: opening.bytes.prefix(1 << 16), as: UTF8.self)
        return ["\"participants\"", "\"conversation\"", "\"created_at\""].allSatisfy { text.contains($0) }
    }

    func makeReader(_ context: ReadingContext) -> any ExportReader { MetaReader(context) }
}
