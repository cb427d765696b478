/// The lengths of known words by their first or last bytes, so that most words need not be looked up at all.
///
/// The lengths are stored under a number computed from a few bytes of the word; if two words share a number, it has the
/// lengths of both. Bit `n` stands for words of `n` bytes, the last bit for all longer ones.
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

    /// A bare pointer for look-ups.
    struct View {
        fileprivate let masks: UnsafeBufferPointer<Lengths>

        @inline(__always)
        subscript(number: UInt32) -> Lengths { masks[FAQLengths.slot(number)] }
    }
}

/// The bytes of a word that index ``FAQLengths``.
enum FAQBytes {
    /// Returns the first three bytes of a word, which must have at least three.
    @inline(__always)
    static func start(_ word: UnsafePointer<UInt8>) -> UInt32 {
        UInt32(word[0]) | UInt32(word[1]) << 8 | UInt32(word[2]) << 16
    }

    /// Returns the first byte and the last three bytes of a word, which must have at least three.
    @inline(__always)
    static func ends(_ word: UnsafePointer<UInt8>, _ count: Int) -> UInt32 {
        start(word + (count - 3)) | UInt32(word[0]) << 24
    }
}
