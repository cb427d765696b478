internal import TriageCore

/// A reply split into greeting, sentences and signature.
struct VoiceText {
    /// One word, delimited by blanks, without the marks around it.
    struct Word {
        /// As written, without surrounding marks.
        var text: String
        var folded: String
        /// Its range in the scalars of its sentence.
        var range: Range<Int>
        /// Whether it contains a digit, or is an address or a handle.
        var isFact: Bool
        var isCapital: Bool
        /// Whether it begins a sentence or a line.
        var isFirst: Bool
    }

    /// One sentence, including the punctuation and symbols after it.
    struct Sentence {
        var scalars: [Unicode.Scalar]
        var words: [Word]
        var asks: Bool

        var text: String { VoiceText.string(scalars[...]) }
    }

    private(set) var greeting: String?
    private(set) var sentences: [Sentence] = []
    private(set) var isSigned = false

    /// Maximum number of scalars per line of a reply that are read.
    private static let scalarLimit = 4_000
    private static let greetingWords = 4
    /// Words of a signature that ends a line: "Bien à vous, Noémie".
    private static let signatureWords = 4

    /// Splits a reply.
    ///
    /// - Parameters:
    ///   - sender: folded parts of the name that a greeting may contain.
    ///   - names: folded names with which the creator signs.
    ///   - isMail: whether a name may sign the last line too: "… Best, Dana". In chats, such words are a closing, which
    ///     drafts end with as it stands.
    init(_ text: String, greetings: Set<String>, sender: Set<String>, names: Set<String>, isMail: Bool = false) {
        var lines = text.unicodeScalars.split { $0 == "\n" || $0 == "\r" }.map { Array($0.prefix(Self.scalarLimit)) }
        lines.removeAll { $0.allSatisfy(Self.isBlank) }
        if lines.count > 1, let last = lines.last {
            let words = Self.words(of: last)
            if (1...3).contains(words.count), words.contains(where: { names.contains($0.folded) }) {
                isSigned = true
                lines.removeLast()
            }
        }
        for line in lines { sentences += Self.sentences(of: line) }
        if isMail, !isSigned, sentences.count > 1, let words = sentences.last?.words,
            words.count <= Self.signatureWords, words.last.map({ names.contains($0.folded) }) == true
        {
            isSigned = true
            sentences.removeLast()
        }
        takeGreeting(greetings, sender)
    }

    /// Removes a greeting such as "Hi Dana," from the start: a line of its own, or the first words.
    private mutating func takeGreeting(_ greetings: Set<String>, _ sender: Set<String>) {
        guard let first = sentences.first, let word = first.words.first, greetings.contains(word.folded) else { return }
        if first.words.count <= Self.greetingWords {
            greeting = first.text
            sentences.removeFirst()
            return
        }
        // "Hallo Heike, unter …": the greeting extends to the first comma if only names precede it.
        guard let comma = first.scalars.firstIndex(of: ","),
            first.words.dropFirst().prefix(while: { $0.range.lowerBound < comma }).allSatisfy({
                sender.contains($0.folded)
            })
        else { return }
        greeting = Self.string(first.scalars[...comma])
        sentences.replaceSubrange(0..<1, with: Self.sentences(of: Array(first.scalars[(comma + 1)...])))
    }

    /// Words and characters that a closing has at most.
    private static let (closingWords, closingLength) = (6, 40)

    /// The last few words, if they may be said to everybody: a short sentence behind others, without a question or a fact.
    var closing: String? {
        guard sentences.count > 1, let last = sentences.last, !last.asks, last.words.count <= Self.closingWords,
            last.scalars.count <= Self.closingLength, !last.words.contains(where: \.isFact),
            !last.scalars.contains(where: { $0 == "{" || $0 == "}" })
        else { return nil }
        return last.text
    }

    /// Removes the last sentence if it is one of the creator's closings, which say nothing of the message.
    mutating func dropClosing(_ closings: Set<String>) {
        if let closing, closings.contains(closing) { sentences.removeLast() }
    }

