import TriageCore

/// Reads an X archive: direct messages, and posts, which supply people's names and count as the owner's own messages.
///
/// Files have the form `window.YTD.<type>.part<N> = [ … ]`. For a whole archive, a first pass collects the owner, names
/// and titles. For a single file, the messages are held, as far as they fit into memory, until the whole file was read.
final class XArchiveReader: ExportReader {
    private let context: ReadingContext
    private let buffer: ConversationBuffer
    private var hold = MessageHold()
    private var people = XPeople()
    private var titles: [String: (time: Int64, name: String)] = [:]
    private var encrypted = 0
    private var newestMessage: Int64?
    private var newestPost: Int64?

    // The file being read.
    private var member = Member(path: "", source: "")
    private var content: XContent?
    private var isSurvey = false
    /// Whether the `=` of the file's prefix was passed.
    private var isInside = false
    private var isClosed = false
    private var skipped = 0
    /// The current piece, and the number of file bytes before it.
    private var held = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    private var fed = 0
    private var picker = JSONPicker(maximumLength: 0) { _, _ in .skip }
    private var conversation: String?
    private var index = 0

    /// The prefix must end within this many bytes.
    private static let longestPrefix = 4096
    /// It is reported if the newest message is older than the newest post by more than this many milliseconds.
    private static let longSilence: Int64 = 90 * 86_400_000

    init(_ context: ReadingContext) {
        self.context = context
        buffer = ConversationBuffer(context, order: .newestFirst)
    }

    /// Whether there was an earlier pass to collect names.
    private var isWhole: Bool { !context.paths.isEmpty }

    /// The file's folder in its container.
    private var folder: String {
        member.source.lastIndex(of: "/").map { String(member.source[..<$0]) } ?? ""
    }

    func begin(_ member: Member, opening: Opening) throws {
        self.member = member
        context.assembler.beginSource(member.source)
        content = XContent(opening)
        isSurvey = isWhole && member.pass == 0
        isInside = opening.firstByte == UInt8(ascii: "[")
        isClosed = false
        skipped = opening.markLength
        fed = skipped
        conversation = nil
        index = 0
        start()
        if content == .other, !isSurvey {
            context.notices(
                "\(member.source) contains no messages: it is a list from the archive, or its beginning is damaged")
        }
        guard content == nil, !isSurvey else { return }
        try reject(RejectReason(code: "x.no-data-file", reason: "the file does not begin as one of an X archive"), 0)
    }

    private func start() {
        guard let content else { return }
        let survey = isSurvey
        let (unread, source) = (context.unread, member.source)
        picker = JSONPicker(
            maximumLength: context.options.maximumLine, offset: skipped,
            unread: { if !survey, StrayWords.areIn($1) { unread.note(source) } },
            choose: { path, kind in Self.choose(content, survey, path, kind) })
    }

    /// Which values of a file to read; only the file's own top-level array contains messages.
    private static func choose(
        _ content: XContent, _ isSurvey: Bool, _ path: [JSONPicker.Step], _ kind: JSONPicker.Kind
    ) -> JSONPicker.Choice {
        switch content {
        case .messages(let isGroup):
            switch path.count {
            case 0: return .enter
            case 1: return kind == .object ? .enter : .passOver
            case 2: return path[1].key == "dmConversation" && kind == .object ? .enter : .passOver
            case 3:
                if path[2].key == "messages", kind == .array { return isSurvey && !isGroup ? .skip : .enter }
                return path[2].key == "conversationId" || path[2].key == "name" ? .take : .passOver
            case 4: return isSurvey ? .enter : .take
            default: return isSurvey && path[4].key == "conversationNameUpdate" ? .take : .skip
            }
        case .posts, .account: return path.isEmpty ? .enter : .take
        case .manifest: return path.isEmpty ? .enter : path[0].key == "userInfo" ? .take : .skip
        case .other: return .skip
        }
    }

    func read(_ bytes: UnsafeBufferPointer<UInt8>) throws -> Bool {
        guard content != nil, content != .other else { return false }
        var rest = bytes
        if !isInside {
            guard let sign = bytes.firstIndex(of: 0x3D) else {
                skipped += bytes.count
                return skipped <= Self.longestPrefix
            }
            isInside = true
            skipped += sign + 1
            rest = UnsafeBufferPointer(rebasing: bytes[(sign + 1)...])
            start()
            fed = skipped
        }
        held = rest
        try picker.feed(rest, take)
        held = UnsafeBufferPointer(start: nil, count: 0)
        fed += rest.count
        return true
    }

    func end(fault: RejectReason?) throws {
        if let fault {
            if !isSurvey { try reject(fault, -1) }
        } else if content != nil, content != .other {
            if isInside {
                try picker.finish(take)
            } else if !isSurvey {
                try reject(RejectReason(code: "json.truncated", reason: "the file ends before its data begins"), 0)
            }
        }
        if !isWhole { try settle() }
    }

