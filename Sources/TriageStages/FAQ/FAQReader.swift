import TriageCore

/// Reads a folded text as sentences that ask something, and those as clauses of terms.
struct FAQReader {
    /// Clauses of one text that are looked at.
    static let clauseLimit = 64
    /// Words of one text that are looked at.
    static let wordLimit = 1000
    /// Words of a sentence before it is broken even without punctuation.
    static let sentenceWords = 40
    /// Words of a sentence that may give context to the question behind it.
    static let contextWords = 20
    /// Words of a question that is read together with the sentence before it.
    static let shortWords = 12
    /// Bytes of a text in a script without blanks that is as short.
    static let shortLiteral = 60
    /// Unknown words of one text that are tried as misspellings.
    static let spellingLimit = 4

    /// A run of the text up to a full stop, question mark or line break.
    private struct Sentence {
        var bytes: Range<Int>
        var tokens: Range<Int>
        var isQuestion: Bool
        var asks: Bool
    }

    /// A run of terms between commas.
    struct Clause {
        /// Its terms in ``terms``.
        var terms: Range<Int>
        /// Bits of ``FAQLexicon/Role``.
        var roles: UInt16 = 0
        var words = 0
        /// Words, or parts of scripts without blanks, that the vocabulary does not know.
        var unknowns: Float = 0
        var isQuestion = false
        var isEmpty: Bool { words == 0 && terms.isEmpty }
        var asks: Bool { isQuestion || roles & FAQLexicon.Role.questions != 0 }

        mutating func merge(_ other: Clause) {
            terms = terms.lowerBound..<other.terms.upperBound
            roles |= other.roles
            words += other.words
            unknowns += other.unknowns
            isQuestion = isQuestion || other.isQuestion
        }
    }

    /// Which stretch of the text is handed over.
    enum Scope { case clause, sentence, pair }

    let vocabulary: FAQVocabularyView
    let text: UnsafeBufferPointer<UInt8>
    let tokens: UnsafeBufferPointer<Token>
    let hasLiterals: Bool
    /// Where a text has question marks, only sentences that end with one ask.
    let hasQuestionMark: Bool
    let language: UInt8
    /// Hashes of words that say nothing here, such as the creator's name.
    let ignored: [UInt64]
    /// Terms of the sentences in hand; room for two.
    let terms: UnsafeMutableBufferPointer<UInt16>
    private var termCount = 0
    private var spellings = 0
    private var clauses = 0

    /// Bytes of one text that are looked at.
    static let byteLimit = 16_384

    init(
        vocabulary: FAQVocabularyView, question: FAQMatcher.Question, ignored: [UInt64],
        terms: UnsafeMutableBufferPointer<UInt16>
    ) {
        self.vocabulary = vocabulary
        text = UnsafeBufferPointer(rebasing: question.text.prefix(Self.byteLimit))
        tokens = question.tokens
        hasLiterals = question.hasLiterals
        hasQuestionMark = question.hasQuestionMark
        language = question.language
        self.ignored = ignored
        self.terms = terms
    }

    /// Calls `take` with each clause that asks, each such sentence, and each with the sentence before it.
    @inline(__always)
    mutating func read(_ take: (Clause, Scope) -> Void) {
        let count = min(tokens.count, Self.wordLimit)
        let marked = hasQuestionMark
        // So short a text is worth reading even without a word that asks: "that microphone!".
        let readsAll = hasLiterals || (!marked && count <= Self.shortWords)
        var previous: Sentence?
        var sentence = Sentence(bytes: 0..<0, tokens: 0..<0, isQuestion: false, asks: readsAll)
        var position = 0
        var i = 0
        func end(_ reader: inout FAQReader, at byte: Int, token: Int, isQuestion: Bool) {
            sentence.bytes = sentence.bytes.lowerBound..<byte
            sentence.tokens = sentence.tokens.lowerBound..<token
            sentence.isQuestion = isQuestion
            if !sentence.tokens.isEmpty || (reader.hasLiterals && !sentence.bytes.isEmpty) {
                if sentence.asks || isQuestion, reader.clauses < Self.clauseLimit {
                    reader.take(sentence, after: previous, take)
                }
                previous = sentence
            }
            sentence = Sentence(
                bytes: byte..<byte, tokens: token..<token, isQuestion: false, asks: readsAll)
        }
        while i < count {
            let token = tokens[i]
            let start = Int(token.start)
            guard start + Int(token.count) <= text.count else { break }
            let mayBreak = token.flags.rawValue & vocabulary.startsSentence != 0
            if mayBreak || hasLiterals {
                var isBroken = false
                var k = position
                while k < start {
                    let ending = ending(at: k, before: start)
                    if ending > 0 { end(&self, at: k + 1, token: i, isQuestion: ending == 2) }
                    isBroken = text[k] == 0x20 || isBroken
                    k += 1
                }
                // A line break, which folding made a blank; a dot in a number or an address has none behind it.
                if mayBreak, isBroken, sentence.tokens.lowerBound < i {
                    end(&self, at: start, token: i, isQuestion: false)
                }
            }
            if !marked, !sentence.asks, vocabulary.askingWords.mayContain(token.hash) {
                sentence.asks = asks(token.hash)
            }
            position = start + Int(token.count)
            i += 1
            if i - sentence.tokens.lowerBound >= Self.sentenceWords {
                end(&self, at: position, token: i, isQuestion: false)
            }
        }
        if i == tokens.count {
            var k = position
            while k < text.count {
                let ending = ending(at: k, before: text.count)
                if ending > 0 { end(&self, at: k + 1, token: i, isQuestion: ending == 2) }
                k += 1
            }
            end(&self, at: text.count, token: i, isQuestion: false)
        } else {
            end(&self, at: position, token: i, isQuestion: false)
        }
    }

