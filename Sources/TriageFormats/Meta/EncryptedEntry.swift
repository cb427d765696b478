/// Converts entries of Messenger's export of encrypted chats, which uses other member names than Meta's other exports.
enum EncryptedEntry {
    /// The placeholder for a file's path when the phone could not download the file.
    private static let missing = "Failed to download media"

    /// Whether an entry has this form.
    static func isOne(_ node: JSONNode) -> Bool { node["senderName"] != nil && node["timestamp"] != nil }

    /// The entry in the form of the unencrypted exports.
    static func classic(_ node: JSONNode) -> JSONNode {
        var members: [JSONNode.Member] = []
        func take(_ key: String, as name: String) {
            if let value = node[key], value != .null { members.append(JSONNode.Member(key: name, value: value)) }
        }
        take("senderName", as: "sender_name")
        take("timestamp", as: "timestamp_ms")
        take("text", as: "content")
        take("isUnsent", as: "is_unsent")
        if node["reactions"]?.elements.isEmpty == false { take("reactions", as: "reactions") }
        // Other values of `type` only repeat what the attachments say.
        if node["type"]?.string == "placeholder" { take("type", as: "type") }
        var files: [String: [JSONNode]] = [:]
        var isMissing = false
        for item in node["media"]?.elements ?? [] {
            let path = item["uri"]?.metaText.flatMap { $0.isEmpty || $0 == missing ? nil : $0 }
            if path == nil { isMissing = true }
            let uri = path.map { [JSONNode.Member(key: "uri", value: .string($0))] } ?? []
            files[list(of: path ?? ""), default: []].append(.object(uri))
        }
        for (name, items) in files.sorted(by: { $0.key < $1.key }) {
            members.append(JSONNode.Member(key: name, value: .array(items)))
        }
        if isMissing { members.append(JSONNode.Member(key: "media_missing", value: .bool(true))) }
        return .object(members)
    }

    /// The name of the attachment list for a file, by its extension.
    private static func list(of path: String) -> String {
        switch MetaFile.type(of: path) {
        case "image": "photos"
        case "gif": "gifs"
        case "video": "videos"
        case "audio": "audio_files"
        default: "files"
        }
    }

    /// Whether a file has the name of such a chat, `Ana Lima_15.json`, and is not in a folder of another export.
    static func isPath(_ path: String) -> Bool {
        guard path.hasSuffix(".json"), MetaPath(path) == nil else { return false }
        let parts = path.split(separator: "/")
        let name = String(parts.last?.dropLast(5) ?? "")
        return title(ofThread: name) != name && !parts.dropLast().contains { MetaClaim.ownFolders.contains(String($0)) }
    }

    /// The title `Ana Lima` from `Ana Lima_15`.
    static func title(ofThread name: String) -> String {
        guard let line = name.lastIndex(of: "_") else { return name }
        let number = name[name.index(after: line)...]
        let isNumber = !number.isEmpty && number.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
        return isNumber && line > name.startIndex ? String(name[..<line]) : name
    }
}
