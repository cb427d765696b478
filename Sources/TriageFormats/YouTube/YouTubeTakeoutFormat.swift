import TriageCore

/// The comments and live chat messages in a Google Takeout, all written by the owner.
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

    /// Whether it is an HTML page, the form of comments until 2022.
    static func isPage(_ opening: Opening) -> Bool {
        guard opening.firstByte == UInt8(ascii: "<") else { return false }
        // Long style sheets may come before it.
        let text = String(decoding: opening.bytes, as: UTF8.self)
        guard let start = text.firstRange(of: "<li>Sent at ") else { return false }
        return text[start.upperBound...].prefix(64).contains(" UTC while watching")
    }

    func makeReader(_ context: ReadingContext) -> any ExportReader { YouTubeTakeoutReader(context) }
}

/// Reads CSV files and HTML pages of own comments.
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
            return try reject(
                "csv.cell-count", "the row has \(row.count) cells, but the table has \(columns.width) columns", row)
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
        // Ids of replies have the form `<parent>.<child>`, so no column is needed.
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

/// Extracts the text from a cell of a Takeout table in any of its three forms.
enum TakeoutText {
    static func plain(_ cell: String) -> String {
        guard cell.utf8.first == UInt8(ascii: "{") else { return cell }
        // Objects separated by commas without an enclosing array; their strings contain raw line breaks.
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
        // A person may have written a comment that is JSON.
        guard !segments.isEmpty, segments.allSatisfy({ $0["text"]?.string != nil }) else { return cell }
        return segments.map { $0["text"]?.string ?? "" }.joined()
    }
}

/// Which column of a Takeout table holds what.
///
/// Columns are found by the header's English names. In other languages they are found by the form of their cells,
/// because headers are translated. Their position is never used: columns were moved and added several times.
struct TakeoutColumns: Equatable {
    enum Field: String, CaseIterable {
        case id, channel, time, price, currency, parent, post, video, text
    }

    private(set) var columns: [Field: Int] = [:]
    /// Number of cells in a row.
    private(set) var width: Int

    private static let names: [String: Field] = [
        "comment id": .id, "live chat id": .id, "channel id": .channel, "comment create timestamp": .time,
        "live chat create timestamp": .time, "price": .price, "currency code": .currency,
        "parent comment id": .parent, "post id": .post, "video id": .video, "comment text": .text,
        "live chat text": .text,
    ]

    /// - Parameter opening: of a comma-separated table.
    init?(_ opening: Opening) {
        var rows: [[String]] = []
        var parser = CSVParser(delimiter: 0x2C, maximumLength: Opening.limit)
        opening.bytes.withUnsafeBufferPointer { bytes in
            // The header comes first; the rest need not be parsed.
            let head = UnsafeBufferPointer(rebasing: bytes[..<min(bytes.count, 1 << 16)])
            parser.feed(head) { if rows.count < 40, !$0.isBlank { rows.append($0.strings()) } }
            if opening.isWhole, head.count == bytes.count {
                parser.finish { if rows.count < 40, !$0.isBlank, !$0.isUnclosed { rows.append($0.strings()) } }
            }
        }
        guard let header = rows.first, (6...12).contains(header.count) else { return nil }
        width = header.count
        for (index, name) in header.enumerated() {
            if let field = Self.names[name.lowercased().trimmingBlanks()], columns[field] == nil {
                columns[field] = index
            }
        }
        if columns[.text] != nil, columns[.time] != nil, columns[.video] != nil { return }
        columns = [:]
        guard fill(from: rows.dropFirst().filter { $0.count == header.count }) else { return nil }
    }

    /// Finds the columns by the form of their cells.
    private mutating func fill(from rows: [[String]]) -> Bool {
        guard !rows.isEmpty else { return false }
        func columns(_ isOne: (String) -> Bool) -> [Int] {
            (0..<width).filter { column in
                let cells = rows.map { $0[column] }.filter { !$0.isEmpty }
                return !cells.isEmpty && cells.allSatisfy(isOne)
            }
        }
        guard let channel = columns(Self.isChannel).first,
            let time = columns({ $0.contains("T") && ExportTime(iso: $0) != nil && $0.hasSuffix("+00:00") }).first,
            let text = (0..<width).first(where: { column in rows.contains { Self.isSegments($0[column]) } })
        else { return false }
        self.columns = [.channel: channel, .time: time, .text: text]
        var rest = (0..<width).filter { ![channel, time, text].contains($0) }
        func claim(_ field: Field, _ candidates: [Int]) {
            guard let column = candidates.first(where: rest.contains) else { return }
            self.columns[field] = column
            rest.removeAll { $0 == column }
        }
        claim(.price, columns { Double($0) != nil })
        claim(.currency, columns { $0.utf8.count == 3 && $0.utf8.allSatisfy { (0x41...0x5A).contains($0) } })
        claim(.video, columns { $0.utf8.count == 11 && $0.utf8.allSatisfy(Self.isIDByte) })
        // Every row has an id of its own, and no two are equal.
        claim(
            .id,
            rest.filter { column in
                rows.allSatisfy { $0[column].utf8.count > 11 } && Set(rows.map { $0[column] }).count == rows.count
            })
        let posts = columns { $0.hasPrefix("Ugkx") }
        claim(.post, posts.filter { column in rows.allSatisfy { $0[column].isEmpty || !$0[column].contains(".") } })
        return true
    }

