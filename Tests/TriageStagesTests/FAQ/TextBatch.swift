import TriageCore

/// Batches of messages as the record reader and the folder would leave them.
enum TextBatch {
    /// - Parameter languages: tags by message; the last one goes on for the rest.
    static func make(_ texts: [String], languages: [String] = ["en"]) -> Batch {
        var batch = Batch()
        let folder = TextFolder()
        for (number, text) in texts.enumerated() {
            var record = Record()
            record.line = number
            let bytes = Array(text.utf8)
            record.fields.text = Span32(start: batch.arena.count, count: bytes.count)
            batch.arena += bytes
            record.folded = bytes.withUnsafeBufferPointer {
                folder.fold($0, folded: &batch.folded, marks: &batch.marks, tokens: &batch.tokens)
            }
            let tag = number < languages.count ? languages[number] : languages.last ?? "en"
            record.language = LanguageAnswer(language: LanguageTable.index(of: tag) ?? 0, confidence: 1)
            batch.records.append(record)
        }
        return batch
    }
}
