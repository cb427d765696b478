import TriageCore

/// Holds an export's messages until their conversations can be emitted oldest first, each message once.
///
/// A reader adds messages in file order. ``flush()`` emits them by conversation (in the order in which the
/// conversations began), then by time, then in file order or its reverse. Memory is bounded: beyond ``limit`` bytes
/// everything is emitted, and further messages of the same conversations follow in later blocks.
///
/// A message without an id gets one from ``MessageDigest``; one whose id came before is left out and counted.
final class ConversationBuffer {
    /// Maximum bytes held, tables included.
    static let limit = 64 << 20

    /// The source's order of messages with equal times.
    enum Order { case oldestFirst, newestFirst }

    private struct Item {
        var chunk: Int32
        var start: Int32
        var count: Int32
        var conversation: Int32
        var source: Int32
        /// Prefix of the generated id; negative: the message has an id of its own.
        var idPrefix: Int32
        /// Milliseconds since 1970.
        var time: Int64
        /// Position in its source, for rejects.
        var number: Int
        /// Digest of the message without its ordinal, later the basis of its id.
        var digest: MessageDigest
        var isRepeated = false
    }

    private let context: ReadingContext
    private let order: Order
    private let limit: Int
    private var items: [Item] = []
    // In chunks, because a single array would be copied whole each time it grows.
    private var chunks: [[UInt8]] = []
    private var chunkBytes = 0
    private var conversations: [String: Int32] = [:]
    private var conversationBytes = 0
    private var sources: [String: Int32] = [:]
    private var sourceNames: [String] = []
    private var prefixes: [String] = []
    private var seen = SeenMessages()
    /// Content digests of messages with their own ids.
    private var contents = SeenMessages()
    private var saidLong = false
    /// Number of duplicate messages left out.
    private(set) var repeated = 0

    private static let chunkSize = 1 << 20
    /// Maximum number of conversations whose order is kept across blocks.
    private static let conversationLimit = 1 << 16

    init(_ context: ReadingContext, order: Order, limit: Int = ConversationBuffer.limit) {
        self.context = context
        self.order = order
        self.limit = limit
    }

    /// Bytes held, including the memory needed to sort them.
    private var held: Int {
        chunkBytes + conversationBytes + items.capacity * MemoryLayout<Item>.stride
            + items.count * 2 * MemoryLayout<UInt32>.stride
    }

    /// Adds a message.
    ///
    /// - Parameters:
    ///   - time: milliseconds since 1970; nil: unknown, so the message stays after the previous one.
    ///   - timeText: the time as written in the source. It is part of a generated id, so that parsing it differently
    ///     changes no id.
    ///   - idPrefix: prefix of a generated id, such as `wa:`.
    ///   - number: position in the source, from 1.
    ///   - source: name of the file.
    func add(
        _ message: Message, time: Int64?, timeText: String = "", idPrefix: String = "", number: Int, source: String
    ) throws {
        let sourceIndex = index(of: source)
        let conversation = conversation(message.conversationID ?? "")
        let last = items.last
        let hasID = message.id != nil
        let digest = MessageDigest(
            platform: message.platform ?? "", conversation: hasID ? "" : message.conversationID ?? "",
            time: hasID ? "" : timeText,
            sender: hasID ? "" : message.sender.id ?? message.sender.handle ?? message.sender.name ?? "",
            text: message.id ?? message.text, ordinal: 0)
        let content = hasID && context.repeats != nil ? Self.content(message) : digest
        if hasID, let origin = seen.first(digest, source: UInt32(sourceIndex) + 1) {
            repeated += 1
            // Two messages in one file with the same id and different content are not duplicates.
            let isSame = Int32(origin) - 1 != sourceIndex || contents.origin(of: content) != nil
            if context.repeats != nil, !isSame { context.unread.note(source) }
            context.repeats?.note(source, as: sourceNames[Int(origin) - 1])
            return
        }
        if hasID, context.repeats != nil { _ = contents.first(content, source: UInt32(sourceIndex) + 1) }
        if chunks.isEmpty || chunks[chunks.count - 1].count > Self.chunkSize { beginChunk() }
        let chunk = chunks.count - 1
        let start = chunks[chunk].count
        let before = chunks[chunk].capacity
        message.encode(into: &chunks[chunk])
        chunkBytes += chunks[chunk].capacity - before
        items.append(
            Item(
                chunk: Int32(chunk), start: Int32(start), count: Int32(chunks[chunk].count - start),
                conversation: conversation, source: sourceIndex, idPrefix: hasID ? -1 : prefix(idPrefix),
                time: time ?? (last?.conversation == conversation ? last?.time ?? 0 : 0), number: number,
                digest: content))
        guard held > limit else { return }
        if !saidLong {
            saidLong = true
            context.notices("the export has more than 64 MiB of messages at once; they are written in blocks")
        }
        try flush()
    }

