internal import CTextFold

/// The state while one text is folded.
///
/// ASCII is folded in blocks (``foldBlock(at:_:)``); all other characters, and rare cases, are folded one by one.
struct FoldPass {
    /// The text, its length, and the number of bytes that may be read from its beginning.
    let text: UnsafePointer<UInt8>
    let count: Int
    let readable: Int
    /// Has room for the text plus ``outputSlack``.
    let output: UnsafeMutablePointer<UInt8>
    /// Has room for ``wordLimit(of:)`` plus ``wordSlack`` words.
    let words: UnsafeMutablePointer<Token>
    /// ``SpecialByte/all``.
    let specials: UnsafePointer<SpecialByte>
    /// ``ScalarFold/low``.
    let scalars: UnsafePointer<ScalarFold>

    var shape = TextShape()
    var written = 0
    var wordCount = 0

    private var lastDelta: Int32 = 0
    /// Where the current word begins; −1 between words.
    var tokenStart = -1
    var tokenFlags: Token.Flags = []
    /// Scripts seen in the current word: Latin 1, Cyrillic 2, Greek 4.
    var tokenScripts: UInt8 = 0
    var lastByte: UInt8 = 0x20
    /// How many times in a row the last letter has occurred.
    var runLength = 0
    var digitRun: UInt32 = 0
    var sentenceStarts = true
    var lineHasText = true
    var previousWasLetter = false

    init(
        text: UnsafePointer<UInt8>, count: Int, readable: Int, output: UnsafeMutablePointer<UInt8>,
        words: UnsafeMutablePointer<Token>, specials: UnsafePointer<SpecialByte>, scalars: UnsafePointer<ScalarFold>
    ) {
        self.text = text
        self.count = count
        self.readable = readable
        self.output = output
        self.words = words
        self.specials = specials
        self.scalars = scalars
    }

    /// Spare bytes of output beyond the length of the text, because blocks are written and moved as a whole.
    static let outputSlack = 3 * 64

    /// Maximum number of words in a text: each word but the first takes one byte plus one byte before it.
    static func wordLimit(of length: Int) -> Int { min(length / 2 + 1, TextFolder.tokenLimit) }

    /// Number of words that a block may add before the limit is checked.
    static let wordSlack = 33

    mutating func run(inBlocks: Bool, marks: inout [FoldMark]) {
        var i = 0
        while i < count { i = inBlocks ? foldBlock(at: i, &marks) : foldOne(at: i, &marks) }
        endToken(at: written)
        // A final mark, so that an offset at the end maps to the end.
        mark(count, &marks)
    }

    @inline(__always)
    mutating func mark(_ source: Int, _ marks: inout [FoldMark]) {
        let delta = Int32(truncatingIfNeeded: source &- written)
        if delta != lastDelta {
            lastDelta = delta
            marks.append(FoldMark(folded: UInt32(truncatingIfNeeded: written), delta: delta))
        }
    }

    @inline(__always)
    mutating func put(_ byte: UInt8) {
        output[written] = byte
        written &+= 1
        lastByte = byte
    }

    // MARK: - Words

    @inline(__always)
    mutating func startToken() {
        guard tokenStart < 0 else { return }
        tokenStart = written
        tokenFlags = sentenceStarts ? .startsSentence : []
        tokenScripts = 0
        sentenceStarts = false
    }

    @inline(__always)
    mutating func endToken(at end: Int) {
        if tokenStart >= 0 { addToken(to: end) }
    }

    private mutating func addToken(to end: Int) {
        let length = end &- tokenStart
        if length <= Int(UInt16.max), wordCount < TextFolder.tokenLimit {
            (words + wordCount).initialize(
                to: Token(
                    start: UInt32(truncatingIfNeeded: tokenStart), count: UInt16(truncatingIfNeeded: length),
                    flags: tokenFlags, hash: WordHash.of(output + tokenStart, length)))
            wordCount &+= 1
        }
        // Latin mixed with Cyrillic or Greek in one word.
        if tokenScripts & 1 != 0, tokenScripts & 6 != 0 { shape.mixedScriptWords &+= 1 }
        tokenStart = -1
    }

