import TriageCore

/// Delimited text from any program: CSV, TSV and similar formats.
struct TableFormat: ExportFormat {
    let name = "csv"
    let summary = "a table with a text column, separated by , ; tab or |"
    var takesAnyText: Bool { true }

    func detect(_ opening: Opening) -> Detection? {
        guard opening.firstByte != UInt8(ascii: "<"), let shape = TableShape(opening.inUnicode) else { return nil }
        let names =
            [0x2C: "commas", 0x3B: "semicolons", 0x09: "tabs", 0x7C: "bars"][Int(shape.delimiter)] ?? "a separator"
        let reason = "\(shape.width) columns separated by \(names)"
        do {
            let mapping = try ColumnMapping(header: shape.header, sample: shape.sample)
            guard mapping.columns[.text] != nil else { return nil }
        } catch {
            // Two columns could be the text. It is a table all the same, and reading it reports the ambiguity.
        }
        // Prose has commas too: without a header, there must be many columns or columns of different kinds.
        if shape.header == nil, shape.delimiter == 0x2C, Self.isProse(opening) { return nil }
        if shape.header == nil, !shape.sample.contains(where: { $0.contains(where: TableTime.looksLikeTime) }) {
            return nil
        }
        return Detection(
            format: name, reason: reason, missing: shape.header == nil ? ["the table has no header"] : [])
    }

    /// Whether nearly every comma is followed by a space and nothing is quoted, as in sentences and dates.
    private static func isProse(_ opening: Opening) -> Bool {
        let bytes = opening.bytes.prefix(1 << 14)
        var commas = 0
        var spaced = 0
        for at in bytes.indices where bytes[at] == 0x2C {
            commas += 1
            if at + 1 == bytes.endIndex || Opening.isBlank(bytes[at + 1]) { spaced += 1 }
        }
        return spaced * 10 > commas * 9
    }

    /// Judges a table whose text column is known only from `--map`.
    ///
    /// - Throws: ``TriageError`` `input.bad-map` (exit 64).
    func detect(_ opening: Opening, columns: [String]) throws -> Detection? {
        let named = try ColumnMapping.names(columns)
        guard named["text"] != nil, let first = opening.firstByte, !Array("<{[".utf8).contains(first),
            let shape = TableShape(opening.inUnicode, columns: named),
            (try? ColumnMapping(header: shape.header, sample: shape.sample, named: named)) != nil
        else { return nil }
        return Detection(format: name, reason: "--map names its text column")
    }

    func makeReader(_ context: ReadingContext) -> any ExportReader { TableReader(context) }
}

/// Reads rows as they arrive.
private final class TableReader: ExportReader {
    /// The maximum number of unused columns that a notice names.
    private static let mostNames = 10

    private let context: ReadingContext
    private var parser = CSVParser(delimiter: 0x2C, maximumLength: 0)
    private var row: TableRow?
    private var width = 0
    private var leading = 0
    private var lastLine = 0
    /// Rows whose time could not be parsed.
    private var unreadTimes = 0
    /// Whether bytes that are not UTF-8 are read as Windows-1252.
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
        sayUnused(mapping, shape.header, in: member)
        if isWestern {
            context.notices(
                "the table is not UTF-8 and is read as Windows-1252; if letters are wrong, save it as CSV UTF-8")
        }
    }

    /// Reports guessed columns, so that a user who sees a wrong one can name the right one.
    private func say(_ mapping: ColumnMapping, _ header: [String]?) {
        let columns = mapping.columns.sorted { $0.value < $1.value }.map { field, index in
            let name = header.flatMap { index < $0.count ? $0[index] : nil } ?? "column \(index + 1)"
            return "\(field.rawValue) from '\(name)'"
        }
        context.notices("columns: " + columns.joined(separator: ", ") + "; --map FIELD=COLUMN chooses others")
    }

    /// Names the columns that hold no field: one of them may be a field under a name that is not known.
    private func sayUnused(_ mapping: ColumnMapping, _ header: [String]?, in member: Member) {
        let taken = Set(mapping.columns.values)
        let unused = (header ?? []).enumerated().filter { !taken.contains($0.offset) && !$0.element.isEmpty }
        guard !unused.isEmpty else { return }
        // A header that is none may hold long texts.
        let names = unused.prefix(Self.mostNames).map { String($0.element.prefix(40)) }
        let rest = unused.count - names.count
        context.notices(
            "\(member.source): columns not used: " + names.joined(separator: ", ")
                + (rest > 0 ? " and \(rest) more" : "") + "; their cells are kept in raw")
    }

    func read(_ bytes: UnsafeBufferPointer<UInt8>) throws -> Bool {
        try parser.feed(bytes, take)
        return true
    }

    func end(fault: RejectReason?) throws {
        if let fault {
            // The row in progress is incomplete.
            try context.assembler.append(reject: fault, number: lastLine + 1, offset: -1)
            return
        }
        try parser.finish(take)
        sayUnreadTimes()
    }

    /// Reports unparsed times: messages without a time cannot be sorted or counted by day, and users should know it at
    /// once.
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
            // Introductory lines have nothing in the text column.
            if leading > 0, cells.count == width, let text = row?.mapping.columns[.text], !cells.cell(text).isEmpty {
                try reject("csv.above-header", "the row comes before the table's header", cells)
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
            return try reject(
                "csv.cell-count", "the row has \(cells.count) cells, but the table has \(width) columns", cells)
        }
        let isUnicode = String(validating: cells.bytes, as: UTF8.self) != nil
        guard isUnicode || isWestern else {
            return try reject("csv.utf8", "the bytes are not valid UTF-8; save the table as CSV UTF-8", cells)
        }
        guard let row else { return }
        let strings = isUnicode ? cells.strings() : (0..<cells.count).map { WesternText.string(cells.cell($0)) }
        // When tables were concatenated, the next one begins with its header.
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

