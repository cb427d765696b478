/// The parts of a message that are looked at for danger one by one, because a cry for help may stand inside an advertisement.
///
/// A part is a sentence, or a few if they are short. `Tests/Benchmarks/danger.py` cuts texts in the same way.
struct DangerSpans {
    /// Ranges of the text; empty only for a blank text.
    let ranges: [Range<Int>]

    /// Shorter parts say little by themselves, in bytes.
    private static let shortest = 30
    /// No text has many more parts.
    private static let most = 24
    /// A longer sentence is cut at a space before four fifths of this, but not within its first ``leastCut`` bytes.
    private static let longest = 300
    private static let leastCut = 60

    init(_ text: [UInt8]) {
        var sentences: [Range<Int>] = []
        var start = 0
        func close(at end: Int) {
            let sentence = (start..<end).trimmed(in: text)
            if !sentence.isEmpty { sentences.append(sentence) }
            start = end
        }
        for place in text.indices where Self.ends(at: place, text) { close(at: place + 1) }
        close(at: text.count)
        let least = max(Self.shortest, text.count / Self.most)
        var joined: [Range<Int>] = []
        var open: Range<Int>?
        for sentence in sentences {
            let part = (open?.lowerBound ?? sentence.lowerBound)..<sentence.upperBound
            open = part.count >= least ? nil : part
            if open == nil { joined.append(part) }
        }
        if let open {
            if let last = joined.popLast() {
                joined.append(last.lowerBound..<open.upperBound)
            } else {
                joined.append(open)
            }
        }
        let pieces = joined.flatMap { Self.pieces(of: $0, text) }
        // Of a very long text the beginning and the end are read, so that its length costs nothing.
        ranges = pieces.count <= 2 * Self.most ? pieces : Array(pieces.prefix(Self.most) + pieces.suffix(Self.most))
    }

    private static func pieces(of part: Range<Int>, _ text: [UInt8]) -> [Range<Int>] {
        var (rest, pieces) = (part, [Range<Int>]())
        while rest.count > longest {
            var end = rest.lowerBound + longest * 4 / 5
            if let blank = text[rest.lowerBound + leastCut..<end].lastIndex(of: 0x20) {
                end = blank
            } else {
                // No character has more than four bytes; bytes that are no characters may go on like that.
                for _ in 0..<3 where text[end] & 0xC0 == 0x80 { end -= 1 }
            }
            pieces.append(rest.lowerBound..<end)
            rest = end..<rest.upperBound
        }
        return pieces + [rest]
    }

    /// Whether a byte is the last one of a sentence: a stop before a blank, a wide stop, or the end of a line.
    private static func ends(at place: Int, _ text: [UInt8]) -> Bool {
        func before(_ count: Int) -> UInt8 { place >= count ? text[place - count] : 0 }
        let isBeforeBlank = place + 1 == text.count || FAQSpans.isBlank(text[place + 1])
        switch text[place] {
        case 0x0A: return true
        case UInt8(ascii: "."), UInt8(ascii: "!"), UInt8(ascii: "?"): return isBeforeBlank
        case 0xA6: return isBeforeBlank && before(1) == 0x80 && before(2) == 0xE2
        case 0x9F where before(1) == 0xD8: return isBeforeBlank
        case 0x82: return before(1) == 0x80 && before(2) == 0xE3
        case 0x81, 0x9F: return before(1) == 0xBC && before(2) == 0xEF
        default: return false
        }
    }
}
