import TriageCore

/// Reads a folded text as sentences that ask something, and those as clauses of terms.
struct FAQReader {
    /// Maximum number of clauses of a text that are read.
    static let clauseLimit = 64
    /// Maximum number of words of a text that are read.
    static let wordLimit = 1000
    /// Number of words after which a sentence is split even without punctuation.
    static let sentenceWords = 40
    /// Maximum number of words of a sentence that may give context to the question after it.
    static let contextWords = 20
    /// Maximum number of words of a question that is read together with the sentence before it.
    static let shortWords = 12
    /// Maximum number of words of a text without a question mark that is read entirely, whether it asks or not.
    static let plainWords = 16
    /// The corresponding maximum number of bytes for a script without blanks.
    static let shortLiteral = 60
    /// Maximum number of unknown words of a text that are tried as misspellings.
    static let spellingLimit = 4

    /// A run of the text up to a full stop, question mark or line break.
    private struct Sentence {
        var bytes = 0..<0
        var tokens = 0..<0
        var isQuestion = false
        /// Whether it has a word that asks, or is worth reading without one.
        var asks = false
    }

    /// A run of terms between commas.
    struct Clause {
        /// The range of its terms in ``terms``.
        var terms: Range<Int>
        /// Bits of ``FAQLexicon/Role``.
        var roles: UInt16 = 0
        var words = 0
        /// Number of words, or of parts in scripts without blanks, that the vocabulary does not know.
        var unknowns: Float = 0
        var isQuestion = false
        /// The range of its bytes in the text.
        var bytes = 0..<0
        /// Sum of the ``FAQCues`` of its words, and their number.
        var cue: Float = 0
        var cues: Float = 0
        var isEmpty: Bool { words == 0 && terms.isEmpty }
        var asks: Bool { isQuestion || roles & FAQLexicon.Role.questions != 0 }

        @inline(__always)
        mutating func merge(_ other: Clause) {
            terms = terms.lowerBound..<other.terms.upperBound
            roles |= other.roles
            words += other.words
            unknowns += other.unknowns
            cue += other.cue
            cues += other.cues
            bytes = (bytes.isEmpty ? other.bytes.lowerBound : bytes.lowerBound)..<other.bytes.upperBound
            isQuestion = isQuestion || other.isQuestion
        }
    }

    /// The kind of stretch that is handed over.
    enum Scope { case clause, sentence, pair }

    let vocabulary: FAQVocabularyView
    let text: UnsafeBufferPointer<UInt8>
    let tokens: UnsafeBufferPointer<Token>
    let hasLiterals: Bool
    /// If the text has question marks, only sentences that end with one ask something.
    let hasQuestionMark: Bool
    /// Whether the folded text has a question mark, which may have been another character before folding.
    let mayEndInQuestion: Bool
    let language: UInt8
    /// Hashes of words that are ignored, such as the creator's name.
    let ignored: UnsafeBufferPointer<UInt64>
    /// Terms of the current sentences; room for two sentences.
    let terms: UnsafeMutableBufferPointer<UInt16>
    private let cues: FAQCues.View
    private let memory: FAQWordMemory.View
    /// Whether the text is so short that it is worth reading even without a word that asks: "that microphone!".
    private let readsAll: Bool
    private let wordCount: Int
    private var sentence = Sentence()
    private var previous = Sentence()
    private var hasPrevious = false
    private var termCount = 0
    private var spellings = 0
    private var clauses = 0

    /// Maximum number of bytes of a text that are read.
    static let byteLimit = 16_384

    init(
        vocabulary: FAQVocabularyView, question: FAQMatcher.Question, ignored: UnsafeBufferPointer<UInt64>,
        terms: UnsafeMutableBufferPointer<UInt16>, cues: FAQCues.View, memory: FAQWordMemory.View
    ) {
        self.cues = cues
        self.vocabulary = vocabulary
        text = UnsafeBufferPointer(
            start: question.text.baseAddress, count: min(question.text.count, Self.byteLimit))
        tokens = question.tokens
        hasLiterals = question.hasLiterals
        hasQuestionMark = question.hasQuestionMark
        mayEndInQuestion = question.mayEndInQuestion
        language = question.language
        self.ignored = ignored
        self.terms = terms
        self.memory = memory
        var count = min(tokens.count, Self.wordLimit)
        // If the text was cut, only the words that remain.
        if question.text.count > text.count {
            while count > 0, Int(tokens[count - 1].start) + Int(tokens[count - 1].count) > text.count { count -= 1 }
        }
        wordCount = count
        readsAll = hasLiterals || (!hasQuestionMark && tokens.count <= Self.plainWords)
    }

