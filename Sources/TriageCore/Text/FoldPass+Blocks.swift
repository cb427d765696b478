internal import CTextFold

/// ASCII, up to 64 bytes at once: what it is lies in bits, and the bits of a word are a run of ones.
extension FoldPass {
    /// Folds 64 bytes, or what is left of the text, and returns the offset behind them.
    ///
    /// What lies between two places that need a closer look is taken at once.
    mutating func foldBlock(at start: Int, _ marks: inout [FoldMark]) -> Int {
        var rest = min(count &- start, Int(TFOLD_BLOCK))
        // Not kept yet: folded as far as case and blanks go, and overwritten or moved where something is dropped.
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

    /// How many bytes come before one that is not ASCII, or that is dropped: a blank behind a blank, or a letter behind
    /// two of its own.
    @inline(__always)
    private func plainLength(_ kinds: inout tfold_kinds, first: UInt8) -> Int {
        kinds.repeats = kinds.repeats & ~1 | (first == lastByte ? 1 : 0)
        let blanks = kinds.blanks & (kinds.blanks &<< 1 | (lastByte == 0x20 ? 1 : 0))
        let thirds = kinds.letters & kinds.repeats & (kinds.repeats &<< 1 | (runLength >= 2 ? 1 : 0))
        return (kinds.others | blanks | thirds).trailingZeroBitCount
    }

    /// Folds single characters, until ASCII goes on for more than one byte; at least one.
    private mutating func foldAway(from start: Int, _ marks: inout [FoldMark]) -> Int {
        var i = start
        repeat {
            i = foldOne(at: i, &marks)
        } while i < count && (text[i] >= 0x80 || i &+ 1 < count && text[i &+ 1] >= 0x80)
        return i
    }

    /// Takes the next `length` bytes (1–64) of the output as they are.
    ///
    /// - Parameter source: where they come from.
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
        // The bytes of the text are there for longer; but some may be the last that can be read.
        let bytes = readable &- source >= 64 + 8 ? text + source : UnsafePointer(output + written)
        takeWords(letters, digits, gaps: all & ~(letters | digits), sentenceEnds: ends, length, bytes)
        previousWasLetter = letters &>> last != 0
        runLength = 1 &+ Int(truncatingIfNeeded: kinds.repeats &>> last & 1)
        written &+= length
        lastByte = output[written &- 1]
    }

    /// Counts digits and punctuation marks, and notes those that end a sentence.
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

    /// No blank follows a blank here, so that only a line that began before can be empty.
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

    /// - Parameter digits: at least one.
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

    /// Notes the words of the next `length` bytes of output.
    ///
    /// Adding one of the bits of a run of ones to the run carries to the place behind it: so a sentence's end finds the
    /// word that it lets begin, and a digit the end of its word.
    ///
    /// - Parameter bytes: the words but for their case, and eight bytes behind them.
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

    /// Adds the words that end, as words of letters alone; returns the bit of the start of one that does not, and where
    /// the next one goes.
    ///
    /// - Parameter place: of the first bit in the output.
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

    /// - Parameter places: starts of words.
    private static func flagSentences(_ places: UInt64, _ starts: UInt64, _ first: UnsafeMutablePointer<Token>) {
        var rest = places
        repeat {
            let lower = (rest & (0 &- rest)) &- 1
            rest &= rest &- 1
            first[(starts & lower).nonzeroBitCount].flags.insert(.startsSentence)
        } while rest != 0
    }

    /// - Parameter places: ends of words.
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
    /// Goes on behind the first `count` bytes (1–63).
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
