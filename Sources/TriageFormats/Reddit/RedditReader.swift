import TriageCore

/// Reads the tables of a Reddit export.
///
/// Of a whole export the first pass looks for the owner; of a single table the messages are held, as far as they fit,
/// until all of it has told who takes part in everything.
final class RedditReader: ExportReader {
    private let context: ReadingContext
    /// Messages and chats, and what the owner wrote in public: ids of the one may be those of the other.
    private let messages: MessageShelf
    private let posts: MessageShelf
    private var hold = MessageHold()
    /// What the statistics say.
    private var account: String?
    private var common = NameTally()
    /// In lower case.
    private var owner: String?
    private var isSettled = false

    // The file that is being read.
    private var member = Member(path: "", source: "")
    private var columns: RedditTable?
    private var rows: NamedRows?
    private var isSurvey = false

    init(_ context: ReadingContext) {
        self.context = context
        messages = MessageShelf(context, order: .newestFirst)
        posts = MessageShelf(context, order: .newestFirst)
    }

    /// Whether there was a pass before the one that reads messages.
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
        try reject(RejectReason(code: "reddit.no-table", reason: "this is no table of a Reddit export"), 1, 0)
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

    /// Decides who the owner is by what is known, and gives out what waited for it.
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
        // One of them at a time takes memory.
        try (isOwn ? messages : posts).flush()
        try (isOwn ? posts : messages).add(
            item.message, time: item.time, timeText: item.timeText, idPrefix: "reddit:", number: item.number,
            source: item.source)
    }

    /// Without the bytes of the row, which hold an IP address.
    private func reject(_ reason: RejectReason, _ line: Int, _ offset: Int) throws {
        context.assembler.beginSource(member.source)
        try context.assembler.append(reject: reason, number: line, offset: offset)
    }
}
