import TriageCore

/// Reads rows as they come.
final class TableReader: ExportReader {
    private let context: ReadingContext
    private var parser = CSVParser(delimiter: 0x2C, maximumLength: 0)
    private var row: TableRow?
    private var width = 0
    private var leading = 0
    private var lastLine = 0
    /// Rows whose time is none that can be read.
    private var unreadTimes = 0
    /// Whether bytes that are no UTF-8 are letters of Windows-1252.
    private var isWestern = false

    init(_ context: ReadingContext) { self.context = context }

    func begin(_ member: Member, opening: Opening) throws {
        context.assembler.beginSource(member.source)
        try context.assembler.useTextKey(nil)
        isWestern = WesternText.looksWestern(opening)
        let named = try ColumnMapping.names(context.options.columns)
        guard let shape = TableShape(opening.inUnicode, isNamed: true, columns: named) else {
            throw TriageError(
                "input.no-table", "this is not a table", at: member.source,
                remedy: "save it as CSV; spreadsheets cannot be read", exit: .badData)
        }
        let mapping = try ColumnMapping(
            header: shape.header, sample: shape.sample, named: named, at: member.source)
        guard mapping.columns[.text] != nil else {
            throw TriageError(
                "input.which-column", "no column looks like the message text", at: member.source,
                remedy: "name it with --map text=COLUMN", exit: .badData)
        }
        parser = CSVParser(
            delimiter: shape.delimiter, maximumLength: context.options.maximumLine, offset: opening.markLength)
        width = shape.width
        leading = shape.leadingRows
        let times = mapping.columns[.time].map { column in
            shape.sample.compactMap { column < $0.count ? $0[column] : nil }
        }
        var time = TableTime(sample: times ?? [])
        if time.order == nil { time.order = context.options.dateOrder.flatMap { .init(rawValue: $0.rawValue) } }
        row = TableRow(
            mapping: mapping, header: shape.header, width: width, time: time, file: member.path,
            timeZone: context.options.timeZone)
        say(mapping, shape.header)
        if isWestern {
            context.notices(
                "the table is not UTF-8 and is read as Windows-1252; if letters are wrong, save it as CSV UTF-8")
        }
    }

    /// Guessed columns are said; a user who sees a wrong one can name it.
    private func say(_ mapping: ColumnMapping, _ header: [String]?) {
        let columns = mapping.columns.sorted { $0.value < $1.value }.map { field, index in
            let name = header.flatMap { index < $0.count ? $0[index] : nil } ?? "column \(index + 1)"
            return "\(field.rawValue) from '\(name)'"
        }
        context.notices("columns: " + columns.joined(separator: ", ") + "; --map FIELD=COLUMN chooses others")
    }

    func read(_ bytes: UnsafeBufferPointer<UInt8>) throws -> Bool {
        try parser.feed(bytes, take)
        return true
    }

    func end(fault: RejectReason?) throws {
        if let fault {
            // The row that was begun is not whole.
            try context.assembler.append(reject: fault, number: lastLine + 1, offset: -1)
            return
        }
        try parser.finish(take)
        sayUnreadTimes()
    }

    /// A message without time cannot be sorted or counted by day; that is not left to be found in the output.
    private func sayUnreadTimes() {
        guard unreadTimes > 0 else { return }
        let advice = row?.time.order == nil ? " (set --date-order to dmy or mdy)" : ""
        context.notices("unreadable times: \(unreadTimes); raw.time_text has them" + advice)
        unreadTimes = 0
    }

    func finish() throws {}

    private func take(_ cells: CSVParser.Row) throws {
        lastLine = cells.line
        if cells.isBlank { return }
        if leading > 0 {
            leading -= 1
            // Lines of explanation say nothing in the column of the texts.
            if leading > 0, cells.count == width, let text = row?.mapping.columns[.text], !cells.cell(text).isEmpty {
                try reject("csv.above-header", "the row stands above the header of its table", cells)
            }
            return
        }
        guard !cells.isTooLong else {
            let limit = context.options.maximumLine
            return try reject("input.line-too-long", "the row is longer than \(limit) bytes (--max-line)", cells)
        }
        guard !cells.isUnclosed else { return try reject("csv.unclosed-quote", "a quoted cell is not closed", cells) }
        guard !cells.isTooWide else {
            return try reject("csv.cell-count", "the row has over \(CSVParser.maximumCells) cells", cells)
        }
        guard cells.count == width else {
            return try reject("csv.cell-count", "the row has \(cells.count) cells and the table \(width)", cells)
        }
        let isUnicode = String(validating: cells.bytes, as: UTF8.self) != nil
        guard isUnicode || isWestern else {
            return try reject("csv.utf8", "the bytes are not valid UTF-8; save the table as CSV UTF-8", cells)
        }
        guard let row else { return }
        let strings = isUnicode ? cells.strings() : (0..<cells.count).map { WesternText.string(cells.cell($0)) }
        // The next of several tables that were put together begins with its header.
        if cells.hadMark, strings == row.header { return }
        let message = row.message(strings, line: cells.line)
        if message.sentAt == nil, let column = row.mapping.columns[.time], column < strings.count,
            !strings[column].isEmpty
        {
            unreadTimes += 1
        }
        try context.assembler.append(message, number: cells.line)
    }

    private func reject(_ code: String, _ words: String, _ cells: CSVParser.Row) throws {
        let reason = RejectReason(code: code, reason: words)
        try cells.raw.withUnsafeBufferPointer {
            try context.assembler.append(
                reject: reason, raw: $0.count <= 1 << 16 ? $0 : nil, number: cells.line, offset: cells.offset)
        }
    }
}
