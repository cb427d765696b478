import TriageCore

/// A Reddit data export: private messages, chats, and own comments and posts; as its zip, its folder or one CSV file.
struct RedditFormat: ExportFormat {
    let name = "reddit-csv"
    let summary = "a Reddit data export: messages, chats and own comments (CSV), as zip, folder or one of its tables"
    var readsFilesAlone: Bool { false }

    var sharesNames: Bool { true }

    private static let onlyOwn = "these are your own comments and posts, so there is nothing to triage"

    func detect(_ opening: Opening) -> Detection? {
        guard let table = RedditTable(opening) else { return nil }
        let reason =
            switch table.kind {
            case .messages: "columns of Reddit messages ('thread_id', 'subject', 'body')"
            case .chat: "columns of Reddit chats ('channel_url', 'message')"
            case .comments: "columns of Reddit comments"
            case .posts: "columns of Reddit posts"
            case .statistics: "the statistics from a Reddit export"
            case .other: "a list without messages from a Reddit export"
            }
        return Detection(
            format: name, reason: reason, missing: table.kind.isOwn ? [Self.onlyOwn] : [],
            hasMessages: table.kind.hasMessages)
    }

    private static let fromOthers: Set<String> = ["messages", "messages_archive", "chat_history"]
    private static let own: Set<String> = ["comments", "posts"]
    /// Names of files that no other export has.
    private static let certain: Set<String> = [
        "statistics", "chat_history", "messages_archive", "message_headers", "messages_headers",
        "messages_archive_headers", "comment_headers", "post_headers", "post_votes", "comment_votes", "saved_posts",
        "saved_comments", "subscribed_subreddits", "moderated_subreddits", "account_gender", "reddit_gold_information",
    ]

    func claim(_ paths: [String]) -> Claim? {
        var folders: [String: [(path: String, base: String)]] = [:]
        for path in paths {
            guard let base = TablePath.base(path) else { continue }
            folders[ContainerNames.folder(of: path), default: []].append((path, base))
        }
        let exports = folders.filter { _, files in
            files.contains { Self.certain.contains($0.base) }
                && files.contains { Self.fromOthers.contains($0.base) || Self.own.contains($0.base) }
        }
        guard !exports.isEmpty else { return nil }
        let files = exports.sorted { $0.key < $1.key }.flatMap { $0.value.sorted { $0.path < $1.path } }
        func all(_ isOne: (String) -> Bool) -> [String] { files.filter { isOne($0.base) }.map(\.path) }
        let messages = all(Self.fromOthers.contains)
        let owner = all { $0 == "statistics" }
        return Claim(
            detection: Detection(
                format: name, reason: "the tables of a Reddit export such as \(files[0].path)",
                missing: messages.isEmpty ? [Self.onlyOwn] : []),
            passes: [owner.isEmpty ? messages : owner, messages + all(Self.own.contains)],
            roots: TablePath.roots(of: exports.keys.sorted(), among: paths))
    }

    func makeReader(_ context: ReadingContext) -> any ExportReader { RedditReader(context) }
}

/// Reads the CSV files of a Reddit export.
///
/// For a whole export, a first pass finds the owner. For a single table, the messages are held, as far as they fit into
/// memory, until the whole table has shown who takes part in every conversation.
private final class RedditReader: ExportReader {
    private let context: ReadingContext
    /// Messages and chats; the owner's public posts have a buffer of their own because the ids may coincide.
    private let messages: ConversationBuffer
    private let posts: ConversationBuffer
    private var hold = MessageHold()
    /// The account named by the statistics file.
    private var account: String?
    private var common = NameTally()
    /// The owner's name in lower case.
    private var owner: String?
    private var isSettled = false

    // The file being read.
    private var member = Member(path: "", source: "")
    private var columns: RedditTable?
    private var rows: NamedRows?
    private var isSurvey = false

    init(_ context: ReadingContext) {
        self.context = context
        messages = ConversationBuffer(context, order: .newestFirst)
        posts = ConversationBuffer(context, order: .newestFirst)
    }

    /// Whether there was an earlier pass to find the owner.
    private var isWhole: Bool { !context.paths.isEmpty }

