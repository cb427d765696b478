/// Finds substrings ("parts") from several lists in one pass over bytes, ignoring ASCII case.
///
/// Each part has a bit. For each byte value, three masks say for which parts it may be the first, second or third byte.
/// The bitwise AND of the masks of three consecutive bytes leaves the parts that may begin there: usually none, and
/// rarely one that does not match.
struct PartScan: Sendable {
    /// The lists that had a match, one bit each.
    typealias Lists = UInt32

    private struct Part: Sendable {
        var bytes: [UInt8]
        var list: Int
        /// Index in its list.
        var number: Int
    }

    /// What the caller counts for each byte, and the sum over the bytes of a text.
    struct Traits: Sendable {
        /// The kinds of bytes that occur, one bit each.
        var kinds: UInt32 = 0
        /// Counts that are added up.
        var counts: UInt32 = 0
    }

    /// The parts of which a byte may be the first, second and third byte, and its traits.
    private struct Opening: Sendable {
        var first: UInt64 = 0
        var second: UInt64 = 0
        var third: UInt64 = 0
        var traits = Traits()
    }

    /// Sorted by their bytes.
    private let parts: [Part]
    /// The parts with bit `n` are `starts[n]..<starts[n + 1]`: one, unless there are more than 64 in total.
    private let starts: [Int]
    /// Indexed by byte.
    private let openings: [Opening]
    /// The bits of two-byte parts.
    private let short: UInt64

    /// Compiles lists of parts.
    ///
    /// - Parameters:
    ///   - lists: at most 32, of lower-case parts with at least two bytes.
    ///   - traits: the traits of each byte.
    init(_ lists: [[StaticString]], traits: (UInt8) -> Traits = { _ in Traits() }) {
        var all: [Part] = []
        for (list, literals) in lists.enumerated() {
            for (number, literal) in literals.enumerated() {
                let bytes = Array(UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
                if bytes.count >= 2 { all.append(Part(bytes: bytes, list: list, number: number)) }
            }
        }
        all.sort { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        parts = all
        starts = (0...64).map { $0 * all.count / 64 }
        var openings = [Opening](repeating: Opening(), count: 256)
        var short: UInt64 = 0
        for byte in UInt8.min...UInt8.max { openings[Int(byte)].traits = traits(byte) }
        for bit in 0..<64 {
            for part in all[starts[bit]..<starts[bit + 1]] {
                let mask: UInt64 = 1 << UInt64(bit)
                for byte in UInt8.min...UInt8.max {
                    let lower = Self.lowered(byte)
                    if part.bytes[0] == lower { openings[Int(byte)].first |= mask }
                    if part.bytes[1] == lower { openings[Int(byte)].second |= mask }
                    if part.bytes.count == 2 || part.bytes[2] == lower { openings[Int(byte)].third |= mask }
                }
                if part.bytes.count == 2 { short |= mask }
            }
        }
        self.openings = openings
        self.short = short
    }

    @inline(__always)
    static func lowered(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

    /// Calls `body` with every part in the text: its list, its index in the list, and its place.
    @inline(__always)
    func scan(_ text: UnsafeBufferPointer<UInt8>, _ body: (_ list: Int, _ number: Int, _ place: Range<Int>) -> Void) {
        openings.withUnsafeBufferPointer { openings in
            // Parts that may have begun with the last byte, and with the last two bytes.
            var begun: UInt64 = 0
            var begunTwice: UInt64 = 0
            for i in 0..<text.count {
                let opening = openings[Int(text[i])]
                let found = begunTwice & opening.third
                begunTwice = begun & opening.second
                begun = opening.first
                if found != 0 { compare(text, i &- 2, found, body) }
            }
            // Only a two-byte part fits at the end.
            if begunTwice & short != 0 { compare(text, text.count &- 2, begunTwice & short, body) }
        }
    }

    /// Returns the traits of a text's bytes, and whether it may contain a part; if not, it contains none.
    ///
    /// It does not compare candidates and so needs no branch; most short texts have no candidates at all.
    @inline(__always)
    func sum(_ text: UnsafeBufferPointer<UInt8>) -> (traits: Traits, mayHaveParts: Bool) {
        openings.withUnsafeBufferPointer { openings in
            var traits = Traits()
            var begun: UInt64 = 0
            var begunTwice: UInt64 = 0
            var found: UInt64 = 0
            for byte in text {
                let opening = openings.baseAddress.unsafelyUnwrapped + Int(byte)
                found |= begunTwice & opening.pointee.third
                begunTwice = begun & opening.pointee.second
                begun = opening.pointee.first
                traits.kinds |= opening.pointee.traits.kinds
                traits.counts &+= opening.pointee.traits.counts
            }
            return (traits, found | begunTwice & short != 0)
        }
    }

    /// Returns the lists that have a part in the text.
    func lists(in text: UnsafeBufferPointer<UInt8>) -> Lists {
        var found: Lists = 0
        scan(text) { list, _, _ in found |= 1 << UInt32(list) }
        return found
    }

    // Kept out of line, because the pass needs the registers.
    @inline(never)
    private func compare(
        _ text: UnsafeBufferPointer<UInt8>, _ at: Int, _ candidates: UInt64,
        _ body: (_ list: Int, _ number: Int, _ place: Range<Int>) -> Void
    ) {
        var rest = candidates
        while rest != 0 {
            let bit = rest.trailingZeroBitCount
            rest &= rest &- 1
            for index in starts[bit]..<starts[bit &+ 1] {
                let count = parts[index].bytes.count
                guard at + count <= text.count else { continue }
                var i = 0
                while i < count, parts[index].bytes[i] == Self.lowered(text[at + i]) { i += 1 }
                if i == count { body(parts[index].list, parts[index].number, at..<at + count) }
            }
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