    func finish() throws {
        try settle()
        try buffer.flush()
        if encrypted > 0 {
            context.notices(
                encrypted == 1
                    ? "1 encrypted message was skipped; X only exports its ciphertext"
                    : "\(encrypted) encrypted messages were skipped; X only exports their ciphertext")
        }
        if let newestMessage, let newestPost, newestPost - newestMessage > Self.longSilence,
            let last = SourceTime.text(newestMessage)?.prefix(10), let post = SourceTime.text(newestPost)?.prefix(10)
        {
            context.notices(
                "the newest direct message is from \(last), the newest post from \(post): newer chats are probably missing"
            )
        }
    }

    private func take(_ event: JSONPicker.Event) throws {
        switch event {
        case .value(let path, let bytes, let offset, _): try take(path, bytes, offset)
        case .opened(let path) where path.count == 1: conversation = nil
        case .opened: break
        case .closed(let path): if path.isEmpty { isClosed = true }
        case .tooLong(_, let offset, _):
            index += 1
            if !isSurvey {
                try reject(
                    RejectReason(code: "input.line-too-long", reason: "the entry is too long (--max-line)"), offset)
            }
        case .fault(let reason, let offset, _):
            // Some tools write a semicolon after the array.
            let place = offset - fed
            let isSemicolon = isClosed && held.indices.contains(place) && held[place] == UInt8(ascii: ";")
            if !isSemicolon, !isSurvey { try reject(reason, offset) }
        }
    }

    private func take(_ path: [JSONPicker.Step], _ bytes: UnsafeBufferPointer<UInt8>, _ offset: Int) throws {
        switch content {
        case .messages where path.count == 3:
            let value = JSONNode(bytes)?.string
            if path[2].key == "conversationId" {
                conversation = value.flatMap { $0.isEmpty ? nil : $0 }
                if let value { people.add(conversation: value) }
            } else if let value, let conversation, titles[conversation] == nil {
                titles[conversation] = (.min, value)
            }
        case .messages where isSurvey:
            if let node = JSONNode(bytes), path.count == 5 { name(node) }
        case .messages where path.count == 4: try takeMessage(bytes, offset)
        case .posts where path.count == 1: try takePost(bytes, offset)
        case .account where path.count == 1:
            if let account = JSONNode(bytes) { people.add(account: account["account"] ?? account, folder: folder) }
        case .manifest: if let user = JSONNode(bytes) { people.add(account: user, folder: folder) }
        default: break
        }
    }

    /// Handles a group's change of name; the latest name is its title.
    private func name(_ update: JSONNode) {
        guard let conversation, let name = update["name"]?.string, !name.isEmpty else { return }
        let time = update["createdAt"]?.string.flatMap(XTime.milliseconds) ?? .min
        if let known = titles[conversation], known.time >= time, known.time > .min { return }
        titles[conversation] = (time, name)
    }

    private func takeMessage(_ bytes: UnsafeBufferPointer<UInt8>, _ offset: Int) throws {
        defer { index += 1 }
        guard let node = JSONNode(bytes), node.isObject else { return try rejectEntry(offset) }
        switch XDirectMessage(node, conversation: conversation) {
        case .encrypted: encrypted += 1
        case .nothing: try rejectEntry(offset)
        case .entry(let message, let time, let timeText):
            if let update = node["conversationNameUpdate"] { name(update) }
            // An entry has exactly one member.
            let isMore = node.members.dropFirst().contains { $0.value.hasStrayWords }
            if isMore || node.hasWords(besides: message.text) { context.unread.note(member.source) }
            if let time { newestMessage = max(newestMessage ?? time, time) }
            try add(message, time, timeText)
        }
    }

    private func takePost(_ bytes: UnsafeBufferPointer<UInt8>, _ offset: Int) throws {
        defer { index += 1 }
        guard let node = JSONNode(bytes), let post = XPost(node) else {
            if !isSurvey { try rejectEntry(offset) }
            return
        }
        if let time = post.time { newestPost = max(newestPost ?? time, time) }
        if isSurvey {
            people.add(post: node["tweet"] ?? node)
        } else {
            if node.hasWords(besides: post.message.text) { context.unread.note(member.source) }
            try add(post.message, post.time, "")
        }
    }

    private func add(_ message: Message, _ time: Int64?, _ timeText: String) throws {
        hold.add(
            MessageHold.Item(
                message: message, time: time, timeText: timeText, number: index + 1, source: member.source))
        // After a pass over the whole archive, nothing more can be learned.
        if isWhole || hold.isFull { try settle() }
    }

    /// Completes the held messages with names and the owner, and puts them into the buffer.
    private func settle() throws {
        for var item in hold.take() {
            fill(&item.message, folder: folder)
            item.message.raw.append(Message.source(member.path, index: item.number - 1))
            try buffer.add(
                item.message, time: item.time, timeText: item.timeText, idPrefix: "x:", number: item.number,
                source: item.source)
        }
    }

