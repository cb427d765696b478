package import TriageCore

/// Tells whether a short thank-you answers a fan's message (``ThanksHeads``), for drafts.
///
/// Stands before the stages that refine the sentiment, because its weights were fitted so.
package struct ThanksStage: LocalStage {
    package let name = "thanks.encoder"
    package let reads: Set<Field> = [.fields, .category, .sentiment, .sentence]
    package let writes: Set<Field> = [.thanks]

    package init() {}

    package func annotate(_ batch: inout Batch) {
        guard let heads = ThanksHeads.shipped else { return }
        for index in batch.records.indices where batch.records[index].category?.label == .fan {
            let record = batch.records[index]
            guard let sentence = batch.sentence(of: record), let feeling = record.sentiment?.label else { continue }
            batch.records[index].thanks = heads.answer(feeling, batch.arena[record.fields.text.range], sentence)
        }
    }
}
