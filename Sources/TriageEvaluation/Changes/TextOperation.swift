/// What is done to the letters of a message, without a word of its own.
package enum TextOperation: String, Sendable, CaseIterable {
    case lowercase
    case uppercaseFirst = "uppercase-first"
    case shoutFirstWord = "shout-first-word"
    case typos
    case dropPunctuation = "drop-punctuation"
    case stripEmoji = "strip-emoji"
    case noAccents = "no-accents"
    case doubleSpace = "double-space"
    case lineBreaks = "line-breaks"
    case quote

    /// The text once it is done; nil where nothing would be left of it.
    ///
    /// Addresses, mentions and tags keep their letters, but for `lowercase` and `double-space`.
    ///
    /// - Parameter seed: decides where the text is changed, of the operations that choose.
    func applied(to text: String, seed: UInt64) -> String? {
        switch self {
        case .lowercase: text.lowercased()
        case .uppercaseFirst: Self.uppercasingFirst(text)
        case .shoutFirstWord: Self.shoutingFirstWord(text)
        case .typos: Self.mistyped(text, seed)
        case .dropPunctuation: Self.words(text) { _, word in Self.withoutPunctuation(word) }
        case .stripEmoji: Self.withoutEmoji(text)
        case .noAccents: Accents.removed(from: text)
        case .doubleSpace: text.split(separator: " ", omittingEmptySubsequences: false).joined(separator: "  ")
        case .lineBreaks: Self.broken(text)
        case .quote:
            text.split(separator: "\n", omittingEmptySubsequences: false).map { "> " + $0 }.joined(separator: "\n")
        }
    }

    // MARK: Words

    /// Runs of what is no blank, each put in the place of itself; blanks stay as they are.
    private static func words(_ text: String, _ body: (Int, Substring) -> String) -> String {
        var out = ""
        var number = 0
        var at = text.startIndex
        while at < text.endIndex {
            let isBlank = text[at].isWhitespace
            let end = text[at...].firstIndex { $0.isWhitespace != isBlank } ?? text.endIndex
            if isBlank {
                out += text[at..<end]
            } else {
                out += body(number, text[at..<end])
                number += 1
            }
            at = end
        }
        return out
    }

    /// Whether a word is an address, a mention or a tag, whose letters mean what they are.
    private static func isName(_ word: Substring) -> Bool {
        word.contains("@") || word.contains("/") || word.hasPrefix("#") || word.hasPrefix("www.")
    }

    private static func uppercasingFirst(_ text: String) -> String {
        guard let first = text.firstIndex(where: { !$0.isWhitespace }), text[first].isLetter else { return text }
        return text[..<first] + text[first].uppercased() + text[text.index(after: first)...]
    }

    private static func shoutingFirstWord(_ text: String) -> String {
        var isDone = false
        return words(text) { _, word in
            guard !isDone, !isName(word), word.contains(where: \.isLetter) else { return String(word) }
            isDone = true
            return word.uppercased()
        }
    }

    /// Letters that a word must have to be mistyped.
    private static let leastLetters = 5
    /// One word in so many is mistyped.
    private static let typoDistance = 8

    private static func mistyped(_ text: String, _ seed: UInt64) -> String {
        func isLong(_ word: Substring) -> Bool {
            !isName(word) && word.count { $0.isLetter } >= leastLetters && !word.contains(where: \.isNumber)
        }
        let count = text.split(whereSeparator: \.isWhitespace).count(where: isLong)
        guard count > 0 else { return text }
        let first = Int(seed % UInt64(min(count, typoDistance)))
        var number = 0
        return words(text) { _, word in
            guard isLong(word) else { return String(word) }
            defer { number += 1 }
            return number % typoDistance == first ? swapped(word, seed &+ UInt64(number)) : String(word)
        }
    }

    /// A word in which two different letters that follow each other changed places, not the first one.
    private static func swapped(_ word: Substring, _ seed: UInt64) -> String {
        var letters = Array(word)
        let places = letters.indices.dropFirst().dropLast().filter {
            letters[$0].isLetter && letters[$0 + 1].isLetter && letters[$0] != letters[$0 + 1]
                && letters[$0 - 1].isLetter
        }
        guard !places.isEmpty else { return String(word) }
        let place = places[Int(seed % UInt64(places.count))]
        letters.swapAt(place, place + 1)
        return String(letters)
    }

    // MARK: Signs

    /// Signs that end a part of a sentence.
    private static let ending: Set<Character> = [".", ",", "!", "?", ";", ":", "…", "。", "，", "！", "？", "、", "؟", "،"]
    /// Signs that begin a question or a cry.
    private static let opening: Set<Character> = ["¿", "¡"]

    /// Without the signs at its ends; a word of signs alone, such as `:)`, stays.
    private static func withoutPunctuation(_ word: Substring) -> String {
        guard word.contains(where: { $0.isLetter || $0.isNumber }) else { return String(word) }
        var word = word
        while let last = word.last, ending.contains(last) { word.removeLast() }
        while let first = word.first, opening.contains(first) { word.removeFirst() }
        return String(word)
    }

    private static func broken(_ text: String) -> String {
        var out = ""
        var isBehindSentence = false
        for character in text {
            if character == " ", isBehindSentence {
                out.append("\n")
            } else {
                out.append(character)
            }
            isBehindSentence = character == "." || character == "!" || character == "?" || character == "…"
        }
        return out
    }

    // MARK: Emoji

    private static func withoutEmoji(_ text: String) -> String? {
        let left = text.filter { !isEmoji($0) }
        guard left.count < text.count else { return text }
        guard left.contains(where: { !$0.isWhitespace }) else { return nil }
        // The blanks around them go with them.
        let lines = left.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.split(separator: " ").joined(separator: " ")
        }
        return lines.joined(separator: "\n")
    }

    private static func isEmoji(_ character: Character) -> Bool {
        guard let first = character.unicodeScalars.first, !first.isASCII, first.properties.isEmoji else { return false }
        return first.properties.isEmojiPresentation || character.unicodeScalars.contains("\u{FE0F}")
    }
}

/// Letters without what stands above and below them.
enum Accents {
    /// Every Latin letter with a mark, by its canonical form: to Swift, `é` and `e` with an acute are one character.
    private static let plain: [Character: Character] = {
        var found: [Character: Character] = ["ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ı": "i"]
        for letter in Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") {
            for mark in 0x300...0x328 as ClosedRange<UInt32> {
                guard let mark = Unicode.Scalar(mark) else { continue }
                found[Character("\(letter)\(mark)")] = letter
            }
        }
        return found
    }()

    static func removed(from text: String) -> String {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        var out = ""
        for character in text {
            if character == "ß" { out += "ss" } else { out.append(plain[character] ?? character) }
        }
        return out
    }
}
