import TriageCore

/// One conversation while its files are read: entries as they came, to be turned round, because exports have the newest
/// first.
struct InstagramThread {
    /// An entry's bytes and its place in time.
    private struct Item {
        var start: Int
        var count: Int
        var time: Int
        var file: Int
        var index: Int
    }

    struct File {
        var path: String
        var source: String
        /// Which export of several it comes from.
        var export: String
        var part: Int
    }

    struct Fault {
        var reason: RejectReason
        var file: Int
        var index: Int
    }

    private(set) var bytes: [UInt8] = []
    private var items: [Item] = []
    private(set) var files: [File] = []
    var faults: [Fault] = []
    var participants: [String] = []
    var title: String?
    var path: String?
    var type: String?
    var section = ""
    var folder = ""
    /// What tells Instagram from Messenger where paths do not.
    var hasInstagramLink = false
    var hasFacebookSign = false
    var filesToCome = 0

    // What keeps a message from coming out twice, also when a very long conversation is emitted in pieces.
    private var ordinals: [String: Int] = [:]
    private var ids = Set<String>()

    /// Bytes held.
    var weight: Int { bytes.count + items.count * 40 }

    /// Names that messages were sent under, as far as they are few.
    private(set) var senders = Set<String>()

    mutating func begin(_ file: File) { files.append(file) }

    mutating func add(sender: String) {
        if senders.count < 100 { senders.insert(sender) }
    }

    mutating func append(_ element: UnsafeBufferPointer<UInt8>, time: Int, index: Int) {
        items.append(
            Item(start: bytes.count, count: element.count, time: time, file: files.count - 1, index: index))
        bytes.append(contentsOf: element)
    }

    /// Hands the entries on, oldest first, and forgets them.
    ///
    /// - Parameter emit: gets each message with its place in its file; not those that came before.
    /// - Returns: entries with nothing in them.
    mutating func emit(
        _ conversation: InstagramConversation, _ emit: (Message, Int) throws -> Void
    ) rethrows -> Int {
        var empty = 0
        // Of one time, what stands later in its file is older, and so is a higher part.
        items.sort { a, b in
            if a.time != b.time { return a.time < b.time }
            if files[a.file].part != files[b.file].part { return files[a.file].part > files[b.file].part }
            return a.index != b.index ? a.index > b.index : a.file < b.file
        }
        for item in items {
            guard let node = JSONNode(bytes[item.start..<(item.start + item.count)]) else { continue }
            guard let entry = InstagramMessage(node, conversation) else {
                empty += 1
                continue
            }
            // Counted for each export: the same message in two of them is one message.
            let key = files[item.file].export + "\n" + entry.digest(conversation, ordinal: 0)
            let ordinal = ordinals[key, default: 0]
            ordinals[key] = ordinal + 1
            let message = entry.message(
                conversation, ordinal: ordinal, file: files[item.file].path, index: item.index)
            guard ids.insert(message.id ?? "").inserted else { continue }
            try emit(message, item.index)
        }
        items.removeAll()
        bytes.removeAll()
        return empty
    }
}
