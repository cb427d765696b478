import Platform
internal import TriageCore

/// One message's folded bytes and words for the finders; valid while the batch's buffers are borrowed.
struct MessageText {
    /// The folded text.
    let bytes: UnsafeBufferPointer<UInt8>
    /// Its words, with offsets into ``bytes``.
    let tokens: UnsafeBufferPointer<Token>
    private let shapePointer: UnsafePointer<TextShape>
    /// Its counts, behind a pointer, because every finder holds a copy of this struct.
    var shape: TextShape {
        @inline(__always) get { shapePointer.pointee }
    }

    init(
        bytes: UnsafeBufferPointer<UInt8>, tokens: UnsafeBufferPointer<Token>, shape: UnsafePointer<TextShape>
    ) {
        self.bytes = bytes
        self.tokens = tokens
        shapePointer = shape
    }

    /// Returns the byte at an offset; 0 outside of the text.
    @inline(__always)
    func byte(_ offset: Int) -> UInt8 {
        // One comparison suffices: as an unsigned number, a negative offset is large.
        UInt(bitPattern: offset) < UInt(bitPattern: bytes.count) ? bytes[offset] : 0
    }

    /// Returns the first place of a byte at or after an offset; nil if there is none.
    func firstOffset(of byte: UInt8, from offset: Int) -> Int? {
        guard let base = bytes.baseAddress, offset < bytes.count else { return nil }
        guard let found = memchr(base + offset, Int32(byte), bytes.count - offset) else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

    /// Whether an ASCII or UTF-8 literal occurs at an offset.
    @inline(__always)
    func has(_ literal: StaticString, at offset: Int) -> Bool {
        // Most places start with a different byte, which is detected without a call.
        byte(offset) == literal.utf8Start[0] && hasRest(of: literal, at: offset)
    }

    private func hasRest(of literal: StaticString, at offset: Int) -> Bool {
        let count = literal.utf8CodeUnitCount
        guard offset >= 0, offset <= bytes.count - count else { return false }
        let pointer = literal.utf8Start
        var i = 0
        while i < count, bytes[offset &+ i] == pointer[i] { i &+= 1 }
        return i == count
    }

    /// Whether a phrase from the language files occurs at an offset.
    func has(_ phrase: [UInt8], at offset: Int) -> Bool {
        guard let first = phrase.first, byte(offset) == first, offset >= 0, offset <= bytes.count - phrase.count else {
            return false
        }
        var i = 1
        while i < phrase.count, bytes[offset &+ i] == phrase[i] { i &+= 1 }
        return i == phrase.count
    }

    /// Whether a phrase from the language files occurs in a range of offsets.
    func has(_ phrase: [UInt8], in range: Range<Int>) -> Bool {
        let last = min(range.upperBound, bytes.count) - phrase.count
        var i = max(0, range.lowerBound)
        while i <= last, let first = phrase.first, let at = firstOffset(of: first, from: i), at <= last {
            if has(phrase, at: at) { return true }
            i = at + 1
        }
        return false
    }

    /// Whether an ASCII or UTF-8 literal ends directly before an offset.
    func has(_ literal: StaticString, before offset: Int) -> Bool {
        has(literal, at: offset - literal.utf8CodeUnitCount)
    }

    /// Whether a literal occurs in a range of offsets.
    func has(_ literal: StaticString, in range: Range<Int>) -> Bool {
        let last = min(range.upperBound, bytes.count) - literal.utf8CodeUnitCount
        var i = max(0, range.lowerBound)
        while i <= last, let at = firstOffset(of: literal.utf8Start[0], from: i), at <= last {
            if hasRest(of: literal, at: at) { return true }
            i = at + 1
        }
        return false
    }

    @inline(__always)
    func start(_ token: Int) -> Int { Int(tokens[token].start) }

    @inline(__always)
    func end(_ token: Int) -> Int { Int(tokens[token].start) + Int(tokens[token].count) }

    /// Returns the bytes of a word.
    func word(_ token: Int) -> UnsafeBufferPointer<UInt8> {
        let from = min(start(token), bytes.count)
        return UnsafeBufferPointer(rebasing: bytes[from..<min(end(token), bytes.count)])
    }

    /// Returns the number at the start of a word and its count of digits; at most `limit` digits are read.
    @inline(__always)
    func leadingNumber(_ token: Int, limit: Int) -> (value: Int, count: Int) {
        let from = start(token)
        let most = min(Int(tokens[token].count), limit)
        var value = 0
        var count = 0
        while count < most, isDigit(byte(from &+ count)) {
            value = value &* 10 &+ Int(byte(from &+ count) &- 0x30)
            count &+= 1
        }
        return (value, count)
    }

    /// Returns the index of the first word that starts at or after an offset.
    ///
    /// - Parameter token: a word close to the offset, where the search starts.
    @inline(__always)
    func firstToken(from offset: Int, near token: Int) -> Int {
        var i = max(0, min(token, tokens.count))
        while i < tokens.count, start(i) < offset { i &+= 1 }
        while i > 0, start(i &- 1) >= offset { i &-= 1 }
        return i
    }

    /// Returns the hash of a word; 0 outside of the text.
    @inline(__always)
    func hash(_ token: Int) -> UInt64 {
        UInt(bitPattern: token) < UInt(bitPattern: tokens.count) ? tokens[token].hash : 0
    }

    /// Whether a word contains digits; false outside of the text.
    @inline(__always)
    func hasDigits(_ token: Int) -> Bool {
        UInt(bitPattern: token) < UInt(bitPattern: tokens.count) && tokens[token].flags.contains(.digits)
    }

    /// Whether a sentence or line may end between two words.
    ///
    /// The folded text has no line breaks, so this looks for a word that starts a sentence.
    func breaks(from first: Int, to last: Int) -> Bool {
        guard first < last else { return false }
        for i in (first + 1)...last where breaks(before: i) { return true }
        return false
    }

    /// Whether a sentence or line may end directly before a word.
    ///
    /// Loops that move away from a place use it for each word that they step over.
    @inline(__always)
    func breaks(before i: Int) -> Bool {
        guard i > 0, i < tokens.count, tokens[i].flags.contains(.startsSentence) else { return false }
        // "1.5" and "a.m." do not start a sentence.
        return start(i) - end(i - 1) > 1 || byte(start(i) - 1) == 0x20
    }
}

@inline(__always)
func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

@inline(__always)
func isLetter(_ byte: UInt8) -> Bool { byte &- 0x61 < 26 }

/// Whether a byte may be part of a word; all non-ASCII bytes count.
@inline(__always)
func isWordByte(_ byte: UInt8) -> Bool { isDigit(byte) || isLetter(byte) || byte >= 0x80 }
