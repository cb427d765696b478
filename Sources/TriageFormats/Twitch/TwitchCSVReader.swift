import TriageCore

/// Reads the rows of a Twitch privacy export; what it knows of addresses and places never comes out, not in rejects
/// either.
final class TwitchCSVReader: ExportReader {
    private let context: ReadingContext
    private let shelf: MessageShelf
    private var member = Member(path: "", source: "")
    private var columns: TwitchColumns?
    private var parser = CSVParser(delimiter: 0x2C, maximumLength: 0)
    private var isHeaderNext = false
    private var lastLine = 0

    init(_ context: ReadingContext) {
        self.context = context
        shelf = MessageShelf(context, order: .oldestFirst)
    }

    func begin(_ member: Member, opening: Opening) throws {
        self.member = member
        context.assembler.beginSource(member.source)
        guard let columns = TwitchColumns(opening) else {
            throw TriageError(
                "input.no-table", "these are not the columns of Twitch chat messages", at: member.source,
                remedy: "read other tables with --from csv", exit: .badData)
        }
        self.columns = columns
        isHeaderNext = columns.hasHeader
        lastLine = 0
        parser = CSVParser(
            delimiter: columns.delimiter, maximumLength: context.options.maximumLine, offset: opening.markLength)
    }

    func read(_ bytes: UnsafeBufferPointer<UInt8>) throws -> Bool {
        try parser.feed(bytes, take)
        return true
    }

    func end(fault: RejectReason?) throws {
        if let fault {
            context.assembler.beginSource(member.source)
            try context.assembler.append(reject: fault, number: lastLine + 1, offset: -1)
        } else {
            try parser.finish(take)
        }
    }

    func finish() throws { try shelf.flush() }

    private func take(_ row: CSVParser.Row) throws {
        lastLine = row.line
        if row.isBlank { return }
        if isHeaderNext {
            isHeaderNext = false
            return
        }
        guard !row.isTooLong else {
            return try reject("input.line-too-long", "the row is too long (--max-line)", row)
        }
        guard !row.isUnclosed else { return try reject("csv.unclosed-quote", "a quoted cell is not closed", row) }
        guard let columns, !row.isTooWide, let cells = columns.aligned(row.strings()) else {
            return try reject(
                "csv.cell-count", "the row has \(row.count) cells and it cannot be told which are which", row)
        }
        try add(cells, columns, row.line)
    }

    private func add(_ cells: [String], _ columns: TwitchColumns, _ line: Int) throws {
        var message = Message()
        message.platform = "twitch"
        message.id = columns.cell("msg_id", cells).map { "twitch:" + $0 }
        message.conversationID = columns.cell("channel", cells)
        message.conversationTitle = message.conversationID
        message.sender.id = columns.cell("user_id", cells)
        message.sender.handle = columns.cell("login", cells)
        message.sender.isSelf = true
        message.text = columns.cell("body_full", cells) ?? columns.cell("body", cells) ?? ""
        let timeText =
            columns.cell("time_utc", cells) ?? columns.cell("server_timestamp", cells) ?? columns.cell("time", cells)
        let reading = timeText.flatMap { TableTime(sample: []).read($0) }
        message.sentAt = reading.flatMap { Timestamp.text(seconds: $0.seconds, milliseconds: $0.milliseconds) }
        message.raw = [
            ("kind", .string("comment")),
            (
                "source",
                .object([Message.RawMember("file", .string(member.path)), Message.RawMember("line", .int(line))])
            ),
        ]
        try shelf.add(
            message, time: reading.map { $0.seconds * 1000 + Int64($0.milliseconds) }, timeText: timeText ?? "",
            idPrefix: "twitch:", number: line, source: member.source)
    }

    /// Without the bytes of the row, which hold what must not come out.
    private func reject(_ code: String, _ words: String, _ row: CSVParser.Row) throws {
        context.assembler.beginSource(member.source)
        try context.assembler.append(
            reject: RejectReason(code: code, reason: words), number: row.line, offset: row.offset)
    }
}
