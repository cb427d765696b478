package import TriageCore

/// Looks for people in danger in every part of a message (``DangerHeads``), whatever the rest of it says: also in spam.
///
/// Writes `danger` of each message that has letters. It decides nothing: ``EncoderStage``, which follows, makes messages urgent, and drafts
/// choose their words by the kind. Encoding takes as long again as that of the whole message.
package struct DangerStage: LocalStage {
    package let name = "danger.encoder"
    package let reads: Set<Field> = [.fields, .folded, .category, .sentiment, .urgency]
    package let writes: Set<Field> = [.danger]

    package init() {}

    package func annotate(_ batch: inout Batch) {
        guard let heads = DangerHeads.shipped, let encoder = SentenceEncoder.shipped else { return }
        for index in batch.records.indices {
            let record = batch.records[index]
            guard record.isAsked, record.folded.shape.hasLetters, let found = SentenceHeads.Found(record) else {
                continue
            }
            let text = Array(batch.arena[record.fields.text.range])
            let spans = DangerSpans(text).ranges
            guard !spans.isEmpty else { continue }
            let whole = FAQSpans.whole(of: text)
            let vectors = encoder.vectors(of: ([whole] + spans).map { SentenceText.plain(text[$0]) })
            let ofWhole = heads.read(vectors[0])
            let parts = zip(spans, vectors.dropFirst()).map { $0 == whole ? ofWhole : heads.read($1) }
            let worst = parts.indices.max { parts[$0].odds < parts[$1].odds } ?? 0
            batch.records[index].danger = DangerAnswer(
                kind: parts[worst].kind, odds: heads.odds(parts, whole: ofWhole, found), worst: parts[worst].odds,
                violence: parts.filter { $0.kind == .violence || $0.kind == .stalking }.map(\.odds).max()
                    ?? DangerAnswer.noViolence,
                share: parts[worst].share,
                place: Int32(spans[worst].lowerBound)..<Int32(spans[worst].upperBound))
        }
    }
}
