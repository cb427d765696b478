import TriageCore

/// Reads the conversations of an Instagram or Facebook export.
///
/// - Messages are emitted oldest first within their conversation; parts are merged, and duplicates are dropped by id.
/// - Message requests and filtered messages are read like the inbox, because first offers arrive there.
/// - Own messages, reactions, calls, system notices and withdrawn messages are marked, not dropped.
/// - A conversation is held until its last file is read, 64 MiB at most; a longer one is emitted in pieces.
final class MetaReader: ExportReader {
    /// Maximum bytes of conversations held for reversing their order.
    static let heldLimit = 64 << 20

    private enum Work { case none, profile, survey, thread, comments, facebookComments, allThreads }

    let context: ReadingContext
    private let platform: MetaPlatform?
    private let guess: MetaPlatform
    private var profilePlatform: MetaPlatform?
    var owner: AccountOwner
    private var threads: [String: MetaThread] = [:]
    private var expected: [String: Int] = [:]
    private var held = 0
    var emptyEntries = 0
    private var saidLong = false

    // The file being read.
    private var work = Work.none
    private(set) var member = Member(path: "", source: "")
    private var key = ""
    /// Whether the file is from an export of encrypted chats, which has all chats in one folder.
    private var isFlat = false
    private var splitter = JSONSplitter(.sequence, maximumLength: 0)
    private var small: [UInt8] = []
    var index = 0
    var comments = OwnComments()
    let buffer: ConversationBuffer

    // What the first pass found.
    private var surveyed = Set<String>()
    private var joins: MetaJoins

    /// - Parameters:
    ///   - platform: the platform set by the format; nil: detected from paths and content.
    ///   - guess: the platform to assume if they do not show it.
    init(_ context: ReadingContext, platform: MetaPlatform? = nil, otherwise guess: MetaPlatform = .messenger) {
        self.context = context
        self.guess = guess
        joins = MetaJoins(context.paths)
        buffer = ConversationBuffer(context, order: .newestFirst)
        self.platform = platform ?? MetaPlatform(paths: context.paths, container: context.container)
        owner = AccountOwner(said: context.options.ownIdentities)
        for path in context.paths {
            guard let meta = MetaPath(path), case .thread = meta.kind else { continue }
            expected[meta.thread, default: 0] += 1
        }
    }

    func begin(_ member: Member, opening: Opening) throws {
        self.member = member
        index = 0
        small = []
        comments = OwnComments()
        let meta = MetaPath(member.path)
        let isArray = opening.firstByte == UInt8(ascii: "[")
        let isSurvey = member.pass == 0 && !context.paths.isEmpty
        if meta?.kind == .profile {
            work = .profile
        } else if !isArray, Self.has("comments_v2", opening) {
            work = .facebookComments
            startSplitter(.container(["comments_v2"]))
        } else if !isArray, Self.has("comments", opening), FacebookCommentsFormat.isOld(JSONOutline(opening)) {
            work = .facebookComments
            startSplitter(.container(["comments"]))
        } else if meta?.kind == .ownComments || (context.paths.isEmpty && Self.isComments(opening)) {
            work = .comments
            startSplitter(isArray ? .array : .container(["comments_media_comments", "comments_reels_comments"]))
        } else if isArray {
            work = .allThreads
            startSplitter(.array)
        } else {
            work = isSurvey ? .survey : .thread
            startSplitter(.container(["messages"]))
            key = meta?.thread ?? member.source
            isFlat = meta == nil && !context.paths.isEmpty
            if isFlat, MessengerE2EEFormat().detect(opening) == nil {
                work = .none
                let hasMessages = ["messages", "senderName", "sender_name"].contains { Self.has($0, opening) }
                if !isSurvey, hasMessages { context.unread.note(member.source) }
            } else if work == .thread {
                beginThread(meta)
            }
        }
        if work == .comments || work == .facebookComments || work == .allThreads, !isSurvey {
            try context.assembler.useTextKey(nil)
            context.assembler.beginSource(member.source)
        }
    }