    // MARK: - Single characters

    /// Folds the character, or the run of letters, at `i` and returns the offset after it.
    @inline(__always)
    mutating func foldOne(at i: Int, _ marks: inout [FoldMark]) -> Int {
        let byte = text[i]
        if byte >= 0x80 { return foldScalars(at: i, &marks) }
        if isLetter(byte) { return foldLetters(at: i, &marks) }
        foldASCII(byte, at: i, &marks)
        return i &+ 1
    }

    @inline(__always)
    func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }

    /// Folds the run of ASCII letters at `start`; from the third equal letter in a row on, repeats are dropped.
    private mutating func foldLetters(at start: Int, _ marks: inout [FoldMark]) -> Int {
        var i = start
        mark(i, &marks)
        startToken()
        var hasDropped = false
        while i < count, isLetter(text[i]) {
            let byte = text[i]
            let lower = byte | 0x20
            shape.upper &+= UInt32(byte >> 5 & 1 ^ 1)
            runLength = lower == lastByte ? runLength &+ 1 : 1
            if runLength >= 3 {
                hasDropped = true
            } else {
                if hasDropped { mark(i, &marks) }
                hasDropped = false
                put(lower)
            }
            i &+= 1
        }
        tokenFlags.insert(.letters)
        tokenScripts |= 1
        let letters = UInt32(truncatingIfNeeded: i &- start)
        shape.letters &+= letters
        shape.latin &+= letters
        lineHasText = true
        previousWasLetter = true
        digitRun = 0
        return i
    }

    /// Folds an ASCII byte that is not a letter.
    mutating func foldASCII(_ byte: UInt8, at i: Int, _ marks: inout [FoldMark]) {
        previousWasLetter = false
        if byte &- 0x30 < 10 {
            mark(i, &marks)
            startToken()
            tokenFlags.insert(.digits)
            put(byte)
            countDigit()
            shape.marks |= TextShape.bit(of: byte)
            lineHasText = true
            return
        }
        endToken(at: written)
        digitRun = 0
        if byte <= 0x20 || byte == 0x7F {
            if byte == 0x0A {
                shape.lineBreaks &+= 1
                if !lineHasText { shape.blankLines &+= 1 }
                lineHasText = false
                sentenceStarts = true
            }
            if lastByte != 0x20 {
                mark(i, &marks)
                put(0x20)
            }
            return
        }
        mark(i, &marks)
        put(byte)
        lineHasText = true
        let special = specials[Int(byte & 0x7F)]
        shape.marks |= special.bit
        sentenceStarts = sentenceStarts || special.endsSentence
        count(special.counts)
    }

    @inline(__always)
    mutating func countDigit() {
        shape.digits &+= 1
        digitRun &+= 1
        if digitRun > shape.longestDigits { shape.longestDigits = digitRun }
    }

    /// Adds the sum of ``SpecialByte/counts`` over up to 255 bytes.
    @inline(__always)
    mutating func count(_ sums: UInt64) {
        func sum(_ place: SpecialByte.Place) -> UInt32 {
            UInt32(truncatingIfNeeded: sums &>> place.rawValue & 0xFF)
        }
        shape.questionMarks &+= sum(.question)
        shape.exclamations &+= sum(.exclamation)
        shape.dots &+= sum(.dot)
        shape.currencySymbols &+= sum(.currency)
        shape.atSigns &+= sum(.at)
        shape.slashes &+= sum(.slash)
    }
}

/// What an ASCII byte that is neither a letter nor a blank adds to a ``TextShape``.
struct SpecialByte: Sendable {
    /// Positions of the counts in ``counts``, eight bits each, so that one addition updates all of them.
    enum Place: UInt64 {
        case question = 0
        case exclamation = 8
        case dot = 16
        case currency = 24
        case at = 32
        case slash = 40
        /// Not a separate count: question marks, exclamation marks and dots.
        case sentenceEnd = 48
    }

