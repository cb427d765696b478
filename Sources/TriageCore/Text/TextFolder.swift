/// Kinds of scalars, as in ``FoldTable``.
enum ScalarKind: UInt8 {
    case other = 0
    case letter = 1
    case digit = 2
    /// Zero-width, combining, bidi: dropped.
    case hidden = 3
    case blank = 4
    case currency = 5
    /// Han, kana, Thai and other letters of scripts that put no blank between words.
    case ideograph = 6
    case emoji = 7
}

/// Folds texts: one pass that lowers, strips, maps back, splits into words and counts.
///
/// Linear in the text, allocates nothing beyond the output arrays. At most ``limit`` bytes of a text are read, so a
/// hostile text costs a bounded amount of time and memory.
public struct TextFolder: Sendable {
    /// Bytes of one text that are analysed; 1 MiB is beyond any message a person wrote.
    public static let limit = 1 << 20
    /// Words of one text that are kept.
    public static let tokenLimit = 1 << 16

    /// Low five bits: `ScalarKind`; the folded byte is in `lower`.
    private static let asciiKinds: [UInt8] = {
        var kinds = [UInt8](repeating: ScalarKind.other.rawValue, count: 256)
        for b in 0x61...0x7A { kinds[b] = ScalarKind.letter.rawValue }
        for b in 0x41...0x5A { kinds[b] = ScalarKind.letter.rawValue }
        for b in 0x30...0x39 { kinds[b] = ScalarKind.digit.rawValue }
        for b in 0...0x20 { kinds[b] = ScalarKind.blank.rawValue }
        kinds[0x7F] = ScalarKind.blank.rawValue
        kinds[0x24] = ScalarKind.currency.rawValue
        for b in 0x80...0xFF { kinds[b] = 0xFF }
        return kinds
    }()

    private let expansions: [[UInt8]]

    public init() { expansions = FoldTable.expansions.map { Array($0.utf8) } }

    /// Folds one text into the batch's buffers.
    ///
    /// - Parameters:
    ///   - text: valid UTF-8.
    ///   - folded: gets the folded bytes and a line break behind them, of which a folded text has none.
    ///   - marks: gets the points where offsets shift.
    ///   - tokens: gets the words.
    public func fold(
        _ text: UnsafeBufferPointer<UInt8>, folded: inout [UInt8], marks: inout [FoldMark], tokens: inout [Token]
    ) -> FoldedText {
        var result = FoldedText()
        let firstMark = marks.count
        let firstToken = tokens.count
        let base = folded.count
        let length = cutLength(of: text)
        folded.append(contentsOf: repeatElement(0, count: length + 1))
        let written = folded.withUnsafeMutableBufferPointer { buffer in
            let output = UnsafeMutableBufferPointer(rebasing: buffer[base...])
            return Self.asciiKinds.withUnsafeBufferPointer { kinds in
                var pass = FoldPass(
                    output: output, kinds: kinds, expansions: expansions, firstToken: firstToken)
                pass.run(UnsafeBufferPointer(rebasing: text[..<length]), marks: &marks, tokens: &tokens)
                result.shape = pass.shape
                return pass.written
            }
        }
        result.shape.isCut = length < text.count
        folded.removeLast(length - written)
        folded[folded.count - 1] = 0x0A
        result.span = Span32(start: base, count: written)
        result.marks = firstMark..<marks.count
        result.tokens = firstToken..<tokens.count
        return result
    }

    /// Folds a pattern or a word, without marks and counts.
    public func fold(_ string: String) -> [UInt8] {
        var folded: [UInt8] = []
        var marks: [FoldMark] = []
        var tokens: [Token] = []
        var copy = string
        _ = copy.withUTF8 { fold($0, folded: &folded, marks: &marks, tokens: &tokens) }
        folded.removeLast()
        return folded
    }

    /// The words of a string, folded.
    public func words(_ string: String) -> [[UInt8]] {
        var folded: [UInt8] = []
        var marks: [FoldMark] = []
        var tokens: [Token] = []
        var copy = string
        _ = copy.withUTF8 { fold($0, folded: &folded, marks: &marks, tokens: &tokens) }
        return tokens.map { Array(folded[Int($0.start)..<Int($0.start) + Int($0.count)]) }
    }

