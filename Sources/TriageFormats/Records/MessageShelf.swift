import TriageCore

/// Holds the messages of an export until their conversations can come out oldest first, each message once.
///
/// A reader puts messages on the shelf in the order of its file; ``flush()`` hands them on by conversation (in the order
/// in which the conversations began), by time, and, of one time, in the order of the file or against it. What is held
/// is bounded: beyond ``limit`` bytes all of it comes out, and what follows of the same conversations comes in blocks.
///
/// A message without an id gets one from ``MessageDigest``; one whose id came before is left out and counted.
final class MessageShelf {
    /// Bytes that are held.
    static let limit = 64 << 20

    /// How messages of one time stand in the source.
    enum Order { case oldestFirst, newestFirst }

    private struct Item {
        var conversation: Int32
        var chunk: Int32
        var start: Int32
        var count: Int32
        /// Milliseconds since 1970.
        var time: Int64
        /// Place in its source, for rejects.
        var number: Int
        var source: Int32
        /// Of the message without its ordinal; nil when it has an id of its own.
        var digest: MessageDigest?
        var idPrefix: Int32
    }

    private let context: ReadingContext
    private let order: Order
    private var items: [Item] = []
    // In chunks, because one array would be copied whole each time it grows.
    private var chunks: [[UInt8]] = []
    private var held = 0
    private var conversations: [String: Int32] = [:]
    private var sources: [String: Int32] = [:]
    private var sourceNames: [String] = []
    private var prefixes: [String] = []
    private var ordinals: [Occurrence: Int] = [:]
    private var ids = Set<MessageDigest>()
    private var saidLong = false
    /// Messages that were left out because they came before.
    private(set) var repeated = 0

    private struct Occurrence: Hashable {
        var digest: MessageDigest
        var source: Int32
    }

    private static let chunkSize = 1 << 20

    init(_ context: ReadingContext, order: Order) {
        self.context = context
        self.order = order
    }

    /// Puts a message on the shelf.
    ///
    /// - Parameters:
    ///   - time: milliseconds since 1970; nil: unknown, then it stays behind the one before it.
    ///   - timeText: the time as the source writes it, part of a made id, so that reading it otherwise changes no id.
    ///   - idPrefix: stands before a made id, such as `wa:`.
    ///   - number: place in the source, from 1.
    ///   - source: name of the file.
    func add(
        _ message: Message, time: Int64?, timeText: String = "", idPrefix: String = "", number: Int, source: String
    ) throws {
        let conversation = conversations[message.conversationID ?? ""] ?? Int32(conversations.count)
        conversations[message.conversationID ?? ""] = conversation
        let sourceIndex = index(of: source)
        var item = Item(
            conversation: conversation, chunk: 0, start: 0, count: 0,
            time: time ?? (items.last?.conversation == conversation ? items.last?.time ?? 0 : 0), number: number,
            source: sourceIndex, idPrefix: 0)
        if message.id == nil {
            item.digest = MessageDigest(
                platform: message.platform ?? "", conversation: message.conversationID ?? "", time: timeText,
                sender: message.sender.id ?? message.sender.handle ?? message.sender.name ?? "", text: message.text,
                ordinal: 0)
            item.idPrefix = prefix(idPrefix)
        } else {
            item.digest = nil
            let id = MessageDigest(
                platform: message.platform ?? "", conversation: "", time: "", sender: "", text: message.id ?? "",
                ordinal: 0)
            guard ids.insert(id).inserted else {
                repeated += 1
                return
            }
        }
        if chunks.isEmpty || chunks[chunks.count - 1].count > Self.chunkSize {
            chunks.append([])
            chunks[chunks.count - 1].reserveCapacity(Self.chunkSize + 4096)
        }
        let chunk = chunks.count - 1
        let start = chunks[chunk].count
        message.encode(into: &chunks[chunk])
        item.chunk = Int32(chunk)
        item.start = Int32(start)
        item.count = Int32(chunks[chunk].count - start)
        items.append(item)
        held += Int(item.count) + MemoryLayout<Item>.stride
        guard held > Self.limit else { return }
        if !saidLong {
            saidLong = true
            context.notices("the export has more than 64 MiB of messages at once; they come out in blocks")
        }
        try flush()
    }

    /// Hands everything on that is held.
    func flush() throws {
        // Indices, because an item is larger than one.
        let isReversed = order == .newestFirst
        let sorted = items.indices.sorted { a, b in
            let (x, y) = (items[a], items[b])
            if x.conversation != y.conversation { return x.conversation < y.conversation }
            if x.time != y.time { return x.time < y.time }
            return isReversed ? a > b : a < b
        }
        var current: Int32 = -1
        var line: [UInt8] = []
        for index in sorted {
            let item = items[index]
            if item.source != current {
                current = item.source
                try context.assembler.useTextKey(nil)
                context.assembler.beginSource(sourceNames[Int(current)])
            }
            let bytes = chunks[Int(item.chunk)][Int(item.start)..<Int(item.start + item.count)]
            line.removeAll(keepingCapacity: true)
            if let digest = item.digest {
                // Counted for each source: the same message in two exports is one message.
                let occurrence = Occurrence(digest: digest, source: item.source)
                let ordinal = ordinals[occurrence, default: 0]
                ordinals[occurrence] = ordinal + 1
                let id = ordinal == 0 ? digest : digest.ordinal(ordinal)
                guard ids.insert(id).inserted else {
                    repeated += 1
                    continue
                }
                line += Array("{\"id\":\"\(prefixes[Int(item.idPrefix)])\(id.hex)\",".utf8)
                line += bytes.dropFirst()
            } else {
                line += bytes
            }
            try line.withUnsafeBufferPointer { try context.assembler.append(made: $0, number: item.number) }
        }
        items = []
        chunks = []
        held = 0
    }

    private func index(of source: String) -> Int32 {
        if let index = sources[source] { return index }
        let index = Int32(sourceNames.count)
        sources[source] = index
        sourceNames.append(source)
        return index
    }

    private func prefix(_ text: String) -> Int32 {
        if let index = prefixes.firstIndex(of: text) { return Int32(index) }
        prefixes.append(text)
        return Int32(prefixes.count - 1)
    }
}
