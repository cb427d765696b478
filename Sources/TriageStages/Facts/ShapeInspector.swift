import Platform
internal import ShippedLanguages
internal import TriageCore

/// The detectors that fired, one bit each, in the order of ``DetectorName/allCases``.
struct DetectorBits: Equatable {
    var bits: UInt64 = 0

    private static let indices: [DetectorName: UInt64] = Dictionary(
        uniqueKeysWithValues: DetectorName.allCases.enumerated().map { ($1, UInt64($0)) })

    /// Returns the bit of a detector; looked up once per stage, not per message.
    static func mask(_ name: DetectorName) -> UInt64 { 1 << (indices[name] ?? 63) }

    @inline(__always)
    mutating func insert(_ mask: UInt64, if condition: Bool) { bits |= condition ? mask : 0 }
}

/// Detects the form of a text from the counts of the folding pass and, where necessary, its bytes.
final class ShapeInspector: Sendable {
    private let question = DetectorBits.mask(.shapeQuestion)
    private let short = DetectorBits.mask(.shapeShort)
    private let long = DetectorBits.mask(.shapeLong)
    private let caps = DetectorBits.mask(.shapeCaps)
    private let exclamations = DetectorBits.mask(.shapeExclamations)
    private let emojiMany = DetectorBits.mask(.shapeEmojiMany)
    private let emojiOnly = DetectorBits.mask(.shapeEmojiOnly)
    private let hidden = DetectorBits.mask(.shapeHidden)
    private let mixedScript = DetectorBits.mask(.shapeMixedScript)
    private let fancyLetters = DetectorBits.mask(.shapeFancyLetters)
    private let paragraphs = DetectorBits.mask(.shapeParagraphs)
    private let signature = DetectorBits.mask(.shapeSignature)
    private let mention = DetectorBits.mask(.shapeMention)
    private let longNumber = DetectorBits.mask(.shapeLongNumber)
    private let lowercaseStart = DetectorBits.mask(.shapeLowercaseStart)
    private static let closings = WordSet(
        ShippedLanguages.entries(of: "closings").flatMap(\.values).joined(separator: " "),
        by: { GrowingHash.of($0) })

    /// Runs the detectors on a text.
    ///
    /// - Parameter raw: the decoded text.
    func inspect(_ text: MessageText, raw: UnsafeBufferPointer<UInt8>, into detectors: inout DetectorBits) {
        let shape = text.shape
        // In scripts without blanks, a word has about two letters.
        let words = text.tokens.count &+ Int(shape.literals &+ 1) / 2
        detectors.insert(question, if: shape.questionMarks > 0)
        detectors.insert(short, if: words <= 3)
        detectors.insert(long, if: words >= 120)
        detectors.insert(caps, if: shape.letters >= 12 && shape.upper * 5 >= shape.letters * 3)
        detectors.insert(exclamations, if: shape.exclamations >= 3)
        detectors.insert(emojiMany, if: shape.emoji >= 3)
        detectors.insert(emojiOnly, if: shape.emoji > 0 && words == 0 && !shape.hasLetters)
        detectors.insert(hidden, if: shape.suspiciousHidden > 0)
        detectors.insert(mixedScript, if: shape.mixedScriptWords > 0)
        detectors.insert(fancyLetters, if: shape.fancyLetters >= 4)
        detectors.insert(longNumber, if: shape.longestDigits >= 6)
        detectors.insert(lowercaseStart, if: shape.latin > 0 && startsLow(raw))
        if shape.lineBreaks > 0 {
            let lines = nonEmptyLines(raw)
            detectors.insert(paragraphs, if: shape.blankLines >= 2 || lines >= 3)
            if lines >= 2 { detectors.insert(signature, if: isSigned(raw)) }
        }
        if shape.atSigns > 0 { detectors.insert(mention, if: hasMention(text)) }
    }

