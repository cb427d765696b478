/// Parts of words with the letters they need: most are ruled out by one mask.
struct PartList: Sendable {
    fileprivate let parts: [(letters: UInt32, literal: StaticString)]

    init(_ literals: [StaticString]) {
        parts = literals.map { literal in
            (
                letters: LetterMask.of(UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount)),
                literal: literal
            )
        }
    }

    /// Whether one of the parts stands in lower-case bytes.
    func isIn(_ bytes: UnsafeBufferPointer<UInt8>, letters: UInt32) -> Bool {
        for part in parts where part.letters & ~letters == 0 {
            if PartScan.offset(of: part.literal, in: bytes, from: 0) != nil { return true }
        }
        return false
    }
}

/// Letters that occur, one bit each.
enum LetterMask {
    static func of(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
        var letters: UInt32 = 0
        for byte in bytes where isLetter(byte) { letters |= 1 << UInt32(byte &- 0x61) }
        return letters
    }
}

/// Asks a handle and a name for parts of words.
struct PartScan {
    let handle: UnsafeBufferPointer<UInt8>
    let both: UnsafeBufferPointer<UInt8>
    private let handleLetters: UInt32
    private let letters: UInt32

    init(handle: UnsafeBufferPointer<UInt8>, both: UnsafeBufferPointer<UInt8>) {
        self.handle = handle
        self.both = both
        handleLetters = LetterMask.of(handle)
        letters = LetterMask.of(both)
    }

    func handleHas(_ parts: PartList) -> Bool { parts.isIn(handle, letters: handleLetters) }
    func anyHas(_ parts: PartList) -> Bool { parts.isIn(both, letters: letters) }

    /// Whether a whole word of handle or name is one of the parts.
    func hasPiece(_ pieces: PartList) -> Bool {
        for piece in pieces.parts where piece.letters & ~letters == 0 {
            var from = 0
            while let i = Self.offset(of: piece.literal, in: both, from: from) {
                let end = i + piece.literal.utf8CodeUnitCount
                let before = i > 0 ? both[i - 1] : 0
                let after = end < both.count ? both[end] : 0
                if !isWordByte(before), !isWordByte(after) { return true }
                from = i + 1
            }
        }
        return false
    }

    static func offset(of part: StaticString, in bytes: UnsafeBufferPointer<UInt8>, from: Int) -> Int? {
        let count = part.utf8CodeUnitCount
        let pointer = part.utf8Start
        let first = pointer[0]
        var i = from
        while i <= bytes.count - count {
            if bytes[i] == first {
                var j = 1
                while j < count, bytes[i + j] == pointer[j] { j += 1 }
                if j == count { return i }
            }
            i += 1
        }
        return nil
    }
}
