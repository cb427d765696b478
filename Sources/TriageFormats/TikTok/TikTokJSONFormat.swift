/// TikTok's `user_data.json`, in all its layouts.
struct TikTokJSONFormat: ExportFormat {
    let name = "tiktok-json"
    let summary = "a TikTok data export (JSON), user_data_tiktok.json"

    /// What tells that it is TikTok's, but not that there are messages; a long history may stand before them.
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
