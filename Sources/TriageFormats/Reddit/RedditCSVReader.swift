import TriageCore

/// Reads the tables of a Reddit export.
///
/// What they know of addresses (`ip`) never comes out, not in rejects either.
///
/// The owner is who the statistics name, else who takes part in most conversations.
final class RedditCSVReader: ExportReader {
    private let context: ReadingContext
    private let shelf: MessageShelf
    private var member = Member(path: "", source: "")
    private var kind: RedditTable?
    private var rows: NamedRows?
    private var hold = MessageHold()
    private var tally = NameTally()
    /// As the statistics say.
    private var account: String?
    private var owner: String?
    private var isSettled = false

    init(_ context: ReadingContext) {
        self.context = context
        shelf = MessageShelf(context, order: .oldestFirst)
    }

    func begin(_ member: Member, opening: Opening) throws {
        self.member = member
        context.assembler.beginSource(member.source)
        kind = RedditTable(opening)
        guard let kind else {
            // In a whole export, a file of a known name with other columns is a table for the eyes only.
            if !context.paths.isEmpty {
                rows = nil
                return
            }
            throw TriageError(
                "input.no-table", "these are not the columns of a Reddit export", at: member.source,
                remedy: "read other tables with --from csv", exit: .badData)
        }
        rows = kind.table.map { NamedRows($0, opening: opening, maximumLine: context.options.maximumLine) }
    }

    func read(_ bytes: UnsafeBufferPointer<UInt8>) throws -> Bool {
        guard rows != nil else { return false }
        try rows?.feed(bytes, take)
        return true
    }

    func end(fault: RejectReason?) throws {
        if let fault {
            context.assembler.beginSource(member.source)
            try context.assembler.append(reject: fault, number: (rows?.line ?? 0) + 1, offset: -1)
        } else {
            try rows?.finish(take)
        }
    }

    func finish() throws {
        try settle()
        try shelf.flush()
    }

    private func take(_ event: NamedRows.Event) throws {
        switch event {
        case .fault(let reason, let row):
            context.assembler.beginSource(member.source)
            try context.assembler.append(reject: reason, number: row.line, offset: row.offset)
        case .row(let row): try take(row)
        }
    }

    private func take(_ row: CSVParser.Row) throws {
        guard let kind, let table = kind.table else { return }
        func cell(_ name: String) -> String? { table.cell(name, row) }
        if case .statistics = kind {
            if cell("statistic")?.lowercased() == "account name" { account = cell("value") }
            return
        }
        var item = MessageHold.Item(message: Message(), number: row.line, source: member.source)
        item.message.platform = "reddit"
        item.message.raw = [
            ("kind", .string(kind.isComments ? "comment" : "message")),
            (
                "source",
                .object([Message.RawMember("file", .string(member.path)), Message.RawMember("line", .int(row.line))])
            ),
        ]
        switch kind {
        case .messages: fillMessage(&item, cell)
        case .chats: fillChat(&item, cell)
        default: fillComment(&item, cell)
        }
        item.timeText = cell(table.has("date") ? "date" : "created_at") ?? ""
        let time = ExportTime(iso: item.timeText)
        item.message.sentAt = time?.text
        item.time = time?.milliseconds
        hold.add(item)
        if account != nil || hold.isFull { try settle() }
    }

    private func fillMessage(_ item: inout MessageHold.Item, _ cell: (String) -> String?) {
        let id = cell("id").map { $0.hasPrefix("t4_") ? String($0.dropFirst(3)) : $0 }
        item.message.id = id.map { "reddit:" + $0 }
        let conversation = cell("thread_id") ?? id
        item.message.conversationID = conversation
        let subject = cell("subject").map(BasicEntities.decode)
        item.message.conversationTitle = subject
        item.message.sender.handle = Self.name(cell("from"))
        item.message.text = cell("body").map(BasicEntities.decode) ?? subject ?? ""
        if let subject { item.message.raw.insert(("subject", .string(subject)), at: 1) }
        for name in [cell("from"), cell("to")].compactMap(Self.name) where !name.hasPrefix("r/") && name != "reddit" {
            tally.add(name, in: conversation ?? "")
        }
    }

    private func fillChat(_ item: inout MessageHold.Item, _ cell: (String) -> String?) {
        item.message.id = cell("message_id").map { "reddit:" + $0 }
        item.message.conversationID = cell("channel_url")
        item.message.conversationTitle = cell("channel_name")
        item.message.sender.handle = Self.name(cell("username"))
        item.message.text = cell("message").map(BasicEntities.decode) ?? ""
        item.message.replyTo = cell("thread_parent_message_id").map { "reddit:" + $0 }
        if let name = item.message.sender.handle { tally.add(name, in: item.message.conversationID ?? "") }
    }

    private func fillComment(_ item: inout MessageHold.Item, _ cell: (String) -> String?) {
        item.message.id = cell("id").map { "reddit:" + $0 }
        item.message.conversationID = cell("link")
        item.message.conversationTitle = cell("subreddit")
        item.message.sender.isSelf = true
        item.message.text = cell("body").map(BasicEntities.decode) ?? ""
        item.message.replyTo = cell("parent").map { "reddit:" + ($0.hasPrefix("t1_") ? String($0.dropFirst(3)) : $0) }
    }

    /// What stands where somebody's name was is no name.
    private static func name(_ text: String?) -> String? {
        guard let text, text != "[deleted]", text != "[removed]" else { return nil }
        return text.hasPrefix("u/") ? String(text.dropFirst(2)) : text
    }

    /// Once the owner is known, or as well as it can be.
    private func settle() throws {
        if !isSettled { owner = account ?? tally.most }
        isSettled = true
        for var item in hold.take() {
            if item.message.sender.isSelf == true {
                item.message.sender.handle = owner
            } else if let owner, let handle = item.message.sender.handle {
                item.message.sender.isSelf = handle.lowercased() == owner.lowercased()
            }
            try shelf.add(
                item.message, time: item.time, timeText: item.timeText, idPrefix: "reddit:", number: item.number,
                source: item.source)
        }
    }
}

extension RedditTable {
    fileprivate var isComments: Bool {
        if case .comments = self { true } else { false }
    }
}
