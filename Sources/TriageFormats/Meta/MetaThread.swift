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
    /// Whether entries are those of ``EncryptedEntry``, oldest first.
    var isEncrypted = false
    var filesToCome = 0

    // What keeps a message from coming out twice, also when a very long conversation is emitted in pieces.
    private var ordinals: [Occurrence: Int] = [:]
    private var ids = Set<MessageDigest>()

    private struct Occurrence: Hashable {
        var digest: MessageDigest
        var export: Int
    }

    private static let chunkSize = 1 << 20

    /// Bytes held.
    var weight: Int { heldBytes + items.count * MemoryLayout<Item>.stride }

    /// Names that messages were sent under, as far as they are few.
    private(set) var senders = Set<String>()

    private var exports: [String] = []

    mutating func begin(_ file: File) {
        files.append(file)
        if !exports.contains(file.export) { exports.append(file.export) }
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
            let (x, y) = (files[Int(a.file)].part, files[Int(b.file)].part)
            if x != y { return x > y }
            if a.index == b.index { return a.file < b.file }
            return isEncrypted ? a.index < b.index : a.index > b.index
        }
        for item in items {
            let range = Int(item.start)..<Int(item.start + item.count)
            let node = chunks[Int(item.chunk)].withUnsafeBufferPointer {
                JSONNode(UnsafeBufferPointer(rebasing: $0[range]))
            }
            guard let node else { continue }
            let classic = isEncrypted ? EncryptedEntry.classic(node) : node
            guard let entry = MetaMessage(classic, conversation) else {
                empty += 1
                continue
            }
            // Counted for each export: the same message in two of them is one message.
            let file = files[Int(item.file)]
            let first = entry.digest(conversation, ordinal: 0)
            let occurrence = Occurrence(digest: first, export: exports.firstIndex(of: file.export) ?? 0)
            let ordinal = ordinals[occurrence, default: 0]
            ordinals[occurrence] = ordinal + 1
            let digest = ordinal == 0 ? first : entry.digest(conversation, ordinal: ordinal)
            guard ids.insert(digest).inserted else { continue }
            let message = entry.message(conversation, digest: digest, file: file.path, index: item.index)
            try emit(message, item.index)
        }
        items = []
        chunks = []
        heldBytes = 0
        return empty
    }
}
