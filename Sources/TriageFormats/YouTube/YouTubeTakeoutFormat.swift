import TriageCore

/// The comments and live chat messages in a Google Takeout: all of them the owner's own.
struct YouTubeTakeoutFormat: ExportFormat {
    let name = "youtube-takeout"
    let summary = "own comments and live chats from Google Takeout (CSV, older exports HTML)"

    private static let missing = [
        "Takeout only has your own comments, so there is nothing to triage; get other comments from the YouTube Data"
            + " API, yt-dlp --write-comments or youtube-comment-downloader"
    ]

    func detect(_ opening: Opening) -> Detection? {
        if Self.isPage(opening) {
            return Detection(format: name, reason: "a page of comments 'Sent at … UTC'", missing: Self.missing)
        }
        guard let first = opening.firstByte, first != UInt8(ascii: "{"), first != UInt8(ascii: "["),
            TakeoutColumns(opening) != nil
        else { return nil }
        return Detection(format: name, reason: "columns of YouTube comments", missing: Self.missing)
    }

    /// Until 2022 comments came as a web page.
    static func isPage(_ opening: Opening) -> Bool {
        guard opening.firstByte == UInt8(ascii: "<") else { return false }
        // The styles before it may be long.
        let text = String(decoding: opening.bytes, as: UTF8.self)
        guard let start = text.firstRange(of: "<li>Sent at ") else { return false }
        return text[start.upperBound...].prefix(64).contains(" UTC while watching")
    }

    func makeReader(_ context: ReadingContext) -> any ExportReader { YouTubeTakeoutReader(context) }
}

/// Reads tables and pages of own comments.
private final class YouTubeTakeoutReader: ExportReader {
    private let context: ReadingContext
    private let buffer: ConversationBuffer
    private var member = Member(path: "", source: "")
    private var columns: TakeoutColumns?
    private var parser = CSVParser(delimiter: 0x2C, maximumLength: 0)
    private var page: TakeoutPage?
    private var isHeader = true
    private var number = 0

    init(_ context: ReadingContext) {
        self.context = context
        buffer = ConversationBuffer(context, order: .oldestFirst)
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
        try buffer.flush()
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
        try buffer.add(
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
        try buffer.add(
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

/// Takes the text out of a cell of a Takeout table, in whichever of its three spellings it stands.
enum TakeoutText {
    static func plain(_ cell: String) -> String {
        guard cell.utf8.first == UInt8(ascii: "{") else { return cell }
        // Objects with commas between them and nothing around; line breaks stand in their strings as they are.
        var json: [UInt8] = [UInt8(ascii: "[")]
        json.reserveCapacity(cell.utf8.count + 16)
        let digits = Array("0123456789abcdef".utf8)
        for byte in cell.utf8 {
            if byte < 0x20 {
                json += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            } else {
                json.append(byte)
            }
        }
        json.append(UInt8(ascii: "]"))
        guard let node = JSONNode(json) else { return cell }
        var segments = node.elements
        if segments.count == 1, let inner = segments[0]["takeoutSegments"] { segments = inner.elements }
        // Somebody may have written a comment that is JSON.
        guard !segments.isEmpty, segments.allSatisfy({ $0["text"]?.string != nil }) else { return cell }
        return segments.map { $0["text"]?.string ?? "" }.joined()
    }
}
