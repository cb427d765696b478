package import TriageEvaluation
import TriageCore
import TriageFormats

/// Sheets in which judges mark drafts: CSV with one message per row, which does not say how a draft was made.
package struct DraftSheet {
    /// Columns of a sheet; judges fill in the last three.
    static let columns = [
        "number", "record", "platform", "sender", "message", "draft", "mark", "specific", "note",
    ]

    package let items: [DraftItem]

    /// - Parameter path: the JSONL output of `triage run`.
    /// - Throws: ``TriageError`` `drafts.none` (65) when no line has a message that could have a draft;
    ///   `drafts.same-id` (65) when two have the same id.
    package init(annotated path: String) throws {
        var items: [DraftItem] = []
        var ids: Set<String> = []
        try LineFile(path: path).forEach { line, number in
            guard let item = DraftItemReader().item(line) else { return true }
            guard ids.insert(item.record).inserted else {
                throw TriageError(
                    "drafts.same-id", "the id of this record is a duplicate", at: "\(path):\(number)",
                    remedy: "give every record a unique id", exit: .badData)
            }
            items.append(item)
            return true
        }
        guard !items.isEmpty else {
            throw TriageError(
                "drafts.none", "no record has a draft or a reason for having none", at: path,
                remedy: "name what `triage run` wrote, with --only all or with draft in it", exit: .badData)
        }
        self.items = items
    }

    /// The sheet, in an order that reveals nothing about the records.
    ///
    /// - Parameters:
    ///   - sample: the maximum number of rows, drawn at random; nil: all.
    ///   - seed: the same seed draws the same rows.
    package func text(sample: Int?, seed: UInt64) -> String {
        var random = SplitMix64(seed: seed)
        let drawn = items.shuffled(using: &random).prefix(sample ?? items.count)
        var bytes = Array((Self.columns.joined(separator: ",") + "\r\n").utf8)
        for (place, item) in drawn.enumerated() {
            let cells = [
                "\(place + 1)", item.record, item.platform, item.sender, item.message, item.draft ?? "", "", "", "",
            ]
            for (column, cell) in cells.enumerated() {
                if column > 0 { bytes.append(UInt8(ascii: ",")) }
                bytes += CSVRecordEncoder.cell(cell)
            }
            bytes += [0x0D, 0x0A]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads the marks of a completed sheet; rows without a mark are left out.
    ///
    /// - Throws: ``TriageError`` `drafts.bad-sheet` (65) for a missing column, an unknown mark, a mark that does not
    ///   fit a row with or without a draft, a record that is not among the annotated ones, or one that is marked twice.
    package func marks(in path: String) throws -> JudgeMarks {
        let rows = try Self.rows(of: path)
        guard let head = rows.first?.cells.map({ $0.trimmed.lowercased() }), let record = head.firstIndex(of: "record"),
            let mark = head.firstIndex(of: "mark")
        else { throw Self.bad("the first row does not name the columns 'record' and 'mark'", at: "\(path):1") }
        let specific = head.firstIndex(of: "specific")
        let known = Dictionary(uniqueKeysWithValues: items.map { (Self.guarded($0.record), $0) })
        var marks: [String: JudgeMarks.Mark] = [:]
        for row in rows.dropFirst() {
            func cell(_ column: Int?) -> String { column.flatMap { $0 < row.cells.count ? row.cells[$0] : nil } ?? "" }
            let place = "\(path):\(row.line)"
            let word = cell(mark).trimmed.lowercased()
            guard !word.isEmpty else { continue }
            guard let value = DraftMark(rawValue: word) else {
                let all = DraftMark.allCases.map(\.rawValue).joined(separator: ", ")
                throw Self.bad("this is not a mark; the marks are \(all)", at: place)
            }
            guard let item = known[cell(record)] else {
                throw Self.bad("the annotated records do not have this id", at: place)
            }
            guard value.isOfNone == (item.draft == nil) else {
                throw Self.bad(
                    item.draft == nil
                        ? "there is no draft: mark it none-right or none-miss"
                        : "there is a draft: mark it send, fill, rewrite or bin", at: place)
            }
            let yes = ["true", "yes", "y", "1", "x"].contains(cell(specific).trimmed.lowercased())
            guard marks.updateValue(JudgeMarks.Mark(value, isSpecific: yes), forKey: item.record) == nil else {
                throw Self.bad("this record is marked twice", at: place)
            }
        }
        guard !marks.isEmpty else { throw Self.bad("no row has a mark", at: path) }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return JudgeMarks(judge: name.hasSuffix(".csv") ? String(name.dropLast(4)) : name, marks: marks)
    }

    /// An id as written in the sheet, with `'` before text that a spreadsheet would take for a formula.
    private static func guarded(_ id: String) -> String {
        var parser = CSVParser(delimiter: UInt8(ascii: ","), maximumLength: LineFile.limit)
        var text = ""
        let cell = CSVRecordEncoder.cell(id) + [0x0A]
        cell.withUnsafeBufferPointer { bytes in parser.feed(bytes) { text = $0.strings().first ?? "" } }
        return text
    }

    private static func rows(of path: String) throws -> [(line: Int, cells: [String])] {
        let bytes = try LineFile(path: path).bytes()
        // In some countries, spreadsheets separate columns with semicolons.
        let head = bytes.prefix { $0 != 0x0A }
        let delimiter: UInt8 =
            [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09].max { a, b in
                head.count { $0 == a } < head.count { $0 == b }
            } ?? UInt8(ascii: ",")
        var parser = CSVParser(delimiter: delimiter, maximumLength: LineFile.limit)
        var rows: [(line: Int, cells: [String])] = []
        bytes.withUnsafeBufferPointer { bytes in
            parser.feed(bytes) { if !$0.isBlank { rows.append(($0.line, $0.strings())) } }
        }
        parser.finish { if !$0.isBlank { rows.append(($0.line, $0.strings())) } }
        return rows
    }

    private static func bad(_ what: String, at place: String) -> TriageError {
        TriageError(
            "drafts.bad-sheet", what, at: place, remedy: "fill in the sheet that `triage evaluate --drafts` wrote",
            exit: .badData)
    }
}

extension String {
    fileprivate var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