    private func fill(_ message: inout Message, folder: String) {
        let owner = people.owner(folder: folder)
        if message.sender.isSelf == true {
            message.sender.id = message.sender.id ?? owner
        } else if let owner, let sender = message.sender.id {
            message.sender.isSelf = sender == owner
        }
        if let sender = message.sender.id {
            if let known = people.person(sender) {
                message.sender.handle = message.sender.handle ?? known.person.handle
                message.sender.name = known.person.name
                if known.isFromPost { message.raw.append(("handle_source", .string("tweets"))) }
            } else if message.sender.handle == nil {
                message.raw.append(("profile", .string("https://x.com/i/user/" + sender)))
            }
        }
        for index in message.reactions.indices {
            guard let by = message.reactions[index].by else { continue }
            message.reactions[index].by = people.person(by)?.person.handle ?? by
        }
        if let conversation = message.conversationID { message.conversationTitle = title(of: conversation, owner) }
    }

    private func title(of conversation: String, _ owner: String?) -> String? {
        let pair = conversation.split(separator: "-").map(String.init)
        guard pair.count == 2 else { return titles[conversation]?.name }
        guard let owner, pair.contains(owner), let other = pair.first(where: { $0 != owner }) ?? pair.first else {
            return nil
        }
        return people.person(other)?.person.handle ?? other
    }

    private func rejectEntry(_ offset: Int) throws {
        try reject(RejectReason(code: "x.no-message", reason: "the entry is not a message, or is over 1 MiB"), offset)
    }

    private func reject(_ reason: RejectReason, _ offset: Int) throws {
        try context.reject(reason, in: member.source, number: index + 1, offset: offset)
    }
}

/// The people in an X archive, where messages refer to people only by id.
///
/// Names come from posts that mention or reply to somebody; the latest spelling is used.
struct XPeople {
    struct Person {
        var handle: String
        var name: String?
        /// Id of the post with the name; later posts have larger ids.
        var stamp: UInt64
    }

    /// Maximum number of people remembered.
    private static let limit = 200_000

    private var people: [String: Person] = [:]
    /// The archive's owner, by folder.
    private var owners: [String: String] = [:]
    private var ownNames: [String: Person] = [:]
    /// The people who are in all conversations between two; nil before the first.
    private var common: Set<String>?
    private var conversations = Set<String>()

    mutating func add(account node: JSONNode, folder: String) {
        guard let id = node["accountId"]?.xID else { return }
        owners[folder] = id
        guard let handle = node["username"]?.string ?? node["userName"]?.string, !handle.isEmpty else { return }
        ownNames[id] = Person(
            handle: handle, name: node["accountDisplayName"]?.string ?? node["displayName"]?.string, stamp: .max)
    }

    /// Records the people that a post names.
    mutating func add(post: JSONNode) {
        let stamp = post["id_str"]?.xID.flatMap { UInt64($0) } ?? 0
        for mention in post["entities"]?["user_mentions"]?.elements ?? [] {
            add(mention["id_str"]?.xID ?? mention["id"]?.xID, mention["screen_name"], mention["name"], stamp)
        }
        add(post["in_reply_to_user_id_str"]?.xID, post["in_reply_to_screen_name"], nil, stamp)
    }

    private mutating func add(_ id: String?, _ handle: JSONNode?, _ name: JSONNode?, _ stamp: UInt64) {
        // Mentions of deleted accounts have the id -1.
        guard let id, !id.hasPrefix("-"), let handle = handle?.string, !handle.isEmpty else { return }
        let known = people[id]
        guard known.map({ stamp >= $0.stamp }) ?? (people.count < Self.limit) else { return }
        people[id] = Person(
            handle: handle, name: name?.string ?? (known?.handle == handle ? known?.name : nil), stamp: stamp)
    }

    /// Records a conversation between two people, `1000-2000`.
    mutating func add(conversation: String) {
        let pair = conversation.split(separator: "-").map(String.init)
        guard pair.count == 2 else { return }
        if conversations.count < 2 { conversations.insert(conversation) }
        common = common?.intersection(pair) ?? Set(pair)
    }

    /// The owner's id; nil: unknown.
    func owner(folder: String) -> String? {
        if let owner = owners[folder] { return owner }
        // If one archive is split into parts, only one of them has the account file.
        let all = Set(owners.values)
        guard all.isEmpty else { return all.count == 1 ? all.first : nil }
        guard conversations.count > 1, let common, common.count == 1 else { return nil }
        return common.first
    }

    /// A person's names, and whether a post supplied them.
    func person(_ id: String) -> (person: Person, isFromPost: Bool)? {
        if let own = ownNames[id] { return (own, false) }
        return people[id].map { ($0, true) }
    }
}

extension JSONNode {
    /// An id of X: digits in a string or, in old files, a number.
    var xID: String? {
        switch self {
        case .string(let text), .number(let text): text.isEmpty || text.utf8.count > 32 ? nil : text
        default: nil
        }
    }
}
