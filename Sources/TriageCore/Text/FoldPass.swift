/// The state of folding one text.
///
/// ASCII goes by blocks (`foldBlock`), everything else and what is rare by single characters.
struct FoldPass {
    /// The text, its length, and how many bytes from its beginning on may be read.
    let text: UnsafePointer<UInt8>
    let count: Int
    let readable: Int
    /// Has room for the text and ``outputSlack``.
    let output: UnsafeMutablePointer<UInt8>
    /// Has room for ``wordLimit(of:)`` and ``wordSlack``.
    let words: UnsafeMutablePointer<Token>
    /// ``SpecialByte/all``.
    let specials: UnsafePointer<SpecialByte>
    /// ``ScalarFold/low``.
    let scalars: UnsafePointer<ScalarFold>

    var shape = TextShape()
    var written = 0
    var wordCount = 0

    private var lastDelta: Int32 = 0
    /// Where the word begins that is not at its end yet; −1 between words.
    var tokenStart = -1
    var tokenFlags: Token.Flags = []
    /// Latin 1, Cyrillic 2, Greek 4.
    var tokenScripts: UInt8 = 0
    var lastByte: UInt8 = 0x20
    /// How often the last letter stands there in a row.
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

    /// Bytes of output beyond those of the text: blocks are written, and moved, as a whole.
    static let outputSlack = 3 * 64

    /// Words that a text may have: each but the first takes a byte and one before it.
    static func wordLimit(of length: Int) -> Int { min(length / 2 + 1, TextFolder.tokenLimit) }

    /// Words that a block finds before the limit is seen to.
    static let wordSlack = 33

    mutating func run(inBlocks: Bool, marks: inout [FoldMark]) {
        var i = 0
        while i < count { i = inBlocks ? foldBlock(at: i, &marks) : foldOne(at: i, &marks) }
        endToken(at: written)
        // A terminal mark, so that an end at the end maps to the end.
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
        // Latin together with Cyrillic or Greek in one word.
        if tokenScripts & 1 != 0, tokenScripts & 6 != 0 { shape.mixedScriptWords &+= 1 }
        tokenStart = -1
    }

    // MARK: - Single characters

    /// Folds the character at `i`, or the run of letters, and returns the offset behind it.
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

    /// Folds the run of ASCII letters at `start`, of which the third equal one in a row and all that follow are dropped.
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

    /// Folds an ASCII byte that is no letter.
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

    /// Adds what ``SpecialByte/counts`` of up to 255 bytes sum up to.
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

/// What an ASCII byte that is neither letter nor blank adds to a ``TextShape``.
struct SpecialByte: Sendable {
    /// Where the counts lie in ``counts``, eight bits each, so that one addition counts any of them.
    enum Place: UInt64 {
        case question = 0
        case exclamation = 8
        case dot = 16
        case currency = 24
        case at = 32
        case slash = 40
        /// Not a count of its own: question and exclamation marks and dots.
        case sentenceEnd = 48
    }

    let counts: UInt64
    /// Of ``TextShape/marks``.
    let bit: UInt64

    var endsSentence: Bool {
        @inline(__always) get { counts &>> Place.sentenceEnd.rawValue != 0 }
    }

    /// By byte.
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
