package import TriageCore

/// Finds the sentences of messages that ask something, and their topics, independent of any library.
///
/// It is used by tools that help to maintain a library; the matcher does its own reading.
package struct FAQQuestions: Sendable {
    /// The topics of a question: concepts of the thesaurus, which are the same in all its languages, and other words.
    package struct Topics: Sendable, Equatable {
        /// Each id once with its weight, sorted by id; the squared weights add up to 1.
        package var weights: [(id: UInt64, weight: Float)] = []
        /// Number of words with content; a question with only one is too little to go by.
        package var words = 0

        package static func == (a: Topics, b: Topics) -> Bool {
            a.words == b.words && a.weights.elementsEqual(b.weights) { $0 == $1 }
        }

        /// Returns how similar two questions are, 0–1.
        package func similarity(to other: Topics) -> Float {
            var sum: Float = 0
            var (i, k) = (0, 0)
            while i < weights.count, k < other.weights.count {
                if weights[i].id == other.weights[k].id {
                    sum += weights[i].weight * other.weights[k].weight
                    i += 1
                    k += 1
                } else if weights[i].id < other.weights[k].id {
                    i += 1
                } else {
                    k += 1
                }
            }
            return sum
        }
    }

    /// Maximum number of bytes of a question that is returned.
    package static let questionLimit = 240
    /// Maximum number of questions per message.
    package static let countLimit = 8
    private static let byteLimit = 16_384

    private let vocabulary: FAQVocabulary

    /// Loads the thesaurus; takes about two milliseconds.
    package init() {
        let (concepts, words) = FAQLexicon.parse()
        vocabulary = FAQVocabulary(concepts: concepts, words: words, cues: FAQCues(""))
    }

    /// Returns the sentences of a message that end with a question mark, as written but trimmed.
    ///
    /// Handles, addresses and long numbers are private and become `…`. A short message without a question mark that
    /// begins like a question counts as one question.
    package func questions(in text: String) -> [String] {
        var found: [String] = []
        var sentence = String.UnicodeScalarView()
        var all = 0
        var seen = 0
        func isEnd(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar {
            case ".", "!", "\n", "\r", "。", "！", "…": true
            default: false
            }
        }
        func take() {
            let question = Self.masked(String(sentence))
            if !question.isEmpty, question.utf8.count <= Self.questionLimit, found.count < Self.countLimit {
                found.append(question)
            }
        }
        let scalars = text.unicodeScalars
        var index = scalars.startIndex
        while index < scalars.endIndex, seen < Self.byteLimit {
            let scalar = scalars[index]
            seen += 1
            index = scalars.index(after: index)
            let isQuestion = scalar == "?" || scalar == "？" || scalar == "؟"
            // A dot inside a number or an address does not end a sentence.
            let next = index < scalars.endIndex ? scalars[index] : " "
            if isQuestion {
                sentence.append(scalar)
                if next == "?" || next == "!" { continue }
                take()
                sentence.removeAll()
                all += 1
            } else if isEnd(scalar), scalar != "." || next == " " || next == "\n" || next == "." {
                sentence.removeAll()
                all += 1
            } else {
                sentence.append(scalar)
            }
        }
        if found.isEmpty, text.utf8.count <= Self.questionLimit, asks(text) { found = [Self.masked(text)] }
        return found
    }

    /// Whether one of the first words introduces a question.
    private func asks(_ text: String) -> Bool {
        var folded: [UInt8] = []
        var marks: [FoldMark] = []
        var tokens: [Token] = []
        var copy = text
        _ = copy.withUTF8 { TextFolder().fold($0, folded: &folded, marks: &marks, tokens: &tokens) }
        return vocabulary.withView { view in
            tokens.prefix(4).contains { token in
                let term = view.word(token.hash, 0)
                return term >= 0 && view.terms[term].role & FAQLexicon.Role.strongQuestions != 0
            }
        }
    }

    /// Returns a text as it may be shown: one line, without handles, addresses and long numbers.
    package func shown(_ text: String) -> String { Self.masked(text) }

    /// Returns one line without words that could identify the writer.
    private static func masked(_ text: String) -> String {
        text.split(whereSeparator: { $0.isWhitespace || $0.isNewline }).map { word -> Substring in
            let digits = word.utf8.reduce(0) { $0 + (($1 &- 0x30) < 10 ? 1 : 0) }
            let isPrivate = word.contains("@") || word.contains("://") || digits >= 6
            return isPrivate ? "…" : word
        }.joined(separator: " ")
    }

    /// Returns the topics of a question.
    ///
    /// - Parameter language: index into ``LanguageTable/tags``.
    package func topics(of question: String, language: UInt8) -> Topics {
        var folded: [UInt8] = []
        var marks: [FoldMark] = []
        var tokens: [Token] = []
        var copy = question
        _ = copy.withUTF8 { TextFolder().fold($0, folded: &folded, marks: &marks, tokens: &tokens) }
        var weights: [UInt64: Float] = [:]
        var words = 0
        vocabulary.withView { view in
            var i = 0
            while i < tokens.count {
                let token = tokens[i]
                var used = 1
                var term = -1
                if i + 1 < tokens.count {
                    let third = i + 2 < tokens.count ? tokens[i + 2].hash : nil
                    let phrase = view.phrase(token.hash, tokens[i + 1].hash, third, language)
                    if phrase.term >= 0 { (term, used) = phrase }
                }
                let bytes = folded[Int(token.start)..<Int(token.start) + Int(token.count)]
                if term < 0 { term = view.word(token.hash, language) }
                if term < 0 { term = Array(bytes).withUnsafeBufferPointer { view.inflected($0, language) } }
                i += used
                if term >= 0 {
                    let known = view.terms[term]
                    if known.weight > 0 {
                        weights[UInt64(term)] = max(0.3, known.weight / 3)
                        words += known.weight > 1 ? 1 : 0
                    } else if known.role & FAQLexicon.Role.strongQuestions != 0 {
                        weights[UInt64(term)] = 0.25
                    }
                } else if bytes.count >= 3 {
                    let stem = Array(bytes).withUnsafeBufferPointer { FAQStemmer.length(of: $0) }
                    weights[TextFolder.hash(Array(bytes.prefix(stem))) | 1 << 63] = 0.8
                    words += 1
                }
            }
            readLiterals(folded, view, language, &weights, &words)
        }
        let length = weights.values.sorted().reduce(Float(0)) { $0 + $1 * $1 }.squareRoot()
        var topics = Topics()
        topics.words = words
        topics.weights = weights.sorted { $0.key < $1.key }.map { ($0.key, $0.value / max(length, 0.01)) }
        return topics
    }

    /// Returns pairs of entries that ask the same: each contains all meaningful terms of the other, in whatever words.
    package func alike(in library: FAQLibrary) -> [(Int, Int)] {
        var wordings: [(entry: Int, topics: Topics)] = []
        let english = LanguageTable.index(of: "en") ?? 0
        for (entry, item) in library.entries.enumerated() {
            for wording in [item.question] + item.alsoAsked {
                let topics = topics(of: wording, language: english)
                if topics.words >= 1, topics.weights.count >= 2 { wordings.append((entry, topics)) }
            }
        }
        var places: [UInt64: [Int]] = [:]
        for (number, wording) in wordings.enumerated() {
            for (id, _) in wording.topics.weights { places[id, default: []].append(number) }
        }
        var pairs: [(Int, Int)] = []
        for (number, wording) in wordings.enumerated() {
            var others: Set<Int> = []
            for (id, _) in wording.topics.weights {
                guard let list = places[id], list.count <= Self.commonLimit else { continue }
                for other in list where other > number && wordings[other].entry != wording.entry {
                    others.insert(other)
                }
            }
            for other in others.sorted()
            where wordings[other].topics.similarity(to: wording.topics) >= Self.sameness {
                pairs.append((wording.entry, wordings[other].entry))
            }
        }
        return pairs
    }

    /// Similarity from which two entries ask the same.
    private static let sameness: Float = 0.93
    /// Topics of more wordings than this tell nothing, and would make the comparison quadratic.
    private static let commonLimit = 400

    /// Reads words of scripts without blanks.
    private func readLiterals(
        _ folded: [UInt8], _ view: FAQVocabularyView, _ language: UInt8, _ weights: inout [UInt64: Float],
        _ words: inout Int
    ) {
        var i = 0
        while i < folded.count {
            guard folded[i] >= 0xE3 else {
                i += 1
                continue
            }
            var hash = GrowingHash()
            var j = i
            var found = -1
            var end = min(folded.count, i + (folded[i] < 0xF0 ? 3 : 4))
            for _ in 0..<8 where j < folded.count && folded[j] >= 0xE3 {
                let next = min(folded.count, j + (folded[j] < 0xF0 ? 3 : 4))
                while j < next {
                    hash.add(folded[j])
                    j += 1
                }
                let term = view.literal(hash.value, language)
                if term >= 0 { (found, end) = (term, j) }
            }
            if found >= 0, view.terms[found].weight > 0 {
                weights[UInt64(found)] = max(0.3, view.terms[found].weight / 3)
                words += 1
            }
            i = end
        }
    }
}
