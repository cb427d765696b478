package import TriageCore

/// Rules on word sequences, read from a file: the words are data, and this code only matches them.
///
/// Text is read sentence by sentence. A pattern is a sequence of elements, separated by blanks: `word`, `one|other`,
/// `beginning*`, `*ending`, `#` for digits, `@list`, `!none|of|these`, `-word` for an exception in an element,
/// `?may|?be|?missing`, `...` for up to four words, `^` and `$` for the ends of a sentence or of a part between commas.
/// The work is bounded: texts are cut, a gap has at most four words, and a pattern gives up after a fixed number of
/// steps.
package struct PhraseRules: Sendable {
    private struct Compiled: Sendable {
        var rule: PhraseList.Rule
        var match: PhrasePatterns
        var unless: PhrasePatterns
    }

    private let skip: PhrasePatterns
    private let negations: PhrasePatterns
    private let negationsBehind: PhrasePatterns
    private let same: [String: String]
    private let parts: [String]
    private let rules: [Compiled]

    /// Names of lists that a pattern uses but that are not defined.
    package let unknownLists: [String]

    /// Rules without any words.
    package init() { self.init(PhraseList()) }

    package init(_ source: PhraseList) {
        var unknown: Set<String> = []
        func patterns(_ texts: [String]) -> PhrasePatterns {
            PhrasePatterns(texts, lists: source.lists, unknown: &unknown)
        }
        skip = patterns(source.skip)
        negations = patterns(source.negations)
        negationsBehind = patterns(source.negationsBehind)
        same = Dictionary(
            source.same.flatMap { group in group.dropFirst().map { ($0, group[0]) } },
            uniquingKeysWith: { first, _ in first })
        parts = source.parts
        rules = source.rules.map {
            Compiled(rule: $0, match: patterns($0.match), unless: patterns($0.unless))
        }
        unknownLists = unknown.sorted()
    }

    /// Texts whose content may be repeated.
    package struct Sources: Sendable {
        /// The creator's own words; empty: none.
        package var answer: String
        /// What the sender wrote.
        package var message: String

        package init(answer: String = "", message: String = "") {
            self.answer = answer
            self.message = message
        }
    }

    /// The name of the first rule that fires; nil: none does.
    package func first(in text: String, sources: Sources = Sources()) -> String? {
        if parts.contains(where: { text.contains($0) && !sources.answer.contains($0) }) { return "parts" }
        let reading = Reading(text, sources, cleaned: cleaned, same: same)
        return applicable(reading).first { compiled in
            reading.sentences.contains { speaks(compiled, $0.words, isQuestion: $0.isQuestion, reading) }
        }?.rule.name
    }

    /// For each sentence, in order, whether a rule fires.
    package func speaking(in text: String, sources: Sources = Sources()) -> [Bool] {
        let reading = Reading(text, sources, cleaned: cleaned, same: same)
        if parts.contains(where: { text.contains($0) && !sources.answer.contains($0) }) {
            return reading.sentences.map { _ in true }
        }
        let rules = applicable(reading)
        return reading.sentences.map { words, isQuestion in
            rules.contains { speaks($0, words, isQuestion: isQuestion, reading) }
        }
    }

    /// The name of the first rule that counts by itself and fires; nil: none does.
    ///
    /// Nothing is removed from the sentences first.
    package func firstAlone(in text: String) -> String? {
        let alone = rules.filter(\.rule.alone)
        guard !alone.isEmpty else { return nil }
        let reading = Reading(text, Sources(), cleaned: { $0 }, same: same)
        return alone.first { compiled in
            reading.sentences.contains { speaks(compiled, $0.words, isQuestion: $0.isQuestion, reading) }
        }?.rule.name
    }

    /// A text together with what it may repeat.
    private struct Reading {
        var sentences: [(words: [PhraseWord], isQuestion: Bool)]
        /// The sentences of the creator's own words.
        var answer: [(words: [PhraseWord], isQuestion: Bool)]
        /// The words of the answer.
        var told: Set<String>
        /// The words of the answer and of the message; synonyms are represented by one word.
        var echo: Set<String>

        init(_ text: String, _ sources: Sources, cleaned: ([PhraseWord]) -> [PhraseWord], same: [String: String]) {
            sentences = PhraseText.sentences(of: text).map { (cleaned($0.words), $0.isQuestion) }
            answer = PhraseText.sentences(of: sources.answer)
            told = Set(answer.flatMap { $0.words.map(\.folded) })
            let repeatable = told.union(PhraseText.sentences(of: sources.message).flatMap { $0.words.map(\.folded) })
            echo = Set(repeatable.map { same[$0] ?? $0 })
            // Symbols are not words: "€40" may be repeated as "40 euros".
            for (sign, meaning) in same where !sign.contains(where: \.isLetter) {
                if sources.message.contains(sign) || sources.answer.contains(sign) { echo.insert(meaning) }
            }
        }
    }

    /// The rules on matters that the creator's answer does not mention, in whatever words or language.
    private func applicable(_ reading: Reading) -> [Compiled] {
        guard !reading.answer.isEmpty else { return rules }
        return rules.filter { compiled in
            !compiled.rule.answered
                && !reading.answer.contains { !compiled.match.ranges(in: $0.words, limit: 1).isEmpty }
        }
    }

    /// The name of the first rule that fires if the whole text is treated as one sentence; nil: none does.
    ///
    /// Negations, questions and sources are ignored.
    package func firstAnywhere(in text: String) -> String? {
        guard !rules.isEmpty || !parts.isEmpty else { return nil }
        if parts.contains(where: { text.contains($0) }) { return "parts" }
        let words = Array(PhraseText.sentences(of: text).map(\.words).joined(separator: [PhraseWord.comma]))
        return rules.first { rule in
            !rule.match.ranges(in: words, limit: 1).isEmpty && rule.unless.ranges(in: words, limit: 1).isEmpty
        }?.rule.name
    }

    private func cleaned(_ words: [PhraseWord]) -> [PhraseWord] {
        var words = words
        // Each removal makes the sentence shorter, so this ends.
        while let found = skip.ranges(in: words, limit: 1).first { words.removeSubrange(found) }
        return words
    }

    private func speaks(_ compiled: Compiled, _ words: [PhraseWord], isQuestion: Bool, _ reading: Reading) -> Bool {
        guard compiled.rule.questions || !isQuestion else { return false }
        let found = compiled.match.ranges(in: words)
        guard !found.isEmpty, compiled.unless.ranges(in: words, limit: 1).isEmpty else { return false }
        let denials = compiled.rule.negated ? [] : negations.ranges(in: words)
        let behind = compiled.rule.negated ? [] : negationsBehind.ranges(in: words)
        return found.contains { range in
            if denials.contains(where: { $0.lowerBound < range.upperBound && $0.upperBound > range.lowerBound - 3 }) {
                return false
            }
            if behind.contains(where: { isBehind($0, range, in: words) }) { return false }
            let said = words[range].filter { !$0.isComma }
            if compiled.rule.echo, said.allSatisfy({ reading.echo.contains(same[$0.folded] ?? $0.folded) }) {
                return false
            }
            // The match does not count if its content words occur in the answer, apart from their endings.
            let content = said.filter { $0.folded.utf8.count >= 4 && !Self.empty.contains($0.folded) }
            return content.isEmpty
                || !content.allSatisfy { word in
                    reading.told.contains { $0.utf8.prefix(5).elementsEqual(word.folded.utf8.prefix(5)) }
                }
        }
    }

    /// Words without content, in whatever language they occur.
    private static let empty: Set<String> = [
        "will", "have", "just", "about", "going", "shall", "with", "your", "that", "this",
    ]

    private func isBehind(_ denial: Range<Int>, _ range: Range<Int>, in words: [PhraseWord]) -> Bool {
        if denial.lowerBound < range.upperBound { return denial.upperBound > range.lowerBound }
        return denial.lowerBound < range.upperBound + 4
            && !words[range.upperBound..<denial.lowerBound].contains(where: \.isComma)
    }
}