    /// Length up to the limit, not splitting a scalar.
    private func cutLength(of text: UnsafeBufferPointer<UInt8>) -> Int {
        guard text.count > Self.limit else { return text.count }
        var end = Self.limit
        while end > 0, text[end] & 0xC0 == 0x80 { end -= 1 }
        return end
    }
}

extension TextFolder {
    /// FNV-1a, the hash of ``Token/hash``.
    public static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return hash
    }
}

/// The state of one pass.
private struct FoldPass {
    let output: UnsafeMutableBufferPointer<UInt8>
    let kinds: UnsafeBufferPointer<UInt8>
    let expansions: [[UInt8]]
    let firstToken: Int
    var shape = TextShape()
    var written = 0

    private var lastDelta: Int32 = 0
    private var tokenStart = -1
    private var tokenHash: UInt64 = 0xCBF2_9CE4_8422_2325
    private var tokenFlags: Token.Flags = []
    private var tokenScripts: UInt8 = 0
    private var lastByte: UInt8 = 0x20
    private var runLength = 0
    private var digitRun: UInt32 = 0
    private var sentenceStarts = true
    private var lineHasText = true
    private var previousWasLetter = false

    init(
        output: UnsafeMutableBufferPointer<UInt8>, kinds: UnsafeBufferPointer<UInt8>, expansions: [[UInt8]],
        firstToken: Int
    ) {
        self.output = output
        self.kinds = kinds
        self.expansions = expansions
        self.firstToken = firstToken
    }

    mutating func run(_ text: UnsafeBufferPointer<UInt8>, marks: inout [FoldMark], tokens: inout [Token]) {
        var i = 0
        let n = text.count
        while i < n {
            let byte = text[i]
            if byte >= 0x41, kinds[Int(byte)] == ScalarKind.letter.rawValue {
                i = foldLetters(text, at: i, marks: &marks)
            } else if byte < 0x80 {
                foldASCII(byte, at: i, marks: &marks, tokens: &tokens)
                i += 1
            } else {
                shape.isASCII = false
                i = foldScalar(text, at: i, marks: &marks, tokens: &tokens)
            }
        }
        endToken(&tokens)
        // A terminal mark, so that an end at the end maps to the end.
        mark(n, &marks)
    }

    @inline(__always)
    private mutating func mark(_ source: Int, _ marks: inout [FoldMark]) {
        let delta = Int32(truncatingIfNeeded: source &- written)
        if delta != lastDelta {
            lastDelta = delta
            marks.append(FoldMark(folded: UInt32(truncatingIfNeeded: written), delta: delta))
        }
    }

    @inline(__always)
    private mutating func put(_ byte: UInt8) {
        output[written] = byte
        written &+= 1
    }

    /// Folds the run of ASCII letters at `i` and returns the offset behind it: nine tenths of most texts, so that what
    /// changes with every byte is kept in registers.
    @inline(__always)
    private mutating func foldLetters(
        _ text: UnsafeBufferPointer<UInt8>, at start: Int, marks: inout [FoldMark]
    ) -> Int {
        var i = start
        let n = text.count
        var w = written
        var last = lastByte
        var run = runLength
        var upper: UInt32 = 0
        mark(i, &marks)
        startToken()
        var hash = tokenHash
        var hasDropped = false
        repeat {
            let byte = text[i]
            guard kinds[Int(byte)] == ScalarKind.letter.rawValue else { break }
            let lower = byte | 0x20
            upper &+= UInt32(byte >> 5 & 1 ^ 1)
            run = lower == last ? run &+ 1 : 1
            if run >= 3 {
                hasDropped = true
                i &+= 1
                continue
            }
            if hasDropped {
                written = w
                mark(i, &marks)
                hasDropped = false
            }
            output[w] = lower
            w &+= 1
            hash = (hash ^ UInt64(lower)) &* 0x100_0000_01B3
            last = lower
            i &+= 1
        } while i < n
        written = w
        tokenHash = hash
        lastByte = last
        runLength = run
        tokenFlags.insert(.letters)
        tokenScripts |= 1
        let count = UInt32(truncatingIfNeeded: i &- start)
        shape.letters &+= count
        shape.latin &+= count
        shape.upper &+= upper
        lineHasText = true
        previousWasLetter = true
        digitRun = 0
        return i
    }

