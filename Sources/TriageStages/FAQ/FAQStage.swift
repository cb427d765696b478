public import TriageCore

/// Finds the entry of the creator's library that answers a message, by words alone.
///
/// Reads `fields`, `folded`, `language` and `category`; writes `faq`, and leaves it nil for spam and where no entry
/// answers: that is an answer too. Other wordings, misspellings and a dozen languages count through a small thesaurus; neither the network nor a
/// model file is needed. Only sentences that ask are read, so a message without a question costs a few table look-ups.
public struct FAQStage: LocalStage {
    public let name = "faq.lexical"
    public let reads: Set<Field> = [.fields, .folded, .language, .category]
    public let writes: Set<Field> = [.faq]

    private let index: FAQIndex
    private let high: Float
    private let possible: Float
    private let english: UInt8

    /// Builds the index, in about two milliseconds.
    ///
    /// - Parameters:
    ///   - library: the creator's answers; without any the stage does nothing.
    ///   - settings: its thresholds say from which probability on a match is `high` or `possible`.
    ///   - profile: its name and handles say nothing about a question and are passed over.
    public init(
        library: FAQLibrary, settings: Settings = Settings(), profile: CreatorProfile = CreatorProfile()
    ) {
        index = FAQIndex(library: library, names: [profile.name] + profile.handles)
        high = settings.thresholds.faqHigh
        possible = settings.thresholds.faqPossible
        english = LanguageTable.index(of: "en") ?? 0
    }

    public func annotate(_ batch: inout Batch) {
        guard index.entries > 0, !index.parts.isEmpty else { return }
        // Shared, not copied: only the records are written.
        let folded = batch.folded
        let tokens = batch.tokens
        folded.withUnsafeBufferPointer { folded in
            tokens.withUnsafeBufferPointer { tokens in
                index.withView { view in
                    var matcher = FAQMatcher(index: view, ignored: index.ignored)
                    for number in batch.records.indices where batch.records[number].isAsked {
                        // Field by field: a whole record would be copied.
                        let category = batch.records[number].category?.label
                        if category == .spam { continue }
                        let span = batch.records[number].folded.span
                        let words = batch.records[number].folded.tokens
                        let language = batch.records[number].language?.language ?? LanguageTable.undetermined
                        let question = FAQMatcher.Question(
                            text: UnsafeBufferPointer(rebasing: folded[span.range]),
                            tokens: UnsafeBufferPointer(rebasing: tokens[words]),
                            hasLiterals: Self.hasLiterals(batch.records[number].folded.shape),
                            hasQuestionMark: batch.records[number].folded.shape.questionMarks > 0, language: language)
                        batch.records[number].faq = answer(matcher.match(question), language, category)
                    }
                }
            }
        }
    }

    /// Whether there are letters of scripts that put no blank between words.
    @inline(__always)
    private static func hasLiterals(_ shape: borrowing TextShape) -> Bool {
        shape.kana &+ shape.han &+ shape.thai > 0
    }

    private func answer(_ result: FAQMatcher.Result, _ language: UInt8, _ category: Category?) -> FAQAnswer? {
        guard result.entry >= 0 else { return nil }
        let probability = FAQModel.probability(
            score: result.score, second: result.second,
            isForeign: language != english && language != LanguageTable.undetermined,
            isOffTrade: category == .business && !index.isTrade[result.entry])
        guard probability >= possible else { return nil }
        return FAQAnswer(entry: result.entry, isHigh: probability >= high, confidence: probability, by: .faqLexical)
    }
}
