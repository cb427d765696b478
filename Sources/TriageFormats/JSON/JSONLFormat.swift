import TriageCore

/// One JSON record a line; the way in of everything that writes records itself.
struct JSONLFormat: ExportFormat {
    let name = "jsonl"
    let summary = "one JSON record a line"

    func detect(_ opening: Opening) -> Detection? {
        guard opening.firstByte == UInt8(ascii: "{") else { return nil }
        if let line = opening.firstLine, let record = JSONNode(line) {
            guard JSONArrayFormat.container(in: record) == nil, !Self.isAlone(line, in: opening) || Self.isKnown(record)
            else { return nil }
            return Detection(format: name, reason: "the first line is a JSON object")
        }
        guard JSONArrayFormat().detect(opening) == nil else { return nil }
        return Detection(format: name, reason: "the first line begins with '{'")
    }

    /// Whether a line is all there is.
    private static func isAlone(_ line: ArraySlice<UInt8>, in opening: Opening) -> Bool {
        opening.isWhole && opening.bytes[line.endIndex...].allSatisfy(Opening.isBlank)
    }

    /// Whether any member is called as one of a record; a file that is one object of something else is no message.
    private static func isKnown(_ record: JSONNode) -> Bool {
        let others: Set<String> = ["sender", "participants", "attachments", "reactions", "raw", "triage"]
        return RecordLines.textKey(of: record) != nil
            || record.members.contains { ColumnNames.field(of: $0.key) != nil || others.contains($0.key) }
    }

    /// Whether an opening that may go on leaves no doubt.
    static func isCertain(_ opening: Opening) -> Bool {
        guard opening.firstByte == UInt8(ascii: "{"), let line = opening.firstLine, let record = JSONNode(line) else {
            return false
        }
        return JSONArrayFormat.container(in: record) == nil
    }

    func makeReader(_ context: ReadingContext) -> any ExportReader { JSONLReader(context) }
}
