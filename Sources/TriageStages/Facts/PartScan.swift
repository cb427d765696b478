/// Parts of words, in any number of lists, found in one pass over lower-case bytes.
///
/// Most positions are ruled out by one bit of their first two bytes.
struct PartScan: Sendable {
    /// Which of the lists had a part, one bit each.
    typealias Lists = UInt32

    private struct Part: Sendable {
        var offset: Int32
        var count: Int32
        var list: Int32
        /// Number in its list.
        var number: Int32
    }

    /// Parts back to back, those with the same first byte together.
    private let bytes: [UInt8]
    private let parts: [Part]
    /// Parts that begin with byte `b`: `starts[b]..<starts[b + 1]`.
    private let starts: [UInt16]
    /// One bit for each pair of first bytes that occurs, by ``bit(_:_:)``.
    private let pairs: [UInt64]

    /// - Parameter lists: at most 32; no part has fewer than two bytes.
    init(_ lists: [[StaticString]]) {
        var all: [(bytes: [UInt8], list: Int, number: Int)] = []
        for (list, literals) in lists.enumerated() {
            for (number, literal) in literals.enumerated() {
                let part = Array(UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
                if part.count >= 2 { all.append((part, list, number)) }
            }
        }
        all.sort { ($0.bytes[0], $0.list, $0.number) < ($1.bytes[0], $1.list, $1.number) }
        var bytes: [UInt8] = []
        var parts: [Part] = []
        var starts = [UInt16](repeating: 0, count: 257)
        var pairs = [UInt64](repeating: 0, count: 16)
        for part in all {
            parts.append(
                Part(
                    offset: Int32(bytes.count), count: Int32(part.bytes.count), list: Int32(part.list),
                    number: Int32(part.number)))
            bytes += part.bytes
            starts[Int(part.bytes[0]) + 1] += 1
            let bit = Self.bit(part.bytes[0], part.bytes[1])
            pairs[bit >> 6] |= 1 << UInt64(bit & 63)
        }
        for byte in 0..<256 { starts[byte + 1] += starts[byte] }
        self.bytes = bytes
        self.parts = parts
        self.starts = starts
        self.pairs = pairs
    }

    @inline(__always)
    private static func bit(_ first: UInt8, _ second: UInt8) -> Int { (Int(first) &* 37 &+ Int(second)) & 1023 }

    /// Calls `body` with every part that stands in the text: its list, its number there, and its place.
    @inline(__always)
    func scan(_ text: UnsafeBufferPointer<UInt8>, _ body: (_ list: Int, _ number: Int, _ place: Range<Int>) -> Void) {
        guard text.count >= 2 else { return }
        pairs.withUnsafeBufferPointer { pairs in
            for at in 0..<(text.count &- 1) {
                let bit = Self.bit(text[at], text[at &+ 1])
                if pairs[bit >> 6] >> UInt64(bit & 63) & 1 != 0 { compare(text, at, body) }
            }
        }
    }

    /// The lists of which a part stands in the text.
    func lists(in text: UnsafeBufferPointer<UInt8>) -> Lists {
        var found: Lists = 0
        scan(text) { list, _, _ in found |= 1 << UInt32(list) }
        return found
    }

    private func compare(
        _ text: UnsafeBufferPointer<UInt8>, _ at: Int, _ body: (_ list: Int, _ number: Int, _ place: Range<Int>) -> Void
    ) {
        let first = text[at]
        for index in Int(starts[Int(first)])..<Int(starts[Int(first) + 1]) {
            let part = parts[index]
            let count = Int(part.count)
            guard at + count <= text.count else { continue }
            var i = 1
            while i < count, bytes[Int(part.offset) + i] == text[at + i] { i += 1 }
            if i == count { body(Int(part.list), Int(part.number), at..<at + count) }
        }
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
