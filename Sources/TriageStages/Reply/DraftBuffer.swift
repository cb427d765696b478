internal import TriageCore

/// Where the drafts of one batch are written.
struct DraftBuffer: ~Copyable {
    /// Words, to follow ``Batch/generated``.
    var generated: BatchAdditions<UInt8>
    /// Placeholders, to follow ``Batch/generatedSpans``.
    var spans: BatchAdditions<Span32>
    /// Where the words of ``DraftAnswer/basedOn`` already stand in this batch.
    private var pages: [Span32]
    private var answers: [Span32]

    init(_ book: borrowing ReplyBook, _ batch: borrowing Batch) {
        generated = BatchAdditions(after: batch.generated.count)
        spans = BatchAdditions(after: batch.generatedSpans.count)
        pages = [Span32](repeating: .absent, count: book.pages.count)
        answers = [Span32](repeating: .absent, count: book.answers.count)
    }

    /// Copies a run of the book's words.
    @inline(__always)
    mutating func write(_ span: Span32, of words: UnsafeBufferPointer<UInt8>) {
        generated.append(contentsOf: UnsafeBufferPointer(rebasing: words[span.range]))
    }

    /// Copies a run of the book's words, its first letter as a capital one where it has one in ASCII.
    @inline(__always)
    mutating func write(_ span: Span32, of words: UnsafeBufferPointer<UInt8>, capital: Bool) {
        guard capital, span.count > 0, words[Int(span.start)] &- 0x61 < 26 else { return write(span, of: words) }
        generated.append(words[Int(span.start)] & ~0x20)
        write(Span32(start: Int(span.start) + 1, count: Int(span.count) - 1), of: words)
    }

    /// Writes a name, in small letters as far as they are ASCII where the creator writes so.
    @inline(__always)
    mutating func write(name: UnsafeBufferPointer<UInt8>, isSmall: Bool) {
        guard isSmall else { return generated.append(contentsOf: name) }
        for byte in name { generated.append(byte &- 0x41 < 26 ? byte | 0x20 : byte) }
    }

    /// Copies a wording and has each of its placeholders written, with its braces left out.
    mutating func write(
        _ wording: ReplyBook.Wording, _ fills: [Span32], of words: UnsafeBufferPointer<UInt8>, capital: Bool = false,
        filling: (Int, inout DraftBuffer) -> Void
    ) {
        var start = Int(wording.text.start)
        for (number, index) in wording.fill.enumerated() {
            let open = Int(wording.text.start) + Int(fills[index].start) - 1
            write(Span32(start: start, count: open - start), of: words, capital: capital && number == 0)
            filling(number, &self)
            start = open + Int(fills[index].count) + 2
        }
        write(Span32(start: start, count: Int(wording.text.start + wording.text.count) - start), of: words)
    }

    /// Where the name of a page stands; it is written once a batch.
    @inline(__always)
    mutating func page(_ index: Int, _ name: Span32, _ words: UnsafeBufferPointer<UInt8>) -> Span32 {
        if !pages[index].isPresent { pages[index] = place(name, words) }
        return pages[index]
    }

    /// Where the name of a library answer stands; it is written once a batch.
    @inline(__always)
    mutating func answer(_ index: Int, _ name: Span32, _ words: UnsafeBufferPointer<UInt8>) -> Span32 {
        if !answers[index].isPresent { answers[index] = place(name, words) }
        return answers[index]
    }

    /// Writes a name and says where it stands.
    mutating func place(_ name: Span32, _ words: UnsafeBufferPointer<UInt8>) -> Span32 {
        let start = generated.end
        write(name, of: words)
        return Span32(start: start, count: Int(name.count))
    }
}