    /// Whether any sentence could ask something; in most messages none can.
    private var mayAsk: Bool {
        if readsAll || hasQuestionMark || mayEndInQuestion { return true }
        for i in 0..<wordCount where vocabulary.askingWords.mayContain(tokens[i].hash) && asks(tokens[i].hash) {
            return true
        }
        return false
    }

    /// Calls `take` with each clause that asks, each sentence that asks, and each of these with the sentence before it.
    @inline(__always)
    mutating func read(_ take: (Clause, Scope) -> Void) {
        guard wordCount > 0 || hasLiterals, mayAsk else { return }
        sentence.asks = readsAll
        let starts = vocabulary.startsSentence
        var position = 0
        var i = 0
        while i < wordCount {
            if hasLiterals || tokens[i].flags.rawValue & starts != 0 {
                endSentences(from: position, to: Int(tokens[i].start), token: i, tokens[i].flags, take)
            }
            // Up to the next word that may start a sentence, only whether a word asks matters.
            let stop = hasLiterals ? i + 1 : min(wordCount, sentence.tokens.lowerBound + Self.sentenceWords)
            if sentence.asks || hasQuestionMark {
                repeat { i &+= 1 } while i < stop && tokens[i].flags.rawValue & starts == 0
            } else {
                sentence.asks = skipToAsking(&i, stop)
            }
            position = Int(tokens[i - 1].start) + Int(tokens[i - 1].count)
            if i - sentence.tokens.lowerBound >= Self.sentenceWords {
                end(at: position, token: i, isQuestion: false, take)
            }
        }
        if i == tokens.count {
            _ = endMarked(from: position, to: text.count, token: i, take)
            end(at: text.count, token: i, isQuestion: false, take)
        } else {
            end(at: position, token: i, isQuestion: false, take)
        }
    }

    /// Advances to the next word that may start a sentence; returns whether a word on the way introduces a question.
    @inline(__always)
    private func skipToAsking(_ i: inout Int, _ stop: Int) -> Bool {
        let starts = vocabulary.startsSentence
        let filter = vocabulary.askingWords
        var asks = false
        repeat {
            asks = asks || filter.mayContain(tokens[i].hash) && self.asks(tokens[i].hash)
            i &+= 1
        } while i < stop && tokens[i].flags.rawValue & starts == 0
        return asks
    }

    /// Ends the sentences that end before a word.
    private mutating func endSentences(
        from position: Int, to start: Int, token i: Int, _ flags: Token.Flags, _ take: (Clause, Scope) -> Void
    ) {
        let isBroken = endMarked(from: position, to: start, token: i, take)
        // A line break, which folding turned into a blank; a dot in a number or an address is not followed by one.
        if isBroken, flags.rawValue & vocabulary.startsSentence != 0, sentence.tokens.lowerBound < i {
            end(at: start, token: i, isQuestion: false, take)
        }
    }

    /// Ends the sentences whose punctuation is in a range without words; returns whether the range has a blank.
    @inline(__always)
    private mutating func endMarked(
        from position: Int, to limit: Int, token i: Int, _ take: (Clause, Scope) -> Void
    ) -> Bool {
        var hasBlank = false
        var k = position
        while k < limit {
            let byte = text[k]
            if byte & 0xF0 == 0xE0, k + 3 <= limit {
                // Among three-byte characters, only the full stop 。 ends a sentence.
                k += 3
                if byte == 0xE3, text[k - 2] == 0x80, text[k - 1] == 0x82 {
                    end(at: k, token: i, isQuestion: false, take)
                }
                continue
            }
            let ending = ending(at: k, before: limit)
            k += 1
            if ending > 0 { end(at: k, token: i, isQuestion: ending == 2, take) }
            if byte == 0x20 { hasBlank = true }
        }
        return hasBlank
    }

    /// Ends the current sentence and reads it if it asks.
    private mutating func end(
        at byte: Int, token: Int, isQuestion: Bool, _ take: (Clause, Scope) -> Void
    ) {
        sentence.bytes = sentence.bytes.lowerBound..<byte
        sentence.tokens = sentence.tokens.lowerBound..<token
        sentence.isQuestion = isQuestion
        if !sentence.tokens.isEmpty || (hasLiterals && !sentence.bytes.isEmpty) {
            if sentence.asks || isQuestion, clauses < Self.clauseLimit { read(sentence, take) }
            previous = sentence
            hasPrevious = true
        }
        sentence = Sentence(bytes: byte..<byte, tokens: token..<token, isQuestion: false, asks: readsAll)
    }

