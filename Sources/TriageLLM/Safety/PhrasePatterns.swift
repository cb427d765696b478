/// Word-sequence patterns that are searched for in a sentence together.
struct PhrasePatterns: Sendable {
    private let elements: [PhraseElement]
    /// Sequences of indices into ``elements``; patterns share common elements.
    private let patterns: [[Int]]
    /// Patterns by the words that they may begin with.
    private let byWord: [String: [Int]]
    /// Patterns that may begin with anything.
    private let others: [Int]

    /// The number of words that `...` may stand for.
    static let gap = 4
    /// The step limit for one pattern at one position; real patterns take about fifty steps.
    static let stepLimit = 4_000

    init(_ texts: [String], lists: [String: [String]], unknown: inout Set<String>) {
        var elements: [PhraseElement] = []
        var places: [Substring: Int] = [:]
        patterns = texts.map { text in
            text.split(separator: " ").map { part in
                if let place = places[part] { return place }
                places[part] = elements.count
                elements.append(PhraseElement(part, lists: lists, unknown: &unknown))
                return elements.count - 1
            }
        }.filter { !$0.isEmpty }
        self.elements = elements
        var byWord: [String: [Int]] = [:]
        var others: [Int] = []
        for (index, pattern) in patterns.enumerated() {
            if let words = elements[pattern[0]].onlyWords {
                for word in words { byWord[word, default: []].append(index) }
            } else {
                others.append(index)
            }
        }
        self.byWord = byWord
        self.others = others
    }

    /// The matches of any pattern; one range per position and pattern.
    func ranges(in words: [PhraseWord], limit: Int = .max) -> [Range<Int>] {
        var found: [Range<Int>] = []
        guard !patterns.isEmpty else { return found }
        var search = Search(elements: elements, words: words)
        for start in words.indices {
            let word = words[start]
            var begun = byWord[word.folded] ?? []
            if word.lowered != word.folded { begun += byWord[word.lowered] ?? [] }
            for index in begun + others {
                search.steps = Self.stepLimit
                if let end = search.end(of: patterns[index][...], from: start), end > start {
                    found.append(start..<end)
                    if found.count >= limit { return found }
                }
            }
        }
        return found
    }

}

/// A search in one sentence, which tests each word against each element at most once.
private struct Search {
    private let elements: [PhraseElement]
    private let words: [PhraseWord]
    /// For each element and word: 0 not tested, 1 no match, 2 match.
    private var known: [UInt8]
    var steps = 0

    init(elements: [PhraseElement], words: [PhraseWord]) {
        self.elements = elements
        self.words = words
        known = [UInt8](repeating: 0, count: elements.count * words.count)
    }

    private mutating func matches(_ element: Int, _ place: Int) -> Bool {
        let index = element * words.count + place
        if known[index] == 0 { known[index] = elements[element].matches(words[place]) ? 2 : 1 }
        return known[index] == 2
    }

    /// The end of a match that begins here; nil: there is none.
    mutating func end(of pattern: ArraySlice<Int>, from place: Int) -> Int? {
        guard let index = pattern.first else { return place }
        let element = elements[index]
        steps -= 1
        guard steps > 0 else { return nil }
        let rest = pattern.dropFirst()
        switch element.kind {
        case .start:
            guard place == 0 || words[place - 1].isComma else { return nil }
            return end(of: rest, from: place)
        case .end:
            guard place == words.count || words[place].isComma else { return nil }
            return end(of: rest, from: place)
        case .gap:
            for length in 0...PhrasePatterns.gap where place + length <= words.count {
                if let end = end(of: rest, from: place + length) { return end }
            }
            return nil
        case .word:
            if place < words.count, matches(index, place),
                let end = end(of: rest, from: place + 1)
            {
                return end
            }
            if element.isOptional, let end = end(of: rest, from: place) { return end }
            // A single comma may come between two words.
            if place > 0, place < words.count, words[place].isComma, !words[place - 1].isComma, !element.takesComma {
                return end(of: pattern, from: place + 1)
            }
            return nil
        }
    }
}

/// One element of a pattern.
struct PhraseElement: Sendable {
    enum Kind: Sendable { case word, gap, start, end }

    private(set) var kind = Kind.word
    private(set) var isOptional = false
    private var isNone = false
    private var words: Set<String> = []
    private var beginnings: [String] = []
    private var endings: [String] = []
    /// Endings with accents, which are matched against the unfolded word.
    private var accented: [String] = []
    private var takesAny = false
    private var takesDigits = false
    private var takesCodes = false
    private var excluded: [PhraseElement] = []

    init(_ text: Substring, lists: [String: [String]], unknown: inout Set<String>) {
        switch text {
        case "...":
            kind = .gap
            return
        case "^":
            kind = .start
            return
        case "$":
            kind = .end
            return
        default: break
        }
        var text = text
        isOptional = text.first == "?"
        if text.first == "!" {
            isNone = true
            text = text.dropFirst()
        }
        for part in text.split(separator: "|") {
            let part = part.first == "?" ? part.dropFirst() : part
            if part.first == "-", part.count > 1 {
                excluded.append(PhraseElement(part.dropFirst(), lists: lists, unknown: &unknown))
            } else if part.first == "@", !Self.classes.contains(part) {
                guard let list = lists[String(part.dropFirst())] else {
                    unknown.insert(String(part.dropFirst()))
                    continue
                }
                for word in list { add(word) }
            } else {
                add(String(part))
            }
        }
    }

    private static let classes: Set<Substring> = ["@any-word", "@code"]

    private mutating func add(_ word: String) {
        if word == "@any-word" {
            takesAny = true
        } else if word == "@code" {
            takesCodes = true
        } else if word == "#" {
            takesDigits = true
        } else if word.count > 1, word.first == "*" {
            let ending = String(word.dropFirst())
            if ending.utf8.contains(where: { $0 > 0x7F }) { accented.append(ending) } else { endings.append(ending) }
        } else if word.count > 1, word.last == "*" {
            beginnings.append(String(word.dropLast()))
        } else {
            words.insert(word)
        }
    }

    /// The only words that the element matches; nil: it matches others too, or is optional.
    var onlyWords: Set<String>? {
        let isPlain =
            kind == .word && !isOptional && !isNone && beginnings.isEmpty && endings.isEmpty && accented.isEmpty
            && !takesAny && !takesDigits && !takesCodes
        return isPlain ? words : nil
    }

    var takesComma: Bool { words.contains(",") }

    func matches(_ word: PhraseWord) -> Bool {
        if isNone { return !word.isComma && !holds(word) }
        return holds(word)
    }

    private func holds(_ word: PhraseWord) -> Bool {
        if excluded.contains(where: { $0.holds(word) }) { return false }
        if words.contains(word.folded) || words.contains(word.lowered) { return true }
        if takesAny, !word.isComma { return true }
        if takesDigits, word.isDigits { return true }
        if takesCodes, word.isCode { return true }
        if beginnings.contains(where: { word.folded.hasPrefix($0) }) { return true }
        if endings.contains(where: { word.folded.utf8.count > $0.utf8.count && word.folded.hasSuffix($0) }) {
            return true
        }
        return accented.contains { word.lowered.utf8.count > $0.utf8.count && word.lowered.hasSuffix($0) }
    }
}
