/// An Instagram export in JSON, as a folder, a zip or several, or one of its conversation files.
///
/// All layouts since 2018, by the end of the paths; see ``MetaReader`` for what becomes of a message.
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
        // Who the owner is; without conversations there is nothing to read in it.
        guard seen.members.contains("profile_user") else { return nil }
        return Detection(format: name, reason: "a profile of the owner", hasMessages: false)
    }

    func claim(_ paths: [String]) -> Claim? {
        if let claim = MetaClaim.threads(in: paths, of: .instagram, format: name) { return claim }
        // Until 2020 all conversations were in one file; `messages.json` alone could be anything.
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

    /// An export of before 2021 has all conversations in one array; one may be larger than the opening.
    static func isAllThreads(_ opening: Opening) -> Bool {
        guard opening.firstByte == UInt8(ascii: "[") else { return false }
        let text = String(decoding: opening.bytes.prefix(1 << 16), as: UTF8.self)
        return ["\"participants\"", "\"conversation\"", "\"created_at\""].allSatisfy { text.contains($0) }
    }

    /// Lists of many kinds have these rows; only what is called a comment is one.
    static func isLabeledComments(_ opening: Opening) -> Bool {
        guard opening.firstByte == UInt8(ascii: "[") || opening.firstByte == UInt8(ascii: "{") else { return false }
        let text = String(decoding: opening.bytes.prefix(1 << 14), as: UTF8.self)
        guard text.contains("\"label_values\"") else { return false }
        return text.contains("\"comments_media_comments\"") || text.contains("\"comments_reels_comments\"")
            || (opening.firstByte == UInt8(ascii: "[") && text.contains("\"Comment\""))
    }

    func makeReader(_ context: ReadingContext) -> any ExportReader { MetaReader(context, otherwise: .instagram) }
}
