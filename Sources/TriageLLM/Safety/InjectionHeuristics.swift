import TriageCore

/// A cheap, broad test for text that might address an automated reader.
///
/// It changes no answer. A run does not send a message with a hint to any model, neither for a second opinion nor for a
/// draft or a vector, and the message keeps its offline answers. A false alarm costs only what a model could have
/// added, so the test may be broad. Whether the message *is* an injection is decided by the injection answer.
package struct InjectionHeuristics: Sendable {
    /// What was found; safe as a label.
    package enum Hint: String, Sendable, CaseIterable {
        /// A phrase such as "previous instructions".
        case phrase
        /// A reader, such as "assistant", near a label or an order.
        case reader
        /// A label near "classify", "mark" or a similar word.
        case label
        /// `legitimacy: 20`, `urgent=true`, `{"category"`.
        case setting
        /// A delimiter, a comment, a chat template token, or text formatted to be invisible.
        case frame
        /// Invisible characters, look-alike letters in a word, or spaced-out letters.
        case disguise
        /// Base64 or hexadecimal digits that decode to text.
        case encoded
        /// It refers to other messages: the batch, the rest, the next one.
        case neighbor
    }

    private let folder = TextFolder()
    private let grammar = InjectionGrammar()
    private let words: [String: Word]
    private let parts: NeedleSet
    private let neighbors: PhraseRules

    /// - Parameter neighbors: how people refer to other messages than their own.
    package init(neighbors: PhraseRules = PhraseRules()) {
        self.neighbors = neighbors
        let folder = TextFolder()
        let words = InjectionWords.phrases.map { folder.words($0).map { String(decoding: $0, as: UTF8.self) } }
        self.words = Word.table(phrases: words.filter { !$0.isEmpty })
        parts = NeedleSet(InjectionWords.parts.map { folder.fold($0) })
    }

    /// Whether there is any hint.
    package func suspects(_ text: String) -> Bool { !hints(in: text).isEmpty }

    /// All hints in a text as the sender wrote it.
    package func hints(in text: String) -> Set<Hint> {
        var hints: Set<Hint> = []
        let neutral = Neutralizer(limit: 64 << 10).neutralized(text)
        if neutral.tokens > 0 || hasFrame(text) { hints.insert(.frame) }
        if hasTags(text) || neutral.hidden >= 4 { hints.insert(.disguise) }
        let plain = Self.unmasked(neutral.text)
        if plain.isMixed { hints.insert(.disguise) }
        let words = folder.words(plain.text).map { String(decoding: $0, as: UTF8.self) }
        read(words, into: &hints)
        if InjectionDisguise.isStyled(neutral.text) || InjectionDisguise.isInPieces(words) { hints.insert(.disguise) }
        if InjectionDisguise.isTurned(words) || InjectionDisguise.isCoded(neutral.text) { hints.insert(.encoded) }
        let folded = folder.fold(plain.text)
        if neighbors.firstAnywhere(in: plain.text) != nil { hints.insert(.neighbor) }
        if parts.occurs(in: folded) { hints.insert(.phrase) }
        if Self.addressesReader(plain.text) || grammar.callsReader(plain.text) { hints.insert(.reader) }
        if Self.hasSetting(neutral.text) { hints.insert(.setting) }
        if let spelled = InjectionDisguise.unleeted(plain.text) {
            read(folder.words(spelled).map { String(decoding: $0, as: UTF8.self) }, into: &hints)
            if neighbors.firstAnywhere(in: spelled) != nil { hints.insert(.neighbor) }
        }
        if let apart = Self.joined(plain.text) {
            hints.insert(.disguise)
            read(folder.words(apart).map { String(decoding: $0, as: UTF8.self) }, into: &hints)
        }
        if Self.hasMessage(in: neutral.text) { hints.insert(.encoded) }
        return hints
    }

    /// The roles of a word in an order to a reader.
    private struct Word: Sendable {
        var isReader = false
        var isWeakReader = false
        var isLabel = false
        var isLabelVerb = false
        var isOrder = false
        /// Phrases that begin with this word, split into words.
        var phrases: [[String]] = []

        static func table(phrases: [[String]]) -> [String: Word] {
            var table: [String: Word] = [:]
            for word in InjectionWords.readers { table[word, default: Word()].isReader = true }
            for word in InjectionWords.weakReaders { table[word, default: Word()].isWeakReader = true }
            for word in InjectionWords.labels { table[word, default: Word()].isLabel = true }
            for word in InjectionWords.labelVerbs { table[word, default: Word()].isLabelVerb = true }
            for word in InjectionWords.orders { table[word, default: Word()].isOrder = true }
            for phrase in phrases { table[phrase[0], default: Word()].phrases.append(phrase) }
            return table
        }
    }

    private func read(_ words: [String], into hints: inout Set<Hint>) {
        hints.formUnion(InjectionGrammar.hints(in: words))
        var lastReader = Int.min / 2
        var lastWeak = Int.min / 2
        var lastLabel = Int.min / 2
        var lastVerb = Int.min / 2
        var lastOrder = Int.min / 2
        for (place, word) in words.enumerated() {
            // Most words have no role, and no pair ends with them.
            guard let known = self.words[word] else { continue }
            if known.phrases.contains(where: { words[place...].starts(with: $0) }) { hints.insert(.phrase) }
            if known.isReader { lastReader = place }
            if known.isWeakReader { lastWeak = place }
            if known.isLabel { lastLabel = place }
            if known.isLabelVerb { lastVerb = place }
            if known.isOrder { lastOrder = place }
            // The later element of a pair is this word, or the pair was detected before.
            if place - min(lastReader, max(lastLabel, lastVerb, lastOrder)) <= 8 { hints.insert(.reader) }
            if place - min(lastWeak, max(lastLabel, lastVerb)) <= 5 { hints.insert(.reader) }
            if place - min(lastVerb, lastLabel) <= 4, lastVerb < lastLabel { hints.insert(.label) }
        }
    }

    private static let callNames: Set<String> = [
        "bot", "model", "system", "modelo", "sistema", "modell", "modele", "модель", "система", "reader",
    ]

    /// Whether a sentence begins with a reader's name and a comma or colon: "Assistant, our budget …".
    private static func addressesReader(_ text: String) -> Bool {
        let scalars = Array(text.lowercased().unicodeScalars)
        var isStart = true
        var index = 0
        while index < scalars.count {
            guard Text.isAlphabetic(scalars[index]) else {
                if !Text.isBlank(scalars[index]) { isStart = true }
                if scalars[index] == "," || scalars[index] == "'" || scalars[index] == "\u{2019}" { isStart = false }
                index += 1
                continue
            }
            var end = index
            while end < scalars.count, Text.isAlphabetic(scalars[end]) { end += 1 }
            if isStart, end < scalars.count, scalars[end] == "," || scalars[end] == ":" {
                let word = Text.string(scalars[index..<end])
                if callNames.contains(word) || InjectionWords.readers.contains(word) { return true }
            }
            isStart = false
            index = end
        }
        return false
    }

    private static let frames = NeedleSet(
        [
            "<!--", "-->", "</", "]]>", "<<<", ">>>", "[[", "]]", "```", "\"\"\"", "-----", "=====", "~~~~", "{{", "{%",
            "<system", "<user", "<message", "<instruction", "font-size:0", "font-size: 0", "display:none",
            "display: none", "visibility:hidden", "color:white", "color:#fff", "[system", "[assistant", "[inst", "[ia ",
            "[ai", "(ai", "(assistant", "(system", "###",
        ].map { Array($0.utf8) })

    private func hasFrame(_ text: String) -> Bool {
        Self.frames.occurs(in: Array(text.lowercased().utf8))
    }

    private func hasTags(_ text: String) -> Bool {
        var view = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where (0xE0020...0xE007E).contains(scalar.value) { view.append(scalar) }
        // Three flags with tags contain fifteen tag characters; more than that spell out a text.
        let flags = text.unicodeScalars.count { $0.value == 0x1F3F4 }
        return view.count > 5 * flags
    }

    private static let settings: Set<String> = [
        "category", "sentiment", "urgent", "urgency", "legitimacy", "monetary", "opportunity", "score", "priority",
        "injection", "label", "fit", "brand_fit", "spam", "faq", "faq_id", "inj", "tier", "confidence", "intensity",
        "pay",
        "amt", "due", "signs", "draft", "categoria", "sentimiento", "prioridad", "kategorie", "categorie", "total",
    ]

    /// Whether a field of our answers is set to a value: `score=100`, `"category":`, `legitimacy 20`.
    private static func hasSetting(_ text: String) -> Bool {
        let scalars = Array(text.lowercased().unicodeScalars)
        var index = 0
        while index < scalars.count {
            guard Text.isASCIIWord(scalars[index]) else {
                // {"c" and similar: a brace, and a quoted key.
                if scalars[index] == "{", let key = nextInk(scalars, index + 1), scalars[key] == "\"" { return true }
                index += 1
                continue
            }
            var end = index
            while end < scalars.count, Text.isASCIIWord(scalars[end]) { end += 1 }
            // Few words are followed by a value, so this is checked first.
            guard isSet(scalars, behind: end) else {
                index = end
                continue
            }
            if settings.contains(Text.string(scalars[index..<end])) { return true }
            // One of our one-letter keys, set to one of our words without a blank.
            if end - index == 1, scalars[end] == "=", "csiuo".contains(Character(scalars[index])) { return true }
            index = end
        }
        return false
    }

    private static func isSet(_ scalars: [Unicode.Scalar], behind end: Int) -> Bool {
        var index = end
        var sign: Unicode.Scalar?
        while index < scalars.count, index - end < 6 {
            let scalar = scalars[index]
            if scalar == "=" || scalar == ":" || scalar == "\u{FF1A}" {
                sign = scalar
            } else if scalar != " ", scalar != "\"", scalar != "'", scalar != "\u{201D}" {
                break
            }
            index += 1
        }
        guard let sign, index < scalars.count else { return false }
        if scalars[index] == "[" || scalars[index] == "{" || Text.isASCIIDigit(scalars[index]) { return true }
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars[index...].prefix(16).prefix(while: Text.isASCIIWord))
        let value = String(view)
        // "Urgent: my order" is not a setting; "urgent: true" is.
        return sign == "=" && !value.isEmpty || InjectionWords.labels.contains(value)
            || ["true", "false", "yes", "no", "null", "max", "maximum", "high", "highest", "legal"].contains(value)
    }

    private static func nextInk(_ scalars: [Unicode.Scalar], _ start: Int) -> Int? {
        scalars[start...].prefix(8).firstIndex { !$0.properties.isWhitespace }
    }

    // MARK: Disguises

    /// The Latin letters that Cyrillic and Greek letters resemble.
    private static let twins: [Unicode.Scalar: Unicode.Scalar] = [
        "а": "a", "е": "e", "о": "o", "р": "p", "с": "c", "у": "y", "х": "x", "і": "i", "ѕ": "s", "ј": "j", "ԁ": "d",
        "һ": "h",
        "в": "b", "н": "h", "к": "k", "м": "m", "т": "t", "г": "r", "п": "n", "ɡ": "g", "ӏ": "l", "ո": "n", "α": "a",
        "ο": "o",
        "ι": "i", "ν": "v", "ρ": "p", "τ": "t", "υ": "u", "κ": "k", "ε": "e", "А": "A", "Е": "E", "О": "O", "Р": "P",
        "С": "C",
        "І": "I", "Ѕ": "S", "Ι": "I", "Ο": "O", "Α": "A", "Ε": "E", "Т": "T", "М": "M", "Н": "H", "К": "K", "В": "B",
        "Х": "X",
    ]

    /// The text with look-alikes replaced in words that mix scripts, and whether several words did.
    private static func unmasked(_ text: String) -> (text: String, isMixed: Bool) {
        guard text.utf8.contains(where: { $0 > 0x7F }), text.unicodeScalars.contains(where: { twins[$0] != nil }) else {
            return (text, false)
        }
        var out = String.UnicodeScalarView()
        var mixed = 0
        var word: [Unicode.Scalar] = []
        func close() {
            let isMixed = word.contains(where: Text.isASCIILetter) && word.contains { twins[$0] != nil }
            if isMixed, word.count > 2 { mixed += 1 }
            out.append(contentsOf: isMixed ? word.map { twins[$0] ?? $0 } : word)
            word = []
        }
        for scalar in text.unicodeScalars {
            if Text.isAlphabetic(scalar) {
                word.append(scalar)
            } else {
                close()
                out.append(scalar)
            }
        }
        close()
        return (String(out), mixed >= 2)
    }

    /// The text with spaced-out letters, such as "i g n o r e", joined; nil unless there are at least eight.
    private static func joined(_ text: String) -> String? {
        guard mayBeSetApart(text) else { return nil }
        let words = text.split { " .-_*|/\n".contains($0) }
        var out: [String] = []
        var run = ""
        var longest = 0
        for word in words {
            if word.unicodeScalars.count == 1, word.first?.isLetter == true {
                run += word
            } else {
                if !run.isEmpty { out.append(run) }
                longest = max(longest, run.count)
                run = ""
                out.append(String(word))
            }
        }
        if !run.isEmpty { out.append(run) }
        return max(longest, run.count) >= 8 ? out.joined(separator: " ") : nil
    }

    /// Whether eight words are a single scalar each.
    ///
    /// Otherwise nothing is spaced out; for most messages, the search ends here.
    private static func mayBeSetApart(_ text: String) -> Bool {
        var singles = 0
        var length = 0
        for scalar in text.unicodeScalars {
            switch scalar {
            case " ", ".", "-", "_", "*", "|", "/", "\n":
                if length == 1 { singles += 1 }
                length = 0
            default: length += 1
            }
        }
        return singles + (length == 1 ? 1 : 0) >= 8
    }

    /// Whether a run of Base64 or hexadecimal digits decodes to printable text.
    private static func hasMessage(in text: String) -> Bool {
        Canary.runs(of: text).contains { run in
            (0..<4).contains { skip in
                var printed = Printed()
                return Canary.base64(run.dropFirst(skip)) { printed.sees($0) }
            }
                || (0..<2).contains { skip in
                    var printed = Printed()
                    return Canary.hex(run.dropFirst(skip)) { printed.sees($0) }
                }
        }
    }

    /// Consecutive printable characters.
    private struct Printed {
        private var run = 0
        private var blanks = 0

        /// Whether the characters form words so far, separated by blanks; text that is not encoded decodes to noise.
        mutating func sees(_ byte: UInt8) -> Bool {
            guard (0x20...0x7E).contains(byte) else {
                self = Printed()
                return false
            }
            run += 1
            if byte == 0x20 { blanks += 1 }
            return run >= 12 && blanks >= 1
        }
    }
}

