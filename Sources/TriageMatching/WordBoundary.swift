import CPatternScan

/// Whether a place lies inside a word.
enum WordBoundary {
    /// Whether letters or digits stand on both sides of an offset.
    @inline(__always)
    static func isInsideWord(_ text: UnsafeBufferPointer<UInt8>, at offset: Int) -> Bool {
        guard offset > 0, offset < text.count else { return false }
        let after = text[offset]
        // Most often a blank.
        if after < 0x80, !isASCIIWord(after) { return false }
        let before = text[offset &- 1]
        if before < 0x80, after < 0x80 { return isASCIIWord(before) }
        return tps_word_before(text.baseAddress, 0, offset) != 0
            && tps_word_at(text.baseAddress, text.count, offset) != 0
    }

    @inline(__always)
    private static func isASCIIWord(_ byte: UInt8) -> Bool {
        byte &- 0x61 < 26 || byte &- 0x30 < 10
    }
}
