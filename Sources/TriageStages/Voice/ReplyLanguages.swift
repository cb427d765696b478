internal import TriageCore

/// Says which language replies are in.
package enum ReplyLanguages {
    private static let batchSize = 512
    /// A language of a short reply counts from here on; else the reply is taken to be in the message's.
    private static let sureLanguage: Float = 0.6

    /// Sets the language of the exchanges at these places, where their replies show it.
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