    /// Whether a word introduces a question.
    private func asks(_ hash: UInt64) -> Bool {
        let term = vocabulary.word(hash, language)
        return term >= 0 && vocabulary.terms[term].role & FAQLexicon.Role.asking != 0
    }

    /// Returns 0 if no sentence ends at `k`, 1 if one does, 2 for a question mark.
    @inline(__always)
    private func ending(at k: Int, before end: Int) -> Int {
        switch text[k] {
        case 0x3F: return 2
        case 0x2E, 0x21:
            // Not inside an address or a number.
            return k + 1 >= end || text[k + 1] == 0x20 || text[k + 1] == 0x21 ? 1 : 0
        case 0x9F: return k > 0 && text[k - 1] == 0xD8 ? 2 : 0  // ؟
        case 0x82: return k > 1 && text[k - 1] == 0x80 && text[k - 2] == 0xE3 ? 1 : 0  // 。
        default: return 0
        }
    }

    /// Reads a sentence that asks, together with the one before it, and hands out its stretches.
    private mutating func read(_ sentence: Sentence, _ take: (Clause, Scope) -> Void) {
        termCount = 0
        var context = Clause(terms: 0..<0)
        if hasPrevious, sentence.tokens.count <= Self.shortWords, previous.tokens.count <= Self.contextWords,
            previous.bytes.count <= 8 * Self.contextWords
        {
            context = readClauses(of: previous).whole
        }
        let few = hasQuestionMark ? Self.shortWords : Self.plainWords
        let isShort = tokens.count <= few && (!hasLiterals || text.count <= Self.shortLiteral)
        let (whole, count) = readClauses(of: sentence) { clause in
            if clause.asks || isShort, clause.words > 1 || !clause.terms.isEmpty { take(clause, .clause) }
        }
        clauses += count
        if !whole.asks, !isShort { return }
        if count > 1 {
            clauses += 1
            take(whole, .sentence)
        }
        if !context.isEmpty, !whole.isEmpty {
            context.isQuestion = false
            context.merge(whole)
            clauses += 1
            take(context, .pair)
        }
    }

    /// Splits a sentence at commas and similar marks; returns the whole as one clause, and the number of clauses.
    private mutating func readClauses(
        of sentence: Sentence, _ body: (Clause) -> Void = { _ in }
    ) -> (whole: Clause, count: Int) {
        var whole = Clause(terms: termCount..<termCount)
        var count = 0
        var clause = whole
        clause.bytes = sentence.bytes.lowerBound..<sentence.bytes.lowerBound
        var position = sentence.bytes.lowerBound
        var i = sentence.tokens.lowerBound
        // The remembered words are far apart in memory: all are prefetched first, so that the waits overlap.
        for token in tokens[sentence.tokens] { memory.expect(token, language) }
        while true {
            let atEnd = i == sentence.tokens.upperBound
            let start = atEnd ? sentence.bytes.upperBound : Int(tokens[i].start)
            var k = position
            // Usually there is only a blank.
            if start == position + 1, !hasLiterals { k = start }
            while k < start {
                if text[k] >= 0xE0, hasLiterals, !isMark(k) {
                    k = literal(k, start, &clause)
                    continue
                }
                if isComma(k) {
                    clause.bytes = clause.bytes.lowerBound..<k
                    close(&clause, &whole, &count, body)
                    clause = Clause(terms: termCount..<termCount, bytes: (k + 1)..<(k + 1))
                }
                k += 1
            }
            if atEnd { break }
            let used = add(i, sentence.tokens.upperBound, &clause)
            let last = tokens[i + used - 1]
            position = Int(last.start) + Int(last.count)
            i += used
        }
        clause.isQuestion = sentence.isQuestion
        clause.bytes = clause.bytes.lowerBound..<sentence.bytes.upperBound
        close(&clause, &whole, &count, body)
        return (whole, count)
    }

    @inline(__always)
    private func close(
        _ clause: inout Clause, _ whole: inout Clause, _ count: inout Int, _ body: (Clause) -> Void
    ) {
        clause.terms = clause.terms.lowerBound..<termCount
        guard !clause.isEmpty else { return }
        whole.merge(clause)
        count += 1
        body(clause)
    }

    /// CJK punctuation.
    @inline(__always)
    private func isMark(_ k: Int) -> Bool {
        text[k] == 0xE3 && k + 2 < text.count && text[k + 1] == 0x80
    }