    let counts: UInt64
    /// The byte's bit in ``TextShape/marks``.
    let bit: UInt64

    var endsSentence: Bool {
        @inline(__always) get { counts &>> Place.sentenceEnd.rawValue != 0 }
    }

    /// Indexed by byte.
    static let all: [SpecialByte] = (0..<128).map { (byte: UInt8) in
        let places: [Place] =
            switch byte {
            case 0x3F: [.question, .sentenceEnd]
            case 0x21: [.exclamation, .sentenceEnd]
            case 0x2E: [.dot, .sentenceEnd]
            case 0x24: [.currency]
            case 0x40: [.at]
            case 0x2F: [.slash]
            default: []
            }
        return SpecialByte(
            counts: places.reduce(0) { $0 | 1 << $1.rawValue }, bit: TextShape.bit(of: byte))
    }
}

/// Folding of non-ASCII characters, one by one.
extension FoldPass {
    /// Folds one or more non-ASCII scalars from `start` on and returns the offset after them.
    mutating func foldScalars(at start: Int, _ marks: inout [FoldMark]) -> Int {
        shape.isASCII = false
        var i = start
        repeat {
            let lead = text[i]
            // Most are two-byte letters that fold to a letter of at most two bytes.
            if lead &- 0xC2 < 0x1E, i &+ 1 < count {
                let scalar = UInt32(lead & 0x1F) << 6 | UInt32(text[i &+ 1] & 0x3F)
                let fold = scalars[Int(scalar)]
                if fold.kind == .letter, !fold.isExpansion, fold.folded < 0x800 {
                    foldLetter(fold, at: i, &marks)
                    i &+= 2
                } else {
                    i = foldScalar(scalar, fold, at: i, i &+ 2, &marks)
                }
            } else {
                let (scalar, length) = decode(at: i)
                let fold = scalar < 0x800 ? scalars[Int(scalar)] : ScalarFold.beyond(scalar)
                i = foldScalar(scalar, fold, at: i, i &+ length, &marks)
            }
        } while i < count && text[i] >= 0x80
        return i
    }

    private mutating func foldScalar(
        _ scalar: UInt32, _ fold: ScalarFold, at i: Int, _ end: Int, _ marks: inout [FoldMark]
    ) -> Int {
        switch fold.kind {
        case .hidden:
            foldHidden(scalar, end)
            return end
        case .blank:
            foldASCII(scalar == 0x2028 || scalar == 0x2029 ? 0x0A : 0x20, at: i, &marks)
            mark(end, &marks)
            return end
        case .letter:
            startLetter(fold, at: i, &marks)
        case .digit:
            lineHasText = true
            previousWasLetter = false
            mark(i, &marks)
            startToken()
            tokenFlags.insert(.digits)
            countDigit()
        case .other, .currency, .ideograph, .emoji:
            lineHasText = true
            countScript(fold.script)
            previousWasLetter = false
            digitRun = 0
            endToken(at: written)
            if fold.kind == .emoji { shape.emoji &+= 1 }
            if fold.kind == .currency { shape.currencySymbols &+= 1 }
            countPunctuation(scalar)
            mark(i, &marks)
        }
        if fold.isExpansion {
            for byte in ScalarFold.expansions[Int(fold.folded)] { putFolded(byte) }
        } else {
            encode(fold.folded)
        }
        runLength = 1
        mark(end, &marks)
        return end
    }

    @inline(__always)
    private mutating func foldLetter(_ fold: ScalarFold, at i: Int, _ marks: inout [FoldMark]) {
        startLetter(fold, at: i, &marks)
        let folded = fold.folded
        if folded < 0x80 {
            putFolded(UInt8(truncatingIfNeeded: folded))
        } else {
            put(UInt8(truncatingIfNeeded: 0xC0 | folded >> 6))
            put(UInt8(truncatingIfNeeded: 0x80 | folded & 0x3F))
        }
        runLength = 1
        mark(i &+ 2, &marks)
    }

