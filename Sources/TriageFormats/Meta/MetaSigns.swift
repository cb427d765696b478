/// What the entries of a conversation show of where it was held, when paths say nothing: the files of Instagram and
/// Messenger have the same form.
struct MetaSigns: Equatable {
    private var hasInstagramFile = false
    private var hasFacebookFile = false
    private var hasInstagramShare = false
    private var hasFacebookSticker = false
    /// Whether there is a `thread_type`.
    var hasType = false

    /// Where the conversation was held; nil: nothing shows it.
    var platform: MetaPlatform? {
        if hasInstagramFile != hasFacebookFile { return hasInstagramFile ? .instagram : .messenger }
        if hasInstagramShare { return .instagram }
        return hasFacebookSticker || hasType ? .messenger : nil
    }

    /// Looks at one message.
    mutating func add(_ node: JSONNode) {
        if let share = node["share"] {
            if share["original_content_owner"] != nil { hasInstagramShare = true }
            if let link = share["link"]?.string, Self.isInstagram(link) { hasInstagramShare = true }
        }
        if let sticker = node["sticker"]?["uri"]?.string {
            if sticker.contains("stickers_used") { hasFacebookSticker = true }
            add(file: sticker)
        }
        for kind in ["photos", "videos", "audio_files", "files", "gifs"] {
            if let file = node[kind]?.elements.first?["uri"]?.string { add(file: file) }
        }
    }

    private mutating func add(file: String) {
        if file.hasPrefix("your_instagram_activity/") { hasInstagramFile = true }
        if file.hasPrefix("your_facebook_activity/") || file.hasPrefix("your_activity_across_facebook/") {
            hasFacebookFile = true
        }
    }

    private static func isInstagram(_ link: String) -> Bool { link.contains("instagram.com/") }
}