    static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var scalars = scalars
        while let first = scalars.first, isBlank(first) { scalars.removeFirst() }
        while let last = scalars.last, isBlank(last) { scalars.removeLast() }
        guard scalars.allSatisfy(\.isASCII) else {
            var view = String.UnicodeScalarView()
            view.append(contentsOf: scalars)
            return String(view)
        }
        return String(unsafeUninitializedCapacity: scalars.count) { buffer in
            for (place, scalar) in scalars.enumerated() { buffer[place] = UInt8(truncatingIfNeeded: scalar.value) }
            return scalars.count
        }
    }

    // Most letters are ASCII, and looking up Unicode properties is the most expensive part.

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII ? scalar == " " || (9...13).contains(scalar.value) : scalar.properties.isWhitespace
    }

    private static func isCapital(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII ? ("A"..."Z").contains(scalar) : scalar.properties.isUppercase
    }

    /// Returns a word in lower case without accents; apostrophes become straight.
    static func folded(_ word: String) -> String {
        if word.utf8.allSatisfy({ $0 < 0x80 }) { return word.lowercased() }
        let straight = word.contains("’") ? word.replacing("’", with: "'") : word
        if straight.utf8.allSatisfy({ $0 < 0x80 }) { return straight.lowercased() }
        return straight.split(separator: "'", omittingEmptySubsequences: false).map {
            String(decoding: TextFolder().fold(String($0)), as: UTF8.self)
        }.joined(separator: "'")
    }

    private static func isEnd(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case ".", "!", "?", "…", "。", "！", "？": true
        default: false
        }
    }

    /// Whether a character is part of a word.
    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII {
            return ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
        }
        return scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }

    private static func sentences(of line: [Unicode.Scalar]) -> [Sentence] {
        var found: [Sentence] = []
        var start = 0
        var index = 0
        while index < line.count {
            let next = index + 1 < line.count ? line[index + 1] : " "
            let scalar = line[index]
            index += 1
            guard isEnd(scalar), next == " " || next == "\u{A0}" || !next.isASCII || next == "\"" || next == ")" else {
                continue
            }
            while index < line.count, !isBlank(line[index]), !isLetter(line[index]) { index += 1 }
            close(&found, line, start..<index)
            start = index
        }
        close(&found, line, start..<line.count)
        return found
    }

    private static func close(_ found: inout [Sentence], _ line: [Unicode.Scalar], _ range: Range<Int>) {
        var range = range
        while let first = range.first, isBlank(line[first]) { range = first + 1..<range.upperBound }
        while let last = range.last, isBlank(line[last]) { range = range.lowerBound..<last }
        guard !range.isEmpty else { return }
        let scalars = Array(line[range])
        let words = words(of: scalars)
        if words.isEmpty, let last = found.indices.last {
            // Symbols such as a heart belong to the sentence before them.
            found[last].scalars += [" "] + scalars
            return
        }
        guard !words.isEmpty else { return }
        let asks = scalars.contains { $0 == "?" || $0 == "？" }
        found.append(Sentence(scalars: scalars, words: words, asks: asks))
    }

    static func words(of scalars: [Unicode.Scalar]) -> [Word] {
        var words: [Word] = []
        var index = 0
        while index < scalars.count {
            while index < scalars.count, isBlank(scalars[index]) { index += 1 }
            var (start, end) = (index, index)
            while end < scalars.count, !isBlank(scalars[end]) { end += 1 }
            index = end
            // A symbol before the word makes it a fact and therefore counts: a handle, a sum.
            let isMarked = start < end && (scalars[start] == "@" || scalars[start] == "#" || isMoney(scalars[start]))
            while start < end, !isLetter(scalars[start]) { start += 1 }
            while end > start, !isLetter(scalars[end - 1]) { end -= 1 }
            guard start < end else { continue }
            let part = scalars[start..<end]
            let text = string(part)
            let isFact =
                isMarked || end < scalars.count && (scalars[end] == "%" || isMoney(scalars[end]))
                || part.contains { $0 == "@" || $0 == "/" || ("0"..."9").contains($0) }
                || part.dropFirst().dropLast().contains(".") || part.contains("_")
            let isCapital = part.first.map(Self.isCapital) ?? false
            words.append(
                Word(
                    text: text, folded: folded(text), range: start..<end, isFact: isFact, isCapital: isCapital,
                    isFirst: words.isEmpty))
        }
        return words
    }

    private static func isMoney(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII ? scalar == "$" : scalar.properties.generalCategory == .currencySymbol
    }

    /// Whether a character is shown as an emoji.
    static func isEmoji(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x2190 && (scalar.properties.isEmojiPresentation || scalar.properties.isEmoji)
    }
}