    private static func isComments(_ opening: Opening) -> Bool {
        !InstagramJSONFormat.isAllThreads(opening) && !has("profile_user", opening)
            && (has("string_map_data", opening) || InstagramJSONFormat.isLabeledComments(opening))
    }

    private static func has(_ key: String, _ opening: Opening) -> Bool {
        opening.bytes.prefix(1 << 12).firstRange(of: Array("\"\(key)\"".utf8)) != nil
    }

    private func startSplitter(_ shape: JSONSplitter.Shape) {
        splitter = JSONSplitter(shape, maximumLength: context.options.maximumLine)
    }

    private func beginThread(_ meta: MetaPath?) {
        for joined in joins.settle() { expected[joined, default: 0] += 1 }
        // A file outside any export folder is a conversation of its own.
        key = context.paths.isEmpty ? member.source : meta?.thread ?? joins.thread(of: member.source) ?? member.source
        var thread = threads[key] ?? MetaThread()
        if thread.files.isEmpty { thread.filesToCome = expected[key] ?? 1 }
        if let meta {
            thread.section = meta.section
            thread.folder = meta.folder
        }
        var part = 0
        if case .thread(let number) = meta?.kind { part = number }
        // Encrypted chats are an export of their own, wherever they lie.
        let root = Claim.roots(of: [member.path]) { MetaClaim.ownFolders.contains(String($0)) }.first ?? ""
        let export = String(member.source.dropLast(member.path.count)) + root + (isFlat ? "e2ee" : "")
        thread.begin(MetaThread.File(path: member.path, source: member.source, export: export, part: part))
        threads[key] = thread
    }

    func read(_ bytes: UnsafeBufferPointer<UInt8>) throws -> Bool {
        switch work {
        case .none: return false
        case .profile:
            // Profiles are small; a larger file is not one.
            if small.count + bytes.count <= 4 << 20 { small.append(contentsOf: bytes) }
            return true
        case .survey:
            splitter.feed(bytes, survey)
            return true
        case .thread:
            try splitter.feed(bytes, take)
            return true
        case .comments:
            try splitter.feed(bytes, takeComment)
            return true
        case .facebookComments:
            try splitter.feed(bytes, takeFacebookComment)
            return true
        case .allThreads:
            try splitter.feed(bytes, takeThread)
            return true
        }
    }

    func end(fault: RejectReason?) throws {
        defer { work = .none }
        switch work {
        case .none, .survey: break
        case .profile:
            if fault == nil, let node = small.withUnsafeBufferPointer({ JSONNode($0, limit: 4 << 20) }) {
                profilePlatform = owner.add(profile: node) ?? profilePlatform
            }
        case .comments:
            if fault == nil { try splitter.finish(takeComment) }
            try hand(comments.settle())
            if let fault { try reject(fault) }
        case .facebookComments:
            if let fault { try reject(fault) } else { try splitter.finish(takeFacebookComment) }
        case .allThreads:
            if let fault { try reject(fault) } else { try splitter.finish(takeThread) }
        case .thread:
            if let fault {
                note(fault, at: index)
            } else {
                try splitter.finish(take)
            }
            threads[key]?.filesToCome -= 1
            if let thread = threads[key], thread.filesToCome <= 0 {
                try emit(key)
                threads[key] = nil
            }
        }
    }

    func finish() throws {
        // Conversations left incomplete by a truncated archive.
        for key in threads.keys.sorted() { try emit(key) }
        threads = [:]
        try buffer.flush()
        guard emptyEntries > 0 else { return }
        context.notices(
            emptyEntries == 1
                ? "1 empty entry was skipped"
                : "\(emptyEntries) empty entries were skipped")
    }

    private func survey(_ event: JSONSplitter.Event) {
        switch event {
        case .member("participants", let bytes):
            // All parts of a conversation list the same participants.
            guard surveyed.insert(key).inserted else { break }
            let names = Self.names(bytes)
            owner.add(participants: names)
            joins.add(key, participants: names, isFlat: isFlat)
        default: break
        }
    }

