package import TriageCore

/// Encodes each message as a vector that stands for its meaning (``SentenceEncoder``), for later stages to weigh.
///
/// Skips spam and texts without a letter. Encoding takes 0.1 to 0.4 ms per word piece.
package struct SentenceStage: LocalStage {
    package let name = "sentence.encoder"
    package let reads: Set<Field> = [.fields, .folded, .category]
    package let writes: Set<Field> = [.sentence]

    package init() {}

    package func annotate(_ batch: inout Batch) {
        let read = batch.records.indices.filter { isRead(batch.records[$0]) }
        guard !read.isEmpty, let encoder = SentenceEncoder.shipped else { return }
        let texts = read.map { index in
            let text = Array(batch.arena[batch.records[index].fields.text.range])
            return SentenceText.plain(text[FAQSpans.whole(of: text)])
        }
        for (index, vector) in zip(read, encoder.vectors(of: texts)) {
            batch.records[index].sentence = Int32(batch.sentences.count / Batch.sentenceSize)
            batch.sentences += vector
        }
    }

    private func isRead(_ record: Record) -> Bool {
        record.isAsked && record.folded.shape.hasLetters && record.category?.label != .spam
    }
}