    @inline(__always)
    private mutating func foldASCII(
        _ byte: UInt8, at i: Int, marks: inout [FoldMark], tokens: inout [Token]
    ) {
        switch kinds[Int(byte)] {
        case ScalarKind.digit.rawValue:
            mark(i, &marks)
            startToken()
            tokenFlags.insert(.digits)
            tokenHash = (tokenHash ^ UInt64(byte)) &* 0x100_0000_01B3
            put(byte)
            countDigit()
            shape.marks |= TextShape.bit(of: byte)
            lastByte = byte
            lineHasText = true
            previousWasLetter = false
        case ScalarKind.blank.rawValue:
            endToken(&tokens)
            digitRun = 0
            previousWasLetter = false
            if byte == 0x0A {
                shape.lineBreaks &+= 1
                if !lineHasText { shape.blankLines &+= 1 }
                lineHasText = false
                sentenceStarts = true
            }
            if lastByte != 0x20 {
                mark(i, &marks)
                put(0x20)
                lastByte = 0x20
            }
        default:
            endToken(&tokens)
            digitRun = 0
            previousWasLetter = false
            mark(i, &marks)
            put(byte)
            lastByte = byte
            lineHasText = true
            countPunctuation(byte)
        }
    }

    @inline(__always)
    private mutating func countPunctuation(_ byte: UInt8) {
        shape.marks |= TextShape.bit(of: byte)
        switch byte {
        case 0x3F:
            shape.questionMarks &+= 1
            sentenceStarts = true
        case 0x21:
            shape.exclamations &+= 1
            sentenceStarts = true
        case 0x2E:
            shape.dots &+= 1
            sentenceStarts = true
        case 0x24: shape.currencySymbols &+= 1
        case 0x40: shape.atSigns &+= 1
        case 0x2F: shape.slashes &+= 1
        default: break
        }
    }

    @inline(__always)
    private mutating func countDigit() {
        shape.digits &+= 1
        digitRun &+= 1
        if digitRun > shape.longestDigits { shape.longestDigits = digitRun }
    }

    @inline(__always)
    private mutating func startToken() {
        guard tokenStart < 0 else { return }
        tokenStart = written
        tokenHash = 0xCBF2_9CE4_8422_2325
        tokenFlags = sentenceStarts ? .startsSentence : []
        tokenScripts = 0
        sentenceStarts = false
    }

    @inline(__always)
    private mutating func endToken(_ tokens: inout [Token]) {
        guard tokenStart >= 0 else { return }
        let count = written - tokenStart
        if count <= Int(UInt16.max), tokens.count &- firstToken < TextFolder.tokenLimit {
            tokens.append(
                Token(
                    start: UInt32(truncatingIfNeeded: tokenStart), count: UInt16(truncatingIfNeeded: count),
                    flags: tokenFlags, hash: tokenHash))
        }
        // Latin together with Cyrillic or Greek in one word.
        if tokenScripts & 1 != 0, tokenScripts & 6 != 0 { shape.mixedScriptWords &+= 1 }
        tokenStart = -1
    }

    /// Folds the scalar at `i` (not ASCII) and returns the offset behind it.
    private mutating func foldScalar(
        _ text: UnsafeBufferPointer<UInt8>, at i: Int, marks: inout [FoldMark], tokens: inout [Token]
    ) -> Int {
        let (scalar, length) = decode(text, at: i)
        let end = i + length
        var (folded, kind) = classify(scalar)
        if kind == .hidden {
            // Joiners and selectors inside emoji sequences and scripts that need them are no sign of anything.
            if isHiddenFormat(scalar) {
                shape.hidden &+= 1
                let next = end < text.count ? text[end] : 0
                let nextIsASCIILetter = kinds[Int(next)] == ScalarKind.letter.rawValue
                if isOverrideOrTag(scalar) || (previousWasLetter && lastByte < 0x80 && nextIsASCIILetter) {
                    shape.suspiciousHidden &+= 1
                }
            }
            return end
        }
        if kind == .blank {
            foldASCII(scalar == 0x2028 || scalar == 0x2029 ? 0x0A : 0x20, at: i, marks: &marks, tokens: &tokens)
            mark(end, &marks)
            return end
        }
        lineHasText = true
        countScript(scalar, kind)
        switch kind {
        case .letter:
            shape.letters &+= 1
            if folded != UInt32(scalar), isUpper(scalar) { shape.upper &+= 1 }
            previousWasLetter = true
            digitRun = 0
            mark(i, &marks)
            startToken()
            tokenFlags.insert(.letters)
            tokenFlags.insert(.marked)
        case .digit:
            previousWasLetter = false
            mark(i, &marks)
            startToken()
            tokenFlags.insert(.digits)
            countDigit()
        default:
            previousWasLetter = false
            digitRun = 0
            endToken(&tokens)
            if kind == .emoji { shape.emoji &+= 1 }
            if kind == .currency { shape.currencySymbols &+= 1 }
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
            mark(i, &marks)
        }
        let hashes = kind == .letter || kind == .digit
        // Private-use characters have the same numbers but stand for themselves.
        if folded != scalar, folded >= 0xE000, folded < 0xF000 {
            for byte in expansions[Int(folded - 0xE000)] {
                if hashes { tokenHash = (tokenHash ^ UInt64(byte)) &* 0x100_0000_01B3 }
                if byte < 0x80 { shape.marks |= TextShape.bit(of: byte) }
                put(byte)
                lastByte = byte
            }
        } else {
            encode(folded, hashes)
        }
        folded = 0
        runLength = 1
        mark(end, &marks)
        return end
    }