    @inline(__always)
    private mutating func startLetter(_ fold: ScalarFold, at i: Int, _ marks: inout [FoldMark]) {
        lineHasText = true
        shape.letters &+= 1
        if fold.isUpper { shape.upper &+= 1 }
        previousWasLetter = true
        digitRun = 0
        mark(i, &marks)
        startToken()
        tokenFlags.insert(.letters)
        tokenFlags.insert(.marked)
        countScript(fold.script)
    }

    private mutating func foldHidden(_ scalar: UInt32, _ end: Int) {
        // Joiners and selectors inside emoji sequences, and in scripts that need them, are no sign of anything.
        guard ScalarFold.isHiddenFormat(scalar) else { return }
        shape.hidden &+= 1
        let next = end < count ? text[end] : 0
        let isInsideWord = previousWasLetter && lastByte < 0x80 && isLetter(next)
        if isInsideWord || isOverrideOrTag(scalar) { shape.suspiciousHidden &+= 1 }
    }

    private func isOverrideOrTag(_ s: UInt32) -> Bool {
        switch s {
        case 0x202D, 0x202E: true
        // A black flag followed by tags is a regional flag.
        case 0xE0001...0xE007F: !(shape.emoji > 0)
        default: false
        }
    }

    private mutating func countPunctuation(_ scalar: UInt32) {
        switch scalar {
        case 0x3002, 0xFF0E, 0x2026: sentenceStarts = true
        case 0xFF1F, 0x61F, 0xBF:
            shape.questionMarks &+= 1
            sentenceStarts = true
        case 0xFF01, 0xA1:
            shape.exclamations &+= 1
            sentenceStarts = true
        default: break
        }
    }

    @inline(__always)
    private mutating func countScript(_ script: ScalarFold.Script) {
        switch script {
        case .none: break
        case .latin:
            shape.latin &+= 1
            tokenScripts |= 1
        case .cyrillic:
            shape.cyrillic &+= 1
            tokenScripts |= 2
        case .greek:
            shape.greek &+= 1
            tokenScripts |= 4
        case .fancy:
            shape.fancyLetters &+= 1
            shape.latin &+= 1
            tokenScripts |= 1
        case .hebrew: shape.hebrew &+= 1
        case .arabic: shape.arabic &+= 1
        case .devanagari: shape.devanagari &+= 1
        case .thai: shape.thai &+= 1
        case .kana: shape.kana &+= 1
        case .han: shape.han &+= 1
        case .hangul: shape.hangul &+= 1
        case .other: shape.otherScript &+= 1
        }
    }

    @inline(__always)
    private mutating func putFolded(_ byte: UInt8) {
        if byte < 0x80 { shape.marks |= TextShape.bit(of: byte) }
        put(byte)
    }

    private mutating func encode(_ scalar: UInt32) {
        func trailing(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: 0x80 | scalar >> shift & 0x3F) }
        if scalar < 0x80 {
            putFolded(UInt8(truncatingIfNeeded: scalar))
        } else if scalar < 0x800 {
            put(UInt8(truncatingIfNeeded: 0xC0 | scalar >> 6))
            put(trailing(0))
        } else if scalar < 0x10000 {
            put(UInt8(truncatingIfNeeded: 0xE0 | scalar >> 12))
            put(trailing(6))
            put(trailing(0))
        } else {
            put(UInt8(truncatingIfNeeded: 0xF0 | scalar >> 18))
            put(trailing(12))
            put(trailing(6))
            put(trailing(0))
        }
    }

    /// Decodes the scalar at `i` and its length.
    ///
    /// Invalid UTF-8, which texts never contain, gives a question mark of one byte, so that even then a fold never has
    /// more bytes than its source.
    private func decode(at i: Int) -> (scalar: UInt32, length: Int) {
        let lead = UInt32(text[i])
        let left = count &- i
        func trailing(_ k: Int) -> UInt32 { UInt32(text[i &+ k] & 0x3F) }
        if lead < 0xE0 {
            if lead >= 0xC2, left >= 2 { return ((lead & 0x1F) << 6 | trailing(1), 2) }
        } else if lead < 0xF0 {
            let scalar = left >= 3 ? (lead & 0x0F) << 12 | trailing(1) << 6 | trailing(2) : 0
            if scalar >= 0x800 { return (scalar, 3) }
        } else if left >= 4 {
            let scalar = (lead & 0x07) << 18 | trailing(1) << 12 | trailing(2) << 6 | trailing(3)
            if scalar >= 0x10000 { return (scalar, 4) }
        }
        return (0x3F, 1)
    }
}

