import TriageCore

/// One conversation while its files are read: entries as they came, to be turned round, because exports have the newest
/// first.
struct MetaThread {
    /// An entry's bytes and its place in time.
    private struct Item {
        var chunk: Int32
        var start: Int32
        var count: Int32
        var file: Int32
        var time: Int
        var index: Int
    }

    struct File {
        var path: String
        var source: String
        /// Which export of several it comes from.
        var export: String
        var part: Int
        /// What the conversation is called in this file alone, where it was joined to one of another name.
        var ownID: String?
        /// Whether entries are those of ``EncryptedEntry``, oldest first.
        fileprivate(set) var isEncrypted = false
        /// Place of the export among those of the conversation.
        fileprivate(set) var rank = 0
    }

    struct Fault {
        var reason: RejectReason
        var file: Int
        var index: Int
    }

    /// Entries back to back; in chunks, because one array would be copied whole each time it grows.
    private var chunks: [[UInt8]] = []
    private var heldBytes = 0
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
    var signs = MetaSigns()
    var filesToCome = 0

    // What keeps a message from coming out twice, also when a very long conversation is emitted in pieces.
    private var seen = SeenMessages()

    private static let chunkSize = 1 << 20

    /// Bytes held, with what sorting them takes.
    var weight: Int { heldBytes + items.capacity * MemoryLayout<Item>.stride * 3 / 2 }

    /// Names that messages were sent under, as far as they are few.
    private(set) var senders = Set<String>()

    private var exports: [String] = []

    mutating func begin(_ file: File) {
        var file = file
        if let known = exports.firstIndex(of: file.export) {
            file.rank = known
        } else {
            file.rank = exports.count
            exports.append(file.export)
        }
        files.append(file)
    }

    /// The file that is being read has entries of ``EncryptedEntry``.
    mutating func markEncrypted() {
        if !files.isEmpty { files[files.count - 1].isEncrypted = true }
    }

    /// The file that is being read calls the conversation so.
    mutating func setOwnID(_ id: String) {
        if !files.isEmpty { files[files.count - 1].ownID = id }
    }

    mutating func add(sender: String) {
        if senders.count < 100 { senders.insert(sender) }
    }

    mutating func append(_ element: UnsafeBufferPointer<UInt8>, time: Int, index: Int) {
        if chunks.isEmpty || chunks[chunks.count - 1].count + element.count > Self.chunkSize {
            chunks.append([])
            chunks[chunks.count - 1].reserveCapacity(max(Self.chunkSize, element.count))
        }
        let chunk = chunks.count - 1
        items.append(
            Item(
                chunk: Int32(chunk), start: Int32(chunks[chunk].count), count: Int32(element.count),
                file: Int32(files.count - 1), time: time, index: index))
        chunks[chunk].append(contentsOf: element)
        heldBytes += element.count
    }

    /// Hands the entries on, oldest first, and forgets them.
    ///
    /// - Parameter emit: gets each message with its place in its file; not those that came before.
    /// - Returns: entries with nothing in them.
    mutating func emit(
        _ conversation: MetaConversation, _ emit: (Message, Int) throws -> Void
    ) rethrows -> Int {
        var empty = 0
        // Of one time, what stands later in its file is older, and so is a higher part.
        items.sort { a, b in
            if a.time != b.time { return a.time < b.time }
            let (x, y) = (files[Int(a.file)], files[Int(b.file)])
            // Equal messages of one export must follow each other to be counted.
            if x.rank != y.rank { return x.rank < y.rank }
            if x.part != y.part { return x.part > y.part }
            if a.index == b.index { return a.file < b.file }
            return x.isEncrypted ? a.index < b.index : a.index > b.index
        }
        for item in items {
            let range = Int(item.start)..<Int(item.start + item.count)
            let node = chunks[Int(item.chunk)].withUnsafeBufferPointer {
                JSONNode(UnsafeBufferPointer(rebasing: $0[range]))
            }
            guard let node else { continue }
            let file = files[Int(item.file)]
            let classic = file.isEncrypted ? EncryptedEntry.classic(node) : node
            guard let entry = MetaMessage(classic, conversation) else {
                empty += 1
                continue
            }
            // Counted for each export: the same message in two of them is one message.
            let ordinal = seen.take(entry.digest(conversation, ordinal: 0), source: UInt32(file.rank) + 1) {
                entry.digest(conversation, ordinal: $0)
            }
            guard let ordinal else { continue }
            // Its id is the one it has when its export is read alone.
            var own = conversation
            own.id = file.ownID ?? conversation.id
            let digest = entry.digest(own, ordinal: ordinal)
            let message = entry.message(conversation, digest: digest, file: file.path, index: item.index)
            try emit(message, item.index)
        }
        items = []
        chunks = []
        heldBytes = 0
        return empty
    }
}
