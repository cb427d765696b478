internal import TriageCore

/// Pointers to a batch's buffers while its records are written.
struct MessageBuffers {
    let folded: UnsafeBufferPointer<UInt8>
    let tokens: UnsafeBufferPointer<Token>
    let arena: UnsafeBufferPointer<UInt8>
    let marks: UnsafeBufferPointer<FoldMark>
}

/// Maps a message's folded offsets back to the decoded text.
///
/// It does the same as ``Batch/decodedRange(_:_:of:)``, but can be used while the batch itself is written.
struct MessagePlaces {
    let marks: UnsafeBufferPointer<FoldMark>
    /// The decoded text.
    let text: UnsafeBufferPointer<UInt8>

    func decodedOffset(_ folded: Int) -> Int { folded + delta(before: marksBefore(folded)) }

    /// Returns the number of marks at or before a folded offset.
    @inline(__always)
    private func marksBefore(_ folded: Int) -> Int {
        // A branch-free binary search, because the branches would be unpredictable.
        var first = 0
        var count = marks.count
        while count > 1 {
            let half = count / 2
            first &+= Int(marks[first &+ half &- 1].folded) <= folded ? half : 0
            count &-= half
        }
        return count == 1 && Int(marks[first].folded) <= folded ? first &+ 1 : first
    }

    @inline(__always)
    private func delta(before mark: Int) -> Int { mark == 0 ? 0 : Int(marks[mark &- 1].delta) }

    @inline(__always)
    func decodedRange(_ folded: Range<Int>) -> Range<Int> {
        // Before the first mark, folded and decoded offsets are equal.
        if !folded.isEmpty, marks.isEmpty || Int(marks[0].folded) >= folded.upperBound {
            return whole(folded.lowerBound, folded.upperBound)
        }
        return markedRange(folded)
    }

    private func markedRange(_ folded: Range<Int>) -> Range<Int> {
        var mark = marksBefore(folded.lowerBound)
        let from = folded.lowerBound &+ delta(before: mark)
        guard !folded.isEmpty else {
            let place = min(max(0, from), text.count)
            return place..<place
        }
        // Usually the end lies before the same mark.
        let last = folded.upperBound &- 1
        while mark < marks.count, Int(marks[mark].folded) <= last { mark &+= 1 }
        return whole(from, last &+ delta(before: mark) &+ 1)
    }

    /// Returns the range between two decoded offsets, clamped to the text and widened to whole scalars.
    @inline(__always)
    private func whole(_ first: Int, _ end: Int) -> Range<Int> {
        var from = min(max(0, first), text.count)
        var to = min(max(from, end), text.count)
        while from > 0, from < text.count, text[from] & 0xC0 == 0x80 { from &-= 1 }
        while to < text.count, text[to] & 0xC0 == 0x80 { to &+= 1 }
        return from..<max(from, to)
    }

    /// Whether a word begins with a capital letter or follows a quotation mark.
    func isProminent(_ folded: Int) -> Bool {
        let at = decodedOffset(folded)
        guard at >= 0, at < text.count else { return false }
        if text[at] &- 0x41 < 26 { return true }
        let before = at > 0 ? text[at - 1] : 0
        // A straight quotation mark, or the last byte of a curly or angular one.
        return before == 0x22 || before == 0x9C || before == 0x9E || before == 0xAB
    }
}
