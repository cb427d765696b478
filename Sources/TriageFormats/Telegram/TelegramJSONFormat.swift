import TriageCore

/// A Telegram Desktop export in JSON: a whole account, or one chat.
struct TelegramJSONFormat: ExportFormat {
    let name = "telegram-json"
    let summary = "a Telegram Desktop export (JSON): result.json of an account or of one chat"

    /// The types of chats.
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
        // The chats of a large account come long after its other lists.
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
            // The file name alone could belong to anything.
            guard isNamed || !own.isEmpty else { continue }
            found.append(path)
            roots += isNamed ? [folder] : own
        }
        guard !found.isEmpty else { return nil }
        return Claim(
            detection: Detection(format: name, reason: "a result.json beside the folders of an export"),
            // Every path is compared with every root, so limit the roots to more than anybody has.
            passes: [found], roots: Array(roots.sorted().prefix(200)))
    }

    /// Folders that Telegram creates beside its file.
    private static let ownFolders: Set<String> = [
        "chats", "lists", "photos", "files", "stickers", "video_files", "voice_messages", "round_video_messages",
        "profile_pictures", "stories", "contacts", "other_data", "css", "images", "js",
    ]

    func makeReader(_ context: ReadingContext) -> any ExportReader { TelegramReader(context) }
}

/// The signs of a Telegram export in a file's opening.
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

/// Repairs the invalid JSON that some versions of Telegram Desktop write.
enum TelegramRepair {
    /// Parses a value, and says whether its bytes had to be repaired; nil: it is not JSON even after that.
    static func node(_ bytes: UnsafeBufferPointer<UInt8>) -> (node: JSONNode, isRepaired: Bool)? {
        if let node = JSONNode(bytes) { return (node, false) }
        guard bytes.count <= JSONNode.maximumLength else { return nil }
        let repaired = repair(bytes)
        // A control character grows from four bytes to six.
        let node = repaired.withUnsafeBufferPointer { JSONNode($0, limit: 2 * JSONNode.maximumLength) }
        return node.map { ($0, true) }
    }

    /// Rewrites `\x01` to `\u0001` and puts quotes around bare values of `document_id`; everything else stays.
    ///
    /// Telegram Desktop still writes the former for control characters; the latter is from version 4.1.
    static func repair(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count + 64)
        var isInString = false
        // The start, in `out`, of the last string.
        var stringStart = 0
        var i = 0
        while i < bytes.count {
            let byte = bytes[i]
            i += 1
            if !isInString {
                out.append(byte)
                if byte == UInt8(ascii: "\"") {
                    isInString = true
                    stringStart = out.count
                } else if byte == UInt8(ascii: ":"), endsInDocumentKey(out, from: stringStart) {
                    i = quoteBareValue(bytes, i, &out)
                }
            } else if byte == UInt8(ascii: "\\"), i < bytes.count {
                if bytes[i] == UInt8(ascii: "x"), i + 2 < bytes.count, isHex(bytes[i + 1]), isHex(bytes[i + 2]) {
                    out += [0x5C, UInt8(ascii: "u"), 0x30, 0x30, bytes[i + 1], bytes[i + 2]]
                    i += 3
                } else {
                    out.append(byte)
                    out.append(bytes[i])
                    i += 1
                }
            } else if byte < 0x20 {
                let digits = Array("0123456789abcdef".utf8)
                out += [0x5C, UInt8(ascii: "u"), 0x30, 0x30, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            } else {
                out.append(byte)
                if byte == UInt8(ascii: "\"") { isInString = false }
            }
        }
        return out
    }

    private static let documentKey = Array("document_id\"".utf8)

    /// Whether the output ends with the key and its colon.
    private static func endsInDocumentKey(_ out: [UInt8], from start: Int) -> Bool {
        let end = start + documentKey.count
        guard start > 0, end <= out.count, out[start..<end].elementsEqual(documentKey) else { return false }
        return out[end..<(out.count - 1)].allSatisfy(Opening.isBlank)
    }

    private static func quoteBareValue(_ bytes: UnsafeBufferPointer<UInt8>, _ from: Int, _ out: inout [UInt8]) -> Int {
        var i = from
        while i < bytes.count, Opening.isBlank(bytes[i]) {
            out.append(bytes[i])
            i += 1
        }
        guard i < bytes.count, bytes[i] != UInt8(ascii: "\"") else { return i }
        out.append(UInt8(ascii: "\""))
        while i < bytes.count {
            let byte = bytes[i]
            if byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte < 0x20 { break }
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { out.append(0x5C) }
            out.append(byte)
            i += 1
        }
        out.append(UInt8(ascii: "\""))
        return i
    }

    private static func isHex(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 6
    }
}
