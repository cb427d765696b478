internal import TriageCore

/// All bytes of a folded word of up to sixteen: equal for equal words and for no others.
///
/// A hash would not do where answers are remembered: whoever makes up two words of one hash could let the answers of one
/// message depend on which message came before.
struct ShortWord: Equatable {
    /// Of no word: words have no NUL bytes.
    static let none = ShortWord(low: 0, high: 0)

    private let low: UInt64
    private let high: UInt64

    private init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }

    /// Nil for a longer word.
    ///
    /// - Parameter text: the folded text that the token is of; sixteen bytes may be read behind the word.
    @inline(__always)
    init?(_ token: Token, in text: UnsafePointer<UInt8>) {
        let count = Int(token.count)
        guard count > 0, count <= 16 else { return nil }
        let start = UnsafeRawPointer(text + Int(token.start))
        let missing = UInt64(truncatingIfNeeded: -8 &* count)
        let first = UInt64(littleEndian: start.loadUnaligned(as: UInt64.self))
        let second = UInt64(littleEndian: (start + 8).loadUnaligned(as: UInt64.self))
        // All ones for a word of more than eight bytes: which it is cannot be foreseen, so there is no branch.
        let isLong = UInt64(bitPattern: Int64(truncatingIfNeeded: 8 &- count) &>> 63)
        let shift = missing & ~isLong
        low = (first &<< shift) &>> shift
        high = ((second &<< missing) &>> missing) & isLong
    }
}