/// A word of a sentence, or a comma.
struct PhraseWord: Sendable, Equatable {
    /// Lower case, without accents.
    var folded: String
    var lowered: String
    /// Whether it is written like a code: capital letters and digits.
    var isCode: Bool
    var isDigits: Bool

    var isComma: Bool { folded == "," }

    static let comma = PhraseWord(folded: ",", lowered: ",", isCode: false, isDigits: false)
    static let blank = PhraseWord(folded: "{}", lowered: "{}", isCode: false, isDigits: false)
}

/// Splits a text into sentences for patterns.
enum PhraseText {
    /// The maximum number of words that are examined.
    static let limit = 4_000

    private static let folder = TextFolder()

    static func sentences(of text: String) -> [(words: [PhraseWord], isQuestion: Bool)] {
        var sentences: [(words: [PhraseWord], isQuestion: Bool)] = []
        var words: [PhraseWord] = []
        var count = 0
        func close(isQuestion: Bool) {
            if !words.isEmpty { sentences.append((words, isQuestion)) }
            words = []
        }
        let scalars = Array(text.unicodeScalars)
        var index = 0
        while index < scalars.count, count < limit {
            let scalar = scalars[index]
            if isLetter(scalar) {
                var end = index + 1
                while end < scalars.count, isLetter(scalars[end]) || isMark(scalars[end]) { end += 1 }
                words.append(word(scalars[index..<end]))
                count += 1
                index = end
                continue
            }
            switch scalar {
            case "{", "[":
                // A placeholder for a person to fill in.
                let closing: Unicode.Scalar = scalar == "{" ? "}" : "]"
                if let end = scalars[index...].prefix(42).firstIndex(of: closing), end > index + 1 {
                    words.append(.blank)
                    index = end
                }
            case ".":
                // In "3.5" and "am 15. September", the full stop does not end the sentence.
                let isInside = index + 1 < scalars.count && isLetter(scalars[index + 1])
                if !isInside, !isOrdinal(scalars, at: index, after: words.last) { close(isQuestion: false) }
            case "!", ";", "\n", "\u{2026}", "\u{3002}", "\u{FF01}": close(isQuestion: false)
            case "?", "\u{FF1F}", "\u{61F}": close(isQuestion: true)
            case ",", ":", "\u{FF0C}", "\u{3001}", "\u{2013}", "\u{2014}", "(", ")":
                if let last = words.last, !last.isComma { words.append(.comma) }
            case "%":
                words.append(PhraseWord(folded: "%", lowered: "%", isCode: false, isDigits: false))
            default: break
            }
            index += 1
        }
        close(isQuestion: false)
        return sentences
    }

