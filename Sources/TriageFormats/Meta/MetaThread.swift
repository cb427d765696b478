import TriageCore

/// One conversation while its files are read.
///
/// It holds the entries as they arrive so that their order can be reversed: exports have the newest first.
struct MetaThread {
    /// The location of an entry's bytes, and its time.
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
        /// The export that it comes from, among several.
        var export: String
        var part: Int
        /// The conversation's id in this file alone, if it was joined to one with another id.
        var ownID: String?
        /// Whether entries are those of ``EncryptedEntry``, oldest first.
        fileprivate(set) var isEncrypted = false
        /// Index of the export among those with this conversation.
        fileprivate(set) var rank = 0
        /// The conversation's title according to the file.
        var title: String?
        var participants: [String] = []
    }

    struct Fault {
        var reason: RejectReason
        var file: Int
        var index: Int
    }

    /// The entries' bytes, in chunks because a single array would be copied whole each time it grows.
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
    /// Signs that distinguish Instagram from Messenger where paths do not.
    var signs = MetaSigns()
    var filesToCome = 0

    // Prevents duplicates, even when a very long conversation is emitted in pieces.
    private var seen = SeenMessages()

    private static let chunkSize = 1 << 20

    /// Bytes held, including the memory needed to sort them.
    var weight: Int { heldBytes + items.capacity * MemoryLayout<Item>.stride * 3 / 2 }

    /// Names of senders, as long as there are few.
    private(set) var senders = Set<String>()

    private var exports: [String] = []
    /// When the last message of each export was sent, by rank.
    private var ends: [Int] = []
    /// Files whose messages are also in a file of another export, each with that file.
    private(set) var copies: [(file: String, original: String)] = []

    mutating func begin(_ file: File) {
        var file = file
        if let known = exports.firstIndex(of: file.export) {
            file.rank = known
        } else {
            file.rank = exports.count
            exports.append(file.export)
            ends.append(.min)
        }
        files.append(file)
    }

    /// Marks the file being read as having entries of ``EncryptedEntry``.
    mutating func markEncrypted() {
        if !files.isEmpty { files[files.count - 1].isEncrypted = true }
    }

    /// Sets the id that the file being read gives the conversation.
    mutating func setOwnID(_ id: String) {
        if !files.isEmpty { files[files.count - 1].ownID = id }
    }

    /// Records the participants or the title from the file being read.
    mutating func describe(_ change: (inout File) -> Void) {
        if !files.isEmpty { change(&files[files.count - 1]) }
    }

    /// Exports from newest to oldest; of equally new ones, the one named last comes first.
    private var newestFirst: [Int] {
        ends.indices.sorted { ends[$0] != ends[$1] ? ends[$0] > ends[$1] : $0 > $1 }
    }

    /// Takes the title and the participants from the newest export that has them.
    mutating func settle() {
        for rank in newestFirst.reversed() {
            for file in files where file.rank == rank {
                if let told = file.title { title = told }
                if !file.participants.isEmpty { participants = file.participants }
            }
        }
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
        if let rank = files.last?.rank { ends[rank] = max(ends[rank], time) }
    }

    /// Emits the entries, oldest first, and removes them.
    ///
    /// - Parameters:
    ///   - unread: counts entries with text that is not read.
    ///   - isRepeat: whether a message was already emitted under another name of the conversation.
    ///   - emit: receives each new message with its position in its file.
    /// - Returns: the number of empty entries.
    mutating func emit(
        _ conversation: MetaConversation, unread: UnreadWords, isRepeat: (MessageDigest, File) -> Bool,
        _ emit: (Message, Int) throws -> Void
    ) rethrows -> Int {
        var empty = 0
        // A message in two exports is taken from the newer one.
        var places = [Int](repeating: 0, count: exports.count)
        for (place, rank) in newestFirst.enumerated() { places[rank] = place }
        var copied = Set<Int32>()
        // At equal times, what comes later in a file is older, and so is a higher-numbered part.
        items.sort { a, b in
            if a.time != b.time { return a.time < b.time }
            let (x, y) = (files[Int(a.file)], files[Int(b.file)])
            // Equal messages of one export must be adjacent to be counted.
            if x.rank != y.rank { return places[x.rank] < places[y.rank] }
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
            // Meta's own text for an attachment is in another place.
            let isUnread = entry.placeholder == nil ? node.hasWords(besides: entry.text) : node.hidesWords
            if isUnread { unread.note(file.source) }
            // Count per export: the same message in two exports is one message.
            let ordinal = seen.take(entry.digest(conversation, ordinal: 0), source: UInt32(file.rank) + 1) {
                entry.digest(conversation, ordinal: $0)
            }
            guard let ordinal else {
                if copied.insert(item.file).inserted,
                    let other = files.first(where: { $0.rank != file.rank && places[$0.rank] < places[file.rank] })
                {
                    copies.append((file.source, other.source))
                }
                continue
            }
            // Keep the id that the message has when its export is read alone.
            var own = conversation
            own.id = file.ownID ?? conversation.id
            let digest = entry.digest(own, ordinal: ordinal)
            let message = entry.message(conversation, digest: digest, file: file.path, index: item.index)
            guard !isRepeat(digest, file) else { continue }
            try emit(message, item.index)
        }
        items = []
        chunks = []
        heldBytes = 0
        return empty
    }
}

/// What all messages of a conversation share.
struct MetaConversation {
    var platform = MetaPlatform.instagram
    /// Whether nothing distinguished Instagram from Messenger.
    var isPlatformGuessed = false
    var id: String?
    var title: String?
    var folder = ""
    /// The conversation's folder, a shortened form of the other person's name or handle.
    var directory = ""
    var participants: [String] = []
    var isGroup = false
    /// The owner's names; nil: unknown.
    var owner: Set<String>?
}

/// Signs of the platform in a conversation's entries.
///
/// They are needed where paths say nothing, because the files of Instagram and Messenger have the same form.
struct MetaSigns: Equatable {
    private var hasInstagramFile = false
    private var hasFacebookFile = false
    private var hasInstagramShare = false
    private var hasFacebookSticker = false
    /// Whether there is a `thread_type`.
    var hasType = false

    /// The platform; nil: no sign of it.
    var platform: MetaPlatform? {
        if hasInstagramFile != hasFacebookFile { return hasInstagramFile ? .instagram : .messenger }
        if hasInstagramShare { return .instagram }
        return hasFacebookSticker || hasType ? .messenger : nil
    }

    /// Examines one message.
    mutating func add(_ node: JSONNode) {
        if let share = node["share"] {
            if share["original_content_owner"] != nil { hasInstagramShare = true }
            if let link = share["link"]?.string, Self.isInstagram(link) { hasInstagramShare = true }
        }
        if let sticker = node["sticker"]?["uri"]?.string {
            if sticker.contains("stickers_used") { hasFacebookSticker = true }
            add(file: sticker)
        }
        for kind in ["photos", "videos", "audio_files", "files", "gifs"] {
            if let file = node[kind]?.elements.first?["uri"]?.string { add(file: file) }
        }
    }

    private mutating func add(file: String) {
        if file.hasPrefix("your_instagram_activity/") { hasInstagramFile = true }
        if file.hasPrefix("your_facebook_activity/") || file.hasPrefix("your_activity_across_facebook/") {
            hasFacebookFile = true
        }
    }

    private static func isInstagram(_ link: String) -> Bool { link.contains("instagram.com/") }
}
