import TriageCore

/// Delimited text: CSV, TSV and their kin, whoever wrote them.
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
            // Two columns could be the text: a table all the same, and reading it says so.
        }
        // Prose has commas too; without a header the columns must be many or of different kinds.
        if shape.header == nil, shape.delimiter == 0x2C, Self.isProse(opening) { return nil }
        if shape.header == nil, !shape.sample.contains(where: { $0.contains(where: TableTime.looksLikeTime) }) {
            return nil
        }
        return Detection(
            format: name, reason: reason, missing: shape.header == nil ? ["the table has no header"] : [])
    }

    /// Whether a blank stands behind nearly every comma and nothing is in quotes, as in sentences and dates.
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

    /// Judges a table whose column of texts only `--map` tells.
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
