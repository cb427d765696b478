/// Characters that are not ASCII, one by one.
extension FoldPass {
    /// Folds the scalars from `start` on that are not ASCII, at least one, and returns the offset behind them.
    mutating func foldScalars(at start: Int, _ marks: inout [FoldMark]) -> Int {
        shape.isASCII = false
        var i = start
        repeat {
            let lead = text[i]
            // Most are letters of two bytes that stand for one of at most two.
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
        // Joiners and selectors inside emoji sequences and scripts that need them are no sign of anything.
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

    /// The scalar at `i` and its length; of what is no UTF-8, which texts never are, one byte as a question mark: then
    /// too a fold has no more bytes than what it stands for.
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