/// Folding of ASCII, up to 64 bytes at once: the byte classes are bit masks, and a word is a run of ones.
extension FoldPass {
    /// Folds 64 bytes, or the rest of the text if shorter, and returns the offset after them.
    ///
    /// The bytes between two places that need a closer look are processed at once.
    mutating func foldBlock(at start: Int, _ marks: inout [FoldMark]) -> Int {
        var rest = min(count &- start, Int(TFOLD_BLOCK))
        // Provisional: only case and blanks are folded; bytes are overwritten or moved where something is dropped.
        var folded = written
        var kinds =
            readable &- start >= Int(TFOLD_BLOCK)
            ? tfold_block(text + start, output + folded) : tfold_part(text + start, rest, output + folded)
        var at = start
        while true {
            let plain = min(rest, plainLength(&kinds, first: output[folded]))
            if plain > 0 {
                if folded != written { tfold_move(output + written, output + folded) }
                folded = written
                mark(at, &marks)
                take(plain, kinds, from: at)
                at &+= plain
                folded &+= plain
            }
            guard plain < rest else { return at }
            let next = foldAway(from: at, &marks)
            let done = plain &+ (next &- at)
            guard done < rest else { return next }
            rest &-= done
            folded &+= next &- at
            at = next
            kinds.drop(done)
        }
    }

    /// Returns how many bytes precede the first one that is not ASCII or that is dropped: a blank after a blank, or a
    /// letter after two equal ones.
    @inline(__always)
    private func plainLength(_ kinds: inout tfold_kinds, first: UInt8) -> Int {
        kinds.repeats = kinds.repeats & ~1 | (first == lastByte ? 1 : 0)
        let blanks = kinds.blanks & (kinds.blanks &<< 1 | (lastByte == 0x20 ? 1 : 0))
        let thirds = kinds.letters & kinds.repeats & (kinds.repeats &<< 1 | (runLength >= 2 ? 1 : 0))
        return (kinds.others | blanks | thirds).trailingZeroBitCount
    }

    /// Folds single characters, at least one, until more than one ASCII byte in a row follows.
    private mutating func foldAway(from start: Int, _ marks: inout [FoldMark]) -> Int {
        var i = start
        repeat {
            i = foldOne(at: i, &marks)
        } while i < count && (text[i] >= 0x80 || i &+ 1 < count && text[i &+ 1] >= 0x80)
        return i
    }

    /// Accepts the next `length` bytes (1–64) of the output as they are.
    ///
    /// - Parameter source: offset in the text that they come from.
    @inline(__always)
    private mutating func take(_ length: Int, _ kinds: tfold_kinds, from source: Int) {
        let all = UInt64.max &>> UInt64(truncatingIfNeeded: 64 &- length)
        let last = UInt64(truncatingIfNeeded: length &- 1)
        let letters = kinds.letters & all
        let digits = kinds.digits & all
        let blanks = kinds.blanks & all
        let breaks = kinds.breaks & all
        var ends = breaks
        countSpecials(all & ~(letters | blanks), &ends)
        countLines(breaks, text: all & ~blanks)
        let letterCount = UInt32(truncatingIfNeeded: letters.nonzeroBitCount)
        shape.letters &+= letterCount
        shape.latin &+= letterCount
        shape.upper &+= UInt32(truncatingIfNeeded: (kinds.upper & all).nonzeroBitCount)
        if digits != 0 { countDigits(digits, length) } else { digitRun = 0 }
        // Prefer the text's bytes because they stay valid longer, unless they are too close to the end of readable
        // memory.
        let bytes = readable &- source >= 64 + 8 ? text + source : UnsafePointer(output + written)
        takeWords(letters, digits, gaps: all & ~(letters | digits), sentenceEnds: ends, length, bytes)
        previousWasLetter = letters &>> last != 0
        runLength = 1 &+ Int(truncatingIfNeeded: kinds.repeats &>> last & 1)
        written &+= length
        lastByte = output[written &- 1]
    }

