import TriageCore
import TriageFormats

extension RunCounts {
    /// Says on standard error what the run did.
    ///
    /// - Parameters:
    ///   - encoder: what wrote the output; a table has said the offers already.
    ///   - further: lines about what was asked of a language model.
    func writeSummary(encoder: any RecordEncoder, further: [String] = []) {
        let columns = Terminal.width(2)
        var lines = summary(columns: columns)
        if encoder is TableRecordEncoder, let offers = lines.firstIndex(of: "best offers:") {
            lines.removeSubrange(offers...)
        }
        lines.insert(contentsOf: further, at: lines.firstIndex(of: "best offers:") ?? lines.count)
        var text = ""
        for (number, line) in lines.enumerated() { text += (number == 0 ? "triage: " : "        ") + line + "\n" }
        Terminal.tell(text)
    }
}
