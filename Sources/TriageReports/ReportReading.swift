import TriageCore
import TriageFormats
import TriageInbox
import TriageLLM

/// Reads annotated records for a report, with one batch in memory at a time.
package struct ReportReading {
    /// Files of records; `-` is standard input.
    package var paths: [String]
    /// Only messages sent at or after this time, in seconds since 1970.
    package var since: Int64?
    /// The member that holds the text, such as `text=body`.
    package var columns: [String] = []

    package init(paths: [String], since: Int64? = nil, columns: [String] = []) {
        self.paths = paths
        self.since = since
        self.columns = columns
    }

    private static let batchSize = 512
    private static let limits = JSONLimits(bytes: 64 << 20, depth: 128, values: 1 << 20)

    /// Reads the records and counts what they hold.
    ///
    /// - Throws: ``TriageError`` `report.not-annotated` (65), `input.unreadable` (66).
    package func contents() throws -> ReportContents {
        let reader = RecordReader()
        var tally = RecordTally()
        var batch = Batch()
        var answered = 0
        let assembler = BatchAssembler(
            maximumLines: Self.batchSize, beginSource: { _ in },
            deliver: { input in
                batch.reset(to: input)
                reader.read(&batch)
                answered += add(batch, to: &tally)
            })
        var options = InputReader.Options()
        options.paths = paths
        options.columns = columns
        try InputReader(options: options).read(into: assembler)
        try assembler.flush()
        let contents = tally.result
        if contents.unanswered > 0, answered == 0 {
            throw TriageError(
                "report.not-annotated", "no record has answers: a report needs annotated records",
                at: paths.joined(separator: ", "), remedy: "triage run FILE | triage report - -o report.html",
                exit: .badData)
        }
        return contents
    }

    /// - Returns: how many of the records have answers.
    private func add(_ batch: Batch, to tally: inout RecordTally) -> Int {
        var answered = 0
        for index in batch.records.indices {
            let record = batch.records[index]
            let line = batch.input.lines[record.line]
            let bytes = Array(batch.input.bytes[line.span.range])
            if record.status == .rejected {
                // A rejected record has no text, and none of it was cut off.
                let isRejected = line.reject == nil && StoredRecord(bytes).answer("rejected") != nil
                tally.addUnreadable(isRejected: isRejected)
                if isRejected { answered += 1 }
                continue
            }
            guard !line.isMade,
                case (let answers?, let corrections) = Self.members(
                    of: bytes, at: record.cuts.isEmpty ? nil : batch.cuts[record.cuts].last)
            else {
                tally.addUnanswered()
                continue
            }
            answered += 1
            if let since, answers["skipped"] == nil, (record.sentAt ?? .min) < since { continue }
            tally.add(answers, corrections: corrections, sentAt: record.sentAt) { category in
                func text(_ span: Span32) -> String? { batch.string(span).flatMap { $0.isEmpty ? nil : $0 } }
                let fields = record.fields
                return ReportMessage(
                    name: text(fields.id) ?? answers["id"]?.string,
                    sender: text(fields.senderName) ?? text(fields.senderHandle) ?? text(fields.senderID),
                    platform: text(fields.platform), sentAt: record.sentAt, category: category,
                    priority: answers["priority"]?.integer, language: answers["language"]?["tag"]?.string,
                    text: text(fields.text) ?? "")
            }
        }
        return answered
    }

    /// The answers of a record, and people's corrections.
    ///
    /// - Parameter place: the range of the member `triage` in the line; if it is repeated, the last one counts.
    private static func members(
        of line: [UInt8], at place: Range<Int>?
    ) -> (answers: JSONValue?, corrections: JSONValue?) {
        guard let place, place.upperBound <= line.count,
            let start = line[place].firstIndex(of: UInt8(ascii: "{")),
            let end = line[place].lastIndex(of: UInt8(ascii: "}")), start < end,
            let answers = try? StrictJSON.parse(
                Array(line[start...end]), limits: limits, surrogates: .replace),
            answers["schema"] != nil
        else { return (nil, nil) }
        // Corrections come after the answers; if nothing follows the answers, there are none.
        let isLast = line[place.upperBound...].allSatisfy { $0 <= 0x20 || $0 == UInt8(ascii: "}") }
        return (answers, isLast ? nil : StoredRecord(line)["corrections"])
    }
}
