import TriageConfig
package import TriageCore
import TriageEvaluation
package import TriageRun
import TriageStages

/// What labelled messages can add to a library: wordings that it answered wrongly.
package final class FAQLessons {
    /// A wording to add to an entry.
    package struct Lesson: Equatable {
        package var entry: Int
        package var wording: String
    }

    /// How well the library answered the messages.
    package struct Score {
        /// `right` of the `askable` messages, which an entry answers, got that entry; `rightNone` of the `others` got none.
        package var askable = 0
        package var right = 0
        package var others = 0
        package var rightNone = 0

        package static func + (a: Score, b: Score) -> Score {
            Score(
                askable: a.askable + b.askable, right: a.right + b.right, others: a.others + b.others,
                rightNone: a.rightNone + b.rightNone)
        }

        package var words: String {
            "\(right) of \(askable) questions got their entry, \(rightNone) of \(others) others got none"
        }
    }

    package private(set) var lessons: [Lesson] = []
    /// Labels that name no entry of the library.
    package private(set) var unknown = 0
    /// Records of other creators, and records without a label.
    package private(set) var left = 0
    /// The creator's own replies, and those that say what an entry says.
    package private(set) var replies = (read: 0, matched: 0)
    /// Wrongly answered messages whose wording already belongs to another entry, or without a question that is short
    /// enough.
    package private(set) var unusable = 0
    package let library: FAQLibrary
    private let limit: Int
    /// Which conversations to learn from: all, or those with even or odd numbers; the rest are scored.
    private let half: Int?
    private let questions = FAQQuestions()
    private var topics: [[FAQQuestions.Topics]] = []
    private var known: [[[UInt8]]: Int] = [:]
    private var counts: [Int]

    /// - Parameters:
    ///   - limit: the maximum number of new wordings for one entry.
    ///   - half: 0 or 1: learns from one half of the conversations and scores the other; nil: uses all for both.
    package init(library: FAQLibrary, limit: Int, half: Int? = nil) {
        self.library = library
        self.limit = limit
        self.half = half
        counts = Array(repeating: 0, count: library.entries.count)
        let english = LanguageTable.index(of: "en") ?? 0
        for (index, entry) in library.entries.enumerated() {
            let wordings = [entry.question] + entry.alsoAsked
            topics.append((wordings + [entry.answer]).map { questions.topics(of: $0, language: english) })
            for wording in wordings { known[TextFolder().words(wording)] = index }
        }
    }

    /// Reads the labels of messages; collects lessons if `learns`.
    ///
    /// - Returns: the score of `library`: the given one, or else the configured one.
    package func read(
        _ input: InputOptions, with reading: MessageReading, library other: FAQLibrary? = nil, learns: Bool
    ) throws -> Score {
        var score = Score()
        var set = EvaluationSet()
        let reader = GoldReader()
        let creator = reading.loaded.creator.id
        let places = Dictionary(
            library.entries.enumerated().map { ($0.element.id, $0.offset) }, uniquingKeysWith: { first, _ in first })
        try reading.forEachBatch(of: input, library: other ?? library) { [self] batch in
            for index in batch.records.indices {
                let record = batch.records[index]
                let line = batch.input.lines[record.line]
                guard record.status != .rejected else { continue }
                let (gold, whose) = try batch.input.bytes.withUnsafeBufferPointer { bytes in
                    let bytes = UnsafeBufferPointer(rebasing: bytes[line.span.range])
                    return (try reader.gold(bytes, in: &set), reader.creator(bytes))
                }
                guard gold.hasFAQ, whose == nil || creator.isEmpty || whose == creator else {
                    if learns { left += 1 }
                    continue
                }
                let isLearned = half.map { Int(gold.cluster % 2) == $0 } ?? true
                let isScored = half == nil || !isLearned
                guard gold.faq != Gold.noEntry else {
                    guard isScored else { continue }
                    score.others += 1
                    if record.faq == nil { score.rightNone += 1 }
                    continue
                }
                guard let entry = places[set.names.texts[Int(gold.faq)]] else {
                    if learns { unknown += 1 }
                    continue
                }
                if isScored { score.askable += 1 }
                if record.faq?.entry == entry {
                    if isScored { score.right += 1 }
                } else if learns, isLearned, let text = batch.string(record.fields.text) {
                    learn(text, entry, record.language?.language ?? LanguageTable.undetermined)
                }
            }
            return true
        }
        return score
    }

    /// The limit for conversations with a message that waits for a reply.
    ///
    /// An export has one conversation after another, so there are never many at once.
    private static let conversationLimit = 1 << 14

    /// Collects lessons from the creator's own replies.
    ///
    /// If a reply says what an entry says, the message before it, by somebody else in the same conversation, becomes
    /// another wording of that entry. A message that the library already answers correctly and with confidence is
    /// skipped.
    package func readReplies(_ input: InputOptions, with reading: MessageReading) throws {
        let matcher = FAQReplies(library)
        var waiting: [String: (text: String, language: UInt8, entry: Int?)] = [:]
        try reading.forEachBatch(of: input, library: library) { [self] batch in
            for record in batch.records {
                guard let conversation = batch.string(record.fields.conversationID),
                    let text = batch.string(record.fields.text)
                else { continue }
                switch record.status {
                case .message:
                    guard record.category?.label != .spam else { continue }
                    if waiting.count >= Self.conversationLimit { waiting.removeAll() }
                    let entry = record.faq.flatMap { $0.isHigh ? $0.entry : nil }
                    waiting[conversation] = (text, record.language?.language ?? LanguageTable.undetermined, entry)
                case .own:
                    replies.read += 1
                    guard let asked = waiting.removeValue(forKey: conversation),
                        let entry = matcher.entry(saidBy: text)
                    else { continue }
                    replies.matched += 1
                    if asked.entry != entry { learn(asked.text, entry, asked.language) }
                default: continue
                }
            }
            return true
        }
    }

    /// The library with the new wordings.
    package var taught: FAQLibrary {
        var taught = library
        for lesson in lessons { taught.entries[lesson.entry].alsoAsked.append(lesson.wording) }
        return taught
    }

    /// The library's score on messages that it did not learn from, before and after learning from the others.
    package static func crossChecked(
        _ library: FAQLibrary, limit: Int, _ input: InputOptions, with reading: MessageReading
    ) throws -> (before: Score, after: Score) {
        var (before, after) = (Score(), Score())
        for half in 0...1 {
            let lessons = FAQLessons(library: library, limit: limit, half: half)
            before = before + (try lessons.read(input, with: reading, learns: true))
            after = after + (try lessons.read(input, with: reading, library: lessons.taught, learns: false))
        }
        return (before, after)
    }

    private func learn(_ text: String, _ entry: Int, _ language: UInt8) {
        let asked = questions.questions(in: text)
        let short = text.utf8.count <= FAQQuestions.questionLimit ? questions.shown(text) : nil
        let candidates = asked.isEmpty ? short.map { [$0] } ?? [] : asked
        // Of several questions, the one closest to the entry.
        let best = candidates.enumerated().max { a, b in
            let (x, y) = (nearness(a.element, entry, language), nearness(b.element, entry, language))
            return x != y ? x < y : a.offset > b.offset
        }
        guard let wording = best?.element else {
            unusable += 1
            return
        }
        let words = TextFolder().words(wording)
        guard words.count >= 2, known[words] == nil, counts[entry] < limit else {
            unusable += 1
            return
        }
        known[words] = entry
        counts[entry] += 1
        lessons.append(Lesson(entry: entry, wording: wording))
    }

    private func nearness(_ question: String, _ entry: Int, _ language: UInt8) -> Float {
        let own = questions.topics(of: question, language: language)
        return topics[entry].map { own.similarity(to: $0) }.max() ?? 0
    }
}