    static func names(_ bytes: UnsafeBufferPointer<UInt8>) -> [String] {
        (JSONNode(bytes)?.elements ?? []).compactMap { $0["name"]?.metaText ?? $0.metaText }
    }

    private func take(_ event: JSONSplitter.Event) throws {
        switch event {
        case .element(let bytes, _, _):
            defer { index += 1 }
            guard let node = JSONNode(bytes), node.isObject else {
                note(
                    RejectReason(code: "json.syntax", reason: "the entry is not a JSON object, or is over 1 MiB"),
                    at: index)
                return
            }
            threads[key]?.signs.add(node)
            if EncryptedEntry.isOne(node) { threads[key]?.markEncrypted() }
            if let sender = (node["sender_name"] ?? node["senderName"])?.metaText { threads[key]?.add(sender: sender) }
            let before = threads[key]?.weight ?? 0
            threads[key]?.append(
                bytes, time: MetaMessage.milliseconds(node) ?? node["timestamp"]?.int ?? 0, index: index)
            held += (threads[key]?.weight ?? 0) - before
            if held > Self.heldLimit {
                if !saidLong {
                    saidLong = true
                    context.notices(
                        "more than 64 MiB of conversations wait for their last file; messages are written in parts")
                }
                try emitLargest()
            }
        case .member(let name, let bytes) where Self.parts.contains(name) && StrayWords.areIn(bytes, Self.isText):
            // In a list without its closing bracket, what follows becomes part of it.
            context.unread.note(member.source)
        case .member("participants", let bytes):
            let names = Self.names(bytes)
            threads[key]?.describe { $0.participants = names }
        case .member("title", let bytes):
            let title = JSONNode(bytes)?.metaText
            threads[key]?.describe { $0.title = title }
        case .member("threadName", let bytes):
            guard let name = JSONNode(bytes)?.metaText else { break }
            guard joins.thread(of: member.source) == nil else {
                threads[key]?.setOwnID("e2ee/" + name)
                break
            }
            let title = EncryptedEntry.title(ofThread: name)
            threads[key]?.describe { $0.title = title }
            threads[key]?.path = "e2ee/" + name
        case .member("thread_path", let bytes): threads[key]?.path = JSONNode(bytes)?.metaText
        case .member("thread_type", let bytes):
            threads[key]?.type = JSONNode(bytes)?.string
            threads[key]?.signs.hasType = true
        case .member(let name, let bytes):
            if name == "messages" || !Self.parts.contains(name), StrayWords.areIn(bytes) {
                context.unread.note(member.source)
            }
        case .tooLong:
            note(RejectReason(code: "input.line-too-long", reason: "the entry is too long (--max-line)"), at: index)
            index += 1
        case .fault(let reason, _, let offset, _):
            var located = reason
            located.offset = offset
            note(located, at: index)
        }
    }

    /// Members of a conversation other than its messages.
    private static let parts: Set<String> = [
        "is_still_participant", "magic_words", "image", "joinable_mode", "is_thread_muted", "thread_theme",
        "participants", "title", "threadName", "thread_path", "thread_type",
    ]

    private static func isText(_ key: String) -> Bool { ["content", "text", "share_text"].contains(key) }

    private func note(_ reason: RejectReason, at index: Int) {
        guard let thread = threads[key] else { return }
        threads[key]?.faults.append(MetaThread.Fault(reason: reason, file: thread.files.count - 1, index: index))
    }

    func reject(_ reason: RejectReason) throws {
        try context.assembler.append(reject: reason, number: index + 1, offset: -1)
    }

    /// Emits the longest conversations first, so that there are few pieces.
    private func emitLargest() throws {
        let byWeight = threads.map { (key: $0.key, weight: $0.value.weight) }
            .sorted { ($1.weight, $0.key) < ($0.weight, $1.key) }
        for thread in byWeight {
            guard held > Self.heldLimit / 2 else { return }
            try emit(thread.key)
        }
    }

