import Foundation

/// A line of output taken apart: what was the record's own, and what `triage` put in.
struct Annotated {
    /// The line without the `triage` member and its comma.
    var record: [UInt8]
    /// The whole line as JSON.
    var whole: [String: Any]
    /// The `triage` member.
    var triage: [String: Any]

    /// nil when `triage` is not the last member of an object.
    init?(_ line: [UInt8]) {
        let marker = Array(",\"triage\":{\"schema\":1".utf8)
        guard let start = Self.lastRange(of: marker, in: line), let brace = line.lastIndex(of: UInt8(ascii: "}")),
            let inner = line[..<brace].lastIndex(of: UInt8(ascii: "}")), inner > start,
            let triage = Self.object(line[(start + 10)...inner])
        else { return nil }
        // Blanks may stand before the closing brace of a record, not behind it.
        record = Array(line[..<start] + line[(inner + 1)...])
        self.triage = triage
        // Records hold what Foundation cannot read, such as the number 1E400.
        whole = Self.object(line[...]) ?? [:]
    }

    /// The JSON object in these bytes; nil when they are none.
    static func object(_ bytes: ArraySlice<UInt8>) -> [String: Any]? {
        (try? JSONSerialization.jsonObject(with: Data(bytes))) as? [String: Any]
    }

    /// Offset of the last place where the marker stands.
    private static func lastRange(of marker: [UInt8], in line: [UInt8]) -> Int? {
        // Tests take apart a hundred thousand lines, and a search through the collections took a third of all their time.
        var start = line.count - marker.count
        while start >= 0 {
            var count = 0
            while count < marker.count, line[start + count] == marker[count] { count += 1 }
            if count == marker.count { return start }
            start -= 1
        }
        return nil
    }

    /// A member of the `triage` object, by path.
    subscript(_ path: String...) -> Any? {
        var found: Any? = triage
        for key in path { found = (found as? [String: Any])?[key] }
        return found
    }

    /// Codes of what was ignored.
    var problems: [String] {
        (triage["problems"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
    }

    /// The code of a rejected record.
    static func rejectCode(_ line: [UInt8]) -> String? {
        let triage = object(line[...])?["triage"] as? [String: Any]
        return (triage?["rejected"] as? [String: Any])?["code"] as? String
    }
}

extension Program.Outcome {
    /// The lines of the output, taken apart; lines that are no annotated records are nil.
    var records: [Annotated?] { lines.map { Annotated($0) } }
}

/// Whether a member is there and null.
func isNull(_ value: Any?) -> Bool { value is NSNull }