/// Text in Windows-1252, one byte per character, which spreadsheets save by default.
private enum WesternText {
    /// Code points for 0x80–0x9F; 0 is unassigned.
    private static let upper: [UInt16] = [
        0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017D, 0,
        0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E,
        0x0178,
    ]

    /// Whether each byte is a character of everyday writing.
    ///
    /// Those are `€ ‚ „ … Š Œ Ž ' ' " " • – — š œ ž`, the inverted marks, quotes, `£ § ° ª º ·`, and letters except
    /// Icelandic ones, which more often indicate another code page.
    private static let isEveryday: [Bool] = (0...255).map { byte in
        switch byte {
        case 0x80, 0x82, 0x84, 0x85, 0x8A, 0x8C, 0x8E, 0x91...0x97, 0x9A, 0x9C, 0x9E: true
        case 0xA0, 0xA1, 0xA3, 0xA7, 0xAA, 0xAB, 0xB0, 0xB4, 0xB7, 0xBA, 0xBB, 0xBF: true
        case 0xC0...0xFC: ![0xD0, 0xD7, 0xDD, 0xDE, 0xF0, 0xF7].contains(byte)
        default: false
        }
    }

    /// Whether an opening is such text: it has few bytes that are not UTF-8, all of them everyday characters.
    ///
    /// A code page of another script has more of them than of plain letters. One of Central Europe has some that are
    /// not letters here. A stray byte in a table of plain words is an error, not a letter.
    static func looksWestern(_ opening: Opening) -> Bool {
        let bytes = opening.bytes
        guard bytes.contains(where: { $0 >= 0x80 }) else { return false }
        // A sequence cut off by the end of the opening counts neither way.
        let end = opening.isWhole ? bytes.count : max(0, bytes.count - 3)
        var letters = 0
        var sequences = 0
        var others = 0
        var i = 0
        while i < end {
            let byte = bytes[i]
            if byte < 0x80 {
                letters += (byte | 0x20) &- 0x61 < 26 ? 1 : 0
                i += 1
            } else if let length = sequence(at: i, in: bytes) {
                sequences += 1
                i += length
            } else {
                guard isEveryday[Int(byte)] else { return false }
                others += 1
                i += 1
            }
        }
        // A quotation mark after a letter and a no-break space looks like a sequence, too.
        return others > 2 * sequences && others * 4 < letters
    }

    /// The length of the UTF-8 sequence that starts at a non-ASCII byte; nil: it is invalid.
    private static func sequence(at start: Int, in bytes: [UInt8]) -> Int? {
        let length =
            switch bytes[start] {
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 0
            }
        guard length > 0, start + length <= bytes.count else { return nil }
        return bytes[start + 1..<start + length].allSatisfy { $0 & 0xC0 == 0x80 } ? length : nil
    }

    static func string(_ bytes: ArraySlice<UInt8>) -> String {
        var scalars = String.UnicodeScalarView()
        for byte in bytes {
            let code = (0x80...0x9F).contains(byte) ? upper[Int(byte) - 0x80] : UInt16(byte)
            scalars.append(Unicode.Scalar(code == 0 ? 0xFFFD : code) ?? "\u{FFFD}")
        }
        return String(scalars)
    }
}

extension Opening {
    /// The opening converted to UTF-8 if it is Windows-1252.
    var inUnicode: Opening {
        guard WesternText.looksWestern(self) else { return self }
        return Opening(bytes: Array(WesternText.string(bytes[...]).utf8), isWhole: isWhole, markLength: markLength)
    }
}