    /// Emits what is held of a conversation.
    private func emit(_ key: String) throws {
        guard var thread = threads[key] else { return }
        // Remove it first, so that emptying its buffers does not copy them.
        threads[key] = nil
        held -= thread.weight
        thread.settle()
        let conversation = conversation(of: thread)
        try context.assembler.useTextKey(nil)
        let source = thread.files.first?.source ?? member.source
        context.assembler.beginSource(source)
        let repeats = context.repeats
        emptyEntries += try thread.emit(conversation, unread: context.unread) { digest, file in
            repeats?.take(digest, source: file.export) ?? false
        } _: { message, index in
            try context.assembler.append(message, number: index + 1)
        }
        for (file, original) in thread.copies { repeats?.note(file, as: original) }
        for fault in thread.faults {
            context.assembler.beginSource(thread.files[fault.file].source)
            try context.assembler.append(
                reject: fault.reason, number: fault.index + 1,
                offset: fault.reason.offset > 0 ? fault.reason.offset : -1)
        }
        thread.faults = []
        threads[key] = thread
    }

    private func conversation(of thread: MetaThread) -> MetaConversation {
        var conversation = MetaConversation()
        if let known = platform ?? profilePlatform ?? thread.signs.platform {
            conversation.platform = known
        } else {
            conversation.platform = guess
            conversation.isPlatformGuessed = true
        }
        conversation.id = thread.path ?? (thread.folder.isEmpty ? nil : thread.section + "/" + thread.folder)
        conversation.folder =
            thread.path.flatMap { $0.split(separator: "/").dropLast().first.map(String.init) } ?? thread.section
        conversation.directory = thread.path.flatMap { $0.split(separator: "/").last.map(String.init) } ?? thread.folder
        // A minimal file names people only as senders.
        let people = thread.participants.isEmpty ? thread.senders.sorted() : thread.participants
        conversation.participants = people
        conversation.isGroup = people.count > 2 || thread.type == "RegularGroup"
        if context.paths.isEmpty { owner.add(participants: people) }
        conversation.owner = owner.owner(of: people, title: thread.title)
        let others = people.filter { conversation.owner?.contains($0) != true }
        conversation.title = thread.title ?? (others.isEmpty ? nil : others.joined(separator: ", "))
        return conversation
    }
}

/// Finds the conversation that an encrypted chat continues: Messenger's two exports have different ids for the same
/// people.
///
/// The two are joined if the same names take part in both. If several conversations have these names, only the one that
/// Messenger moved aside when it introduced encryption counts. If that does not settle it, the chat remains separate.
private struct MetaJoins {
    private var conversations: [MessageDigest: [String]] = [:]
    private var chats: [(key: String, people: MessageDigest)] = []
    private var threads: [String: String] = [:]
    private let hasChats: Bool

    init(_ paths: [String]) { hasChats = paths.contains(where: EncryptedEntry.isPath) }

    /// - Parameter isFlat: whether it is an encrypted chat.
    mutating func add(_ key: String, participants: [String], isFlat: Bool) {
        guard hasChats, participants.count >= 2 else { return }
        let people = MessageDigest(
            platform: "", conversation: "", time: "", sender: "",
            text: Set(participants).sorted().joined(separator: "\u{0}"), ordinal: 0)
        if isFlat { chats.append((key, people)) } else { conversations[people, default: []].append(key) }
    }

    /// Joins the chats after all were added.
    ///
    /// - Returns: the conversations that chats were joined to, one per chat; empty on later calls.
    mutating func settle() -> [String] {
        var joined: [String] = []
        for (key, people) in chats {
            var found = conversations[people] ?? []
            if found.count > 1 { found = found.filter { $0.hasPrefix("e2ee_cutover/") } }
            guard found.count == 1, let thread = found.first else { continue }
            threads[key] = thread
            joined.append(thread)
        }
        chats = []
        conversations = [:]
        return joined
    }

    /// The conversation that a chat belongs to; nil: it is separate.
    func thread(of key: String) -> String? { threads[key] }
}