    /// Whether the first Latin letter is lower case.
    private func startsLow(_ raw: UnsafeBufferPointer<UInt8>) -> Bool {
        for i in 0..<min(raw.count, 256) where (raw[i] | 0x20) &- 0x61 < 26 { return raw[i] & 0x20 != 0 }
        return false
    }

    private func nonEmptyLines(_ raw: UnsafeBufferPointer<UInt8>) -> Int {
        var lines = 0
        var i = 0
        while i < raw.count, lines < 3 {
            // The first byte of most lines is text, so that only the end has to be found.
            while i < raw.count, raw[i] <= 0x20 { i += 1 }
            guard i < raw.count, let base = raw.baseAddress else { break }
            lines += 1
            guard let end = memchr(base + i, 0x0A, raw.count - i) else { break }
            i = UnsafeRawPointer(end) - UnsafeRawPointer(base) + 1
        }
        return lines
    }

    private func hasMention(_ text: MessageText) -> Bool {
        var i = 0
        while let at = text.firstOffset(of: 0x40, from: i) {
            if isWordByte(text.byte(at + 1)), !isWordByte(text.byte(at - 1)) { return true }
            i = at + 1
        }
        return false
    }

    // MARK: - Signature

    /// Whether the last lines look like a signature: a dash or a closing with a name, or "Name, Role".
    private func isSigned(_ raw: UnsafeBufferPointer<UInt8>) -> Bool {
        let last = lineBefore(raw, raw.count)
        guard !last.isEmpty, last.count <= 90 else { return false }
        if startsWithClosing(raw, last) || startsWithDash(raw, last) || isNameAndRole(raw, last) { return true }
        let previous = lineBefore(raw, last.lowerBound)
        return !previous.isEmpty && previous.count <= 60 && startsWithClosing(raw, previous)
    }

    /// Returns the last non-empty line that ends before an offset, trimmed.
    private func lineBefore(_ raw: UnsafeBufferPointer<UInt8>, _ offset: Int) -> Range<Int> {
        var end = offset
        while end > 0, raw[end - 1] <= 0x20 { end -= 1 }
        var start = end
        while start > 0, raw[start - 1] != 0x0A { start -= 1 }
        while start < end, raw[start] <= 0x20 { start += 1 }
        return start..<end
    }

    private func startsWithDash(_ raw: UnsafeBufferPointer<UInt8>, _ line: Range<Int>) -> Bool {
        let first = raw[line.lowerBound]
        if (first == 0x2D || first == 0x2F || first == 0x7E), line.count <= 60 { return true }
        // En and em dash.
        return first == 0xE2 && line.count > 3 && raw[line.lowerBound + 1] == 0x80
            && (raw[line.lowerBound + 2] == 0x93 || raw[line.lowerBound + 2] == 0x94)
    }

    private func startsWithClosing(_ raw: UnsafeBufferPointer<UInt8>, _ line: Range<Int>) -> Bool {
        guard line.count <= 60 else { return false }
        var hash = GrowingHash()
        var letters = 0
        var words = 0
        for i in line.lowerBound...line.upperBound {
            let byte = i < line.upperBound ? raw[i] : 0
            if byte &- 0x41 < 26 || byte &- 0x61 < 26 || byte >= 0x80 {
                hash.add(byte < 0x80 ? byte | 0x20 : byte)
                letters += 1
            } else if letters > 0 {
                if Self.closings.contains(hash: hash.value) { return true }
                words += 1
                if words == 2 { return false }
                hash = GrowingHash()
                letters = 0
            }
        }
        return false
    }

    private func isNameAndRole(_ raw: UnsafeBufferPointer<UInt8>, _ line: Range<Int>) -> Bool {
        guard line.count <= 60 else { return false }
        let first = raw[line.lowerBound]
        guard first &- 0x41 < 26 || first >= 0xC3 else { return false }
        for i in line where raw[i] == 0x2C || raw[i] == 0x7C {
            let name = i - line.lowerBound
            return name >= 3 && name <= 30 && line.upperBound - i > 3
        }
        return false
    }
}
