import TriageCore

/// The chat messages of a Twitch privacy export: what the owner wrote in chats.
struct TwitchCSVFormat: ExportFormat {
    let name = "twitch-csv"
    let summary = "chat messages in a Twitch privacy export (CSV)"

    func detect(_ opening: Opening) -> Detection? {
        guard let first = opening.firstByte, first != UInt8(ascii: "{"), first != UInt8(ascii: "["),
            first != UInt8(ascii: "<"), let columns = TwitchColumns(opening)
        else { return nil }
        return Detection(
            format: name,
            reason: columns.hasHeader ? "the columns of Twitch's chat messages" : "rows like Twitch's chat messages",
            missing: ["these are only the owner's chat lines, so there is nothing to triage"])
    }

    func makeReader(_ context: ReadingContext) -> any ExportReader { TwitchCSVReader(context) }
}

/// Reads the rows of a Twitch privacy export.
///
/// Its IP addresses and locations never appear in the output, not even in rejects.
private final class TwitchCSVReader: ExportReader {
    private let context: ReadingContext
    private let buffer: ConversationBuffer
    private var member = Member(path: "", source: "")
    private var columns: TwitchColumns?
    private var parser = CSVParser(delimiter: 0x2C, maximumLength: 0)
    private var isHeaderNext = false
    private var lastLine = 0

    init(_ context: ReadingContext) {
        self.context = context
        buffer = ConversationBuffer(context, order: .oldestFirst)
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
            try context.reject(fault, in: member.source, number: lastLine + 1, offset: -1)
        } else {
            try parser.finish(take)
        }
    }

    func finish() throws { try buffer.flush() }

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
                "csv.cell-count", "the row has \(row.count) cells that cannot be matched to the columns", row)
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
        message.raw = [("kind", .string("comment")), Message.source(member.path, line: line)]
        try buffer.add(
            message, time: reading.map { $0.seconds * 1000 + Int64($0.milliseconds) }, timeText: timeText ?? "",
            idPrefix: "twitch:", number: line, source: member.source)
    }

    /// Adds a reject without the bytes of the row, which contain private data.
    private func reject(_ code: String, _ words: String, _ row: CSVParser.Row) throws {
        try context.reject(
            RejectReason(code: code, reason: words), in: member.source, number: row.line, offset: row.offset)
    }
}

/// The columns of the chat messages in a Twitch privacy export.
///
/// Only the columns named here are ever read: the others contain the owner's IP address and its location.
private struct TwitchColumns {
    /// The usual columns, for files that lost their header.
    private static let usual = [
        "time", "city", "country", "region", "body_full", "asn_id", "ip", "login", "server_timestamp", "body",
        "channel", "msg_id", "filtered_tags", "asn", "user_id", "time_utc", "canonical_client_id", "room_id",
        "room_type", "chatroom_type", "chatroom_id", "channel_points_modification", "previously_dropped", "is_reply",
        "is_mention", "chant_id", "chant_message_id",
    ]

    let delimiter: UInt8
    let hasHeader: Bool
    private let names: [String]
    private let places: [String: Int]

    var width: Int { names.count }

    /// nil: the opening is something else.
    init?(_ opening: Opening) {
        for delimiter in [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09] {
            guard let row = Self.firstRow(opening, delimiter), row.count > 1 else { continue }
            let names = row.map { $0.trimmingBlanks().lowercased() }
            let set = Set(names)
            if set.isSuperset(of: ["body", "channel", "msg_id"]) || set.isSuperset(of: ["body_full", "login"]) {
                self.init(names, delimiter, hasHeader: true)
                return
            }
            let columns = TwitchColumns(Self.usual, delimiter, hasHeader: false)
            if row.count >= Self.usual.count, columns.fits(row) || columns.aligned(row) != nil {
                self = columns
                return
            }
        }
        return nil
    }

    private init(_ names: [String], _ delimiter: UInt8, hasHeader: Bool) {
        self.names = names
        self.delimiter = delimiter
        self.hasHeader = hasHeader
        places = Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first })
    }

    private static func firstRow(_ opening: Opening, _ delimiter: UInt8) -> [String]? {
        var first: [String]?
        var parser = CSVParser(delimiter: delimiter, maximumLength: 1 << 16)
        opening.bytes.withUnsafeBufferPointer { bytes in
            parser.feed(UnsafeBufferPointer(rebasing: bytes.prefix(1 << 16))) { row in
                if first == nil, !row.isBlank { first = row.strings() }
            }
            if first == nil, opening.isWhole { parser.finish { if first == nil { first = $0.strings() } } }
        }
        return first
    }

    /// A cell by column name; nil when it is empty or missing.
    func cell(_ name: String, _ row: [String]) -> String? {
        guard let place = places[name], place < row.count, !row[place].isEmpty else { return nil }
        return row[place]
    }

    /// A row with one cell per column; nil when the cells cannot be assigned.
    ///
    /// Some rows contain unquoted commas in texts: their cells are joined again if everything else then fits. A wrong
    /// guess would output an IP address as a name, so a doubtful row is refused.
    func aligned(_ row: [String]) -> [String]? {
        guard row.count > width else { return row.count == width && (hasHeader || fits(row)) ? row : nil }
        if row[width...].allSatisfy(\.isEmpty), fits(row) { return Array(row[..<width]) }
        let extra = row.count - width
        let separator = String(decoding: [delimiter], as: UTF8.self)
        var found: [[String]] = []
        let texts = [places["body_full"], places["body"]].compactMap { $0 }.sorted()
        guard let first = texts.first, extra <= 1000 else { return nil }
        for inFirst in Set([extra, extra / 2, 0]) where texts.count > 1 || inFirst == extra {
            var cells = row
            cells.replaceSubrange(
                first...(first + inFirst), with: [cells[first...(first + inFirst)].joined(separator: separator)])
            if let last = texts.dropFirst().first {
                let rest = extra - inFirst
                cells.replaceSubrange(
                    last...(last + rest), with: [cells[last...(last + rest)].joined(separator: separator)])
                // Both columns contain the same text, one of them truncated.
                guard cells[first].hasPrefix(cells[last]) || cells[last].hasPrefix(cells[first]) else { continue }
            }
            if fits(cells) { found.append(cells) }
        }
        return found.count == 1 ? found[0] : nil
    }

    /// Whether all cells with a known form have that form.
    private func fits(_ row: [String]) -> Bool {
        let times = ["time", "time_utc", "server_timestamp"].compactMap { cell($0, row) }
        guard !times.isEmpty, times.allSatisfy(TableTime.looksLikeTime) else { return false }
        if let address = cell("ip", row), !Self.isAddress(address) { return false }
        if let login = cell("login", row) {
            guard login.utf8.count <= 25, login.utf8.allSatisfy(Self.isLogin) else { return false }
        }
        return true
    }

    static func isAddress(_ text: String) -> Bool {
        let bytes = text.utf8
        guard bytes.count >= 3, bytes.count <= 45 else { return false }
        let isHex = bytes.allSatisfy {
            ($0 >= 0x30 && $0 <= 0x39) || ($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x66) || $0 == 0x2E || $0 == 0x3A
        }
        return isHex && (bytes.count { $0 == 0x2E } == 3 || bytes.count { $0 == 0x3A } > 1)
    }

    private static func isLogin(_ byte: UInt8) -> Bool {
        (byte >= 0x30 && byte <= 0x39) || (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A) || byte == 0x5F
    }
}
