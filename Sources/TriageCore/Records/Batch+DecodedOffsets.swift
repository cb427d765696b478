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
