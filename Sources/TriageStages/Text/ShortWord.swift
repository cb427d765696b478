internal import TriageCore

/// All bytes of a folded word of up to sixteen bytes: equal only for equal words.
///
/// A hash is not enough as the key of a cache: somebody who constructs two words with the same hash could make the
/// answers to one message depend on the message before it.
struct ShortWord: Equatable {
    /// A value that equals no word, because words contain no NUL bytes.
    static let none = ShortWord(low: 0, high: 0)

    private let low: UInt64
    private let high: UInt64

    private init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }

    /// Reads a word; nil if it is longer.
    ///
    /// - Parameter text: the folded text of the token; sixteen bytes after the word must be readable.
    @inline(__always)
    init?(_ token: Token, in text: UnsafePointer<UInt8>) {
        let count = Int(token.count)
        guard count > 0, count <= 16 else { return nil }
        let start = UnsafeRawPointer(text + Int(token.start))
        let missing = UInt64(truncatingIfNeeded: -8 &* count)
        let first = UInt64(littleEndian: start.loadUnaligned(as: UInt64.self))
        let second = UInt64(littleEndian: (start + 8).loadUnaligned(as: UInt64.self))
        // All ones for a word of more than eight bytes; a mask instead of a branch, because the length is
        // unpredictable.
        let isLong = UInt64(bitPattern: Int64(truncatingIfNeeded: 8 &- count) &>> 63)
        let shift = missing & ~isLong
        low = (first &<< shift) &>> shift
        high = ((second &<< missing) &>> missing) & isLong
    }
}
