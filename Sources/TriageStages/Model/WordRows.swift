internal import CPrefetch
internal import TriageCore

/// Sums of a model's weights over a word and its pieces, remembered for the words that come again and again.
///
/// A word of a message costs one look-up instead of two dozen. What is remembered is exactly what would be computed,
/// so answers do not depend on which messages came before.
///
/// One batch at a time may use it.
final class WordRows {
    private struct Entry {
        var word = ShortWord.none
        var row = SIMD8<Int16>(repeating: 0)
    }

    private static let bits: UInt64 = 15
    private let entries: UnsafeMutablePointer<Entry>
    private let shift: UInt64

    /// - Parameter model: of which it remembers; ``row(of:in:_:)`` must get the same one each time.
    init(_ model: borrowing StatisticalModel) {
        let count = 1 << Int(Self.bits)
        entries = .allocate(capacity: count)
        entries.initialize(repeating: Entry(), count: count)
        shift = 64 - UInt64(model.bits)
    }

    deinit { entries.deallocate() }

    /// Where a word is remembered.
    @inline(__always)
    private func entry(of hash: UInt64) -> UnsafeMutablePointer<Entry> {
        entries + Int((hash &* 0x9E37_79B9_7F4A_7C15) &>> (64 - Self.bits))
    }

    /// Asks for what ``row(of:in:_:)`` will read of a word.
    @inline(__always)
    func expect(_ token: Token) { prefetch_line(entry(of: token.hash)) }

    /// The weights of a word.
    ///
    /// - Parameters:
    ///   - text: the folded text, of which sixteen bytes may be read behind the word.
    ///   - rows: the model's.
    @inline(__always)
    func row(
        of token: Token, in text: UnsafePointer<UInt8>, _ rows: UnsafeBufferPointer<SIMD8<Int8>>
    ) -> SIMD8<Int32> {
        guard let word = ShortWord(token, in: text) else { return sum(token, text, rows) }
        let entry = entry(of: token.hash)
        if entry.pointee.word == word { return SIMD8(truncatingIfNeeded: entry.pointee.row) }
        let row = sum(token, text, rows)
        // Sixteen bytes have less than ninety pieces of 127 at most: they fit.
        entry.pointee = Entry(word: word, row: SIMD8(truncatingIfNeeded: row))
        return row
    }

    @inline(never)
    private func sum(
        _ token: Token, _ text: UnsafePointer<UInt8>, _ rows: UnsafeBufferPointer<SIMD8<Int8>>
    ) -> SIMD8<Int32> {
        var sum = SIMD8<Int32>(truncatingIfNeeded: rows[Int(TextFeature.word(token.hash) &>> shift)])
        guard token.flags.contains(.letters) else { return sum }
        let word = UnsafeBufferPointer(start: text + Int(token.start), count: Int(token.count))
        guard let first = rows.baseAddress else { return sum }
        // The rows lie far apart in megabytes: all are asked for before the first is read, so that the waits overlap.
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: TextFeature.pieceLimit) { places in
            var count = 0
            TextFeature.forEachPiece(of: word) { piece in
                let place = piece &>> shift
                prefetch_line(first + Int(place))
                places[count] = UInt32(truncatingIfNeeded: place)
                count &+= 1
            }
            for index in 0..<count { sum &+= SIMD8<Int32>(truncatingIfNeeded: rows[Int(places[index])]) }
        }
        return sum
    }
}
