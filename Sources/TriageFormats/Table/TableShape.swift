import TriageCore

/// The layout of a delimited file, determined from its opening.
struct TableShape {
    var delimiter: UInt8
    /// Number of rows before the data: preamble, `sep=` line and header.
    var leadingRows: Int
    var header: [String]?
    /// The first data rows.
    var sample: [[String]]
    /// Number of cells in a row.
    var width: Int

    static let delimiters: [UInt8] = [0x2C, 0x3B, 0x09, 0x7C]
    private static let sampleRows = 50

    /// nil: not a table of at least two columns.
    ///
    /// One column is enough when `isNamed`, or when its first row is a known name for texts.
    ///
    /// - Parameter columns: the values of `--map`, which also help to recognize a header.
    init?(_ opening: Opening, isNamed: Bool = false, columns: [String: String] = [:]) {
        guard !opening.isBinary else { return nil }
        var announced: UInt8?
        if let line = opening.firstLine, line.count == 5, line.starts(with: Array("sep=".utf8)) {
            announced = line.last
        }
        var best: (score: Int, width: Int, delimiter: UInt8, rows: [[String]])?
        for delimiter in announced.map({ [$0] }) ?? Self.delimiters {
            let rows = Self.rows(opening, delimiter)
            guard !rows.isEmpty else { continue }
            var counts: [Int: Int] = [:]
            for row in rows.prefix(20) { counts[row.count, default: 0] += 1 }
            // Use the most common number of cells; on a tie, the larger one.
            guard let common = counts.filter({ $0.key > 1 }).max(by: { ($0.value, $0.key) < ($1.value, $1.key) }) else {
                continue
            }
            if best == nil || (common.value, common.key) > (best?.score ?? 0, best?.width ?? 0) {
                best = (common.value, common.key, delimiter, rows)
            }
        }
        if best == nil {
            let rows = Self.rows(opening, announced ?? 0x2C)
            guard let first = rows.first, isNamed || Self.areTexts(rows) else { return nil }
            best = (rows.count, first.count, announced ?? 0x2C, rows)
        }
        guard let best, isNamed || best.score * 2 >= min(best.rows.count, 20) else { return nil }
        delimiter = best.delimiter
        width = best.width
        let skipped = announced == nil ? 0 : 1
        let rows = Array(best.rows.dropFirst(skipped))
        let headerRow = Self.headerRow(rows, Set(columns.values.filter { Int($0) == nil }.map(ColumnNames.normalized)))
        leadingRows = skipped + (headerRow.map { $0 + 1 } ?? 0)
        header = headerRow.map { rows[$0] }
        if let header { width = header.count }
        sample = Array(rows.dropFirst(headerRow.map { $0 + 1 } ?? 0).prefix(Self.sampleRows))
    }

    /// Whether it is a single column of texts under a header, as a spreadsheet writes it.
    private static func areTexts(_ rows: [[String]]) -> Bool {
        guard rows.count > 1, let name = rows[0].first, rows.allSatisfy({ $0.count == 1 }) else { return false }
        return isName(name) && ColumnNames.field(of: name) == .text
    }

    /// The first rows, without a last one that the opening cuts off.
    private static func rows(_ opening: Opening, _ delimiter: UInt8) -> [[String]] {
        var rows: [[String]] = []
        var parser = CSVParser(delimiter: delimiter, maximumLength: Opening.limit)
        opening.bytes.withUnsafeBufferPointer { bytes in
            // Enough for the sample and any preamble; the rest would be parsed five times for nothing.
            let limit = min(bytes.count, 1 << 16)
            parser.feed(UnsafeBufferPointer(rebasing: bytes[..<limit])) { row in
                if rows.count < 80, !row.isBlank { rows.append(row.strings()) }
            }
            if opening.isWhole, limit == bytes.count {
                parser.finish { row in if rows.count < 80, !row.isBlank { rows.append(row.strings()) } }
            }
        }
        return rows
    }

    /// The index of the header row, which may follow a preamble.
    private static func headerRow(_ rows: [[String]], _ named: Set<String>) -> Int? {
        for (index, row) in rows.prefix(20).enumerated() {
            let filled = row.filter { !$0.isEmpty }.count
            guard index == 0 || filled >= 3 else { continue }
            let isHeader = row.contains { cell in
                isName(cell)
                    && (ColumnNames.field(of: cell) != nil
                        || !named.isEmpty && named.contains(ColumnNames.normalized(cell)))
            }
            if isHeader { return index }
        }
        guard let first = rows.first, rows.count > 1 else { return nil }
        // No known name: it is still a header if a column has a date or number in row two but not in row one.
        let second = rows[1]
        let hasData = first.contains { TableTime.looksLikeTime($0) || Double($0) != nil }
        let differs = zip(first, second).contains { TableTime.looksLikeTime($1) || Double($1) != nil }
        return !hasData && differs && first.allSatisfy(isName) ? 0 : nil
    }

    /// Whether a cell can be a column name: these are short, so a sentence that contains a known word is not one.
    private static func isName(_ cell: String) -> Bool {
        !cell.isEmpty && cell.utf8.count <= 60 && !cell.contains("\n")
    }
}
