package import TriageCore

/// Normalises every text of a batch for matching; see ``TextFolder``.
///
/// It reads the text and writes the folded text, its words and its shape.
package struct FoldStage: LocalStage {
    package let name = "text.fold"
    package let reads: Set<Field> = [.fields]
    package let writes: Set<Field> = [.folded]

    private let folder = TextFolder()

    package init() {}

    package func annotate(_ batch: inout Batch) {
        folder.fold(&batch)
        for index in batch.records.indices where batch.records[index].folded.shape.isCut {
            batch.report(
                Problem(
                    stage: name, code: "text.cut",
                    message: "only the first \(TextFolder.limit) bytes of the text were analysed"), at: index)
        }
        // Scanners may read a vector's width beyond the last text.
        batch.folded.append(contentsOf: repeatElement(0, count: InputBatch.padding))
    }
}