    /// Emits everything that is held.
    func flush() throws {
        nameItems()
        // Sort indices, because an item is larger than an index.
        let isReversed = order == .newestFirst
        var sorted = [UInt32](0..<UInt32(items.count))
        items.withUnsafeBufferPointer { items in
            sorted.sort { a, b in
                let (x, y) = (items[Int(a)], items[Int(b)])
                if x.conversation != y.conversation { return x.conversation < y.conversation }
                if x.time != y.time { return x.time < y.time }
                return isReversed ? a > b : a < b
            }
        }
        var current: Int32 = -1
        var line: [UInt8] = []
        for index in sorted {
            let item = items[Int(index)]
            guard !item.isRepeated else { continue }
            // Another reader may have emitted it from another file.
            if let repeats = context.repeats, repeats.take(item.digest, source: sourceNames[Int(item.source)]) {
                repeated += 1
                continue
            }
            if item.source != current {
                current = item.source
                try context.assembler.useTextKey(nil)
                context.assembler.beginSource(sourceNames[Int(current)])
            }
            let range = Int(item.start)..<Int(item.start + item.count)
            line.removeAll(keepingCapacity: true)
            if item.idPrefix >= 0 {
                line.append(contentsOf: "{\"id\":\"".utf8)
                line.append(contentsOf: prefixes[Int(item.idPrefix)].utf8)
                item.digest.appendHex(to: &line)
                line.append(contentsOf: "\",".utf8)
                line.append(contentsOf: chunks[Int(item.chunk)][range].dropFirst())
            } else {
                line.append(contentsOf: chunks[Int(item.chunk)][range])
            }
            try line.withUnsafeBufferPointer { try context.assembler.append(made: $0, number: item.number) }
        }
        items = []
        chunks = []
        chunkBytes = 0
        guard conversations.count > Self.conversationLimit else { return }
        conversations = [:]
        conversationBytes = 0
    }

    /// Computes the basis of each message's id, and finds duplicates.
    private func nameItems() {
        var start = 0
        while start < items.count {
            let source = items[start].source
            let end = items[start...].firstIndex { $0.source != source } ?? items.count
            for offset in 0..<(end - start) {
                // Start with the oldest, because newer exports have more messages in front.
                let index = order == .newestFirst ? end - 1 - offset : start + offset
                let digest = items[index].digest
                guard items[index].idPrefix >= 0 else { continue }
                // Count per source: the same message in two exports is one message.
                let origin = context.repeats == nil ? nil : seen.origin(of: digest)
                let before = seen.take(digest, source: UInt32(source) + 1) { digest.ordinal($0) }
                if let before {
                    if before > 0 { items[index].digest = digest.ordinal(before) }
                } else {
                    items[index].isRepeated = true
                    repeated += 1
                    if let origin { context.repeats?.note(sourceNames[Int(source)], as: sourceNames[Int(origin) - 1]) }
                }
            }
            start = end
        }
    }

    /// Digest of the content of a message with its own id: an edited message is a different one.
    private static func content(_ message: Message) -> MessageDigest {
        MessageDigest(
            platform: message.platform ?? "", conversation: "", time: "", sender: message.id ?? "", text: message.text,
            ordinal: 0)
    }

    private func beginChunk() {
        chunks.append([])
        chunks[chunks.count - 1].reserveCapacity(Self.chunkSize + 4096)
        chunkBytes += chunks[chunks.count - 1].capacity
    }

    private func conversation(_ id: String) -> Int32 {
        if let number = conversations[id] { return number }
        let number = Int32(conversations.count)
        conversations[id] = number
        // The size of a table entry plus the allocated text.
        conversationBytes += 64 + id.utf8.count
        return number
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