    /// Whether a word announces a question.
    private func asks(_ hash: UInt64) -> Bool {
        let term = vocabulary.word(hash, language)
        return term >= 0 && vocabulary.terms[term].role & FAQLexicon.Role.asking != 0
    }

    /// 0: no end of a sentence stands at `k`; 1: an end; 2: a question mark.
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

    /// Reads a sentence that asks, with what stands before it, and hands out its stretches.
    private mutating func take(_ sentence: Sentence, after previous: Sentence?, _ take: (Clause, Scope) -> Void) {
        termCount = 0
        var context: Clause?
        if let previous, sentence.tokens.count <= Self.shortWords, previous.tokens.count <= Self.contextWords,
            previous.bytes.count <= 8 * Self.contextWords
        {
            var whole = Clause(terms: 0..<0)
            clauses(of: previous) { _, clause in whole.merge(clause) }
            if !whole.isEmpty { context = whole }
        }
        let isShort = tokens.count <= Self.shortWords && (!hasLiterals || text.count <= Self.shortLiteral)
        var whole = Clause(terms: termCount..<termCount)
        var count = 0
        clauses(of: sentence) { reader, clause in
            count += 1
            reader.clauses += 1
            whole.merge(clause)
            if clause.asks || isShort, !clause.terms.isEmpty { take(clause, .clause) }
        }
        if !whole.asks, !isShort { return }
        if count > 1 {
            clauses += 1
            take(whole, .sentence)
        }
        if var both = context, !whole.isEmpty {
            both.isQuestion = false
            both.merge(whole)
            clauses += 1
            take(both, .pair)
        }
    }

    /// Splits a sentence at commas and the like.
    @inline(__always)
    private mutating func clauses(of sentence: Sentence, _ body: (inout FAQReader, Clause) -> Void) {
        var clause = Clause(terms: termCount..<termCount)
        func close(_ reader: inout FAQReader) {
            clause.terms = clause.terms.lowerBound..<reader.termCount
            if !clause.isEmpty { body(&reader, clause) }
            clause = Clause(terms: reader.termCount..<reader.termCount)
        }
        var position = sentence.bytes.lowerBound
        var i = sentence.tokens.lowerBound
        while i <= sentence.tokens.upperBound {
            let atEnd = i == sentence.tokens.upperBound
            let start = atEnd ? sentence.bytes.upperBound : Int(tokens[i].start)
            if start != position + 1 || hasLiterals {
                var k = position
                while k < start {
                    if hasLiterals, text[k] >= 0xE0, !isMark(k) {
                        k = literal(k, start, &clause)
                        continue
                    }
                    if isComma(k) { close(&self) }
                    k += 1
                }
            }
            if atEnd { break }
            let used = add(i, sentence.tokens.upperBound, &clause)
            let last = tokens[i + used - 1]
            position = Int(last.start) + Int(last.count)
            i += used
        }
        clause.isQuestion = sentence.isQuestion
        close(&self)
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
    private mutating func append(_ term: Int, to clause: inout Clause) {
        let known = vocabulary.terms[term]
        clause.roles |= known.role
        guard known.weight > 0, termCount < terms.count else { return }
        terms[termCount] = UInt16(truncatingIfNeeded: term)
        termCount += 1
    }

    /// Adds the word or phrase at token `i`; returns the number of words it took.
    @inline(__always)
    private mutating func add(_ i: Int, _ limit: Int, _ clause: inout Clause) -> Int {
        let token = tokens[i]
        if vocabulary.phraseStarts.mayContain(token.hash), i + 1 < limit {
            let (term, used) = vocabulary.phrase(
                token.hash, tokens[i + 1].hash, i + 2 < limit ? tokens[i + 2].hash : nil, language)
            if term >= 0 {
                // The words inside keep their roles: "do you" is both.
                for k in i..<i + used {
                    let inner = vocabulary.word(tokens[k].hash, language)
                    if inner >= 0 { clause.roles |= vocabulary.terms[inner].role }
                }
                append(term, to: &clause)
                clause.words += used
                return used
            }
        }
        clause.words += 1
        var term = vocabulary.word(token.hash, language)
        if term < 0, token.flags.rawValue & vocabulary.digits == 0 {
            let word = UnsafeBufferPointer(rebasing: text[Int(token.start)..<Int(token.start) + Int(token.count)])
            term = vocabulary.inflected(word, language)
            if term < 0, spellings < Self.spellingLimit, word.count >= 5 {
                spellings += 1
                term = vocabulary.misspelt(word)
            }
        }
        if term >= 0 {
            append(term, to: &clause)
        } else if !ignored.contains(token.hash) {
            clause.unknowns += 1
        }
        return 1
    }

    /// Looks for the longest word that begins at `i` in a script without blanks; returns where to go on.
    private mutating func literal(_ i: Int, _ end: Int, _ clause: inout Clause) -> Int {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        var j = i
        var letters = 0
        var found = -1
        var foundEnd = i
        while j < end, letters < 8, text[j] >= 0xE0 {
            let next = min(end, j + (text[j] < 0xF0 ? 3 : 4))
            while j < next {
                hash = (hash ^ UInt64(text[j])) &* 0x100_0000_01B3
                j += 1
            }
            letters += 1
            let term = vocabulary.literal(hash, language)
            if term >= 0 {
                found = term
                foundEnd = j
            }
        }
        guard found >= 0 else {
            clause.unknowns += 1.0 / 6
            return min(end, i + (text[i] < 0xF0 ? 3 : 4))
        }
        clause.words += 1
        append(found, to: &clause)
        return foundEnd
    }
}
