internal import TriageCore

/// A batch's buffers while its records are written.
struct MessageBuffers {
    let folded: UnsafeBufferPointer<UInt8>
    let tokens: UnsafeBufferPointer<Token>
    let arena: UnsafeBufferPointer<UInt8>
    let marks: UnsafeBufferPointer<FoldMark>
}

/// The way from a message's folded offsets back to the text as it was written.
///
/// As ``Batch/decodedOffset(_:in:)`` and ``Batch/decodedRange(_:_:of:)``, for use while the batch itself is written.
struct MessagePlaces {
    let marks: UnsafeBufferPointer<FoldMark>
    /// The decoded text.
    let text: UnsafeBufferPointer<UInt8>

    func decodedOffset(_ folded: Int) -> Int {
        var low = 0
        var high = marks.count
        while low < high {
            let middle = (low + high) / 2
            if Int(marks[middle].folded) <= folded { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? folded : folded + Int(marks[low - 1].delta)
    }

    func decodedRange(_ folded: Range<Int>) -> Range<Int> {
        var from = min(max(0, decodedOffset(folded.lowerBound)), text.count)
        guard !folded.isEmpty else { return from..<from }
        var to = min(max(from, decodedOffset(folded.upperBound - 1) + 1), text.count)
        while from > 0, from < text.count, text[from] & 0xC0 == 0x80 { from -= 1 }
        while to < text.count, text[to] & 0xC0 == 0x80 { to += 1 }
        return from..<max(from, to)
    }

    /// Whether a word begins with a capital letter or behind a quotation mark.
    func isProminent(_ folded: Int) -> Bool {
        let at = decodedOffset(folded)
        guard at >= 0, at < text.count else { return false }
        if text[at] &- 0x41 < 26 { return true }
        let before = at > 0 ? text[at - 1] : 0
        // A straight quotation mark, or the last byte of a curly or angular one.
        return before == 0x22 || before == 0x9C || before == 0x9E || before == 0xAB
    }
}