    func begin(_ member: Member, opening: Opening) throws {
        self.member = member
        isSurvey = isWhole && member.pass == 0
        context.assembler.beginSource(member.source)
        let found = RedditTable(opening)
        columns = found
        rows = found.map {
            NamedRows($0.table, opening: opening, maximumLine: context.options.maximumLine)
        }
        if found?.kind == .other, !isSurvey {
            context.notices("\(member.source) contains no messages: it lacks the message columns")
        }
        guard found == nil, !isSurvey else { return }
        guard isWhole else {
            throw TriageError(
                "input.no-table", "this is not a table from a Reddit export", at: member.source,
                remedy: "omit --from, or use --from csv", exit: .badData)
        }
        try reject(RejectReason(code: "reddit.no-table", reason: "this is not a table from a Reddit export"), 1, 0)
    }

    func read(_ bytes: UnsafeBufferPointer<UInt8>) throws -> Bool {
        guard let columns, columns.kind != .other else { return false }
        try rows?.feed(bytes, take)
        return true
    }

    func end(fault: RejectReason?) throws {
        if let fault {
            if !isSurvey { try reject(fault, (rows?.line ?? 0) + 1, -1) }
        } else {
            try rows?.finish(take)
        }
        if !isWhole { try settle() }
    }

    func finish() throws {
        try settle()
        try messages.flush()
        try posts.flush()
    }

    private func take(_ event: NamedRows.Event) throws {
        switch event {
        case .row(let row): try take(row, row.line)
        case .fault(let reason, let row):
            if !isSurvey { try reject(reason, row.line, row.offset) }
        }
    }

    private func take(_ row: CSVParser.Row, _ line: Int) throws {
        guard let columns else { return }
        if columns.kind == .statistics {
            if columns.table.cell("statistic", row)?.lowercased() == "account name" {
                account = columns.table.cell("value", row)
            }
            return
        }
        let found = RedditRow(row, columns, file: member.path, line: line)
        if !isWhole || isSurvey, !columns.kind.isOwn {
            let conversation = found.message.conversationID ?? ""
            for name in [found.message.sender.handle, found.recipient].compactMap({ $0 }) {
                common.add(name, in: conversation)
            }
        }
        guard !isSurvey else { return }
        if columns.table.hasStrayWords(row) { context.unread.note(member.source) }
        var message = found.message
        if columns.kind.isOwn { message.sender.isSelf = true }
        let item = MessageHold.Item(
            message: message, time: found.time, timeText: found.timeText, number: line, source: member.source)
        if isWhole || isSettled || columns.kind.isOwn {
            try add(item)
        } else {
            hold.add(item)
            if hold.isFull { try settle() }
        }
    }

    /// Determines the owner from what is known, and emits the held messages.
    private func settle() throws {
        decide()
        for item in hold.take() { try add(item) }
    }

    private func decide() {
        guard !isSettled else { return }
        isSettled = true
        account = account ?? common.most
        owner = account?.lowercased()
    }

    private func add(_ item: MessageHold.Item) throws {
        decide()
        var item = item
        let isOwn = item.message.sender.isSelf == true
        if isOwn {
            item.message.sender.handle = account
        } else if let owner {
            item.message.sender.isSelf = item.message.sender.handle?.lowercased() == owner
        }
        // Only one of the two uses memory at a time.
        try (isOwn ? messages : posts).flush()
        try (isOwn ? posts : messages).add(
            item.message, time: item.time, timeText: item.timeText, idPrefix: "reddit:", number: item.number,
            source: item.source)
    }

    /// Adds a reject without the bytes of the row, which contain an IP address.
    private func reject(_ reason: RejectReason, _ line: Int, _ offset: Int) throws {
        try context.reject(reason, in: member.source, number: line, offset: offset)
    }
}

/// A CSV file of a Reddit export, recognized by its header alone because other exports use the same file names.
struct RedditTable {
    enum Kind {
        case messages, chat, comments, posts
        /// Names the owner.
        case statistics
        /// Part of an export, without messages.
        case other

        /// Whether everything in it was written by the owner.
        var isOwn: Bool { self == .comments || self == .posts }
        var hasMessages: Bool { self != .statistics && self != .other }
    }

    let kind: Kind
    let table: NamedTable

    init?(_ opening: Opening) {
        guard let found = NamedTable.find(opening, Self.kind(of:)) else { return nil }
        (kind, table) = found
    }

