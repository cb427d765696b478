internal import TriageCore

/// Identifies the language of replies and of answers in a library.
package enum ReplyLanguages {
    private static let batchSize = 512
    /// Confidence from which the language of a short reply counts; below it, the reply is assumed to be in the
    /// message's language.
    private static let sureLanguage: Float = 0.6

    /// Sets the language of the exchanges at these indices, where their replies show it.
    package static func tell(
        _ exchanges: inout [VoiceLearner.Exchange], at places: [Int], model: LanguageIdentifier
    ) {
        for (place, language) in zip(places, languages(of: places.map { exchanges[$0].answered }, model: model)) {
            guard let language else { continue }
            exchanges[place].language = LanguageTable.tags[Int(language)]
        }
    }

    /// Returns the language of each text as an index of ``LanguageTable``; nil where it is unclear.
    static func languages(of texts: [String], model: LanguageIdentifier) -> [UInt8?] {
        let stages: [any LocalStage] = [FoldStage(), LanguageStage(model: model)]
        var found: [UInt8?] = []
        var start = 0
        while start < texts.count {
            let part = texts[start..<min(texts.count, start + batchSize)]
            start = part.endIndex
            var batch = Batch()
            for text in part {
                var record = Record()
                let bytes = Array(text.utf8)
                record.fields.text = Span32(start: batch.arena.count, count: bytes.count)
                batch.arena += bytes
                batch.records.append(record)
            }
            for stage in stages { stage.annotate(&batch) }
            found += batch.records.map { record in
                record.language.flatMap { answer in
                    let isClear = answer.language != LanguageTable.undetermined && answer.confidence >= sureLanguage
                    return isClear ? answer.language : nil
                }
            }
        }
        return found
    }
}
