package import TriageCore

/// Encodes each message as a vector that stands for its meaning (``SentenceEncoder``), for later stages to weigh.
///
/// Skips spam and texts without a letter. Encoding takes about 0.3 ms per word piece, 15 ms for the median message.
package struct SentenceStage: LocalStage {
    package let name = "sentence.encoder"
    package let reads: Set<Field> = [.fields, .folded, .category]
    package let writes: Set<Field> = [.sentence]

    package init() {}

    package func annotate(_ batch: inout Batch) {
        for index in batch.records.indices where isRead(batch.records[index]) {
            guard let encoder = SentenceEncoder.shipped else { return }
            let text = Array(batch.arena[batch.records[index].fields.text.range])
            batch.records[index].sentence = Int32(batch.sentences.count / Batch.sentenceSize)
            batch.sentences += encoder.vector(of: SentenceText.plain(text[FAQSpans.whole(of: text)]))
        }
    }

    private func isRead(_ record: Record) -> Bool {
        record.isAsked && record.folded.shape.hasLetters && record.category?.label != .spam
    }
}