    private static func kind(of names: Set<String>) -> Kind? {
        if names.isSuperset(of: ["thread_id", "from", "to", "subject", "body"]) { return .messages }
        if names.isSuperset(of: ["message_id", "channel_url", "message"]) { return .chat }
        if names.isSuperset(of: ["subreddit", "parent", "body", "gildings"]) { return .comments }
        if names.isSuperset(of: ["permalink", "subreddit", "gildings", "title"]) { return .posts }
        if names == ["statistic", "value"] { return .statistics }
        // Lists without texts, and texts written by Reddit itself.
        if names.isSuperset(of: ["id", "permalink", "thread_id", "from", "to"]) { return .other }
        if names.isSuperset(of: ["id", "permalink", "subreddit", "gildings"]) { return .other }
        if names.isSuperset(of: ["announcement_id", "body"]) { return .other }
        return nil
    }
}

/// Makes a message from a row of a Reddit export.
///
/// Only the columns named here are read, because others contain IP addresses.
struct RedditRow {
    var message = Message()
    var time: Int64?
    var timeText = ""
    /// The recipient of a message.
    var recipient: String?

    init(_ row: CSVParser.Row, _ columns: RedditTable, file: String, line: Int) {
        func cell(_ name: String) -> String? { columns.table.cell(name, row) }
        message.platform = "reddit"
        var raw: [(key: String, value: Message.RawValue)] = []
        let id = cell("id").map { $0.hasPrefix("t4_") ? String($0.dropFirst(3)) : $0 }
        switch columns.kind {
        case .messages:
            message.id = id.map { "reddit:" + $0 }
            message.conversationID = cell("thread_id") ?? id
            let subject = cell("subject").map(Self.plain)
            message.conversationTitle = subject
            message.sender.handle = cell("from").flatMap(Self.handle)
            recipient = cell("to").flatMap(Self.handle)
            message.text = cell("body").map(Self.plain) ?? subject ?? ""
            timeText = cell("date") ?? ""
            raw = [("kind", .string("message"))]
            if let subject { raw.append(("subject", .string(subject))) }
        case .chat:
            message.id = cell("message_id").map { "reddit:" + $0 }
            message.conversationID = cell("channel_url")
            message.conversationTitle = cell("channel_name")
            message.sender.handle = cell("username").flatMap(Self.handle)
            message.text = cell("message").map(Self.plain) ?? ""
            message.replyTo = cell("thread_parent_message_id").map { "reddit:" + $0 }
            timeText = cell("created_at") ?? ""
            raw = [("kind", .string("message"))]
            if let subreddit = cell("subreddit") { raw.append(("subreddit", .string(subreddit))) }
        case .comments:
            message.id = id.map { "reddit:" + $0 }
            message.conversationID = cell("link")
            message.conversationTitle = cell("subreddit")
            message.text = cell("body").map(Self.plain) ?? ""
            // Ids of comments are written without their type prefix, those of posts with it.
            message.replyTo = cell("parent").map { "reddit:" + ($0.hasPrefix("t1_") ? String($0.dropFirst(3)) : $0) }
            timeText = cell("date") ?? ""
            raw = [("kind", .string("comment"))]
        case .posts:
            // A post and a comment may have the same id.
            message.id = id.map { "reddit:t3_" + $0 }
            message.conversationID = cell("permalink")
            message.conversationTitle = cell("subreddit")
            let title = cell("title").map(Self.plain)
            message.text = [title, cell("body").map(Self.plain)].compactMap { $0 }.joined(separator: "\n")
            timeText = cell("date") ?? ""
            raw = [("kind", .string("message"))]
            if let link = cell("url"), link.hasPrefix("http") {
                message.attachments = [Message.Attachment(type: "link", url: link)]
            }
        case .statistics, .other: break
        }
        if columns.kind == .comments, let link = cell("media"), link.hasPrefix("http") {
            message.attachments = [Message.Attachment(type: "link", url: link)]
        }
        let read = ExportTime(iso: timeText)
        message.sentAt = read?.text
        time = read?.milliseconds
        if read == nil, !timeText.isEmpty { raw.append(("time_text", .string(timeText))) }
        raw.append(Message.source(file, line: line))
        message.raw = raw
    }

    /// The name of an account; nil if it was deleted.
    private static func handle(_ cell: String) -> String? {
        let name = cell.trimmingBlanks()
        for prefix in ["/u/", "u/"] where name.hasPrefix(prefix) { return String(name.dropFirst(prefix.count)) }
        return name.isEmpty || name == "[deleted]" ? nil : name
    }

    /// Keeps Markdown, decodes entities, and removes the space that Reddit's editor puts on empty lines.
    static func plain(_ text: String) -> String {
        guard text.utf8.contains(0x26) else { return text }
        return BasicEntities.decode(text).replacing("&#x200B;", with: "").replacing("&nbsp;", with: " ")
    }
}