    private static func isChannel(_ cell: String) -> Bool {
        cell.utf8.count == 24 && cell.hasPrefix("UC") && cell.utf8.allSatisfy(isIDByte)
    }

    private static func isIDByte(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2D
            || byte == 0x5F
    }

    private static func isSegments(_ cell: String) -> Bool {
        cell.hasPrefix("{\"text\":") || cell.hasPrefix("{\"takeoutSegments\":")
    }
}

/// Extracts the comments from the HTML page that a Takeout contained until 2022.
///
/// A comment has the form `<li>Sent at … UTC while watching <a href="…">title</a>.<br/>text</li>`.
final class TakeoutPage {
    struct Comment {
        /// The time as written on the page; empty if the comment does not begin like others.
        var time = ""
        var video: String?
        var title: String?
        var text = ""
    }

    private enum Part { case outside, lead, title, tail, text }

    private let scanner = HTMLScanner()
    private var part = Part.outside
    private var lead: [UInt8] = []
    private var title: [UInt8] = []
    private var address: String?
    private var text = HTMLText()
    private var depth = 0
    private var tail: [UInt8] = []
    /// Whether the current text belongs to a title, or to nothing.
    private var isQuiet = false
    /// Number of texts outside comments, comments without a text, and malformed tags.
    private(set) var strays = 0

    func feed(_ bytes: UnsafeBufferPointer<UInt8>, _ emit: (Comment) throws -> Void) rethrows {
        try scanner.feed(bytes) { try take($0, emit) }
    }

    func finish(_ emit: (Comment) throws -> Void) rethrows {
        try scanner.finish { try take($0, emit) }
    }

    private func take(_ event: HTMLEvent, _ emit: (Comment) throws -> Void) rethrows {
        if event.isOdd { strays += 1 }
        if event.kind != .text {
            let isTitle = ["title", "style", "script", "h1", "h2", "h3"].contains(event.string)
            isQuiet = event.kind == .start && isTitle
        }
        if event.isTag("li") {
            if part != .outside { try close(emit) }
            part = event.kind == .start ? .lead : .outside
            return
        }
        switch (part, event.kind) {
        case (.outside, _):
            if !isQuiet, event.hasLetters { strays += 1 }
        case (.text, _):
            // The end of the line break before the text.
            if depth == 0, event.kind == .end, event.isTag("br") { return }
            if event.kind != .text { depth += event.kind == .start ? 1 : -1 }
            text.take(event)
        case (_, .start) where event.isTag("br"):
            part = .text
            depth = 0
        case (.lead, .start) where event.isTag("a"):
            address = event.attribute("href")
            part = .title
        case (.title, .end) where event.isTag("a"): part = .tail
        case (.lead, .text): Self.append(event.bytes, to: &lead)
        case (.title, .text): Self.append(event.bytes, to: &title)
        case (.tail, .text): Self.append(event.bytes, to: &tail)
        default: break
        }
    }

    private static func append(_ bytes: UnsafeBufferPointer<UInt8>, to part: inout [UInt8]) {
        if part.count + bytes.count <= 1 << 12 { part.append(contentsOf: bytes) }
    }

    private func close(_ emit: (Comment) throws -> Void) rethrows {
        let words = String(decoding: lead, as: UTF8.self).trimmingBlanks()
        var comment = Comment(text: String(decoding: text.finish(), as: UTF8.self))
        let name = String(decoding: title, as: UTF8.self).trimmingBlanks()
        comment.title = name.isEmpty ? nil : name
        comment.video = address.flatMap(Self.video)
        let isSilent = comment.text.isEmpty || tail.contains { ($0 | 0x20) &- 0x61 < 26 || $0 >= 0x80 }
        if isSilent, !(lead.isEmpty && title.isEmpty && tail.isEmpty) { strays += 1 }
        lead = []
        tail = []
        title = []
        address = nil
        text = HTMLText()
        part = .outside
        if words.hasPrefix("Sent at "), let end = words.firstRange(of: " UTC") {
            let start = words.index(words.startIndex, offsetBy: 8)
            if start < end.upperBound { comment.time = String(words[start..<end.upperBound]) }
        } else if comment.text.isEmpty {
            return
        }
        try emit(comment)
    }

    /// The id in the URL of a video.
    private static func video(_ address: String) -> String? {
        for mark in ["?v=", "&v=", "youtu.be/", "/shorts/", "/live/"] {
            guard let start = address.firstRange(of: mark) else { continue }
            let id = address[start.upperBound...].prefix {
                $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0))
            }
            if !id.isEmpty { return String(id) }
        }
        return address.isEmpty ? nil : address
    }
}