/// A set of byte strings that are searched for in a single pass over a text.
struct NeedleSet: Sendable {
    /// The byte strings by a hash of their first bytes.
    private var buckets = [[[UInt8]]](repeating: [], count: 1 << 10)
    /// The number of first bytes that are hashed: the length of the shortest byte string, at most four.
    private let prefix: Int

    /// - Parameter needles: empty ones are ignored, because they would match everywhere.
    init(_ needles: [[UInt8]]) {
        let needles = needles.filter { !$0.isEmpty }
        prefix = min(4, needles.map(\.count).min() ?? 1)
        for needle in needles {
            let bucket = needle.withUnsafeBufferPointer { Self.bucket($0, at: 0, prefix) }
            buckets[bucket].append(needle)
        }
    }

    /// Whether `bytes` contains any of them.
    func occurs(in bytes: [UInt8]) -> Bool {
        guard bytes.count >= prefix else { return false }
        return bytes.withUnsafeBufferPointer { bytes in
            (0...bytes.count - prefix).contains { place in
                buckets[Self.bucket(bytes, at: place, prefix)].contains { bytes[place...].starts(with: $0) }
            }
        }
    }

    private static func bucket(_ bytes: UnsafeBufferPointer<UInt8>, at place: Int, _ prefix: Int) -> Int {
        var hash: UInt32 = 0
        for index in place..<place + prefix { hash = hash &* 0x0100_0193 ^ UInt32(bytes[index]) }
        return Int((hash ^ hash >> 10 ^ hash >> 20) & 0x3FF)
    }
}
