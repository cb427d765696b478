internal import TriageCore

/// Identifies the language of replies.
package enum ReplyLanguages {
    private static let batchSize = 512
    /// Confidence from which the language of a short reply counts; below it, the reply is assumed to be in the
    /// message's language.
    private static let sureLanguage: Float = 0.6

    /// Sets the language of the exchanges at these indices, where their replies show it.
    package static func tell(
        _ exchanges: inout [VoiceLearner.Exchange], at places: [Int], model: LanguageIdentifier
    ) {
        let stages: [any LocalStage] = [FoldStage(), LanguageStage(model: model)]
        var start = 0
        while start < places.count {
            let part = places[start..<min(places.count, start + batchSize)]
            start = part.endIndex
            var batch = Batch()
            for place in part {
                var record = Record()
                let bytes = Array(exchanges[place].answered.utf8)
                record.fields.text = Span32(start: batch.arena.count, count: bytes.count)
                batch.arena += bytes
                batch.records.append(record)
            }
            for stage in stages { stage.annotate(&batch) }
            for (place, record) in zip(part, batch.records) {
                guard let language = record.language, language.language != LanguageTable.undetermined,
                    language.confidence >= sureLanguage
                else { continue }
                exchanges[place].language = LanguageTable.tags[Int(language.language)]
            }
        }
    }
}
