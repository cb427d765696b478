import TriageCore

/// Reads the chats of a Telegram export in their order, oldest first.
///
/// - Only one message is held at a time; duplicates (several exports of one chat) are recognized by their numbers.
/// - Login codes and notes to oneself are skipped.
/// - Bytes are repaired only where a message is not valid JSON, and that is reported once.
final class TelegramReader: ExportReader {
    private let context: ReadingContext
    private let zone: TimeZoneRules
    private let zoneName: String
    private var picker = JSONPicker(maximumLength: 0) { _, _ in .skip }
    private var chat = TelegramChat()
    private var index = 0
    private var file = ""
    private var source = ""
    private var owner: String?
    private var seen: [String: NumberSet] = [:]
    /// Message numbers in the current file.
    private var inFile: [String: NumberSet] = [:]
    private var contents = SeenMessages()
    /// Holds messages without a number.
    private let buffer: ConversationBuffer
    private var saidRepair = false
    private var savedMessages = 0
    private var repeated = 0

    init(_ context: ReadingContext) {
        self.context = context
        zone = TimeZoneRules(name: context.options.timeZone)
        zoneName = context.options.timeZone.isEmpty ? "UTC" : context.options.timeZone
        buffer = ConversationBuffer(context, order: .oldestFirst)
    }

    func begin(_ member: Member, opening: Opening) throws {
        try context.assembler.useTextKey(nil)
        context.assembler.beginSource(member.source)
        file = member.path
        source = member.source
        chat = TelegramChat()
        index = 0
        inFile = [:]
        owner = nil
        let (unread, source) = (context.unread, member.source)
        picker = JSONPicker(
            maximumLength: context.options.maximumLine, offset: opening.markLength,
            unread: { path, bytes in
                // In a list of another kind, a missing bracket may have swallowed messages.
                let isKnown = path.contains { $0.key.map(Self.parts.contains) == true }
                if isKnown ? bytes.firstRange(of: Self.sender) != nil : StrayWords.areIn(bytes) { unread.note(source) }
            }, choose: Self.choose)
    }

    /// Members of an export besides the chats, and strings written by Telegram.
    private static let parts: Set<String> = [
        "about", "profile_pictures", "stories", "contacts", "frequent_contacts", "sessions", "web_sessions",
        "other_data", "ringtones", "profile_music", "gifts",
    ]

    private static let sender = Array("\"from_id\"".utf8)

    private static func choose(_ path: [JSONPicker.Step], _ kind: JSONPicker.Kind) -> JSONPicker.Choice {
        guard let first = path.first?.key else { return kind == .object ? .enter : .passOver }
        var depth = path.count
        var key = path.last?.key
        if first == "chats" || first == "left_chats" {
            switch depth {
            case 1: return kind == .object ? .enter : .passOver
            case 2: return key == "list" && kind == .array ? .enter : .passOver
            case 3: return kind == .object ? .enter : .passOver
            default: depth -= 3
            }
            if depth == 2 { key = path[3].key }
        } else if first == "personal_information" {
            return depth == 1 && kind == .object ? .take : .passOver
        } else if depth == 2 {
            key = first
        }
        switch (depth, key) {
        case (1, "name"), (1, "type"), (1, "id"): return kind == .scalar ? .take : .skip
        case (1, "messages"): return kind == .array ? .enter : .passOver
        case (2, "messages"): return .take
        default: return .passOver
        }
    }

    func read(_ bytes: UnsafeBufferPointer<UInt8>) throws -> Bool {
        try picker.feed(bytes, take)
        return true
    }

    func end(fault: RejectReason?) throws {
        if let fault {
            try context.assembler.append(reject: fault, number: index + 1, offset: -1)
        } else {
            try picker.finish(take)
        }
        try buffer.flush()
    }

    func finish() throws {
        if savedMessages > 0 {
            context.notices("\(savedMessages) saved messages (the owner's own notes) were skipped")
        }
    }

