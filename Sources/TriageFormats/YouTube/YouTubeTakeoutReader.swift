import TriageCore

/// Reads tables and pages of own comments.
final class YouTubeTakeoutReader: ExportReader {
    private let context: ReadingContext
    private let shelf: MessageShelf
    private var member = Member(path: "", source: "")
    private var columns: TakeoutColumns?
    private var parser = CSVParser(delimiter: 0x2C, maximumLength: 0)
    private var page: TakeoutPage?
    private var isHeader = true
    private var number = 0

    init(_ context: ReadingContext) {
        self.context = context
        shelf = MessageShelf(context, order: .oldestFirst)
    }

    func begin(_ member: Member, opening: Opening) throws {
        context.assembler.beginSource(member.source)
        try context.assembler.useTextKey(nil)
        self.member = member
        number = 0
        isHeader = true
        page = opening.firstByte == UInt8(ascii: "<") ? TakeoutPage() : nil
        columns = page == nil ? TakeoutColumns(opening) : nil
        parser = CSVParser(
            delimiter: 0x2C, maximumLength: context.options.maximumLine, offset: opening.markLength)
        guard page == nil, columns == nil else { return }
        throw TriageError(
            "input.no-table", "this is not a table of YouTube comments", at: member.source,
            remedy: "omit --from, or use --from csv", exit: .badData)
    }

    func read(_ bytes: UnsafeBufferPointer<UInt8>) throws -> Bool {
        if page != nil { try page?.feed(bytes, take) } else { try parser.feed(bytes, take) }
        return true
    }

    func end(fault: RejectReason?) throws {
        if fault == nil {
            if page != nil { try page?.finish(take) } else { try parser.finish(take) }
        }
        if let page {
            context.unread.note(member.source, page.strays)
            if number == 0 { context.notices("\(member.source) contains no readable messages") }
        }
        try shelf.flush()
        if let fault { try context.assembler.append(reject: fault, number: number + 1, offset: -1) }
    }

    func finish() throws {}

    private func base(_ place: Message.RawMember) -> Message {
        var message = Message()
        message.platform = "youtube"
        message.sender.isSelf = true
        message.raw = [
            ("kind", .string("comment")),
            ("source", .object([Message.RawMember("file", .string(member.path)), place])),
        ]
        return message
    }

    // MARK: Pages

    private func take(_ comment: TakeoutPage.Comment) throws {
        number += 1
        var message = base(Message.RawMember("index", .int(number - 1)))
        message.text = comment.text
        message.conversationID = comment.video
        message.conversationTitle = comment.title
        let time = ExportTime(iso: comment.time)
        message.sentAt = time?.text
        try shelf.add(
            message, time: time?.milliseconds, timeText: comment.time, idPrefix: "yt:", number: number,
            source: member.source)
    }

    // MARK: Tables

    private func take(_ row: CSVParser.Row) throws {
        number = row.line
        if row.isBlank { return }
        if isHeader {
            isHeader = false
            return
        }
        guard let columns else { return }
        if row.isTooLong {
            let limit = context.options.maximumLine
            return try reject("input.line-too-long", "the row is longer than \(limit) bytes (--max-line)", row)
        }
        guard !row.isUnclosed else { return try reject("csv.unclosed-quote", "a quoted cell is not closed", row) }
        guard row.count == columns.width else {
            return try reject("csv.cell-count", "the row has \(row.count) cells and the table \(columns.width)", row)
        }
        guard String(validating: row.bytes, as: UTF8.self) != nil else {
            return try reject("csv.utf8", "the bytes are not valid UTF-8", row)
        }
        func cell(_ field: TakeoutColumns.Field) -> String? {
            guard let column = columns.columns[field] else { return nil }
            let text = String(decoding: row.cell(column), as: UTF8.self)
            return text.isEmpty ? nil : text
        }
        var message = base(Message.RawMember("line", .int(row.line)))
        let id = cell(.id)
        message.id = id.map { "yt:" + $0 }
        message.conversationID = cell(.video) ?? cell(.post)
        message.sender.id = cell(.channel)
        message.text = TakeoutText.plain(cell(.text) ?? "")
        let time = cell(.time).flatMap { ExportTime(iso: $0) }
        message.sentAt = time?.text
        // Ids of replies are `<parent>.<child>`, which needs no column.
        let parent = cell(.parent) ?? id.flatMap { id in id.firstIndex(of: ".").map { String(id[..<$0]) } }
        message.replyTo = parent.map { "yt:" + $0 }
        if let price = cell(.price), price != "0" { message.raw.insert(("price", .string(price)), at: 1) }
        if let currency = cell(.currency) { message.raw.insert(("currency", .string(currency)), at: 1) }
        try shelf.add(
            message, time: time?.milliseconds, timeText: cell(.time) ?? "", idPrefix: "yt:", number: row.line,
            source: member.source)
    }

    private func reject(_ code: String, _ words: String, _ row: CSVParser.Row) throws {
        try row.raw.withUnsafeBufferPointer {
            try context.assembler.append(
                reject: RejectReason(code: code, reason: words), raw: $0.count <= 1 << 16 ? $0 : nil,
                number: row.line, offset: row.offset)
        }
    }
}
