import TriageConfig
package import TriageCore
import TriageEvaluation
package import TriageRun
import TriageStages

/// What labelled messages teach a library: wordings that it answered wrongly.
package final class FAQLessons {
    /// One wording for an entry.
    package struct Lesson: Equatable {
        package var entry: Int
        package var wording: String
    }

    /// How the library did on the messages.
    package struct Score {
        /// Messages that an entry answers, those that got it, and those that none answers and that got none.
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
    /// Records of other creators, and without a label.
    package private(set) var left = 0
    /// Own replies, and those that say what an entry says.
    package private(set) var replies = (read: 0, matched: 0)
    /// Wrongly answered messages whose wording is another entry's already, or that ask nothing short enough.
    package private(set) var unusable = 0
    package let library: FAQLibrary
    private let limit: Int
    /// Conversations that are learned from: all, or those of even or odd number; the rest is scored.
    private let half: Int?
    private let questions = FAQQuestions()
    private var topics: [[FAQQuestions.Topics]] = []
    private var known: [[[UInt8]]: Int] = [:]
    private var counts: [Int]

    /// - Parameters:
    ///   - limit: new wordings of one entry at most.
    ///   - half: 0 or 1: learns from one half of the conversations and scores the other; nil: both from all.
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

    /// Reads the labels of messages; gathers lessons where `learns`.
    ///
    /// - Returns: how `library` did, the one given or the configured one.
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

    /// Conversations whose last message waits for a reply; more are never many at once in an export, which has one after another.
    private static let conversationLimit = 1 << 14

    /// Gathers lessons from the creator's own replies: one that says what an entry says makes the message before it, by
    /// somebody else in the same conversation, another wording of that entry.
    ///
    /// What the library answers rightly and surely as it is teaches nothing.
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

    /// The library with what was learned.
    package var taught: FAQLibrary {
        var taught = library
        for lesson in lessons { taught.entries[lesson.entry].alsoAsked.append(lesson.wording) }
        return taught
    }

    /// How a library does on messages that it did not learn from: before, and when it learned from the others.
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
        // Of several questions the one that is most about the entry.
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
