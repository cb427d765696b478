internal import ShippedLanguages
internal import TriageCore

/// Recognises questions by their first words: in direct messages every second question has no question mark.
///
/// Only openings that rarely begin anything else count: "what camera do you", "do you", "wo hast du", "cuánto". Words
/// such as "when" and "how" alone also begin stories and praise.
struct QuestionOpening: Sendable {
    /// Words that form a pair at the beginning of a question; the second may come up to `gap` words later.
    private struct Pairs: Sendable {
        var first = ""
        var second = ""
        var gap = 0

        /// The form used for look-ups.
        struct Sets: Sendable {
            let first: WordSet
            let second: WordSet
            let gap: Int
        }

        var sets: Sets { Sets(first: WordSet(first), second: WordSet(second), gap: gap) }
    }

    /// Maximum number of sentences of a message that are examined.
    private static let sentences = 8

    private let greetings: WordSet
    private let alone: WordSet
    private let pairs: [Pairs.Sets]
    /// Every word that opens a question; this one look-up rules out most sentences.
    private let openers: WordSet

    /// Loads the words of all language files.
    init() {
        var greetings: [String] = []
        var alone: [String] = []
        // Keyed by language and number: a word of one language never pairs with one of another.
        var pairs: [String: Pairs] = [:]
        for entry in ShippedLanguages.entries(of: "questions") {
            let path = entry.key.split(separator: ".")
            switch path[0] {
            case "greetings": greetings += entry.values
            case "alone": alone += entry.values
            default:
                guard path.count == 3 else { continue }
                var pair = pairs["\(entry.language) \(path[1])"] ?? Pairs()
                switch path[2] {
                case "first": pair.first = entry.values.joined(separator: " ")
                case "second": pair.second = entry.values.joined(separator: " ")
                default: pair.gap = entry.values.first.flatMap { Int($0) } ?? 0
                }
                pairs["\(entry.language) \(path[1])"] = pair
            }
        }
        self.greetings = WordSet(greetings.joined(separator: " "))
        self.alone = WordSet(alone.joined(separator: " "))
        self.pairs = pairs.sorted { $0.key < $1.key }.map(\.value.sets)
        openers = WordSet((alone + pairs.values.map(\.first)).joined(separator: " "))
    }

    /// Whether one of a message's sentences opens like a question.
    ///
    /// - Parameter tokens: the words of the message.
    func opens(_ tokens: UnsafeBufferPointer<Token>) -> Bool {
        var sentences = 0
        for i in tokens.indices where i == 0 || tokens[i].flags.contains(.startsSentence) {
            if sentences == Self.sentences { return false }
            sentences += 1
            if opens(tokens, at: i) { return true }
        }
        return false
    }

    private func opens(_ tokens: UnsafeBufferPointer<Token>, at start: Int) -> Bool {
        var i = start
        while i < tokens.count, i - start < 3, greetings.contains(hash: tokens[i].hash) { i += 1 }
        // A name may follow a greeting.
        return asks(tokens, at: i) || i > start && asks(tokens, at: i + 1)
    }

    private func asks(_ tokens: UnsafeBufferPointer<Token>, at i: Int) -> Bool {
        guard i < tokens.count, openers.contains(hash: tokens[i].hash) else { return false }
        if alone.contains(hash: tokens[i].hash) { return i + 1 < tokens.count }
        for pair in pairs where pair.first.contains(hash: tokens[i].hash) {
            for next in i + 1..<min(tokens.count, i + 2 + pair.gap) where pair.second.contains(hash: tokens[next].hash)
            {
                return true
            }
        }
        return false
    }
}

extension QuestionOpening {
    /// Whether a message asks something: it has a question mark, or opens like a question and shows no dominant
    /// feeling.
    @inline(__always)
    func asks(_ record: UnsafePointer<Record>, _ view: AnswerView) -> Bool {
        if record.pointee.folded.shape.questionMarks > 0 { return true }
        if let sentiment = record.pointee.sentiment?.label, sentiment != .neutral { return false }
        return opens(UnsafeBufferPointer(rebasing: view.tokens[record.pointee.folded.tokens]))
    }
}
