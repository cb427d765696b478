import TriageCore

/// Makes a message of a row of a Reddit export.
///
/// Only the columns named here are read: others hold IP addresses.
struct RedditRow {
    var message = Message()
    var time: Int64?
    var timeText = ""
    /// To whom a message went.
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
            // Ids of comments are written without their type, those of posts with it.
            message.replyTo = cell("parent").map { "reddit:" + ($0.hasPrefix("t1_") ? String($0.dropFirst(3)) : $0) }
            timeText = cell("date") ?? ""
            raw = [("kind", .string("comment"))]
        case .posts:
            // A post may have the id of a comment.
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
        raw.append(
            ("source", .object([Message.RawMember("file", .string(file)), Message.RawMember("line", .int(line))])))
        message.raw = raw
    }

    /// The name of an account; nil for one that is gone.
    private static func handle(_ cell: String) -> String? {
        let name = cell.trimmingBlanks()
        for prefix in ["/u/", "u/"] where name.hasPrefix(prefix) { return String(name.dropFirst(prefix.count)) }
        return name.isEmpty || name == "[deleted]" ? nil : name
    }

    /// Markdown stays; entities are decoded, and the blank that Reddit's editor puts on empty lines goes.
    static func plain(_ text: String) -> String {
        guard text.utf8.contains(0x26) else { return text }
        return BasicEntities.decode(text).replacing("&#x200B;", with: "").replacing("&nbsp;", with: " ")
    }
}