    /// Whether a full stop belongs to the one or two digits before it: a blank and a letter follow.
    private static func isOrdinal(_ scalars: [Unicode.Scalar], at index: Int, after word: PhraseWord?) -> Bool {
        guard let word, word.isDigits, index + 2 < scalars.count, index > 0 else { return false }
        return PersonalData.digit(scalars[index - 1]) >= 0 && (index < 3 || PersonalData.digit(scalars[index - 3]) < 0)
            && scalars[index + 1] == " " && Text.isAlphabetic(scalars[index + 2])
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        Text.isAlphabetic(scalar) || PersonalData.digit(scalar) >= 0
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x300 else { return false }
        return scalar.properties.generalCategory == .nonspacingMark
    }

    private static func word(_ scalars: ArraySlice<Unicode.Scalar>) -> PhraseWord {
        let raw = Text.string(scalars)
        let lowered = raw.lowercased()
        let folded = String(decoding: folder.fold(raw), as: UTF8.self)
        let digits = scalars.count { PersonalData.digit($0) >= 0 }
        let capitals = scalars.count { (0x41...0x5A).contains($0.value) }
        let small = scalars.contains { (0x61...0x7A).contains($0.value) }
        return PhraseWord(
            folded: folded.isEmpty ? lowered : folded, lowered: lowered,
            isCode: scalars.count >= 4 && !small && (capitals >= 2 && digits > 0), isDigits: digits == scalars.count)
    }
}