    private func take(_ event: JSONPicker.Event) throws {
        switch event {
        case .opened(let path):
            guard path.count == 3, let list = path[0].key else { return }
            chat = TelegramChat()
            chat.owner = owner
            if list == "left_chats" { chat.folder = list }
            index = 0
        case .value(let path, let bytes, let offset, _):
            switch path.last {
            case .element: try takeMessage(bytes, offset)
            case .key(let key): takeMember(key, bytes)
            case nil: break
            }
        case .tooLong(let path, let offset, _):
            guard case .element = path.last else { return }
            let limit = context.options.maximumLine
            try reject("input.line-too-long", "the message is longer than \(limit) bytes (--max-line)", nil, offset)
            index += 1
        case .fault(let reason, let offset, _):
            try context.assembler.append(reject: reason, number: index + 1, offset: offset)
        case .closed: break
        }
    }

    private func takeMember(_ key: String, _ bytes: UnsafeBufferPointer<UInt8>) {
        // In a member with a missing bracket, messages may have been swallowed.
        if bytes.firstRange(of: Self.sender) != nil { context.unread.note(source) }
        guard let node = TelegramRepair.node(bytes)?.node else { return }
        switch key {
        case "name": chat.name = node.string
        case "type": chat.type = node.string
        case "id": chat.id = TelegramMessage.written(node)
        default:
            owner = node["user_id"].flatMap(TelegramMessage.written)
            chat.owner = owner
        }
    }

    private func takeMessage(_ bytes: UnsafeBufferPointer<UInt8>, _ offset: Int) throws {
        defer { index += 1 }
        if chat.isSkipped {
            if chat.type == "saved_messages" {
                savedMessages += 1
                // This chat has the owner's number.
                if owner == nil { owner = chat.id }
            }
            return
        }
        guard let (node, isRepaired) = TelegramRepair.node(bytes), node.isObject else {
            return try reject("json.syntax", "the message is not a JSON object, or is over 1 MiB", bytes, offset)
        }
        if isRepaired, !saidRepair {
            saidRepair = true
            context.notices("Telegram wrote some messages as invalid JSON; they were repaired")
        }
        let entry = TelegramMessage(node: node, chat: chat, zone: zone, zoneName: zoneName)
        let message = entry.message(file: file, index: index)
        if node.hasWords(besides: message.text) || entry.hasUnreadParts { context.unread.note(source) }
        guard let id = chat.id, let number = entry.number else {
            try buffer.add(
                message, time: entry.milliseconds, timeText: entry.timeText, idPrefix: "tg:", number: index + 1,
                source: source)
            return
        }
        let content = MessageDigest(
            platform: "telegram", conversation: "", time: "", sender: message.id ?? "", text: message.text, ordinal: 0)
        let isNew = inFile[id, default: NumberSet()].insert(number)
        let isSaid = contents.first(content, source: 1) != nil
        guard seen[id, default: NumberSet()].insert(number) else {
            // Two different messages with the same number in one file are not an overlap of exports.
            if !isNew, !isSaid { context.unread.note(source) }
            repeated += 1
            return
        }
        if let repeats = context.repeats, repeats.take(content, source: source) {
            repeated += 1
            return
        }
        try context.assembler.append(message, number: index + 1)
    }

    private func reject(
        _ code: String, _ words: String, _ bytes: UnsafeBufferPointer<UInt8>?, _ offset: Int
    ) throws {
        try context.assembler.append(
            reject: RejectReason(code: code, reason: words),
            raw: bytes.flatMap { $0.count <= 1 << 16 ? $0 : nil }, number: index + 1, offset: offset)
    }
}

/// A set of numbers stored as ranges, because a chat's numbers mostly ascend with few gaps.
struct NumberSet {
    private var starts: [Int64] = []
    private var ends: [Int64] = []
    /// Numbers that came out of order.
    private var others = Set<Int64>()

    /// - Returns: whether it was new.
    mutating func insert(_ number: Int64) -> Bool {
        guard let last = ends.last else {
            starts.append(number)
            ends.append(number)
            return true
        }
        if number > last {
            if number == last &+ 1 {
                ends[ends.count - 1] = number
            } else {
                starts.append(number)
                ends.append(number)
            }
            return true
        }
        // Find the last range that begins at or before it.
        var low = 0
        var high = starts.count
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] <= number { low = middle + 1 } else { high = middle }
        }
        if low > 0, number <= ends[low - 1] { return false }
        return others.insert(number).inserted
    }
}