    /// Counts digits and punctuation marks, and collects those that end a sentence.
    @inline(__always)
    private mutating func countSpecials(_ places: UInt64, _ sentenceEnds: inout UInt64) {
        guard places != 0 else { return }
        var rest = places
        var counts: UInt64 = 0
        var bits: UInt64 = 0
        repeat {
            let place = Int(truncatingIfNeeded: tfold_lowest(rest))
            rest &= rest &- 1
            let special = specials[Int(output[written &+ place])]
            counts &+= special.counts
            bits |= special.bit
            sentenceEnds |= (special.counts &>> SpecialByte.Place.sentenceEnd.rawValue) &<< UInt64(place)
        } while rest != 0
        shape.marks |= bits
        if counts != 0 { count(counts) }
    }

    /// Counts line breaks.
    ///
    /// A blank never follows a blank here, so only a line that began earlier can be empty.
    @inline(__always)
    private mutating func countLines(_ breaks: UInt64, text: UInt64) {
        guard breaks != 0 else {
            lineHasText = lineHasText || text != 0
            return
        }
        shape.lineBreaks &+= UInt32(truncatingIfNeeded: breaks.nonzeroBitCount)
        if breaks & 1 != 0, !lineHasText { shape.blankLines &+= 1 }
        lineHasText = text > breaks
    }

    /// Counts digits and updates the longest run.
    ///
    /// - Parameter digits: bits of the digits, at least one.
    private mutating func countDigits(_ digits: UInt64, _ length: Int) {
        shape.digits &+= UInt32(truncatingIfNeeded: digits.nonzeroBitCount)
        var rest = digits
        var run: UInt32 = 0
        var end = 0
        if rest & 1 != 0 { run = digitRun }
        while rest != 0 {
            let start = rest.trailingZeroBitCount
            let count = (~(rest &>> UInt64(start))).trailingZeroBitCount
            end = start &+ count
            run &+= UInt32(truncatingIfNeeded: count)
            shape.longestDigits = max(shape.longestDigits, run)
            digitRun = run
            run = 0
            rest = end < 64 ? rest & (UInt64.max &<< UInt64(end)) : 0
        }
        if end != length { digitRun = 0 }
    }

