/// Folds texts in one pass that lowers case, strips, records offset marks, splits into words and counts.
///
/// Takes linear time and allocates only the output arrays. At most ``limit`` bytes of a text are read, so a hostile
/// text costs a bounded amount of time and memory.
package struct TextFolder: Sendable {
    /// Maximum number of bytes of a text that are analysed; 1 MiB is more than any message that a person writes.
    package static let limit = 1 << 20
    /// Maximum number of words of a text that are kept.
    package static let tokenLimit = 1 << 16

    private let specials = SpecialByte.all
    private let scalars = ScalarFold.low
    private let usesBlocks: Bool

    package init() { usesBlocks = true }

    /// Creates a folder that uses a given method.
    ///
    /// - Parameter usesBlocks: whether ASCII is folded 64 bytes at a time; the result is the same.
    package init(usesBlocks: Bool) { self.usesBlocks = usesBlocks }

    /// Folds one text into a batch's buffers.
    ///
    /// - Parameters:
    ///   - text: valid UTF-8.
    ///   - folded: receives the folded bytes and a line break after them; a folded text contains no line break itself.
    ///   - marks: receives the points at which offsets shift.
    ///   - tokens: receives the words.
    package func fold(
        _ text: UnsafeBufferPointer<UInt8>, folded: inout [UInt8], marks: inout [FoldMark], tokens: inout [Token]
    ) -> FoldedText {
        var result = FoldedText()
        withSpace(bytes: text.count, words: FoldPass.wordLimit(of: text.count), &folded, &tokens) { space in
            space.fold(text.indices, of: text, &marks, into: &result)
        }
        return result
    }

    /// Folds the texts of all records of a batch that are to be triaged.
    package func fold(_ batch: inout Batch) {
        var bytes = 0
        var words = 0
        for index in batch.records.indices where batch.records[index].isAsked {
            let length = Int(batch.records[index].fields.text.count)
            bytes += length + 1
            words += FoldPass.wordLimit(of: length)
        }
        // Moved out of the batch while its records change.
        var folded: [UInt8] = []
        var tokens: [Token] = []
        var marks: [FoldMark] = []
        swap(&folded, &batch.folded)
        swap(&tokens, &batch.tokens)
        swap(&marks, &batch.marks)
        withSpace(bytes: bytes, words: words, &folded, &tokens) { space in
            batch.arena.withUnsafeBufferPointer { arena in
                for index in batch.records.indices where batch.records[index].isAsked {
                    let range = batch.records[index].fields.text.range
                    space.fold(range, of: arena, &marks, into: &batch.records[index].folded)
                }
            }
        }
        swap(&folded, &batch.folded)
        swap(&tokens, &batch.tokens)
        swap(&marks, &batch.marks)
    }

    /// Gives `body` room in the buffers for texts of this many bytes and words.
    private func withSpace(
        bytes: Int, words: Int, _ folded: inout [UInt8], _ tokens: inout [Token], _ body: (inout FoldSpace) -> Void
    ) {
        let base = folded.count
        let firstToken = tokens.count
        folded.append(addingCapacity: bytes + 1 + FoldPass.outputSlack) { folded in
            folded.withUnsafeMutableBufferPointer { output, written in
                tokens.append(addingCapacity: words + FoldPass.wordSlack) { tokens in
                    tokens.withUnsafeMutableBufferPointer { words, wordCount in
                        specials.withUnsafeBufferPointer { specials in
                            scalars.withUnsafeBufferPointer { scalars in
                                // Never nil: none of them is empty.
                                guard let output = output.baseAddress, let words = words.baseAddress,
                                    let specials = specials.baseAddress, let scalars = scalars.baseAddress
                                else { return }
                                var space = FoldSpace(
                                    output: output, base: base, words: words, firstToken: firstToken,
                                    specials: specials, scalars: scalars, usesBlocks: usesBlocks)
                                body(&space)
                                written = space.written
                                wordCount = space.wordCount
                            }
                        }
                    }
                }
            }
        }
    }

    /// Folds a pattern or a word, without marks and counts.
    package func fold(_ string: String) -> [UInt8] {
        var folded: [UInt8] = []
        var marks: [FoldMark] = []
        var tokens: [Token] = []
        var copy = string
        _ = copy.withUTF8 { fold($0, folded: &folded, marks: &marks, tokens: &tokens) }
        folded.removeLast()
        return folded
    }

    /// Returns the words of a string, folded.
    package func words(_ string: String) -> [[UInt8]] {
        var folded: [UInt8] = []
        var marks: [FoldMark] = []
        var tokens: [Token] = []
        var copy = string
        _ = copy.withUTF8 { fold($0, folded: &folded, marks: &marks, tokens: &tokens) }
        return tokens.map { Array(folded[Int($0.start)..<Int($0.start) + Int($0.count)]) }
    }
}

/// Room for several folded texts, one after another.
private struct FoldSpace {
    let output: UnsafeMutablePointer<UInt8>
    /// Where `output` lies in ``Batch/folded``.
    let base: Int
    let words: UnsafeMutablePointer<Token>
    /// Where `words` lie in ``Batch/tokens``.
    let firstToken: Int
    let specials: UnsafePointer<SpecialByte>
    let scalars: UnsafePointer<ScalarFold>
    let usesBlocks: Bool
    var written = 0
    var wordCount = 0

    /// Folds one text.
    ///
    /// - Parameters:
    ///   - range: the range of the text in `arena`.
    ///   - arena: the buffer that holds it; bytes after the text may be read but do not matter.
    mutating func fold(
        _ range: Range<Int>, of arena: UnsafeBufferPointer<UInt8>, _ marks: inout [FoldMark],
        into result: inout FoldedText
    ) {
        precondition(range.upperBound <= arena.count)
        let firstMark = marks.count
        let firstWord = wordCount
        let start = written
        if !range.isEmpty, let text = arena.baseAddress {
            let length = Self.cutLength(of: UnsafeBufferPointer(rebasing: arena[range]))
            var pass = FoldPass(
                text: text + range.lowerBound, count: length, readable: arena.count - range.lowerBound,
                output: output + written, words: words + wordCount, specials: specials, scalars: scalars)
            pass.run(inBlocks: usesBlocks, marks: &marks)
            result.shape = pass.shape
            result.shape.isCut = length < range.count
            written += pass.written
            wordCount += pass.wordCount
        } else {
            result.shape = TextShape()
        }
        result.span = Span32(start: base + start, count: written - start)
        result.marks = firstMark..<marks.count
        result.tokens = firstToken + firstWord..<firstToken + wordCount
        output[written] = 0x0A
        written += 1
    }

    /// Returns the length up to the limit, without splitting a scalar.
    private static func cutLength(of text: UnsafeBufferPointer<UInt8>) -> Int {
        guard text.count > TextFolder.limit else { return text.count }
        var end = TextFolder.limit
        while end > 0, text[end] & 0xC0 == 0x80 { end -= 1 }
        return end
    }
}
