import TriageCore

/// One JSON record a line; the way in of everything that writes records itself.
struct JSONLFormat: ExportFormat {
    let name = "jsonl"
    let summary = "one JSON record a line"

    func detect(_ opening: Opening) -> Detection? {
        guard opening.firstByte == UInt8(ascii: "{") else { return nil }
        if let line = opening.firstLine, let record = JSONNode(line) {
            guard JSONArrayFormat.container(in: record) == nil else { return nil }
            return Detection(format: name, reason: "the first line is a JSON object")
        }
        guard JSONArrayFormat().detect(opening) == nil else { return nil }
        return Detection(format: name, reason: "the first line begins with '{'")
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
