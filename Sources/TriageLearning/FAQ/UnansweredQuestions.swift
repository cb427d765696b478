import TriageCore
import TriageEvaluation
package import TriageRun
package import TriageStages

/// Reads messages and collects the questions that no entry answers.
package final class UnansweredQuestions {
    package private(set) var suggester = FAQSuggester()
    /// Messages that were looked at.
    package private(set) var read = 0
    /// Messages with a question that no entry answers.
    package private(set) var unanswered = 0

    package init(suggester: FAQSuggester = FAQSuggester(), read: Int = 0, unanswered: Int = 0) {
        self.suggester = suggester
        self.read = read
        self.unanswered = unanswered
    }

    /// - Parameter limit: the maximum number of messages; nil: all.
    package func read(_ input: InputOptions, with reading: MessageReading) throws {
        let limit = input.limit ?? .max
        let since = try input.sinceSeconds()
        let answers = PredictionReader()
        try reading.forEachBatch(of: input) { [self] batch in
            for index in batch.records.indices {
                guard read < limit else { return false }
                let record = batch.records[index]
                guard record.status == .message else { continue }
                if let since, let sentAt = record.sentAt, sentAt < since { continue }
                read += 1
                // A ready answer does not suit spam, or messages that a person has to look at.
                guard record.category?.label != .spam, record.urgency?.isUrgent != true,
                    let text = batch.string(record.fields.text)
                else { continue }
                let line = batch.input.lines[record.line]
                // Answers stored in the record count, whether another method or a person gave them.
                let told = batch.input.bytes.withUnsafeBufferPointer { bytes in
                    line.isMade ? nil : answers.namesEntry(UnsafeBufferPointer(rebasing: bytes[line.span.range]))
                }
                guard !(told ?? (record.faq != nil)) else { continue }
                let fields = record.fields
                let sender = fields.senderID.isPresent ? fields.senderID : fields.senderHandle
                let before = suggester.questions
                suggester.add(
                    text, language: record.language?.language ?? LanguageTable.undetermined,
                    sender: batch.string(sender), id: batch.string(fields.id) ?? "")
                if suggester.questions > before { unanswered += 1 }
            }
            return read < limit
        }
    }
}
