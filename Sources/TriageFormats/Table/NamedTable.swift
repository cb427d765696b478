import TriageCore

/// A table whose columns are found by their header names, in any position.
///
/// Platforms add, drop and move columns, and some put introductory lines before the header.
struct NamedTable: Equatable {
    /// Maximum number of lines before the header.
    private static let preamble = 8

    let delimiter: UInt8
    /// Number of cells in a row.
    let width: Int
    /// Line number of the header, from 1.
    let headerLine: Int
    private let places: [String: Int]

    /// - Parameter isHeader: judges the trimmed, lower-case names in a row.
    init?(_ opening: Opening, _ isHeader: (Set<String>) -> Bool) {
        guard let first = opening.firstByte, ![UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "<")].contains(first)
        else { return nil }
        for delimiter in [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09] {
            for (line, row) in Self.rows(opening, delimiter) where row.count > 1 {
                let names = row.map { $0.trimmingBlanks().lowercased() }
                guard isHeader(Set(names)) else { continue }
                self.delimiter = delimiter
                width = names.count
                headerLine = line
                places = Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first })
                return
            }
        }
        return nil
    }

    /// The table and its kind, judged by its column names; nil when no row is a known header.
    ///
    /// - Parameter kind: judges the names of a row, as in ``init(_:_:)``.
    static func find<Kind>(_ opening: Opening, _ kind: (Set<String>) -> Kind?) -> (kind: Kind, table: NamedTable)? {
        var found: Kind?
        let table = NamedTable(opening) { names in
            found = kind(names)
            return found != nil
        }
        guard let table, let found else { return nil }
        return (found, table)
    }

    private static func rows(_ opening: Opening, _ delimiter: UInt8) -> [(Int, [String])] {
        var rows: [(Int, [String])] = []
        var parser = CSVParser(delimiter: delimiter, maximumLength: 1 << 14)
        func take(_ row: CSVParser.Row) {
            if rows.count < preamble, !row.isBlank, !row.isTooLong { rows.append((row.line, row.strings())) }
        }
        opening.bytes.withUnsafeBufferPointer { bytes in
            let head = UnsafeBufferPointer(rebasing: bytes.prefix(1 << 16))
            parser.feed(head, take)
            if opening.isWhole, head.count == bytes.count { parser.finish(take) }
        }
        return rows
    }

    /// Whether there is a column with this name.
    func has(_ name: String) -> Bool { places[name] != nil }

    private static let addresses: Set<String> = ["permalink", "link", "media", "parent", "ip", "gildings"]

    /// Whether there is text where a URL or a number should be: the row's cells are shifted.
    func hasStrayWords(_ row: CSVParser.Row) -> Bool {
        places.contains { name, place in
            guard name.hasSuffix("url") || name.hasSuffix("id") || Self.addresses.contains(name) else { return false }
            let cell = row.cell(place)
            return cell.contains(0x20) && StrayWords.areWords(String(decoding: cell, as: UTF8.self))
        }
    }

    /// A cell by column name; nil when it is empty or missing.
    func cell(_ name: String, _ row: CSVParser.Row) -> String? {
        guard let place = places[name] else { return nil }
        let cell = row.cell(place)
        return cell.isEmpty ? nil : String(decoding: cell, as: UTF8.self)
    }
}

/// Parses bytes into the rows of a ``NamedTable``.
final class NamedRows {
    /// A row, or why one cannot be read.
    enum Event {
        case row(CSVParser.Row)
        case fault(RejectReason, CSVParser.Row)
    }

    private let table: NamedTable
    private let limit: Int
    private var parser: CSVParser
    /// The line in which the last row began.
    private(set) var line = 0

    init(_ table: NamedTable, opening: Opening, maximumLine: Int) {
        self.table = table
        limit = maximumLine
        parser = CSVParser(delimiter: table.delimiter, maximumLength: maximumLine, offset: opening.markLength)
    }

    func feed(_ bytes: UnsafeBufferPointer<UInt8>, _ emit: (Event) throws -> Void) rethrows {
        try parser.feed(bytes) { try take($0, emit) }
    }

    func finish(_ emit: (Event) throws -> Void) rethrows {
        try parser.finish { try take($0, emit) }
    }

    private func take(_ row: CSVParser.Row, _ emit: (Event) throws -> Void) rethrows {
        line = row.line
        if row.isBlank || row.line == table.headerLine { return }
        if row.line < table.headerLine {
            // Introductory lines fill few cells; this row should be below the header.
            let filled = (0..<row.count).count { !row.cell($0).isEmpty }
            guard row.count == table.width, filled * 2 > table.width else { return }
            let reason = RejectReason(code: "csv.above-header", reason: "the row comes before the table's header")
            return try emit(.fault(reason, row))
        }
        if let reason = fault(row) { try emit(.fault(reason, row)) } else { try emit(.row(row)) }
    }

    private func fault(_ row: CSVParser.Row) -> RejectReason? {
        if row.isTooLong {
            return RejectReason(
                code: "input.line-too-long", reason: "the row is longer than \(limit) bytes (--max-line)")
        }
        if row.isUnclosed { return RejectReason(code: "csv.unclosed-quote", reason: "a quoted cell is not closed") }
        // Spreadsheets append empty cells.
        let fits = row.count >= table.width && (table.width..<row.count).allSatisfy { row.cell($0).isEmpty }
        if !fits || row.isTooWide {
            return RejectReason(
                code: "csv.cell-count",
                reason: "the row has \(row.count) cells, but the table has \(table.width) columns")
        }
        guard String(validating: row.bytes, as: UTF8.self) != nil else {
            return RejectReason(code: "csv.utf8", reason: "the bytes are not valid UTF-8")
        }
        return nil
    }
}

/// Paths of the CSV files in an export that is a flat list of them.
enum TablePath {
    /// The base name of a CSV file: `messages` for `one/Messages_2.csv`; nil for other files.
    static func base(_ path: String) -> String? {
        let name = (path.split(separator: "/").last ?? "").lowercased()
        guard name.hasSuffix(".csv") else { return nil }
        var base = Substring(name.dropLast(4))
        // Drop the number of a part, or of a duplicate download.
        let digits = base.reversed().prefix { $0.isASCII && $0.isNumber }.count
        if digits > 0, digits <= 3, base.dropLast(digits).hasSuffix("_") { base = base.dropLast(digits + 1) }
        if base.hasSuffix(")"), let start = base.lastIndex(of: "("), start > base.startIndex {
            base = base[..<start]
            while base.last == " " { base = base.dropLast() }
        }
        return String(base)
    }

    /// What belongs to exports in these folders: everything in a folder, but only the CSV files at the top.
    static func roots(of folders: [String], among paths: [String]) -> [String] {
        folders.flatMap { folder in
            folder.isEmpty ? paths.filter { !$0.contains("/") && base($0) != nil } : [folder]
        }
    }
}