    @inline(__always)
    private mutating func encode(_ scalar: UInt32, _ hashes: Bool) {
        if scalar < 0x80, scalar >= 0x20 { shape.marks |= TextShape.bit(of: UInt8(scalar)) }
        func one(_ byte: UInt8) {
            if hashes { tokenHash = (tokenHash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            put(byte)
            lastByte = byte
        }
        if scalar < 0x80 {
            one(UInt8(scalar))
        } else if scalar < 0x800 {
            one(UInt8(0xC0 | scalar >> 6))
            one(UInt8(0x80 | scalar & 0x3F))
        } else if scalar < 0x10000 {
            one(UInt8(0xE0 | scalar >> 12))
            one(UInt8(0x80 | scalar >> 6 & 0x3F))
            one(UInt8(0x80 | scalar & 0x3F))
        } else {
            one(UInt8(0xF0 | scalar >> 18))
            one(UInt8(0x80 | scalar >> 12 & 0x3F))
            one(UInt8(0x80 | scalar >> 6 & 0x3F))
            one(UInt8(0x80 | scalar & 0x3F))
        }
    }

    /// The scalar at `i` and its length; a broken sequence, which valid input has none of, reads as U+FFFD.
    @inline(__always)
    private func decode(_ text: UnsafeBufferPointer<UInt8>, at i: Int) -> (UInt32, Int) {
        let b0 = UInt32(text[i])
        let n = text.count
        if b0 < 0xE0, i + 1 < n { return ((b0 & 0x1F) << 6 | UInt32(text[i + 1]) & 0x3F, 2) }
        if b0 < 0xF0, i + 2 < n {
            return ((b0 & 0x0F) << 12 | (UInt32(text[i + 1]) & 0x3F) << 6 | UInt32(text[i + 2]) & 0x3F, 3)
        }
        if i + 3 < n {
            return (
                (b0 & 0x07) << 18 | (UInt32(text[i + 1]) & 0x3F) << 12 | (UInt32(text[i + 2]) & 0x3F) << 6
                    | UInt32(text[i + 3]) & 0x3F, 4
            )
        }
        return (0xFFFD, n - i)
    }

    private func isHiddenFormat(_ s: UInt32) -> Bool {
        switch s {
        case 0xAD, 0x200B, 0x200C, 0x200D, 0x2060...0x2064, 0xFEFF, 0x180E, 0x202A...0x202E, 0x2066...0x2069,
            0xE0000...0xE007F, 0x115F, 0x1160, 0x3164, 0xFFA0:
            return true
        default: return false
        }
    }

    private func isOverrideOrTag(_ s: UInt32) -> Bool {
        switch s {
        case 0x202A...0x202E, 0x2066...0x2069: s == 0x202D || s == 0x202E
        // A black flag followed by tags is a regional flag.
        case 0xE0001...0xE007F: !(shape.emoji > 0)
        default: false
        }
    }

    private func isUpper(_ s: UInt32) -> Bool { Unicode.Scalar(s)?.properties.isUppercase ?? false }

    private mutating func countScript(_ s: UInt32, _ kind: ScalarKind) {
        guard kind == .letter || kind == .ideograph else { return }
        switch s {
        case 0x80...0x24F, 0x1E00...0x1EFF:
            shape.latin &+= 1
            tokenScriptsIfOpen(1)
        case 0x370...0x3FF, 0x1F00...0x1FFF:
            shape.greek &+= 1
            tokenScriptsIfOpen(4)
        case 0x400...0x52F:
            shape.cyrillic &+= 1
            tokenScriptsIfOpen(2)
        case 0x590...0x5FF: shape.hebrew &+= 1
        case 0x600...0x6FF, 0x750...0x77F, 0xFB50...0xFEFC: shape.arabic &+= 1
        case 0x900...0x97F: shape.devanagari &+= 1
        case 0xE00...0xE7F: shape.thai &+= 1
        case 0x3040...0x30FF, 0xFF66...0xFF9D: shape.kana &+= 1
        case 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF: shape.han &+= 1
        case 0x1100...0x11FF, 0xAC00...0xD7AF: shape.hangul &+= 1
        case 0x1D400...0x1D7FF, 0xFF21...0xFF5A, 0x2460...0x24FF, 0x1F130...0x1F189, 0x2100...0x214F:
            shape.fancyLetters &+= 1
            shape.latin &+= 1
            tokenScriptsIfOpen(1)
        default: shape.otherScript &+= 1
        }
    }

    @inline(__always)
    private mutating func tokenScriptsIfOpen(_ bit: UInt8) {
        if tokenStart < 0 { startToken() }
        tokenScripts |= bit
    }

    /// Folded scalar (or `0xE000 + n` for an expansion) and kind.
    @inline(__always)
    private func classify(_ s: UInt32) -> (UInt32, ScalarKind) {
        if s < 0x800 {
            let i = Int(s) - 0x80
            return (
                UInt32(FoldTable.twoByte[i]), ScalarKind(rawValue: FoldTable.twoByteKinds[i]) ?? .other
            )
        }
        return classifyBeyond(s)
    }

    private func classifyBeyond(_ s: UInt32) -> (UInt32, ScalarKind) {
        switch s {
        case 0x1E00...0x1FFF:
            let i = Int(s) - 0x1E00
            return (
                UInt32(FoldTable.latinExtended[i]), ScalarKind(rawValue: FoldTable.latinExtendedKinds[i]) ?? .other
            )
        case 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0x1680: return (0x20, .blank)
        case 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFE00...0xFE0F, 0xFEFF, 0xE0000...0xE01EF,
            0x180B...0x180F,
            0x20D0...0x20F0, 0x302A...0x302F, 0x3164, 0xFFA0, 0x115F, 0x1160, 0xFFF9...0xFFFB:
            return (0, .hidden)
        case 0x2010...0x2015, 0x2212, 0xFE58, 0xFE63, 0xFF0D: return (0x2D, .other)
        case 0x2018...0x201B, 0x2032, 0xFF07: return (0x27, .other)
        case 0x201C...0x201F, 0x2033, 0xFF02: return (0x22, .other)
        case 0x20A0...0x20C0: return (s, .currency)
        case 0x2070, 0x2074...0x2079: return (0x30 + (s - 0x2070), .digit)
        case 0x2080...0x2089: return (0x30 + (s - 0x2080), .digit)
        case 0x2100...0x218F:
            let i = Int(s) - 0x2100
            return (
                UInt32(FoldTable.letterlike[i]), ScalarKind(rawValue: FoldTable.letterlikeKinds[i]) ?? .other
            )
        case 0x2460...0x2468: return (0x31 + (s - 0x2460), .digit)
        case 0x249C...0x24B5: return (0x61 + (s - 0x249C), .letter)
        case 0x24B6...0x24CF: return (0x61 + (s - 0x24B6), .letter)
        case 0x24D0...0x24E9: return (0x61 + (s - 0x24D0), .letter)
        case 0x2190...0x2BFF: return (s, isEmojiSymbol(s) ? .emoji : .other)
        case 0x3001...0x303F: return (s, .other)
        case 0x0E01...0x0E7F where isThaiMark(s): return (s, .ideograph)
        case 0x0E00...0x0EFF, 0x3040...0x30FF, 0x3100...0x312F, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
            0xF900...0xFAFF, 0x20000...0x3FFFF, 0x1000...0x109F, 0x1780...0x17FF, 0xFF66...0xFF9D:
            return (s, .ideograph)
        case 0xFF01...0xFF5E:
            let ascii = s - 0xFEE0
            let lowered = (0x41...0x5A).contains(ascii) ? ascii + 0x20 : ascii
            let byte = UInt8(lowered)
            if (0x61...0x7A).contains(byte) { return (lowered, .letter) }
            if (0x30...0x39).contains(byte) { return (lowered, .digit) }
            return (lowered, byte == 0x24 ? .currency : .other)
        case 0xFFE0, 0xFFE1, 0xFFE5, 0xFFE6:
            return (s == 0xFFE0 ? 0xA2 : s == 0xFFE1 ? 0xA3 : s == 0xFFE5 ? 0xA5 : 0x20A9, .currency)
        case 0x1D400...0x1D6A3: return (0x61 + (s - 0x1D400) % 26, .letter)
        case 0x1D7CE...0x1D7FF: return (0x30 + (s - 0x1D7CE) % 10, .digit)
        case 0x1F130...0x1F149: return (0x61 + (s - 0x1F130), .letter)
        case 0x1F150...0x1F169: return (0x61 + (s - 0x1F150), .letter)
        case 0x1F170...0x1F189: return (0x61 + (s - 0x1F170), .letter)
        case 0x1F1E6...0x1F1FF: return (s, .emoji)
        case 0x1F3FB...0x1F3FF: return (0, .hidden)
        case 0x1F000...0x1FAFF: return (s, .emoji)
        default:
            guard let scalar = Unicode.Scalar(s) else { return (s, .other) }
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber:
                return (s, .letter)
            case .nonspacingMark, .spacingMark, .enclosingMark: return (s, .letter)
            case .decimalNumber:
                if let value = scalar.properties.numericValue { return (0x30 + UInt32(value), .digit) }
                return (s, .digit)
            case .format, .control: return (0, .hidden)
            case .spaceSeparator, .lineSeparator, .paragraphSeparator: return (0x20, .blank)
            case .currencySymbol: return (s, .currency)
            default: return (s, .other)
            }
        }
    }

    private func isThaiMark(_ s: UInt32) -> Bool {
        s == 0xE31 || (0xE34...0xE3A).contains(s) || (0xE47...0xE4E).contains(s)
    }

    private func isEmojiSymbol(_ s: UInt32) -> Bool {
        switch s {
        case 0x231A...0x23FF, 0x25AA...0x25FE, 0x2600...0x27BF, 0x2934...0x2935, 0x2B05...0x2B55: true
        default: false
        }
    }
}

extension Batch {
    /// Decoded offset of a folded offset of a record's text.
    public func decodedOffset(_ folded: Int, in text: FoldedText) -> Int { decodedOffset(folded, marks: text.marks) }

