/// Parts of words, in any number of lists, found in one pass over lower-case bytes.
///
/// Most positions are ruled out by their first two bytes.
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

    /// Parts back to back, those of one pair of first bytes together.
    private let bytes: [UInt8]
    private let parts: [Part]
    /// Parts whose first bytes have number `n`, by ``pair(_:_:)``: `starts[n]..<starts[n + 1]`.
    private let starts: [UInt16]

    /// - Parameter lists: at most 32; no part has fewer than two bytes.
    init(_ lists: [[StaticString]]) {
        var all: [(bytes: [UInt8], list: Int, number: Int)] = []
        for (list, literals) in lists.enumerated() {
            for (number, literal) in literals.enumerated() {
                let part = Array(UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
                if part.count >= 2 { all.append((part, list, number)) }
            }
        }
        func pair(_ part: [UInt8]) -> Int { Self.pair(part[0], part[1]) }
        all.sort { (pair($0.bytes), $0.list, $0.number) < (pair($1.bytes), $1.list, $1.number) }
        var bytes: [UInt8] = []
        var parts: [Part] = []
        var starts = [UInt16](repeating: 0, count: 1025)
        for part in all {
            parts.append(
                Part(
                    offset: Int32(bytes.count), count: Int32(part.bytes.count), list: Int32(part.list),
                    number: Int32(part.number)))
            bytes += part.bytes
            starts[pair(part.bytes) + 1] += 1
        }
        for number in 0..<1024 { starts[number + 1] += starts[number] }
        self.bytes = bytes
        self.parts = parts
        self.starts = starts
    }

    @inline(__always)
    private static func pair(_ first: UInt8, _ second: UInt8) -> Int { (Int(first) &* 37 &+ Int(second)) & 1023 }

    /// Calls `body` with every part that stands in the text: its list, its number there, and its place.
    @inline(__always)
    func scan(_ text: UnsafeBufferPointer<UInt8>, _ body: (_ list: Int, _ number: Int, _ place: Range<Int>) -> Void) {
        guard text.count >= 2 else { return }
        starts.withUnsafeBufferPointer { starts in
            for at in 0..<(text.count &- 1) {
                let pair = Self.pair(text[at], text[at &+ 1])
                let (first, last) = (starts[pair], starts[pair &+ 1])
                if first != last { compare(text, at, Int(first)..<Int(last), body) }
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
        _ text: UnsafeBufferPointer<UInt8>, _ at: Int, _ candidates: Range<Int>,
        _ body: (_ list: Int, _ number: Int, _ place: Range<Int>) -> Void
    ) {
        for index in candidates {
            let part = parts[index]
            let count = Int(part.count)
            guard at + count <= text.count else { continue }
            var i = 0
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
