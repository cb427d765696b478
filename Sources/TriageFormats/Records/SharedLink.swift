/// Extracts information from URLs of files in exports.
enum SharedLink {
    private static let types: [String: String] = [
        "jpg": "image", "jpeg": "image", "png": "image", "heic": "image", "webp": "image", "avif": "image",
        "bmp": "image", "gif": "gif", "mp4": "video", "mov": "video", "webm": "video", "mkv": "video", "m4v": "video",
        "mp3": "audio", "m4a": "audio", "wav": "audio", "flac": "audio", "aac": "audio", "ogg": "audio",
        "opus": "audio",
    ]

    /// The type of a file by the extension of its name or URL; `file` if that is unknown.
    static func type(of name: String) -> String {
        let path = name.prefix { $0 != "?" && $0 != "#" }
        let last = path.split(separator: "/").last ?? ""
        guard last.contains("."), let ending = last.split(separator: ".").last else { return "file" }
        return types[ending.lowercased()] ?? "file"
    }

    /// The file name in a URL's path; nil when it has none.
    static func name(of address: String) -> String? {
        let path = address.prefix { $0 != "?" && $0 != "#" }
        guard let last = path.split(separator: "/").last, last.contains("."), last.count < path.count else {
            return nil
        }
        return String(last)
    }

    /// A URL without the parameters that grant access to anybody: Discord's signatures, Slack's tokens.
    static func withoutToken(_ address: String) -> String {
        guard let mark = address.firstIndex(of: "?") else { return address }
        let query = address[address.index(after: mark)...]
        let fragment = query.firstIndex(of: "#") ?? query.endIndex
        let kept = query[..<fragment].split(separator: "&").filter { parameter in
            let sign = parameter.firstIndex(of: "=") ?? parameter.endIndex
            return !["ex", "is", "hm", "token"].contains(parameter[..<sign])
                && !parameter[sign...].hasPrefix("=xox")
        }
        return address[..<mark] + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&")) + query[fragment...]
    }
}
