import TriageCore

extension Message {
    /// The member of `raw` that says where a message stands: the export's file, and a line from 1 or an index from 0.
    static func source(_ file: String, line: Int) -> (key: String, value: RawValue) {
        ("source", .object([RawMember("file", .string(file)), RawMember("line", .int(line))]))
    }

    static func source(_ file: String, index: Int) -> (key: String, value: RawValue) {
        ("source", .object([RawMember("file", .string(file)), RawMember("index", .int(index))]))
    }
}

/// Holds messages until the reader knows what a file says about all of them further on: the owner, names, titles.
///
/// Memory is bounded; when the hold is full, the reader decides with what it knows.
struct MessageHold {
    /// A message and the arguments for ``ConversationBuffer``.
    struct Item {
        var message: Message
        var time: Int64?
        var timeText = ""
        var number: Int
        var source: String
    }

    /// Maximum bytes held; the overhead of each message is estimated generously.
    static let limit = 24 << 20

    private var items: [Item] = []
    private var held = 0

    var isFull: Bool { held > Self.limit }

    mutating func add(_ item: Item) {
        items.append(item)
        held += Self.weight(of: item)
    }

    /// The weight allows for a growing array, which temporarily takes twice its size, and for each text's own
    /// allocation.
    private static func weight(of item: Item) -> Int {
        let message = item.message
        var total = 2 * MemoryLayout<Item>.stride + message.text.utf8.count + item.timeText.utf8.count + 16 * 32
        for attachment in message.attachments {
            total +=
                MemoryLayout<Message.Attachment>.stride + (attachment.url ?? "").utf8.count
                + (attachment.name ?? "").utf8.count + 3 * 32
        }
        total += message.reactions.count * (MemoryLayout<Message.Reaction>.stride + 3 * 32)
        return total + Self.weight(of: message.raw.map { Message.RawMember($0.key, $0.value) })
    }

    private static func weight(of members: [Message.RawMember]) -> Int {
        members.reduce(0) { $0 + MemoryLayout<Message.RawMember>.stride + Self.weight(of: $1.value) }
    }

    private static func weight(of value: Message.RawValue) -> Int {
        switch value {
        case .string(let text): 64 + text.utf8.count
        case .int, .bool: 32
        case .object(let members): 64 + Self.weight(of: members)
        case .array(let values): values.reduce(64) { $0 + MemoryLayout<Message.RawValue>.stride + Self.weight(of: $1) }
        }
    }

    /// Returns the held messages in order and removes them.
    mutating func take() -> [Item] {
        defer {
            items = []
            held = 0
        }
        return items
    }
}
