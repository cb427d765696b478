/// Files beside the conversations, known by the end of their names only.
enum MetaFile {
    /// The kind of attachment a path stands for; nil: its name does not say.
    static func type(of path: String) -> String? {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: ".") else { return nil }
        switch name[name.index(after: dot)...].lowercased() {
        case "jpg", "jpeg", "png", "webp", "heic", "bmp": return "image"
        case "gif": return "gif"
        case "mp4", "mov", "webm", "mkv", "3gp", "avi": return "video"
        case "m4a", "aac", "mp3", "ogg", "opus", "wav": return "audio"
        default: return nil
        }
    }
}
