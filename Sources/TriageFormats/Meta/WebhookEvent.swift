import TriageCore

/// What one entry of a delivery says.
enum WebhookEvent {
    /// Somebody wrote something.
    case message(Message)
    /// A reaction to a message; the message is what comes out when that one is gone.
    case reaction(to: String, Message.Reaction, isRemoved: Bool, Message)
    /// A new text for a message.
    case edit(of: String, Message)
    /// A message was withdrawn; a message comes out for it when that one is gone.
    case withdrawal(of: String, Message)
    /// Something without a message: `read`, `delivery` ….
    case notice(String)
    /// What the test button of the dashboard sends.
    case test
}

/// What all events of an entry share.
struct WebhookEntry {
    /// `instagram`, `page`, `whatsapp_business_account`; empty: not said.
    var object = ""
    /// The account that the delivery is for.
    var owner: String?
    var time: JSONNode?
    var file = ""
    var line = 0

    static let objects: Set<String> = ["instagram", "page", "whatsapp_business_account"]

    /// The platform of chats.
    var chatPlatform: String {
        switch object {
        case "page": "messenger"
        case "whatsapp_business_account": "whatsapp"
        default: "instagram"
        }
    }

    /// The platform of comments.
    var commentPlatform: String { object == "page" ? "facebook" : "instagram" }

    /// A message with what is the same for all.
    func message(_ kind: String, platform: String) -> Message {
        var message = Message()
        message.platform = platform
        message.raw = [("kind", .string(kind))]
        return message
    }

    /// The last member of `raw`.
    var source: (key: String, value: Message.RawValue) {
        ("source", .object([Message.RawMember("file", .string(file)), Message.RawMember("line", .int(line))]))
    }

    /// An id for an event that has none: the same when the same event is delivered again.
    static func made(_ message: Message, _ parts: String?...) -> String {
        "meta:"
            + MessageDigest(
                platform: message.platform ?? "", conversation: message.conversationID ?? "",
                time: message.sentAt ?? "", sender: message.sender.id ?? "",
                text: ([message.text] + parts.map { $0 ?? "" }).joined(separator: "\u{1}"), ordinal: 0
            ).hex
    }

    /// An address without the signature that lets anybody open it.
    static func withoutToken(_ url: String) -> String {
        let url = MetaMessage.withoutToken(url)
        guard url.contains("fbsbx.com/"), let start = url.firstRange(of: "&signature=") else { return url }
        let rest = url[start.upperBound...]
        return url[..<start.lowerBound] + String(rest.firstIndex(of: "&").map { rest[$0...] } ?? "")
    }

    /// Ids of Meta, with the prefix that shows whose they are.
    static func id(_ node: JSONNode?) -> String? { node?.identifier.map { "meta:" + $0 } }
}

extension JSONNode {
    /// An id, written as a string or as a number; nil when it is empty or neither.
    var identifier: String? {
        switch self {
        case .string(let text), .number(let text): text.isEmpty ? nil : text
        default: nil
        }
    }

    /// Meta says that any property may be a string.
    var flag: Bool { bool ?? (string == "true") }
}

extension Message {
    /// Adds a member to `raw` unless there is one of that name.
    mutating func mark(_ key: String, _ value: RawValue?) {
        if let value, !raw.contains(where: { $0.key == key }) { raw.append((key, value)) }
    }

    /// Sets or adds `raw.kind`.
    mutating func setKind(_ kind: String) {
        if let index = raw.firstIndex(where: { $0.key == "kind" }) {
            raw[index].value = .string(kind)
        } else {
            raw.insert(("kind", .string(kind)), at: 0)
        }
    }
}