    @inline(__always)
    private func isComma(_ k: Int) -> Bool {
        switch text[k] {
        case 0x2C, 0x3B, 0x3A, 0x28, 0x29, 0x22: return true
        case 0x2D: return k > 0 && text[k - 1] == 0x20
        case 0x8C: return k > 0 && text[k - 1] == 0xD8  // ،
        case 0x81: return k > 1 && text[k - 1] == 0x80 && text[k - 2] == 0xE3  // 、
        default: return false
        }
    }

    @inline(__always)
    private mutating func append(_ term: Int, _ hash: UInt64, to clause: inout Clause) {
        let known = vocabulary.terms[term]
        clause.roles |= known.role
        clause.cue += known.cue.isNaN ? cues.weight(hash) : known.cue
        clause.cues += 1
        guard known.weight > 0, termCount < terms.count else { return }
        terms[termCount] = UInt16(truncatingIfNeeded: term)
        termCount += 1
    }

    /// Adds the word or phrase at token `i`; returns the number of words that were consumed.
    @inline(__always)
    private mutating func add(_ i: Int, _ limit: Int, _ clause: inout Clause) -> Int {
        let token = tokens[i]
        if vocabulary.phraseStarts.mayContain(token.hash), i + 1 < limit {
            let (term, used) = vocabulary.phrase(
                token.hash, tokens[i + 1].hash, i + 2 < limit ? tokens[i + 2].hash : nil, language)
            if term >= 0 {
                // The words inside a phrase keep their roles: "do you" is both.
                for k in i..<i + used {
                    let inner = vocabulary.word(tokens[k].hash, language)
                    if inner >= 0 { clause.roles |= vocabulary.terms[inner].role }
                }
                append(term, token.hash, to: &clause)
                clause.words += used
                return used
            }
        }
        clause.words += 1
        guard let base = text.baseAddress else { return 1 }
        let (place, plain) = memory.plain(token, in: base, language) { plainTerm(of: token) }
        var term = plain
        if term < 0, spellings < Self.spellingLimit, token.count >= 5, token.flags.rawValue & vocabulary.digits == 0 {
            spellings += 1
            term = memory.spelled(place) { vocabulary.misspelt(bytes(of: token), token.hash) }
        }
        if term >= 0 {
            append(term, token.hash, to: &clause)
            return 1
        }
        clause.cue += cues.weight(token.hash)
        clause.cues += 1
        if !ignored.contains(token.hash) {
            clause.unknowns += 1
        }
        return 1
    }

    /// Returns the term of a word: as it is or, if it has no digits, by stem or beginning; −1 when there is none.
    @inline(never)
    private func plainTerm(of token: Token) -> Int {
        let term = vocabulary.word(token.hash, language)
        if term >= 0 || token.flags.rawValue & vocabulary.digits != 0 { return term }
        return vocabulary.inflected(bytes(of: token), language)
    }

    @inline(__always)
    private func bytes(of token: Token) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: text[Int(token.start)..<Int(token.start) + Int(token.count)])
    }

    /// Finds the longest word that begins at `i` in a script without blanks; returns where to continue.
    @inline(__always)
    private mutating func literal(_ i: Int, _ end: Int, _ clause: inout Clause) -> Int {
        if i + 3 <= end, let bytes = text.baseAddress {
            let lengths = vocabulary.lengths.literals[FAQBytes.start(bytes + i)]
            if lengths != 0 {
                let (term, behind) = longestLiteral(i, end, lengths)
                if term >= 0 {
                    clause.words += 1
                    append(term, 0, to: &clause)
                    return behind
                }
            }
        }
        clause.unknowns += 1.0 / 6
        return min(end, i + (text[i] < 0xF0 ? 3 : 4))
    }

    /// Finds the longest known literal at `i`.
    ///
    /// - Parameter lengths: lengths, in letters, of the literals that begin like the text at `i`.
    private func longestLiteral(_ i: Int, _ end: Int, _ lengths: UInt16) -> (term: Int, end: Int) {
        var hash = GrowingHash()
        var rest = lengths
        var j = i
        var found = -1
        var foundEnd = i
        while j < end, rest > 1, text[j] >= 0xE0 {
            let next = min(end, j + (text[j] < 0xF0 ? 3 : 4))
            while j < next {
                hash.add(text[j])
                j += 1
            }
            rest >>= 1
            if rest & 1 != 0 {
                let term = vocabulary.literal(hash.value, language)
                if term >= 0 {
                    found = term
                    foundEnd = j
                }
            }
        }
        return (found, foundEnd)
    }
}