/// Reads layouts other than today's conversation files.
extension MetaReader {
    /// Handles a row of the owner's comments; labels are translated, so the form of the values decides.
    func takeComment(_ event: JSONSplitter.Event) throws {
        switch event {
        case .element(let bytes, _, _):
            defer { index += 1 }
            guard let row = JSONNode(bytes), row.isObject else {
                return try reject(RejectReason(code: "json.syntax", reason: "the entry is not a JSON object"))
            }
            if row.hidesWords { context.unread.note(member.source) }
            guard let row = OwnComments.Row(row, index: index) else {
                emptyEntries += 1
                return
            }
            try hand(comments.add(row))
        case .member(_, let bytes): noteUnread(bytes)
        case .tooLong:
            index += 1
            try reject(RejectReason(code: "input.line-too-long", reason: "the entry is too long (--max-line)"))
        case .fault(let reason, _, _, _): try reject(reason)
        }
    }

    /// Emits rows whose labels are known.
    func hand(_ rows: [OwnComments.Row]) throws {
        for row in rows {
            guard let comment = comments.parts(of: row) else {
                emptyEntries += 1
                continue
            }
            var message = Message()
            message.platform = MetaPlatform.instagram.rawValue
            message.conversationID = comment.owner
            message.sender.isSelf = true
            message.text = comment.text
            message.raw = [("kind", .string("comment")), source(row.index)]
            try shelve(message, time: row.time, idPrefix: "ig:", row.index)
        }
    }

    /// Stores comments so that those of several lists and overlapping exports are emitted once each, oldest first.
    func shelve(_ message: Message, time: JSONNode?, idPrefix: String, _ index: Int) throws {
        var message = message
        let sent = ExportTime(epoch: time)
        message.sentAt = sent?.text
        let written: String
        switch time {
        case .number(let text), .string(let text): written = text
        default: written = ""
        }
        try buffer.add(
            message, time: sent?.milliseconds, timeText: written, idPrefix: idPrefix, number: index + 1,
            source: member.source)
    }

    func source(_ index: Int) -> (key: String, value: Message.RawValue) {
        Message.source(member.path, index: index)
    }

    /// Handles a whole conversation in the form used until 2020: newest first, people named by handle.
    func takeThread(_ event: JSONSplitter.Event) throws {
        switch event {
        case .element(let bytes, _, _):
            defer { index += 1 }
            // A whole conversation, which is larger than any single entry.
            guard let thread = JSONNode(bytes, limit: 16 << 20), thread.isObject else {
                if member.pass > 0 || context.paths.isEmpty {
                    try reject(RejectReason(code: "json.syntax", reason: "the conversation is not a JSON object"))
                }
                return
            }
            let people = (thread["participants"]?.elements ?? []).compactMap(\.metaText)
            if member.pass == 0, !context.paths.isEmpty { return owner.add(participants: people) }
            let others = thread.members.filter { $0.key != "participants" && $0.key != "conversation" }
            let entries = thread["conversation"]?.elements ?? []
            let isOther = entries.isEmpty && thread["conversation"]?.hasWords == true
            if isOther || others.contains(where: { $0.value.hasWords }) || thread.hidesWords {
                context.unread.note(member.source)
            }
            try append(entries, people)
        case .member: break
        case .tooLong:
            index += 1
            try reject(RejectReason(code: "input.line-too-long", reason: "the conversation is too long (--max-line)"))
        case .fault(let reason, _, _, _):
            if member.pass > 0 || context.paths.isEmpty { try reject(reason) }
        }
    }

