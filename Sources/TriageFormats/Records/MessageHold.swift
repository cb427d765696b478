import TriageCore

/// Holds messages until it is known what a file says about all of them further on: the owner, names, titles.
///
/// What is held is bounded; a reader that finds it full settles with what it knows by then.
struct MessageHold {
    /// A message and what ``MessageShelf`` wants to know about it.
    struct Item {
        var message: Message
        var time: Int64?
        var timeText = ""
        var number: Int
        var source: String
    }

    /// Bytes that are held, roughly.
    static let limit = 24 << 20

    private var items: [Item] = []
    private var held = 0

    var isFull: Bool { held > Self.limit }

    mutating func add(_ item: Item) {
        items.append(item)
        held += MemoryLayout<Item>.stride + 512 + item.message.text.utf8.count
    }

    /// Gives out what is held, in its order, and forgets it.
    mutating func take() -> [Item] {
        defer {
            items = []
            held = 0
        }
        return items
    }
}
