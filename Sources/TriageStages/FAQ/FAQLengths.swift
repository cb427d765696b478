/// How long the words are that begin in a certain way, so that most words need not be looked up at all.
///
/// Kept for a number made of a few bytes of the word; where two share a number, lengths of both are there. Bit `n`
/// stands for words of `n` bytes, the last bit for all longer ones.
struct FAQLengths<Lengths: FixedWidthInteger & UnsignedInteger & Sendable>: Sendable {
    private var masks = [Lengths](repeating: 0, count: 4096)

    mutating func insert(_ number: UInt32, length: Int) {
        masks[FAQLengths.slot(number)] |= 1 << Lengths(min(length, Lengths.bitWidth - 1))
    }

    @inline(__always)
    fileprivate static func slot(_ number: UInt32) -> Int { Int(truncatingIfNeeded: (number &* 0x9E37_79B1) >> 20) }

    func withView<R>(_ body: (View) -> R) -> R {
        masks.withUnsafeBufferPointer { body(View(masks: $0)) }
    }

    /// Bare pointer for looking up.
    struct View {
        fileprivate let masks: UnsafeBufferPointer<Lengths>

        @inline(__always)
        subscript(number: UInt32) -> Lengths { masks[FAQLengths.slot(number)] }
    }
}

/// The bytes of a word that ``FAQLengths`` are kept for.
enum FAQBytes {
    /// The first three of a word that has as many.
    @inline(__always)
    static func start(_ word: UnsafePointer<UInt8>) -> UInt32 {
        UInt32(word[0]) | UInt32(word[1]) << 8 | UInt32(word[2]) << 16
    }

    /// The first and the last three of a word that has three.
    @inline(__always)
    static func ends(_ word: UnsafePointer<UInt8>, _ count: Int) -> UInt32 {
        start(word + (count - 3)) | UInt32(word[0]) << 24
    }
}