    @inline(__always)
    private func decodedOffset(_ folded: Int, marks range: Range<Int>) -> Int {
        var low = range.lowerBound
        var high = range.upperBound
        while low < high {
            let middle = (low + high) / 2
            if Int(marks[middle].folded) <= folded { low = middle + 1 } else { high = middle }
        }
        return low == range.lowerBound ? folded : folded + Int(marks[low - 1].delta)
    }

    /// Decoded range of a folded range, widened to whole scalars and without hidden characters at its end.
    public func decodedRange(_ start: UInt32, _ end: UInt32, of record: Record) -> Range<Int> {
        decodedRange(start, end, marks: record.folded.marks, field: record.fields.text)
    }

    /// As ``decodedRange(_:_:of:)`` for the record at an index, which is not copied for it.
    public func decodedRange(_ start: UInt32, _ end: UInt32, ofRecord index: Int) -> Range<Int> {
        decodedRange(start, end, marks: records[index].folded.marks, field: records[index].fields.text)
    }

    private func decodedRange(_ start: UInt32, _ end: UInt32, marks: Range<Int>, field: Span32) -> Range<Int> {
        guard end > start else {
            let at = decodedOffset(Int(start), marks: marks)
            return at..<at
        }
        // A pattern that matches bytes may begin or end inside a scalar, also where folding changed nothing.
        var from = decodedOffset(Int(start), marks: marks)
        // The last byte's own scalar ends where the next mark or byte begins.
        var to = decodedOffset(Int(end) - 1, marks: marks) + 1
        let base = Int(field.start)
        let count = Int(field.count)
        while from > 0, arena[base + from] & 0xC0 == 0x80 { from -= 1 }
        while to < count, arena[base + to] & 0xC0 == 0x80 { to += 1 }
        return from..<max(from, min(to, count))
    }
}
