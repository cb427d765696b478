package import TriageCore

/// Finds the entry of the creator's library that answers a message, by words, their spelling and their meaning.
///
/// Reads `fields`, `folded`, `facts`, `language` and `category`; writes `faq`, and leaves it nil for spam and where no
/// entry answers: that is an answer too. Other wordings, misspellings and other languages count: through a thesaurus
/// in two dozen languages (``FAQLexicon``), and through vectors of 31,000 words in as many (``FAQVectors``). Both are
/// in the program; neither the network nor a model file is needed. Only sentences that ask are read, and short
/// messages, so a longer message without a question costs a few table look-ups. An offer that asks for rates gets the
/// entry about these (``FAQTerms``) where nothing likelier is found. With `encoder` on, messages that may ask something are
/// compared by what their sentences mean, too (``FAQEncoder``), which costs some milliseconds each.
package struct FAQStage: LocalStage {
    package let name = "faq.lexical"
    package let reads: Set<Field> = [.fields, .folded, .facts, .language, .category]
    package let writes: Set<Field> = [.faq]

    private let index: FAQIndex
    private let memories = ObjectPool { FAQWordMemory() }
    private let high: Float
    private let possible: Float
    private let english: UInt8
    private let encoder: FAQEncoder?
    /// Stands in ``TextShape/marks`` for question marks.
    private let questionBit = TextShape.bit(of: UInt8(ascii: "?"))

    /// Builds the index, in about two milliseconds.
    ///
    /// - Parameters:
    ///   - library: the creator's answers; without any the stage does nothing.
    ///   - settings: its thresholds say from which probability on a match is `high` or `possible`.
    ///   - profile: its name and handles say nothing about a question and are passed over.
    package init(
        library: FAQLibrary, settings: Settings = Settings(), profile: CreatorProfile = CreatorProfile()
    ) {
        index = FAQIndex(library: library, names: [profile.name] + profile.handles)
        high = settings.thresholds.faqHigh
        possible = settings.thresholds.faqPossible
        english = LanguageTable.index(of: "en") ?? 0
        encoder = settings.encoder.faq ? FAQEncoder(library: library) : nil
    }

    /// Where the library says to write about deals, licences and orders.
    package var contacts: FAQContacts { index.contacts }

    package func annotate(_ batch: inout Batch) {
        guard index.entries > 0, !index.parts.isEmpty else { return }
        memories.withItem { memory in
            batch.withAnswerView { batch in
                index.withView { index in
                    var matcher = FAQMatcher(index: index, memory: memory)
                    batch.forEachAsked { record in
                        ask(record, in: batch, &matcher)
                    }
                }
            }
        }
    }

    @inline(__always)
    private func ask(
        _ record: UnsafeMutablePointer<Record>, in batch: AnswerView, _ matcher: inout FAQMatcher
    ) {
        let category = record.pointee.category?.label
        if category == .spam { return }
        let folded = record.pointee.folded
        let language = record.pointee.language?.language ?? LanguageTable.undetermined
        let question = FAQMatcher.Question(
            text: UnsafeBufferPointer(rebasing: batch.folded[folded.span.range]),
            tokens: UnsafeBufferPointer(rebasing: batch.tokens[folded.tokens]),
            hasLiterals: folded.shape.literals > 0, hasQuestionMark: folded.shape.questionMarks > 0,
            mayEndInQuestion: folded.shape.marks & questionBit != 0, language: language)
        let result = matcher.match(question)
        let context = context(of: result, question, record)
        let probability = result.entry >= 0 ? index.model.probability(result, context) : 0
        var found = result.entry >= 0 ? answer(result, probability) : nil
        if let encoder {
            let words = FAQEncoder.Words(
                entry: result.entry, probability: probability, isSure: isSure(result), cue: result.cue)
            if context.questions > 0 || FAQEncoder.odds(words) > Self.leastOdds {
                let read = encoder.answer(
                    to: batch.arena[record.pointee.fields.text.range], words, context,
                    isBusiness: category == .business, isTrade: index.isTrade)
                if let read { found = answer(read) }
            }
        }
        record.pointee.faq = category == .business ? terms(of: record, besides: found, result) : found
    }

    /// What was found, or the entry about rates where that is likelier to be asked for.
    @inline(__always)
    private func terms(
        of record: UnsafeMutablePointer<Record>, besides found: FAQAnswer?, _ result: FAQMatcher.Result
    ) -> FAQAnswer? {
        let facts = record.pointee.facts
        guard index.termsEntry >= 0, facts.amounts == 0 else { return found }
        let probability = FAQTerms.probability(
            asksRates: facts.has(.rateAsk), topics: result.topics, bytes: Int(record.pointee.folded.span.count))
        guard probability > 0, probability >= possible, probability > found?.confidence ?? 0 else { return found }
        return FAQAnswer(
            entry: index.termsEntry, isHigh: probability >= high, confidence: probability, by: .faqTerms)
    }

    /// Log-odds by words from which the encoder reads a message without a question mark: with those that have one, it reads
    /// 92 of 100 messages that an entry answers, and half of all messages.
    private static let leastOdds: Float = -4

    private func context(
        of result: FAQMatcher.Result, _ question: FAQMatcher.Question, _ record: UnsafeMutablePointer<Record>
    ) -> FAQModel.Context {
        let (folded, category) = (record.pointee.folded, record.pointee.category)
        return FAQModel.Context(
            category: category?.scores ?? [1, 0, 0, 0],
            isForeign: question.language != english && question.language != LanguageTable.undetermined,
            isOffTrade: result.entry >= 0 && category?.label == .business && !index.isTrade[result.entry],
            questions: Float(min(folded.shape.questionMarks, 4)), bytes: Int(folded.span.count),
            entries: index.entries, wordings: result.entry >= 0 ? index.wordings[result.entry] : 1)
    }

    /// Without a telling word in common, a match by words is never sure.
    private func isSure(_ result: FAQMatcher.Result) -> Bool {
        result.evidence.strong > 0 || result.evidence.pieces >= 0.6
    }

    private func answer(_ found: FAQEncoder.Answer) -> FAQAnswer? {
        guard found.probability >= possible else { return nil }
        return FAQAnswer(
            entry: found.entry, isHigh: found.probability >= high, confidence: found.probability, by: .faqEncoder)
    }

    private func answer(_ result: FAQMatcher.Result, _ probability: Float) -> FAQAnswer? {
        guard probability >= possible else { return nil }
        return FAQAnswer(
            entry: result.entry, isHigh: isSure(result) && probability >= high, confidence: probability, by: .faqLexical
        )
    }
}