    /// Adds the words in the next `length` bytes of output.
    ///
    /// Adding one bit of a run of ones to the run carries to the position after the run. In this way the end of a
    /// sentence finds the word that starts the next one, and a digit finds the end of its word.
    ///
    /// - Parameter bytes: the words, in any case, followed by eight readable bytes.
    @inline(__always)
    private mutating func takeWords(
        _ letters: UInt64, _ digits: UInt64, gaps: UInt64, sentenceEnds: UInt64, _ length: Int,
        _ bytes: UnsafePointer<UInt8>
    ) {
        let inside = letters | digits
        let isOpen: UInt64 = tokenStart >= 0 ? 1 : 0
        let starts = inside & ~(inside &<< 1 | isOpen)
        var ends = gaps & (inside &<< 1 | isOpen)
        // The sum of all three is below 2 ^ 65; bit 64 is the carry.
        let (some, carry) = gaps.addingReportingOverflow(sentenceEnds)
        let (sentences, secondCarry) = some.addingReportingOverflow(sentenceStarts ? 1 : 0)
        sentenceStarts = length < 64 ? sentences &>> UInt64(length) & 1 != 0 : carry || secondCarry
        if isOpen != 0 {
            let end = min(ends.trailingZeroBitCount, length)
            let part: UInt64 = end == 64 ? .max : 1 &<< UInt64(end) &- 1
            if letters & part != 0 {
                tokenFlags.insert(.letters)
                tokenScripts |= 1
            }
            if digits & part != 0 { tokenFlags.insert(.digits) }
            if ends != 0 { endToken(at: written &+ end) }
            ends &= ends &- 1
        }
        let first = words + wordCount
        let (open, end) = ends == 0 ? (starts, first) : Self.addWords(starts, ends, bytes, at: written, first)
        let firstWords = sentences & starts & ~open
        if firstWords != 0 { Self.flagSentences(firstWords, starts, first) }
        let withDigits = (inside &+ digits) & ends
        if withDigits != 0 { Self.flagDigits(withDigits, ends, withLetters: inside &+ letters, first) }
        if open != 0 {
            tokenStart = written &+ open.trailingZeroBitCount
            tokenFlags = sentences & open != 0 ? .startsSentence : []
            tokenScripts = letters >= open ? 1 : 0
            if letters >= open { tokenFlags.insert(.letters) }
            if digits >= open { tokenFlags.insert(.digits) }
        }
        wordCount = min(end - words, TextFolder.tokenLimit)
    }

    /// Adds the words that end here, as words of letters only.
    ///
    /// Returns the start bit of a word that does not end here, and the place for the next word.
    ///
    /// - Parameter place: offset in the output of the first bit.
    @inline(never)
    private static func addWords(
        _ starts: UInt64, _ ends: UInt64, _ bytes: UnsafePointer<UInt8>, at place: Int,
        _ first: UnsafeMutablePointer<Token>
    ) -> (open: UInt64, end: UnsafeMutablePointer<Token>) {
        var starts = starts
        var ends = ends
        var word = first
        repeat {
            let start = Int(truncatingIfNeeded: tfold_lowest(starts))
            let count = Int(truncatingIfNeeded: tfold_lowest(ends)) &- start
            starts &= starts &- 1
            ends &= ends &- 1
            word.initialize(
                to: Token(
                    start: UInt32(truncatingIfNeeded: place &+ start), count: UInt16(truncatingIfNeeded: count),
                    flags: .letters, hash: WordHash.ofASCII(bytes + start, count)))
            word += 1
        } while ends != 0
        return (starts, word)
    }

    /// Flags words that start a sentence.
    ///
    /// - Parameter places: start bits of the words.
    private static func flagSentences(_ places: UInt64, _ starts: UInt64, _ first: UnsafeMutablePointer<Token>) {
        var rest = places
        repeat {
            let lower = (rest & (0 &- rest)) &- 1
            rest &= rest &- 1
            first[(starts & lower).nonzeroBitCount].flags.insert(.startsSentence)
        } while rest != 0
    }

    /// Flags words that contain digits.
    ///
    /// - Parameter places: end bits of the words.
    private static func flagDigits(
        _ places: UInt64, _ ends: UInt64, withLetters: UInt64, _ first: UnsafeMutablePointer<Token>
    ) {
        var rest = places
        repeat {
            let place = rest & (0 &- rest)
            rest &= rest &- 1
            let word = first + (ends & (place &- 1)).nonzeroBitCount
            word.pointee.flags.insert(.digits)
            if withLetters & place == 0 { word.pointee.flags.remove(.letters) }
        } while rest != 0
    }
}

extension tfold_kinds {
    /// Removes the first `count` bytes (1–63) from the masks.
    @inline(__always)
    fileprivate mutating func drop(_ count: Int) {
        let shift = UInt64(truncatingIfNeeded: count)
        letters &>>= shift
        upper &>>= shift
        digits &>>= shift
        blanks &>>= shift
        breaks &>>= shift
        others &>>= shift
        repeats &>>= shift
    }
}
