internal import TriageCore

/// How words, pairs of words, pieces of words and symbols are numbered: by hashes, of which a model keeps the top bits.
///
/// The numbers are part of what a model file means: a change here needs a new version of that file.
enum TextFeature {
    /// Scalars of a word that are read; languages without blanks write sentences as one word.
    static let wordLimit = 64
    /// Pieces have so many scalars, with the signs for the beginning and the end of the word.
    static let pieceLengths = 2...5
    /// Pieces that a word has at most.
    static let pieceLimit = (wordLimit + 2) * pieceLengths.count

    @inline(__always)
    static func word(_ hash: UInt64) -> UInt64 { mix(hash ^ 0x5851_F42D_4C95_7F2D) }

    /// Two words that follow each other; 0 stands for the beginning of the text.
    @inline(__always)
    static func pair(_ first: UInt64, _ second: UInt64) -> UInt64 {
        mix((first &* 0xD6E8_FEB8_6659_FD93) ^ (second &<< 32 | second &>> 32))
    }

    /// A sign that stands so often in a row.
    @inline(__always)
    static func symbol(_ scalar: UInt32, times: Int) -> UInt64 {
        mix(UInt64(scalar) &<< 8 | UInt64(min(times, 3)) | 1 &<< 62)
    }

    @inline(__always)
    static func piece(_ hash: UInt64) -> UInt64 { mix(hash ^ 0x1405_7B7E_F767_814F) }

    /// Spreads every bit over the top ones, where buckets are taken from.
    @inline(__always)
    static func mix(_ bits: UInt64) -> UInt64 {
        var x = bits
        x ^= x &>> 32
        x = x &* 0xD6E8_FEB8_6659_FD93
        x ^= x &>> 32
        return x &* 0x9E37_79B9_7F4A_7C15
    }

    /// Calls `visit` with the number of each piece of a word.
    static func forEachPiece(of word: UnsafeBufferPointer<UInt8>, _ visit: (UInt64) -> Void) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: wordLimit + 2) { scalars in
            var count = 1
            scalars.initialize(repeating: 0)
            scalars[0] = 0x02
            var at = 0
            while at < word.count, count <= wordLimit {
                let length = min(scalarLength(word[at]), word.count - at)
                var scalar = UInt32(0)
                for i in 0..<length { scalar = scalar &<< 8 | UInt32(word[at &+ i]) }
                scalars[count] = scalar
                count += 1
                at += length
            }
            // A single letter is its own word already.
            guard count > 2 else { return }
            scalars[count] = 0x03
            count += 1
            for start in 0..<count {
                var hash = GrowingHash().value
                for length in 1...pieceLengths.upperBound where start + length <= count && length < count {
                    hash = (hash ^ UInt64(scalars[start &+ length &- 1])) &* 0x100_0000_01B3
                    if length >= pieceLengths.lowerBound { visit(piece(hash ^ UInt64(length) &<< 56)) }
                }
            }
        }
    }

    /// Bytes of the scalar that begins with this one, in valid UTF-8.
    @inline(__always)
    static func scalarLength(_ first: UInt8) -> Int {
        first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    }
}