    private func append(_ entries: [JSONNode], _ people: [String]) throws {
        var conversation = MetaConversation()
        // There is no id; the participants are what stays the same between exports.
        conversation.id = "direct/" + people.sorted().joined(separator: ",")
        conversation.participants = people
        conversation.owner = owner.owner(of: people, title: nil)
        let others = people.filter { conversation.owner?.contains($0) != true }
        conversation.title = others.isEmpty ? nil : others.joined(separator: ", ")
        var ordinals: [MessageDigest: Int] = [:]
        for entry in entries.reversed() {
            let sender = entry["sender"]?.metaText ?? ""
            let text = entry["text"]?.metaText ?? ""
            let shared = entry["media_share_url"]?.metaText ?? entry["story_share"]?.metaText
            guard !text.isEmpty || shared != nil || entry["media"] != nil else {
                emptyEntries += 1
                continue
            }
            var message = Message()
            message.platform = conversation.platform.rawValue
            message.conversationID = conversation.id
            message.conversationTitle = conversation.title
            if people.count > 2 { message.participants = people.count }
            message.sender.handle = sender.isEmpty ? nil : sender
            message.sender.isSelf = conversation.owner.map { $0.contains(sender) }
            message.text = text
            if entry.hasWords(besides: text) { context.unread.note(member.source) }
            var time = entry["created_at"]?.string ?? ""
            message.sentAt = time.withUTF8 { Timestamp.seconds($0) }.flatMap { Timestamp.text(seconds: $0) }
            func digest(_ ordinal: Int) -> MessageDigest {
                MessageDigest(
                    platform: conversation.platform.rawValue, conversation: conversation.id ?? "", time: time,
                    sender: sender, text: text, ordinal: ordinal)
            }
            let first = digest(0)
            let ordinal = ordinals[first, default: 0]
            ordinals[first] = ordinal + 1
            let own = ordinal == 0 ? first : digest(ordinal)
            if context.repeats?.take(own, source: member.source) == true { continue }
            message.id = "ig:" + own.hex
            if let shared {
                message.attachments = [Message.Attachment(type: "share", url: MetaMessage.withoutToken(shared))]
            }
            message.raw = [("kind", .string(text.isEmpty && shared != nil ? "share" : "message")), source(index)]
            try context.assembler.append(message, number: index + 1)
        }
    }
}

/// Reads the owner's comments on Facebook.
extension MetaReader {
    func takeFacebookComment(_ event: JSONSplitter.Event) throws {
        switch event {
        case .element(let bytes, _, _):
            defer { index += 1 }
            guard let row = JSONNode(bytes), row.isObject else {
                return try reject(RejectReason(code: "json.syntax", reason: "the entry is not a JSON object"))
            }
            let comment = row["data"]?.elements.lazy.compactMap { $0["comment"] }.first
            var message = Message()
            message.platform = "facebook"
            message.conversationTitle = row["title"]?.metaText
            message.sender.name = comment?["author"]?.metaText
            message.sender.isSelf = true
            message.text = comment?["comment"]?.metaText ?? ""
            message.attachments = Self.attachments(of: row)
            guard !message.text.isEmpty || !message.attachments.isEmpty else {
                emptyEntries += 1
                return
            }
            if row.hasWords(besides: message.text) { context.unread.note(member.source) }
            message.raw = [("kind", .string("comment"))]
            if let group = comment?["group"]?.metaText, !group.isEmpty { message.raw.append(("group", .string(group))) }
            message.raw.append(source(index))
            try shelve(message, time: comment?["timestamp"] ?? row["timestamp"], idPrefix: "fb:", index)
        case .member(_, let bytes): noteUnread(bytes)
        case .tooLong:
            index += 1
            try reject(RejectReason(code: "input.line-too-long", reason: "the entry is too long (--max-line)"))
        case .fault(let reason, _, _, _): try reject(reason)
        }
    }

    /// Reports text in an unknown part of a list of comments.
    func noteUnread(_ bytes: UnsafeBufferPointer<UInt8>) {
        if StrayWords.areIn(bytes) { context.unread.note(member.source) }
    }

    private static func attachments(of row: JSONNode) -> [Message.Attachment] {
        var found: [Message.Attachment] = []
        for item in (row["attachments"]?.elements ?? []).flatMap({ $0["data"]?.elements ?? [] }) {
            if let path = item["media"]?["uri"]?.metaText, !path.isEmpty {
                found.append(
                    Message.Attachment(type: MetaFile.type(of: path) ?? "file", url: MetaMessage.withoutToken(path)))
            } else if let link = item["external_context"]?["url"]?.metaText, !link.isEmpty {
                found.append(Message.Attachment(type: "share", url: MetaMessage.withoutToken(link)))
            }
        }
        return found
    }
}
